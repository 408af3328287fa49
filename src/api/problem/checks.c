/* checks.c - checks the numbers of models from arrays. */
#include "api/problem/checks.h"

#include <float.h>
#include <math.h>

#include "base/error.h"

hiss_status hs_check_dim(int dim, hiss_error *err)
{
    if (dim < 1)
        return hs_fail(err, HISS_EARG,
                       "a model has at least 1 coordinate, not %d", dim);
    return HISS_OK;
}

hiss_status hs_check_numbers(const char *what, const double *at, int64_t count,
                             double most, hiss_error *err)
{
    for (int64_t e = 0; at && e < count; e++)
        if (!(fabs(at[e]) <= most))
            return hs_fail(err, HISS_EARG,
                           "entry %lld of %s is %g, expected a finite number "
                           "of at most %.3g",
                           (long long)e, what, at[e], most);
    return HISS_OK;
}

/* Checks all at once first, because training makes a model anew at every
 * step. */
hiss_status hs_check_floats(const char *what, const float *at, int64_t count,
                            hiss_error *err)
{
    int odd = 0;

    for (int64_t e = 0; at && e < count; e++)
        odd |= !(fabsf(at[e]) <= FLT_MAX);
    for (int64_t e = 0; odd && e < count; e++)
        if (!(fabsf(at[e]) <= FLT_MAX))
            return hs_fail(err, HISS_EARG,
                           "entry %lld of %s is %g, expected a finite number",
                           (long long)e, what, (double)at[e]);
    return HISS_OK;
}
