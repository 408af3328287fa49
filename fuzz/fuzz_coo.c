/* fuzz_coo.c - coordinate lists of dimod. */
#include "harness.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    return fuzz_formats("coo|coo(vartype=binary)", data, size);
}
