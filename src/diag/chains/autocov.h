/* autocov.h - autocovariances of chains, averaged over them, on demand. */
#ifndef HS_DIAG_CHAINS_AUTOCOV_H
#define HS_DIAG_CHAINS_AUTOCOV_H

#include <hiss/status.h>
#include <stdint.h>

typedef struct hs_autocov {
    const double *x; /* borrowed; [chain][n], each chain of mean 0 */
    double *value;   /* owned; value[t] for t < ready */
    int64_t n;
    int64_t ready;
    int chains;
    /* for indicators, instead of x: */
    const uint64_t *bits; /* borrowed; [chain][hs_autocov_words(n)] */
    const double *mean;   /* borrowed; mean of each chain */
    double *whole;        /* owned; x as numbers instead of bits, or NULL */
} hs_autocov;

/* Words for the bits of a chain: one more than necessary, which is 0. */
static inline int64_t hs_autocov_words(int64_t n)
{
    return n / 64 + 2;
}

/* Counts set bits without an instruction that old processors lack. */
static inline int hs_autocov_ones(uint64_t w)
{
    w -= w >> 1 & 0x5555555555555555u;
    w = (w & 0x3333333333333333u) + (w >> 2 & 0x3333333333333333u);
    w = (w + (w >> 4)) & 0x0f0f0f0f0f0f0f0fu;
    return (int)(w * 0x0101010101010101u >> 56);
}

/* x stays borrowed until hs_autocov_clear. */
hiss_status hs_autocov_init(hs_autocov *a, const double *x, int chains,
                            int64_t n, hiss_error *err);
/* For indicators: bit i of a chain is draw i; both arrays stay borrowed. */
hiss_status hs_autocov_init_bits(hs_autocov *a, const uint64_t *bits,
                                 const double *mean, int chains, int64_t n,
                                 hiss_error *err);
void hs_autocov_clear(hs_autocov *a);

/* Makes value[t] available: the mean over chains of
 * sum_i x_i x_(i+t) / n, for 0 <= t < n. */
hiss_status hs_autocov_need(hs_autocov *a, int64_t t, hiss_error *err);

#endif
