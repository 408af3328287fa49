/* fuzz_qubo_sparse.c - QUBO lists. */
#include "harness.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    return fuzz_formats("qubo-sparse(sense=min,offdiagonal=twice)", data, size);
}
