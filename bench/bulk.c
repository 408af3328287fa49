/* bulk.c - exp of negative numbers and tanh, load to store, in one loop each.
 *
 * Compiled once per instruction set, as the files of src/lanes are. */
#include "bulk.h"

#include "lanes/vec/vec.h"

void HS_NAME(bench_exp)(int rows, const float (*x)[HS_LANES],
                        float (*out)[HS_LANES])
{
    for (int r = 0; r < rows; r++)
        HS_EACH_PART(l)
    vf_store(out[r] + l, vf_exp_negative(vf_load(x[r] + l)));
}

void HS_NAME(bench_tanh)(int rows, const float (*x)[HS_LANES],
                         float (*out)[HS_LANES])
{
    for (int r = 0; r < rows; r++)
        HS_EACH_PART(l)
    vf_store(out[r] + l, vf_tanh(vf_load(x[r] + l)));
}
