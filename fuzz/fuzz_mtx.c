/* fuzz_mtx.c - Matrix Market files. */
#include "harness.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    return fuzz_formats("mtx|mtx(as=qubo)|mtx(as=maxcut)", data, size);
}
