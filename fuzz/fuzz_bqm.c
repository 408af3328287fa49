/* fuzz_bqm.c - binary files of dimod. */
#include "harness.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    return fuzz_formats("bqm", data, size);
}
