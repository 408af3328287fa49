/* fuzz_wcnf.c - weighted clauses. */
#include "harness.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    return fuzz_formats("wcnf|wcnf(form=penalty)", data, size);
}
