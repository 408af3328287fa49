/* fuzz_uai.c - factor graphs of the UAI competitions. */
#include "harness.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    return fuzz_formats("uai", data, size);
}
