/* pt_levels.c - the levels of parallel tempering, from its options. */
#include <math.h>

#include "base/error.h"
#include "kernel/compose/pt_levels.h"
#include "kernel/tempering.h"

#define USUAL       5    /* levels */
#define HOTTEST     20.0 /* temperature of a ladder that is not tuned */
#define PATH_LEVELS 4    /* levels of a reference path that is not tuned */

int hs_tempering_ladder(const hs_kernel *k)
{
    const struct hs_pt *s = k->state;

    if (s->ladder.count)
        return s->ladder.count;
    return isnan(s->levels) ? USUAL : (int)s->levels;
}

int hs_tempering_path(const hs_kernel *k)
{
    const struct hs_pt *s = k->state;

    if (s->reference == HS_TEMPERING_UNIFORM ||
        s->reference == HS_TEMPERING_NETWORK)
        return 0;
    return s->path.count ? s->path.count : PATH_LEVELS;
}

int hs_pt_replicas(const hs_kernel *k)
{
    return hs_tempering_ladder(k) + hs_tempering_path(k);
}

double hs_pt_lambda(const hs_kernel *k, int n)
{
    const struct hs_pt *s = k->state;

    if (n < 0)
        return 1.0;
    return s->path.count ? s->path.at[n] : 1.0 - (n + 1.0) / PATH_LEVELS;
}

double hs_tempering_temperature(const hs_kernel *k, int level)
{
    const struct hs_pt *s = k->state;
    double hottest = isnan(s->max_temperature) || isinf(s->max_temperature)
                         ? HOTTEST
                         : s->max_temperature;
    int levels = hs_tempering_ladder(k);

    if (s->ladder.count)
        return s->ladder.at[level];
    return levels == 1 ? 1.0
                       : pow(hottest, (double)level / (double)(levels - 1));
}

static hiss_status check_path(const struct hs_pt *s, hiss_error *err)
{
    if (s->reference == HS_TEMPERING_UNIFORM ||
        s->reference == HS_TEMPERING_NETWORK)
        return s->path.count
                   ? hs_fail(err, HISS_EARG,
                             "sampler pt: path needs reference=product or "
                             "reference=modes")
                   : HISS_OK;
    if (s->parts_every > 0)
        return hs_fail(err, HISS_EARG,
                       "sampler pt: parts and reference exclude each other");
    for (int n = 0; n < s->path.count; n++)
        if (n > 0 && !(s->path.at[n] < s->path.at[n - 1]))
            return hs_fail(err, HISS_EARG,
                           "sampler pt: path must fall, entry %d is %g", n + 1,
                           s->path.at[n]);
    if (s->path.count && s->path.at[s->path.count - 1] != 0.0)
        return hs_fail(err, HISS_EARG,
                       "sampler pt: path must end with 0, the reference");
    return HISS_OK;
}

hiss_status hs_pt_check(const hs_kernel *k, hiss_error *err)
{
    const struct hs_pt *s = k->state;

    HS_TRY(check_path(s, err));
    if (s->reference == HS_TEMPERING_NETWORK && s->ladder.count &&
        isinf(s->ladder.at[s->ladder.count - 1]))
        return hs_fail(err, HISS_EARG,
                       "sampler pt: the ladder ends at infinity, where every "
                       "state is equally likely; leave reference=uniform");
    if (!isnan(s->levels) && s->levels != floor(s->levels))
        return hs_fail(err, HISS_EARG,
                       "sampler pt: levels is %g, expected a whole number or "
                       "auto",
                       s->levels);
    if (isinf(s->max_temperature) && !isnan(s->levels) && !s->ladder.count)
        return hs_fail(err, HISS_EARG,
                       "sampler pt: max_temperature=inf needs levels=auto or "
                       "a ladder");
    if (hs_pt_replicas(k) > HS_REPLICAS_MAX)
        return hs_fail(err, HISS_EARG, "sampler pt: %d levels, at most %d",
                       hs_pt_replicas(k), HS_REPLICAS_MAX);
    for (int j = 0; j < s->ladder.count; j++)
        if (j == 0 ? s->ladder.at[0] != 1.0
                   : !(s->ladder.at[j] > s->ladder.at[j - 1]))
            return hs_fail(err, HISS_EARG,
                           "sampler pt: ladder must start at 1 and rise, "
                           "entry %d is %g",
                           j + 1, s->ladder.at[j]);
    return HISS_OK;
}

float hs_pt_beta(const hs_kernel *k, int level)
{
    int ladder = hs_tempering_ladder(k);

    return (float)(level < ladder ? 1.0 / hs_tempering_temperature(k, level)
                                  : hs_pt_lambda(k, level - ladder));
}
