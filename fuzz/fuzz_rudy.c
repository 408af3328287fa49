/* fuzz_rudy.c - MaxCut graphs. */
#include "harness.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    return fuzz_formats("rudy", data, size);
}
