/* add_terms.cu - U as a sum of many terms. */
#include "cuda/adders.h"
#include "cuda/dense/dense.h"

HS_KERNEL void HS_BOUNDS(HS_ADDERS)
    add_terms(const float *term, int rows, double offset, double *u)
{
    HS_OF_BLOCK hs_adder_parts part;
    hs_adder s = hs_adder_at(rows);
    double sum = 0.0;

    for (int r = s.adder; r < rows; r += s.adders)
        sum = sum + (double)term[(s.tile * rows + r) * HS_LANES + s.lane];
    sum = hs_adder_meet(&s, sum, 0, part);
    if (s.adder == 0)
        u[s.number] = offset + sum;
}

void hs_card_add_terms(const float *term, int rows, int64_t lanes,
                       double offset, double *u)
{
    HS_LAUNCH_ADDERS(add_terms, lanes, rows, term, rows, offset, u);
}
