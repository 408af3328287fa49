/* fuzz_dca.c - Potts parameters. */
#include "harness.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    return fuzz_formats("dca", data, size);
}
