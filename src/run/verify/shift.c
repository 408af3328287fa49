/* shift.c - compares states before and after, pair by pair. */
#include "run/verify/shift.h"

#include <math.h>
#include <stdio.h>

#include "base/alloc.h"
#include "base/error.h"
#include "diag/maths/normal.h"

hiss_status hs_shift_init(hs_shift *s, const hs_features *f, int64_t cells,
                          hiss_error *err)
{
    int levels = f->levels;
    int64_t most = HS_SHIFT_COUNTERS / ((int64_t)f->count * levels + 1);

    cells = cells < most ? cells : most;
    *s = (hs_shift){.features = f, .cells = cells > 1 ? (int)cells : 1};
    s->flips = hs_alloc_array((size_t)levels, sizeof *s->flips);
    s->sum = hs_alloc_array((size_t)levels, sizeof *s->sum);
    s->squares = hs_alloc_array((size_t)levels, sizeof *s->squares);
    if (!s->flips || !s->sum || !s->squares)
        return hs_fail_memory(err);
    for (int j = 0; j < levels; j++)
        HS_TRY(hs_flips_init(&s->flips[j], f->count, s->cells, err));
    return HISS_OK;
}

void hs_shift_clear(hs_shift *s)
{
    for (int j = 0; s->flips && j < s->features->levels; j++)
        hs_flips_clear(&s->flips[j]);
    hs_free(s->flips);
    hs_free(s->sum);
    hs_free(s->squares);
    *s = (hs_shift){0};
}

int hs_shift_cell(const hs_shift *s, int64_t part, int64_t parts)
{
    return (int)(part * s->cells / parts);
}

void hs_shift_add(hs_shift *s, int cell, const uint32_t *from,
                  const uint32_t *to)
{
    const hs_features *f = s->features;

    s->replicates++;
    s->moved += from[0] != to[0];
    for (int j = 0; j < f->levels; j++) {
        int64_t d;

        if (from[j] == to[j])
            continue;
        d = hs_features_scale_at(&f->gauge[j], f->exact->u[to[j]]) -
            hs_features_scale_at(&f->gauge[j], f->exact->u[from[j]]);
        s->sum[j] += d;
        s->squares[j] += d * d;
        hs_flips_add(&s->flips[j], cell, hs_features_of(f, from[j]),
                     hs_features_of(f, to[j]));
    }
}

void hs_shift_merge(hs_shift *s, hs_shift *other)
{
    s->replicates += other->replicates;
    s->moved += other->moved;
    for (int j = 0; j < s->features->levels; j++) {
        s->sum[j] += other->sum[j];
        s->squares[j] += other->squares[j];
        hs_flips_merge(&s->flips[j], &other->flips[j]);
    }
}

static hs_differences differences(const hs_shift *s, int level)
{
    return (hs_differences){.n = (double)s->replicates,
                            .sum = (double)s->sum[level],
                            .squares = (double)s->squares[level],
                            .range = 2.0 * HS_ENERGY_TOP};
}

/* Takes a member if it is worse than the present one. */
static void consider(const hs_shift *s, hs_verify_test *out, int level,
                     int feature, hs_chi2 one, double change)
{
    int used = 0;

    out->members++;
    if (out->members > 1 && one.p >= out->chi2.p)
        return;
    out->chi2 = one;
    out->change = change;
    if (s->features->levels > 1)
        used = snprintf(out->worst, sizeof out->worst, "level %d%s", level,
                        feature < 0 ? "" : ": ");
    if (feature >= 0)
        hs_feature_name(s->features, feature, out->worst + used,
                        sizeof out->worst - (size_t)used);
}

static void test_u(const hs_shift *s, int level, hs_verify_test *out)
{
    hs_differences d = differences(s, level);
    double sd = s->features->gauge[level].sd;

    consider(s, out, level, -1,
             (hs_chi2){hs_differences_z(&d), 0, hs_differences_p(&d)},
             sd > 0.0 && d.n > 0.0 ? d.sum / d.n / sd : 0.0);
}

static void test_feature(hs_shift *s, int level, int feature,
                         hs_verify_test *out)
{
    int64_t up, down;
    double n;

    hs_flips_total(&s->flips[level], feature, &up, &down);
    n = (double)(up + down);
    consider(s, out, level, feature,
             (hs_chi2){n > 0.0 ? (double)(up - down) / sqrt(n) : 0.0, 0,
                       hs_sign_p(up, down)},
             s->replicates > 0 ? (double)(up - down) / (double)s->replicates
                               : 0.0);
}

static void test_spread(hs_shift *s, int level, int feature,
                        hs_verify_test *out)
{
    hs_chi2 one = {0};

    one.statistic = hs_flips_spread(&s->flips[level], feature, &one.df);
    one.p = hs_spread_p(one.statistic, one.df);
    consider(s, out, level, feature, one, (double)NAN);
}

bool hs_shift_test(hs_shift *s, hs_shift_family family, hs_verify_test *out)
{
    static const char *const names[] = {"U", "tails of U", "marginals", "pairs",
                                        "spread"};
    const hs_features *f = s->features;
    bool is_spread = family == HS_SHIFT_SPREAD;
    int first = 0, end = f->count;

    *out = (hs_verify_test){.chi2.p = 1.0, .change = (double)NAN};
    snprintf(out->name, sizeof out->name, "%s", names[family]);
    if (is_spread && s->cells < 2)
        return false;
    if (!is_spread && family != HS_SHIFT_U) {
        first = f->first[family - HS_SHIFT_TAILS];
        end = f->first[family - HS_SHIFT_TAILS + 1];
    }
    for (int j = 0; j < f->levels; j++) {
        if (family == HS_SHIFT_U)
            test_u(s, j, out);
        for (int k = first; family != HS_SHIFT_U && k < end; k++)
            if (is_spread)
                test_spread(s, j, k, out);
            else
                test_feature(s, j, k, out);
    }
    out->chi2.p = fmin(1.0, out->chi2.p * out->members);
    return out->members > 0;
}

void hs_shift_bias(const hs_shift *s, double *bias, double *error)
{
    double n = (double)s->replicates, sd = s->features->gauge[0].sd;

    *bias = *error = 0.0;
    if (sd > 0.0 && n > 0.0) {
        *bias = (double)s->sum[0] / n / sd;
        *error = sqrt((double)s->squares[0]) / n / sd;
    }
}

double hs_shift_renewal(const hs_shift *s)
{
    double n = (double)s->replicates, sd = s->features->gauge[0].sd;

    if (sd == 0.0)
        return (double)s->moved / n;
    return (double)s->squares[0] / n / (2.0 * sd * sd);
}

/* z at which a two-sided test at level p has power 0.9. */
static double found_at(double p)
{
    return hs_normal_quantile(1.0 - 0.5 * p) + hs_normal_quantile(0.9);
}

/* For a tail of probability q whose indicator changed n times in N: a shift of
 * the mean by z sqrt(n) / N is detected, and half the variance n / N over q (1
 * - q) is 1 - correlation. */
static double tail_reach(hs_shift *s, int feature, double p)
{
    double q = s->features->at[feature].share, z;
    int64_t up, down;

    hs_flips_total(&s->flips[0], feature, &up, &down);
    if (up + down == 0 || !(q > 0.0 && q < 1.0))
        return INFINITY;
    z = hs_normal_quantile(q);
    return found_at(p) * 2.0 * q * (1.0 - q) / sqrt((double)(up + down)) /
           (exp(-0.5 * z * z) / sqrt(2.0 * M_PI));
}

/* If U is constant, an indicator of probability 1/2 that changes in every move
 * replaces it: sd 1/2, 1 - correlation 2 moved / n, and the sign test. */
double hs_shift_reach(hs_shift *s, double p)
{
    hs_differences d = differences(s, 0);
    double sd = s->features->gauge[0].sd, renewal = hs_shift_renewal(s), reach;
    int tails = s->features->first[HS_TAIL + 1];

    if (renewal == 0.0)
        return INFINITY;
    if (sd == 0.0)
        return found_at(p) / sqrt((double)s->moved);
    reach = hs_differences_reach(&d, p) / (sd * renewal);
    for (int k = 0; k < tails; k++)
        reach = fmin(reach, tail_reach(s, k, p / tails));
    return reach;
}
