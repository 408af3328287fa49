/* discs.c - the effective sample size as DISCS has it.
 *
 * DISCS [Goshvadi et al. 2023] projects every state on one random direction,
 * normal in each coordinate, and takes the ESS of the projection, chain by
 * chain, from the autocorrelations r_t about the chain's own mean, up to the
 * first that is negative:
 *     N / (-1 + 2 sum_t (1 - t / N) r_t),
 * 1 where it is not a number; the mean over chains, here times their number, so
 * that it can stand beside other figures of all chains.  A chain that stays in
 * one mode has its own mean there, and an ESS as if there were no other. */
#include "arena/judge/discs.h"

#include <math.h>
#include <stdlib.h>

#include "arena/targets/families.h"

static double chain_ess(const double *f, int64_t draws)
{
    double n = (double)draws, mean = 0.0, all = 0.0, sum = 0.0;

    for (int64_t k = 0; k < draws; k++)
        mean += f[k] / n;
    for (int64_t k = 0; k < draws; k++)
        all += (f[k] - mean) * (f[k] - mean);
    if (!(all > 0.0))
        return 1.0;
    for (int64_t lag = 1; lag < draws; lag++) {
        double r = 0.0;

        for (int64_t k = 0; k + lag < draws; k++)
            r += (f[k] - mean) * (f[k + lag] - mean);
        if (r < 0.0)
            break;
        sum += r / all;
    }
    return n / (1.0 + 2.0 * sum);
}

/* The projection of all draws, [chain][draw], or NULL. */
static double *project(const hiss_result *result, const hiss_run_info *info)
{
    size_t count = (size_t)info->chains * (size_t)info->samples;
    size_t dim = (size_t)info->dim;
    double *f = calloc(count, sizeof *f);
    double *x = malloc(sizeof *x * dim), *way = malloc(sizeof *way * dim);
    uint64_t seed = 1;

    for (size_t i = 0; way && i < dim; i++)
        way[i] = family_normal(&seed);
    for (size_t n = 0; f && x && way && n < count; n++) {
        hiss_result_draw(result, (int)(n / (size_t)info->samples),
                         (int64_t)(n % (size_t)info->samples), x);
        for (size_t i = 0; i < dim; i++)
            f[n] += way[i] * x[i];
    }
    if (!x || !way) {
        free(f);
        f = NULL;
    }
    free(x);
    free(way);
    return f;
}

double discs_ess(const hiss_result *result)
{
    hiss_run_info info = HISS_INIT(hiss_run_info);
    double sum = 0.0, *f;

    if (!hiss_result_info(result, &info) || info.samples < 2)
        return (double)NAN;
    f = project(result, &info);
    if (!f)
        return (double)NAN;
    for (int c = 0; c < info.chains; c++)
        sum += chain_ess(f + c * info.samples, info.samples);
    free(f);
    return sum;
}
