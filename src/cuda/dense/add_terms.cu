/* add_terms.cu - U as a sum of many terms, made by a block of threads in an
 * order that depends on their number alone. */
#include "cuda/dense/dense.h"

#if defined(__CUDACC__)
#  define LANES   8 /* of a block: what one read of memory brings */
#  define STRANDS 128

/* Strand s adds up terms s, s + STRANDS, ..., then strands meet in pairs. */
HS_KERNEL void HS_BOUNDS(LANES *STRANDS)
    add_terms(const float *term, int rows, double offset, double *u)
{
    __shared__ double part[STRANDS][LANES];
    int l = (int)threadIdx.x % LANES, s = (int)threadIdx.x / LANES;
    int64_t number = (int64_t)blockIdx.x * LANES + l;
    int64_t tile = number / HS_LANES, lane = number % HS_LANES;
    double sum = 0.0;

    for (int r = s; r < rows; r += STRANDS)
        sum = sum + (double)term[(tile * rows + r) * HS_LANES + lane];
    part[s][l] = sum;
    for (int half = STRANDS / 2; half > 0; half /= 2) {
        HS_SYNC();
        if (s < half)
            part[s][l] = part[s][l] + part[s + half][l];
    }
    if (s == 0)
        u[number] = offset + part[0][l];
}

void hs_card_add_terms(const float *term, int rows, int64_t lanes,
                       double offset, double *u)
{
    HS_LAUNCH_BLOCKS(add_terms, lanes / LANES, LANES * STRANDS, 0, term, rows,
                     offset, u);
}
#else
void hs_card_add_terms(const float *term, int rows, int64_t lanes,
                       double offset, double *u)
{
    for (int64_t n = 0; n < lanes; n++) {
        const float *own = term + n / HS_LANES * rows * HS_LANES + n % HS_LANES;
        double sum = 0.0;

        for (int64_t r = 0; r < rows; r++)
            sum += (double)own[r * HS_LANES];
        u[n] = offset + sum;
    }
}
#endif
