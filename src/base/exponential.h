/* exponential.h - e^x in double without libm: the same bits everywhere.
 *
 * x = k ln 2 + r with |r| <= ln 2 / 2, and e^r by its series, whose terms past
 * r^13 / 13! are below 1e-17.  Relative error below 1e-15. */
#ifndef HS_BASE_EXPONENTIAL_H
#define HS_BASE_EXPONENTIAL_H

#include <math.h>

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

#endif
