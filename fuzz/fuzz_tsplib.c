/* fuzz_tsplib.c - travelling-salesman problems. */
#include "harness.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    return fuzz_formats("tsplib|tsplib(rounded=yes,form=onehot)", data, size);
}
