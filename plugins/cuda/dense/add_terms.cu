/* add_terms.cu - U as a sum of many terms. */
#include "cuda/dense/dense.h"
#include "cuda/strands.h"

HS_KERNEL void HS_BOUNDS(HS_STRANDS)
    add_terms(const float *term, int rows, double offset, double *u)
{
    HS_OF_BLOCK hs_strand_parts part;
    hs_strand s = hs_strand_at(rows);
    double sum = 0.0;

    for (int r = s.strand; r < rows; r += s.strands)
        sum = sum + (double)term[(s.tile * rows + r) * HS_LANES + s.lane];
    sum = hs_strand_meet(&s, sum, 0, part);
    if (s.strand == 0)
        u[s.number] = offset + sum;
}

void hs_card_add_terms(const float *term, int rows, int64_t lanes,
                       double offset, double *u)
{
    HS_LAUNCH_STRANDS(add_terms, lanes, rows, term, rows, offset, u);
}
