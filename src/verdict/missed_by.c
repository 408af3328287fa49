/* missed_by.c - compares with chains that have missed modes of the run.
 *
 * Chains that disagree with the run may be wrong themselves: tempering misses
 * narrow modes.  A mode of the run that they have missed, or hardly visited, is
 * *left out* if it is as heavy as in the run, by a separate estimate
 * (search.c): with s its share of the run's draws, S that of the modes not left
 * out and o a lower bound on Z(mode) / Z(visited by them),
 *
 *   s / S <= FACTOR o and o <= SLACK s / S,
 *
 * within a few errors of s.  Then the draws of both sides outside these modes
 * are compared like whole runs: with w = 1 for a draw that counts and 0 for
 * others, the mean of y is the ratio m = E[w y] / E[w], whose error is that of
 * the mean of w (y - m) / E[w]. */
#include <math.h>
#include <stdio.h>

#include "base/alloc.h"
#include "diag/chains/mcse.h"
#include "verdict/comparison.h"

/* smallest share of a mode that can be left out */
#define EXCUSED (0.5 * HS_FOUND_MASS)
#define HARDLY  0.5 /* of the run's share; a mode below is hardly visited */
#define FACTOR  1.5 /* allowed error of an estimate of odds */
#define SLACK   1.2 /* allowed excess of the lower bound */
#define ERRORS  3.0 /* standard errors of a share */

/* The draws of one side, assigned to modes. */
struct side {
    const hs_modes *modes;
    const hiss_result *of;
    const hs_columns *columns;
    int64_t samples;
    int32_t *group; /* owned, by mode: group of the run */
    bool *counts;   /* owned, by mode */
    double *weight; /* owned, by draw */
    double weights; /* their mean */
};

struct split {
    const hs_evidence *e;
    struct side run, fresh;
    int groups;
    double share[HS_CLUSTERS_MAX], se[HS_CLUSTERS_MAX]; /* in the run */
    bool is_out[HS_CLUSTERS_MAX];
    double mass; /* mass of the heaviest mode left out */
    /* owned, buffers for one column */
    double *draws, *spare, *z;
};

static int64_t looked(const struct side *s)
{
    return s->modes->chains * s->modes->looked;
}

static hiss_status side_init(struct side *s, hiss_error *err)
{
    size_t modes = (size_t)s->modes->table.used, draws = (size_t)looked(s);

    s->group = hs_alloc_array(modes, sizeof *s->group);
    s->counts = hs_alloc_array(modes, sizeof *s->counts);
    s->weight = hs_alloc_array(draws, sizeof *s->weight);
    return s->group && s->counts && s->weight ? HISS_OK : hs_fail_memory(err);
}

static void side_clear(struct side *s)
{
    hs_free(s->group);
    hs_free(s->counts);
    hs_free(s->weight);
}

static void split_clear(struct split *s)
{
    side_clear(&s->run);
    side_clear(&s->fresh);
    hs_free(s->draws);
    hs_free(s->spare);
    hs_free(s->z);
}

static hiss_status split_init(struct split *s, const hs_comparison *r,
                              const hs_evidence *e, hiss_error *err)
{
    const hiss_run_info *info = &e->result->run.info;
    double run = (double)info->chains * (double)info->samples;
    double fresh = (double)r->result->run.info.chains * (double)r->samples;
    size_t most = (size_t)fmax(run, fresh);

    *s = (struct split){.e = e,
                        .run = {.modes = e->modes,
                                .of = e->result,
                                .columns = e->columns,
                                .samples = info->samples},
                        .fresh = {.modes = &r->modes,
                                  .of = r->result,
                                  .columns = &r->columns,
                                  .samples = r->samples},
                        .groups = e->modes->clusters};
    s->draws = hs_alloc_array(most, sizeof *s->draws);
    s->spare = hs_alloc_array(most, sizeof *s->spare);
    s->z = hs_alloc_array(most, sizeof *s->z);
    if (!s->draws || !s->spare || !s->z)
        return hs_fail_memory(err);
    HS_TRY(side_init(&s->run, err));
    return side_init(&s->fresh, err);
}

/* --- modes that are left out --------------------------------------------- */

/* Lists the groups that are heavy in the run but not in the other chains. */
static hiss_status list_missed(struct split *s, int *missed, int *count,
                               hiss_error *err)
{
    hs_comparison_assign(s->run.modes, s->run.modes, s->groups, s->run.group);
    hs_comparison_assign(s->run.modes, s->fresh.modes, s->groups,
                         s->fresh.group);
    for (int k = 0; k < s->groups && *count < HS_WEIGHED_MAX; k++) {
        double there = hs_comparison_portion(s->fresh.modes, s->fresh.group, k);

        s->share[k] = hs_comparison_portion(s->run.modes, s->run.group, k);
        if (s->share[k] < EXCUSED || there > HARDLY * s->share[k])
            continue;
        for (int64_t n = 0; n < looked(&s->run); n++)
            s->z[n] = s->run.group[s->run.modes->at[n]] == k;
        HS_TRY(hs_mcse_mean(s->z, s->run.modes->chains, s->run.modes->looked,
                            &s->se[k], err));
        missed[(*count)++] = k;
    }
    return HISS_OK;
}

/* Leaves out the missed modes that are as heavy as the run says. */
static hiss_status leave_out(struct split *s, hiss_error *err)
{
    int missed[HS_WEIGHED_MAX], count = 0;
    int32_t mode[HS_WEIGHED_MAX];
    double odds[HS_WEIGHED_MAX], rest = 1.0;

    HS_TRY(list_missed(s, missed, &count, err));
    for (int n = 0; n < count; n++) {
        mode[n] = s->run.modes->leader[missed[n]];
        rest -= s->share[missed[n]];
    }
    if (count == 0 || rest <= 0.0)
        return HISS_OK;
    HS_TRY(hs_search_odds(odds, s->e, s->fresh.of, s->fresh.modes, mode, count,
                          err));
    for (int n = 0; n < count; n++) {
        int k = missed[n];
        double error = isnan(s->se[k]) ? 0.0 : ERRORS * s->se[k];
        double least = (s->share[k] - error) / rest;
        double most = (s->share[k] + error) / rest;

        s->is_out[k] = odds[n] > 0.0 && least <= FACTOR * odds[n] &&
                       odds[n] <= SLACK * most;
        if (s->is_out[k])
            s->mass = fmax(s->mass, odds[n] / (1.0 + odds[n]));
    }
    return HISS_OK;
}

/* --- all else ------------------------------------------------------------- */

static void weigh_draws(const struct split *s, struct side *side)
{
    side->weights = 0.0;
    for (int64_t i = 0; i < side->modes->table.used; i++)
        side->counts[i] = side->group[i] < 0 || !s->is_out[side->group[i]];
    for (int64_t n = 0; n < looked(side); n++) {
        side->weight[n] = side->counts[side->modes->at[n]];
        side->weights += side->weight[n] / (double)looked(side);
    }
}

/* Error from the differences of whole chains. */
static double error_by_chain(const double *z, int chains, int64_t each)
{
    double square = 0.0;

    for (int c = 0; c < chains; c++) {
        double mean = 0.0;

        for (int64_t n = 0; n < each; n++)
            mean += z[c * each + n];
        mean /= (double)each;
        square += mean * mean; /* the mean of all is 0 */
    }
    return chains > 1 ? sqrt(square / (chains * (chains - 1.0))) : 0.0;
}

hiss_status hs_comparison_error(const double *z, int chains, int64_t each,
                                double *se, hiss_error *err)
{
    HS_TRY(hs_mcse_mean(z, chains, each, se, err));
    *se = fmax(isnan(*se) ? 0.0 : *se, error_by_chain(z, chains, each));
    return HISS_OK;
}

/* Computes the mean over the draws in s->z, which becomes w (y - m) / E[w]. */
static hiss_status mean_of(struct split *s, const struct side *side,
                           double *mean, double *se, hiss_error *err)
{
    int64_t total = looked(side);

    *mean = 0.0;
    for (int64_t n = 0; n < total; n++)
        *mean += side->weight[n] * s->z[n] / ((double)total * side->weights);
    for (int64_t n = 0; n < total; n++)
        s->z[n] = side->weight[n] * (s->z[n] - *mean) / side->weights;
    return hs_comparison_error(s->z, side->modes->chains, side->modes->looked,
                               se, err);
}

static hiss_status column_mean(struct split *s, const struct side *side,
                               const hs_examined *x, double *mean, double *se,
                               hiss_error *err)
{
    const hs_modes *m = side->modes;

    hs_column_draws(side->columns, x, &side->of->run.store, side->samples,
                    &side->of->domain, NULL, s->spare, s->draws);
    for (int64_t n = 0; n < looked(side); n++)
        s->z[n] =
            s->draws[n / m->looked * side->samples + n % m->looked * m->stride];
    return mean_of(s, side, mean, se, err);
}

static hiss_status compare_columns(struct split *s, const hs_comparison *r,
                                   hs_apart *out, int *compared,
                                   hiss_error *err)
{
    const hs_evidence *e = s->e;

    for (int n = 0; n < e->columns->count; n++) {
        const hs_examined *x = &e->columns->at[n], *y;
        hs_two_means p = {.matters = hs_column_matters(x, &e->result->domain)};

        y = hs_column_is_derived(x) ? NULL : hs_comparison_column(r, e, n);
        if (!y)
            continue;
        if (hs_diagnosis_is_stopped(e, 0.0))
            return hs_fail(err, HISS_ESTOP, "stopped on request");
        HS_TRY(column_mean(s, &s->run, x, &p.run, &p.run_se, err));
        HS_TRY(column_mean(s, &s->fresh, y, &p.fresh, &p.fresh_se, err));
        ++*compared;
        if (hs_apart_weigh(out, &p))
            hs_column_name(e->columns, x, &e->result->domain, out->name);
    }
    return HISS_OK;
}

static hiss_status share_of(struct split *s, const struct side *side, int k,
                            double *share, double *se, hiss_error *err)
{
    for (int64_t n = 0; n < looked(side); n++)
        s->z[n] = side->group[side->modes->at[n]] == k;
    HS_TRY(mean_of(s, side, share, se, err));
    *se = fmax(*se, 1.0 / (hs_comparison_effective(side->columns,
                                                   (double)looked(side)) *
                           side->weights));
    return HISS_OK;
}

/* Compares the shares of the run's groups that both sides visited. */
static hiss_status compare_groups(struct split *s, hs_apart *out, int *compared,
                                  hiss_error *err)
{
    for (int k = 0; k < s->groups; k++) {
        hs_two_means p = {.matters = HS_MATTERS};

        if (s->is_out[k])
            continue;
        HS_TRY(share_of(s, &s->run, k, &p.run, &p.run_se, err));
        HS_TRY(share_of(s, &s->fresh, k, &p.fresh, &p.fresh_se, err));
        ++*compared;
        if (hs_apart_weigh(out, &p))
            snprintf(out->name, sizeof out->name, "the share of mode %d",
                     k + 1);
    }
    return HISS_OK;
}

static hiss_status compare_rest(struct split *s, const hs_comparison *r,
                                hs_apart *out, hiss_error *err)
{
    int compared = 0;

    *out = (hs_apart){.limit = NAN, .masses = out->masses};
    HS_TRY(compare_columns(s, r, out, &compared, err));
    HS_TRY(compare_groups(s, out, &compared, err));
    hs_apart_decide(out, compared);
    return HISS_OK;
}

hiss_status hs_comparison_missed(const hs_comparison *r, const hs_evidence *e,
                                 hs_apart *apart, double *mass, hiss_error *err)
{
    struct split s = {0};
    bool sees_more;
    hs_apart rest = *apart;
    hiss_status rc = HISS_OK;

    *mass = 0.0;
    HS_TRY(hs_comparison_sees_more(r, e, &sees_more, err));
    if (sees_more)
        return HISS_OK;
    rc = split_init(&s, r, e, err);
    if (rc == HISS_OK)
        rc = leave_out(&s, err);
    if (rc == HISS_OK && s.mass > 0.0) {
        weigh_draws(&s, &s.run);
        weigh_draws(&s, &s.fresh);
        if (s.run.weights > 0.0 && s.fresh.weights > 0.0)
            rc = compare_rest(&s, r, &rest, err);
        if (rc == HISS_OK)
            *apart = rest;
        if (rc == HISS_OK && !rest.is_so)
            *mass = s.mass;
    }
    split_clear(&s);
    return rc;
}
