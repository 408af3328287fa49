/* flat_report.c - the results of multicanonical sampling.
 *
 * Replicas under w make H(c) visits to cell c of U, so the target has H(c)
 * exp(U - w(U)), with U in the middle of the cell.  With Z_w that of exp(w),
 *     Z / Z_w = E_w[exp(U - w)],  N / Z_w = E_w[exp(-w)],
 * N the number of possible states, and log Z follows from both. */
#include "run/flat/flat_report.h"

#include <math.h>

#include "base/alloc.h"
#include "base/error.h"
#include "diag/observe/logz.h"
#include "kernel/multicanonical/log_weights.h"
#include "run/flat/possible.h"

#define TRIPS 2.0 /* round trips per chain that log Z needs */

struct chains {
    hs_group *const *group;
    int groups, count;
    double *up, *down; /* owned, [count]: ln of sums, by chain */
    double *share;     /* owned, [count] */
};

static double column_at(const hs_group *g, int chain, int level, int column)
{
    int lane;
    const hs_tile *t = hs_group_at_level(g, chain, level, &lane);

    return g->kernel[t - g->tile]->lane[column][lane];
}

/* Number of visits of a cell by one level of a chain. */
static double visits(const hs_group *g, int chain, int level, int cell)
{
    return column_at(g, chain, level, HS_MULTI_CELLS + cell);
}

/* ln of a sum over the levels of a chain under w. */
static double log_sum(const hs_group *g, int chain, int max, int sum)
{
    double top = -HUGE_VAL, all = 0.0;

    for (int j = 1; j < g->replicas; j++)
        top = fmax(top, column_at(g, chain, j, max));
    for (int j = 1; j < g->replicas; j++)
        all += column_at(g, chain, j, sum) *
               exp(column_at(g, chain, j, max) - top);
    return top + log(all);
}

/* --- the histogram ------------------------------------------------------- */

static void count_visits(hs_flat_report *r, const struct chains *s)
{
    double all = 0.0;

    for (int k = 0; k < s->groups; k++)
        for (int c = 0; c < s->group[k]->chains; c++)
            for (int j = 1; j < s->group[k]->replicas; j++)
                for (int n = 0; n < r->cells; n++)
                    r->histogram[n] += visits(s->group[k], c, j, n);
    for (int n = 0; n < r->cells; n++)
        all += r->histogram[n];
    for (int n = 0; n < r->cells; n++)
        r->histogram[n] /= all;
}

/* Computes the target's histogram and its valley. */
static hiss_status reweigh(hs_flat_report *r, const hs_log_weights *w, int *at,
                           hiss_error *err)
{
    double *log_p = hs_alloc_array((size_t)r->cells, sizeof *log_p);
    double top = -HUGE_VAL, all = 0.0;

    if (!log_p)
        return hs_fail_memory(err);
    for (int n = 0; n < r->cells; n++) {
        log_p[n] =
            log(r->histogram[n]) + r->u[n] - hs_log_weights_at(w, r->u[n]);
        top = fmax(top, log_p[n]);
    }
    for (int n = 0; n < r->cells; n++)
        all += r->target[n] = exp(log_p[n] - top);
    for (int n = 0; n < r->cells; n++)
        r->target[n] /= all;
    r->has_phases = hs_log_weights_valley(log_p, r->cells, 0.5, at);
    r->phase[0] = r->phase[1] = r->valley = r->barrier = r->gap = (double)NAN;
    if (r->has_phases) {
        r->phase[0] = r->u[at[0]];
        r->phase[1] = r->u[at[2]];
        r->valley = r->u[at[1]];
        r->barrier = fmin(log_p[at[0]], log_p[at[2]]) - log_p[at[1]];
    }
    hs_free(log_p);
    return HISS_OK;
}

static double standard_error(const double *x, int count)
{
    double mean = 0.0, square = 0.0;

    for (int n = 0; n < count; n++)
        mean += x[n] / count;
    for (int n = 0; n < count; n++)
        square += (x[n] - mean) * (x[n] - mean);
    return count > 1 ? sqrt(square / (count - 1.0) / count) : (double)NAN;
}

/* Computes the share above the valley, by the steps of the target. */
static void divide(hs_flat_report *r, struct chains *s, int valley)
{
    double part[2] = {0}, sum[2] = {0};
    int chain = 0;

    for (int k = 0; k < s->groups; k++)
        for (int c = 0; c < s->group[k]->chains; c++, chain++) {
            double own[2] = {0};

            for (int n = 0; n < r->cells; n++) {
                double count = visits(s->group[k], c, 0, n);
                double above = n > valley ? 1.0 : n == valley ? 0.5 : 0.0;

                for (int side = 0; side < 2; side++) {
                    double of = count * (side ? above : 1.0 - above);

                    own[side] += of;
                    sum[side] += of * r->u[n];
                }
            }
            s->share[chain] = own[1] / (own[0] + own[1]);
            part[0] += own[0];
            part[1] += own[1];
        }
    r->share = part[1] / (part[0] + part[1]);
    r->share_se = standard_error(s->share, s->count);
    r->gap = sum[1] / part[1] - sum[0] / part[0];
}

/* --- log Z --------------------------------------------------------------- */

static void travel(hs_flat_report *r, const struct chains *s)
{
    double least = HUGE_VAL;

    for (int k = 0; k < s->groups; k++)
        for (int c = 0; c < s->group[k]->chains; c++) {
            double trips = 0.0;

            for (int n = 0; n < s->group[k]->replicas; n++) {
                int lane;
                const hs_tile *t = hs_group_tile(s->group[k], c, n, &lane);

                trips += t->trips[lane];
            }
            r->round_trips += trips;
            least = fmin(least, trips);
        }
    r->log_z_settled = least >= 1.0 && r->round_trips >= TRIPS * s->count;
}

static hiss_status estimate(hs_flat_report *r, struct chains *s,
                            hiss_error *err)
{
    const hs_group *g = s->group[0];
    double share, tried;
    hs_logz z = {0};
    int chain = 0;

    for (int k = 0; k < s->groups; k++)
        for (int c = 0; c < s->group[k]->chains; c++, chain++) {
            s->up[chain] = log_sum(s->group[k], c, HS_MULTI_TARGET_MAX,
                                   HS_MULTI_TARGET_SUM);
            s->down[chain] = log_sum(s->group[k], c, HS_MULTI_UNIFORM_MAX,
                                     HS_MULTI_UNIFORM_SUM);
        }
    HS_TRY(hs_logz_estimate(s->up, s->down, s->count, 1, &z, err));
    HS_TRY(
        hs_possible_share(g->model, g->tile[0].rng.seed, &share, &tried, err));
    r->is_absolute = share > 0.0;
    r->log_z = z.mean;
    r->log_z_se = r->log_z_settled ? z.se : (double)NAN;
    if (r->is_absolute) {
        r->log_z += hs_logz_states(&g->model->domain) + log(share);
        r->log_z_se =
            sqrt(r->log_z_se * r->log_z_se + (1.0 - share) / (share * tried));
    }
    return HISS_OK;
}

static hiss_status gather(hs_flat_report *r, struct chains *s,
                          const hs_log_weights *w, hiss_error *err)
{
    size_t cells = (size_t)w->cells, chains = (size_t)s->count;
    int at[3];

    r->cells = w->cells;
    r->u = hs_alloc_array(cells, sizeof *r->u);
    r->histogram = hs_alloc_array(cells, sizeof *r->histogram);
    r->target = hs_alloc_array(cells, sizeof *r->target);
    s->up = hs_alloc_array(chains, sizeof *s->up);
    s->down = hs_alloc_array(chains, sizeof *s->down);
    s->share = hs_alloc_array(chains, sizeof *s->share);
    if (!r->u || !r->histogram || !r->target || !s->up || !s->down || !s->share)
        return hs_fail_memory(err);
    for (int n = 0; n < r->cells; n++)
        r->u[n] = w->low + w->width * (n + 0.5);
    count_visits(r, s);
    HS_TRY(reweigh(r, w, at, err));
    r->share = r->share_se = (double)NAN;
    if (r->has_phases)
        divide(r, s, at[1]);
    travel(r, s);
    return estimate(r, s, err);
}

hiss_status hs_flat_report_gather(hs_flat_report *r, hs_group *const *group,
                                  int groups, hiss_error *err)
{
    const hs_kernel *k = group[0]->kernel[0];
    struct chains s = {.group = group, .groups = groups};
    hiss_status rc;

    *r = (hs_flat_report){0};
    if (k->type != &hs_kernel_multicanonical || !hs_multicanonical_weights(k) ||
        !(column_at(group[0], 0, 1, HS_MULTI_COUNT) > 0.0))
        return HISS_OK;
    for (int n = 0; n < groups; n++)
        s.count += group[n]->chains;
    rc = gather(r, &s, hs_multicanonical_weights(k), err);
    hs_free(s.up);
    hs_free(s.down);
    hs_free(s.share);
    if (rc != HISS_OK)
        hs_flat_report_clear(r);
    return rc;
}

void hs_flat_report_clear(hs_flat_report *r)
{
    hs_free(r->u);
    hs_free(r->histogram);
    hs_free(r->target);
    *r = (hs_flat_report){0};
}
