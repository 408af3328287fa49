/* fuzz_qubo.c - .qubo files. */
#include "harness.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    return fuzz_formats("qubo", data, size);
}
