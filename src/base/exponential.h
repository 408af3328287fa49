/* exponential.h - e^x in double without libm: the same bits everywhere.
 *
 * x = k ln 2 + r with |r| <= ln 2 / 2, and e^r by its series, whose terms past
 * r^13 / 13! are below 1e-17.  Relative error below 1e-15. */
#ifndef HS_BASE_EXPONENTIAL_H
#define HS_BASE_EXPONENTIAL_H

#include <math.h>
#include <stdint.h>
#include <string.h>

#include "base/lane.h"

/* Takes any x that is a number; -infinity, and all below -700, give 0. */
static inline double hs_exponential(double x)
{
    double k, r, sum = 1.0;

    if (!(x >= -700.0))
        return 0.0;
    if (x > 700.0)
        return HUGE_VAL;
    k = floor(x * 1.4426950408889634074 + 0.5);
    /* the first part of ln 2 has 33 bits, so its product with k is exact */
    r = (x - k * 0x1.62e42feep-1) - k * 1.9082149292705877e-10;
    for (int n = 13; n > 0; n--)
        sum = 1.0 + sum * r / n;
    return ldexp(sum, (int)k);
}

/* Computes hs_exponential of sixteen numbers that are at most 0, with the same
 * bits.  Groups of four stay in registers. */
static inline void hs_exponentials(const double x[HS_LANES],
                                   double out[HS_LANES])
{
    typedef double four __attribute__((vector_size(32)));
    enum {
        FOUR = 4
    };

    for (int l = 0; l < HS_LANES; l += FOUR) {
        double power[FOUR];
        four r, sum = {1.0, 1.0, 1.0, 1.0};

        for (int n = 0; n < FOUR; n++) {
            double least = x[l + n] >= -700.0 ? x[l + n] : -700.0;
            double scaled = least * 1.4426950408889634074 + 0.5;
            double k = (double)(int32_t)scaled;
            uint64_t bits;

            k = k > scaled ? k - 1.0 : k; /* floor */
            r[n] = (least - k * 0x1.62e42feep-1) - k * 1.9082149292705877e-10;
            bits = (uint64_t)(1023 + (int64_t)k) << 52; /* 2^k, k >= -1010 */
            memcpy(&power[n], &bits, sizeof bits);
        }
        for (int n = 13; n > 0; n--)
            sum = 1.0 + sum * r / (double)n;
        for (int n = 0; n < FOUR; n++)
            out[l + n] = x[l + n] >= -700.0 ? sum[n] * power[n] : 0.0;
    }
}

#endif
