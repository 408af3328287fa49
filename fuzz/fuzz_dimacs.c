/* fuzz_dimacs.c - DIMACS graphs. */
#include "harness.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    return fuzz_formats(
        "dimacs(task=independent_set)|dimacs(task=clique,form=constraint)|"
        "dimacs(task=coloring,colours=3)",
        data, size);
}
