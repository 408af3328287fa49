/* logarithm.h - ln x in double without libm: the same bits everywhere.
 *
 * x = 2^e m with sqrt(1/2) <= m < sqrt(2), and with f = (m - 1) / (m + 1)
 *     ln m = 2 (f + f^3/3 + f^5/5 + ...),  |f| < 0.172,
 * whose terms past f^19 are below 1e-17.  Relative error below 1e-15, but next
 * to 1, where the error is below 1e-16. */
#ifndef HS_BASE_LOGARITHM_H
#define HS_BASE_LOGARITHM_H

#include <math.h>
#include <stdint.h>
#include <string.h>

#ifndef HS_ANYWHERE /* cuda/thread.h defines it for GPUs as well */
#  define HS_ANYWHERE static inline
#endif

/* Takes a normal x > 0; 0 gives -infinity. */
HS_ANYWHERE double hs_logarithm(double x)
{
    const uint64_t root = UINT64_C(0x3fe6a09e667f3bcd); /* sqrt(1/2) */
    uint64_t bits, from;
    double m, f, g, sum = 0.0;

    if (!(x > 0.0))
        return -HUGE_VAL;
    memcpy(&bits, &x, sizeof bits);
    bits -= root;
    from = (bits & UINT64_C(0x000fffffffffffff)) + root;
    memcpy(&m, &from, sizeof m);
    f = (m - 1.0) / (m + 1.0);
    g = f * f;
    for (int n = 19; n > 1; n -= 2)
        sum = (sum + 1.0 / n) * g;
    return (double)((int64_t)bits >> 52) * 0.69314718055994530942 +
           2.0 * (f + f * sum);
}

#endif
