/* scaled.h - positive numbers beyond the range of a double: m * 2^e. */
#ifndef HS_EXACT_COUNT_SCALED_H
#define HS_EXACT_COUNT_SCALED_H

#include <math.h>
#include <stdint.h>

#define HS_SCALED_LN2 0.69314718055994530942

/* m is 0, or so near 1 that a product of two neither overflows nor
 * underflows. */
typedef struct hs_scaled {
    double m;
    int64_t e;
} hs_scaled;

static inline hs_scaled hs_scaled_of(double m, int64_t e)
{
    if (m != 0.0 && (m > 0x1p256 || m < 0x1p-256)) {
        int shift;

        m = frexp(m, &shift);
        e += shift;
    }
    return (hs_scaled){m, m == 0.0 ? 0 : e};
}

static inline hs_scaled hs_scaled_times(hs_scaled a, hs_scaled b)
{
    return hs_scaled_of(a.m * b.m, a.e + b.e);
}

/* Returns a.m * 2^(a.e - e), or 0 if that is too small. */
static inline double hs_scaled_at(hs_scaled a, int64_t e)
{
    int64_t shift = a.e - e;

    return shift == 0      ? a.m
           : shift < -4000 ? 0.0
                           : ldexp(a.m, (int)(shift > 4000 ? 4000 : shift));
}

static inline hs_scaled hs_scaled_plus(hs_scaled a, hs_scaled b)
{
    if (a.m == 0.0)
        return b;
    if (b.m == 0.0)
        return a;
    if (a.e < b.e)
        return hs_scaled_of(b.m + hs_scaled_at(a, b.e), b.e);
    return hs_scaled_of(a.m + hs_scaled_at(b, a.e), a.e);
}

/* Returns a / b for b > 0. */
static inline double hs_scaled_ratio(hs_scaled a, hs_scaled b)
{
    return hs_scaled_at(a, b.e) / b.m;
}

static inline double hs_scaled_log(hs_scaled a)
{
    return a.m > 0.0 ? log(a.m) + HS_SCALED_LN2 * (double)a.e : -HUGE_VAL;
}

static inline hs_scaled hs_scaled_exp(double x)
{
    double e;

    if (!(x > -HUGE_VAL))
        return (hs_scaled){0.0, 0};
    e = floor(x / HS_SCALED_LN2);
    return hs_scaled_of(exp(x - e * HS_SCALED_LN2), (int64_t)e);
}

#endif
