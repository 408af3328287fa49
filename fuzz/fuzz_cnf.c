/* fuzz_cnf.c - clauses. */
#include "harness.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    return fuzz_formats("cnf|cnf(form=constraint)", data, size);
}
