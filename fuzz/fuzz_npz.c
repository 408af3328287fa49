/* fuzz_npz.c - arrays of numpy, and zip archives. */
#include "harness.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    return fuzz_formats("npz|npz(as=ising)", data, size);
}
