/* tempering_report.c - the results of parallel tempering: rates, round trips,
 * log Z. */
#include "run/sampling/tempering_report.h"

#include <math.h>

#include "base/alloc.h"
#include "base/error.h"
#include "diag/observe/logz.h"
#include "kernel/tempering.h"
#include "model/softened.h"
#include "run/flat/possible.h"

#define LEAST    16  /* fewest possible ones among them */
#define TRIPS    2.0 /* round trips per chain that log Z needs */
#define AGREEING 4.0 /* errors by which log Z of the two paths may differ */
#define ROUNDING 1e-3

/* A column of the lane at a level of a chain. */
static double column_at(const hs_group *g, int chain, int level, int column)
{
    int lane;
    const hs_tile *t = hs_group_at_level(g, chain, level, &lane);

    return g->kernel[t - g->tile]->lane[column][lane];
}

/* ln of a mean of exponentials. */
static double log_mean(const hs_group *g, int chain, int level, int max,
                       int sum)
{
    return column_at(g, chain, level, max) +
           log(column_at(g, chain, level, sum) /
               column_at(g, chain, level, HS_PT_COUNT));
}

/* Adds log Z of a hottest level that has a network, from its weights. */
static bool refer_to_network(hs_tempering_report *r, hs_group *const *group,
                             int groups)
{
    hs_proposal_weights w = {0};
    double spread, own;

    for (int k = 0; k < groups; k++)
        for (int i = 0; i < group[k]->tiles; i++)
            if (!hs_tempering_weigh_end(group[k]->kernel[i], &w))
                return false;
    spread = w.count * w.squares / (w.sum * w.sum) - 1.0;
    own = w.log_scale + log(w.sum / w.count);
    r->is_absolute = w.sum > 0.0 && w.count / (1.0 + spread) >= LEAST;
    if (r->is_absolute) {
        r->log_z += own;
        r->log_z_thermodynamic += own;
        r->log_z_se =
            hypot(r->log_z_se, sqrt(fmax(spread, 0.0) / (w.count - 1.0)));
    }
    return true;
}

/* Adds the reference: ln of the number of possible states, if it is known; of
 * all states where the model is softened. */
static hiss_status refer(hs_tempering_report *r, hs_group *const *group,
                         int groups, hiss_error *err)
{
    const hs_group *g = group[0];
    double share, tried, states;

    if (refer_to_network(r, group, groups))
        return HISS_OK;

    r->is_absolute = r->beta[r->levels - 1] == 0.0;
    if (!r->is_absolute)
        return HISS_OK;
    share = tried = 1.0;
    if (!g->model->domain.is_tour) /* all states are possible */
        HS_TRY(hs_possible_share(g->model, g->tile[0].rng.seed, &share, &tried,
                                 err));
    r->is_absolute = g->model->domain.is_tour || share * tried >= LEAST;
    if (!r->is_absolute)
        return HISS_OK;
    states = hs_logz_states(&g->model->domain) + log(share);
    r->log_z += states;
    r->log_z_thermodynamic += states;
    r->log_z_se =
        sqrt(r->log_z_se * r->log_z_se + (1.0 - share) / (share * tried));
    return HISS_OK;
}

/* Round trips of all replicas of a chain. */
static double trips_of(const hs_group *g, int chain)
{
    double trips = 0.0;

    for (int replica = 0; replica < g->replicas; replica++) {
        int lane;
        const hs_tile *t = hs_group_tile(g, chain, replica, &lane);

        trips += t->trips[lane];
    }
    return trips;
}

/* If the cold levels were never reached from the hot ones, chains agree on
 * their starting points, and the spread between them is not an error. */
static void travel(hs_tempering_report *r, hs_group *const *group, int groups)
{
    double least = HUGE_VAL;
    int chains = 0;

    for (int k = 0; k < groups; k++)
        for (int c = 0; c < group[k]->chains; c++, chains++) {
            double trips = trips_of(group[k], c);

            r->round_trips += trips;
            least = fmin(least, trips);
        }
    r->log_z_settled = least >= 1.0 && r->round_trips >= TRIPS * chains;
}

/* Computes rates of exchanges, mean and variance of the energy. */
static void count(hs_tempering_report *r, hs_group *const *group, int groups,
                  double *variance)
{
    for (int j = 0; j < r->levels; j++) {
        double proposed = 0.0, chance = 0.0, n = 0.0;
        double energy = 0.0, square = 0.0;

        for (int k = 0; k < groups; k++)
            for (int c = 0; c < group[k]->chains; c++) {
                proposed += column_at(group[k], c, j, HS_PROPOSED);
                chance += column_at(group[k], c, j, HS_PT_CHANCE);
                energy += column_at(group[k], c, j, HS_PT_ENERGY);
                square += column_at(group[k], c, j, HS_PT_SQUARE);
                n += column_at(group[k], c, j, HS_PT_COUNT);
            }
        r->energy[j] = energy / n;
        variance[j] = square / n - r->energy[j] * r->energy[j];
        if (j + 1 == r->levels)
            break;
        r->swap[j] = proposed > 0.0 ? chance / proposed : (double)NAN;
        r->barrier += 1.0 - r->swap[j];
    }
}

/* Estimates the first `gaps` gaps, relative to the level behind them. */
static hiss_status estimate(hs_logz *z, hs_group *const *group, int groups,
                            int chains, int gaps, hiss_error *err)
{
    int n = 0;
    size_t size = (size_t)gaps * (size_t)chains;
    double *up = hs_alloc_array(size, sizeof *up);
    double *down = hs_alloc_array(size, sizeof *down);
    hiss_status rc = up && down ? HISS_OK : hs_fail_memory(err);

    for (int k = 0; rc == HISS_OK && k < groups; k++)
        for (int c = 0; c < group[k]->chains; c++)
            for (int j = 0; j < gaps; j++, n++) {
                up[n] = log_mean(group[k], c, j + 1, HS_PT_COLD_MAX,
                                 HS_PT_COLD_SUM);
                down[n] =
                    log_mean(group[k], c, j, HS_PT_HOT_MAX, HS_PT_HOT_SUM);
            }
    if (rc == HISS_OK)
        rc = hs_logz_estimate(up, down, chains, gaps, z, err);
    hs_free(up);
    hs_free(down);
    return rc;
}

/* Estimates along the reference path, relative to the reference.  The stepping
 * stones of a gap are at both of its levels; those of the target have separate
 * columns. */
static hiss_status estimate_path(hs_logz *z, const hs_tempering_report *r,
                                 hs_group *const *group, int groups, int chains,
                                 hiss_error *err)
{
    int n = 0;
    size_t size = (size_t)r->leg * (size_t)chains;
    double *up = hs_alloc_array(size, sizeof *up);
    double *down = hs_alloc_array(size, sizeof *down);
    hiss_status rc = up && down ? HISS_OK : hs_fail_memory(err);

    for (int k = 0; rc == HISS_OK && k < groups; k++)
        for (int c = 0; c < group[k]->chains; c++)
            for (int j = 0; j < r->leg; j++, n++) {
                int level = r->levels + j;

                up[n] = log_mean(group[k], c, level, HS_PT_COLD_MAX,
                                 HS_PT_COLD_SUM);
                down[n] = j == 0 ? log_mean(group[k], c, 0, HS_PT_SIDE_MAX,
                                            HS_PT_SIDE_SUM)
                                 : log_mean(group[k], c, level - 1,
                                            HS_PT_HOT_MAX, HS_PT_HOT_SUM);
            }
    if (rc == HISS_OK)
        rc = hs_logz_estimate(up, down, chains, r->leg, z, err);
    hs_free(up);
    hs_free(down);
    return rc;
}

/* Computes levels and exchanges of the reference path, and the possible share
 * of fresh states. */
static void count_path(hs_tempering_report *r, hs_group *const *group,
                       int groups, double *drawn, double *taken)
{
    int last = r->levels + r->leg - 1;

    *drawn = *taken = 0.0;
    for (int k = 0; k < groups; k++)
        for (int c = 0; c < group[k]->chains; c++) {
            *drawn += column_at(group[k], c, last, HS_PT_DRAWN);
            *taken += column_at(group[k], c, last, HS_PT_TAKEN);
        }
    for (int j = 0; j < r->leg; j++) {
        int level = r->levels + j, lane;
        const hs_tile *t = hs_group_at_level(group[0], 0, level, &lane);
        double proposed = 0.0, chance = 0.0;

        for (int k = 0; k < groups; k++)
            for (int c = 0; c < group[k]->chains; c++) {
                proposed += column_at(group[k], c, level, HS_PROPOSED);
                chance += column_at(group[k], c, level, HS_PT_CHANCE);
            }
        r->leg_share[j] = (double)t->tilt.beta[lane];
        r->leg_swap[j] = proposed > 0.0 ? chance / proposed : (double)NAN;
        r->leg_barrier += 1.0 - r->leg_swap[j];
    }
}

static hiss_status gather_path(hs_tempering_report *r, hs_group *const *group,
                               int groups, int chains, hiss_error *err)
{
    double drawn, taken, share;
    hs_logz z = {0};

    r->leg_agrees = 1;
    if (r->leg == 0)
        return HISS_OK;
    count_path(r, group, groups, &drawn, &taken);
    HS_TRY(estimate_path(&z, r, group, groups, chains, err));
    share = taken / drawn;
    r->leg_log_z = z.mean + log(share);
    r->leg_log_z_se = r->log_z_settled
                          ? sqrt(z.se * z.se + (1.0 - share) / taken)
                          : (double)NAN;
    if (r->levels == 1) { /* the only path */
        r->is_absolute = 1;
        r->log_z = r->log_z_thermodynamic = r->leg_log_z;
        r->log_z_se = r->leg_log_z_se;
    } else if (r->is_absolute) {
        double se = hypot(r->log_z_se, r->leg_log_z_se);

        r->leg_agrees =
            !(fabs(r->log_z - r->leg_log_z) > AGREEING * se + ROUNDING);
    }
    return HISS_OK;
}

/* The integral of E[U] over beta up to a level, by cubics: dE[U]/dbeta is the
 * variance. */
static double integrate(const hs_tempering_report *r, int upto,
                        const double *variance)
{
    double sum = 0.0;

    for (int j = upto; j + 1 < r->levels; j++) {
        double gap = r->beta[j] - r->beta[j + 1];

        sum += 0.5 * gap * (r->energy[j] + r->energy[j + 1]) -
               gap * gap / 12.0 * (variance[j] - variance[j + 1]);
    }
    return sum;
}

/* Computes log Z by stepping stones, relative to the hottest level, and by
 * integration.  Where a softened model opens, E[U] is not a cubic, so both use
 * the stepping stones there. */
static hiss_status sum_up(hs_tempering_report *r, hs_group *const *group,
                          int groups, int chains, const double *variance,
                          hiss_error *err)
{
    const hs_model *m = group[0]->model;
    hs_logz all = {0}, closed = {0};
    int upto = 0;

    if (r->levels == 1) /* only the reference path */
        return HISS_OK;
    HS_TRY(estimate(&all, group, groups, chains, r->levels - 1, err));
    while (upto + 1 < r->levels && r->beta[upto] > hs_softened_closed(m))
        upto++;
    if (upto > 0)
        HS_TRY(estimate(&closed, group, groups, chains, upto, err));
    r->log_z = all.mean;
    r->log_z_se = all.se;
    r->log_z_thermodynamic = closed.mean + integrate(r, upto, variance);
    return HISS_OK;
}

static hiss_status gather(hs_tempering_report *r, hs_group *const *group,
                          int groups, hiss_error *err)
{
    const hs_group *first = group[0];
    size_t levels = (size_t)hs_tempering_ladder(first->kernel[0]);
    size_t path = (size_t)hs_tempering_path(first->kernel[0]);
    double *variance;
    int chains = 0;
    hiss_status rc;

    r->levels = (int)levels;
    r->leg = (int)path;
    r->leg_share = hs_alloc_array(path, sizeof *r->leg_share);
    r->leg_swap = hs_alloc_array(path, sizeof *r->leg_swap);
    r->beta = hs_alloc_array(levels, sizeof *r->beta);
    r->swap = hs_alloc_array(levels, sizeof *r->swap);
    r->energy = hs_alloc_array(levels, sizeof *r->energy);
    if (!r->beta || !r->swap || !r->energy || !r->leg_share || !r->leg_swap)
        return hs_fail_memory(err);
    for (int k = 0; k < groups; k++)
        chains += group[k]->chains;
    for (int j = 0; j < r->levels; j++) {
        int lane;
        const hs_tile *t = hs_group_at_level(first, 0, j, &lane);

        r->beta[j] = (double)t->tilt.beta[lane];
    }
    variance = hs_alloc_array(levels, sizeof *variance);
    if (!variance)
        return hs_fail_memory(err);
    count(r, group, groups, variance);
    travel(r, group, groups);
    rc = sum_up(r, group, groups, chains, variance, err);
    hs_free(variance);
    HS_TRY(rc);
    HS_TRY(refer(r, group, groups, err));
    if (!r->log_z_settled)
        r->log_z_se = NAN;
    return gather_path(r, group, groups, chains, err);
}

hiss_status hs_tempering_report_gather(hs_tempering_report *r,
                                       hs_group *const *group, int groups,
                                       hiss_error *err)
{
    hiss_status rc;

    *r = (hs_tempering_report){0};
    if (group[0]->kernel[0]->type != &hs_kernel_pt || group[0]->replicas < 2 ||
        !(column_at(group[0], 0, 0, HS_PT_COUNT) > 0.0))
        return HISS_OK;
    rc = gather(r, group, groups, err);
    if (rc != HISS_OK)
        hs_tempering_report_clear(r);
    return rc;
}

void hs_tempering_report_clear(hs_tempering_report *r)
{
    hs_free(r->beta);
    hs_free(r->swap);
    hs_free(r->energy);
    hs_free(r->leg_share);
    hs_free(r->leg_swap);
    *r = (hs_tempering_report){0};
}
