/* scale.c - finds the temperatures between which a model freezes. */
#include "run/search/scale.h"

#include <math.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/random/streams.h"
#include "base/state/tour.h"
#include "run/chain/ascend.h"
#include "run/chain/group.h"

#define SITES_MAX  256 /* number of sites sampled, evenly spaced */
#define VALUES_MAX 16  /* most values of each */
#define COLD_SHARE 0.05
#define COLD_ODDS  200.0
#define SPREAD_MIN 4.0  /* cold / hot, at least */
#define TOLERANCE  1e-6 /* relative to a typical loss: less is rounding */
#define WARM_STEPS 9
#define MIRRORED   1e-9
#define CLIMB      4.0 /* evaluations of a climb, about */

struct losses {
    double *at; /* owned, [room] */
    int count;
};

bool hs_scale_is_cheap(const hs_model *m)
{
    return m->ops->differences || m->ops->change || m->exact_rows ||
           m->domain.is_tour;
}

static int by_size(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

/* The same for tours: 2-opt moves from evenly spaced positions. */
static void gather_tours(struct losses *out, const hs_model *m,
                         const hs_point *p, int sites, bool least)
{
    int dim = m->domain.dim, most = dim / 2 < 2 ? 2 : dim / 2;
    int moves = most - 1 < VALUES_MAX ? most - 1 : VALUES_MAX;

    out->count = 0;
    for (int n = 0; n < sites * HS_LANES; n++) {
        hs_tour_move move = {.flips_head = true};
        double small = HUGE_VAL;

        move.first = (int)((int64_t)(n / HS_LANES) * dim / sites);
        for (int v = 0; v < moves; v++) {
            double loss;

            move.head = 2 + v * (most - 1) / moves;
            loss = -hs_tour_change(&p->x[0][n % HS_LANES], HS_LANES, dim,
                                   m->edge, &move);
            if (!(loss > 0.0))
                continue;
            small = loss < small ? loss : small;
            if (!least)
                out->at[out->count++] = loss;
        }
        if (least && small < HUGE_VAL)
            out->at[out->count++] = small;
    }
    qsort(out->at, (size_t)out->count, sizeof *out->at, by_size);
}

/* Collects the losses of changes at p: of every other value of a site, or only
 * the least loss of the site. */
static hiss_status gather(struct losses *out, const hs_model *m, hs_point *p,
                          hs_ascent *a, int sites, bool least)
{
    int dim = m->domain.dim;

    if (m->domain.is_tour) {
        gather_tours(out, m, p, sites, least);
        return HISS_OK;
    }
    out->count = 0;
    for (int n = 0; n < sites; n++) {
        int i = (int)((int64_t)n * dim / sites);
        int states = m->domain.states[i];
        int values = states < VALUES_MAX ? states : VALUES_MAX;

        HS_TRY(hs_model_differences(m, p, i, a->change, &a->spare));
        for (int l = 0; l < HS_LANES; l++) {
            double small = HUGE_VAL;

            for (int v = 0; v < values; v++) {
                double loss = -(double)a->change[v][l];

                if (v == p->x[i][l] || !(loss > 0.0) || isinf(loss))
                    continue;
                small = loss < small ? loss : small;
                if (!least)
                    out->at[out->count++] = loss;
            }
            if (least && small < HUGE_VAL)
                out->at[out->count++] = small;
        }
    }
    qsort(out->at, (size_t)out->count, sizeof *out->at, by_size);
    return HISS_OK;
}

static double share_taken(const struct losses *found, double beta)
{
    double sum = 0.0;

    for (int n = 0; n < found->count; n++)
        sum += exp(-beta * found->at[n]);
    return sum / found->count;
}

/* The beta with mean exp(-beta loss) = 1/2, by bisection. */
static double half_taken(const struct losses *found)
{
    double low = 0.0, high = 1.0 / found->at[found->count - 1];

    while (share_taken(found, high) > 0.5)
        high *= 2.0; /* ends because every loss is positive */
    for (int round = 0; round < 60; round++) {
        double beta = 0.5 * (low + high);

        if (share_taken(found, beta) > 0.5)
            low = beta;
        else
            high = beta;
    }
    return high;
}

/* The loss at COLD_SHARE among those above rounding. */
static double small_loss(const struct losses *found, double tolerance)
{
    int first = 0, left;

    while (first < found->count && found->at[first] <= tolerance)
        first++;
    left = found->count - first;
    if (left == 0)
        return 0.0;
    return found->at[first + (int)(COLD_SHARE * left)];
}

static hiss_status measure_betas(hs_scale *s, const hs_model *m, hs_group *g,
                                 hs_ascent *a, struct losses *found)
{
    hs_point *p = &g->tile[0].at;
    int dim = m->domain.dim, sites = dim < SITES_MAX ? dim : SITES_MAX;
    double tolerance, small;

    HS_TRY(hs_model_evaluate(m, p, HS_U | HS_GRAD));
    HS_TRY(gather(found, m, p, a, sites, false));
    s->hot = s->cold = 1.0;
    if (found->count == 0)
        return HISS_OK; /* flat: any temperature is right */
    s->hot = half_taken(found);
    tolerance = TOLERANCE / s->hot;
    small = small_loss(found, tolerance);
    if (s->has_differences) {
        double before = a->visits, least;

        HS_TRY(hs_ascend(a, m, p, HS_LANES));
        s->spent += (a->visits - before) / dim;
        if (m->domain.is_tour) /* smaller from an annealed one */
            s->climb_evals = 0.85 * (a->visits - before) / dim;
        HS_TRY(hs_model_evaluate(m, p, HS_U | HS_GRAD));
        HS_TRY(gather(found, m, p, a, sites, true));
        least = small_loss(found, tolerance);
        small = least > 0.0 ? least : small;
    }
    s->spent += 2.0 * sites / dim;
    s->cold = small > 0.0 ? log(COLD_ODDS) / small : 0.0;
    if (s->cold < SPREAD_MIN * s->hot)
        s->cold = SPREAD_MIN * s->hot;
    return HISS_OK;
}

/* Makes a few hot steps to measure their cost. */
static hiss_status measure_steps(hs_scale *s, hs_group *g, hiss_error *err)
{
    hs_tile *t = &g->tile[0];
    double first = 0.0, energy = 0.0, gradient = 0.0;
    hiss_status rc;

    hs_group_tune(g, WARM_STEPS);
    for (int l = 0; l < HS_LANES; l++)
        t->tilt.beta[l] = (float)s->hot;
    for (int n = 0; n < WARM_STEPS; n++) {
        HS_TRY(hs_group_step(g, err));
        rc = hs_tile_evaluate(t, g->model, &t->at, HS_U);
        if (rc != HISS_OK)
            return hs_group_fail(g, t, rc, "in", "", err);
        hs_group_evals(g, &energy, &gradient);
        if (n == 0)
            first = energy + gradient;
    }
    s->step_evals = (energy + gradient - first) / (WARM_STEPS - 1);
    s->spent += energy + gradient;
    return HISS_OK;
}

/* Whether U is unchanged if every coordinate takes its other value. */
static hiss_status look_in_mirror(hs_scale *s, const hs_model *m, hs_group *g,
                                  hs_ascent *a)
{
    const hs_domain *d = &m->domain;
    hs_point *p = &g->tile[0].at, *q = &a->spare;

    s->is_mirrored = true;
    for (int i = 0; i < d->dim; i++)
        s->is_mirrored &= d->states[i] == 2;
    if (!s->is_mirrored)
        return HISS_OK;
    for (int i = 0; i < d->dim; i++)
        for (int l = 0; l < HS_LANES; l++)
            q->x[i][l] = (int16_t)(1 - p->x[i][l]);
    q->have = 0;
    HS_TRY(hs_model_evaluate(m, p, HS_U));
    HS_TRY(hs_model_evaluate(m, q, HS_U));
    for (int l = 0; l < HS_LANES; l++)
        s->is_mirrored &=
            fabs(p->u[l] - q->u[l]) <= MIRRORED * (1.0 + fabs(p->u[l]));
    s->spent += 1.0;
    return HISS_OK;
}

hiss_status hs_scale_measure(hs_scale *out, const hs_model *m,
                             const hs_sampler *kernel, uint64_t seed,
                             hiss_error *err)
{
    struct losses found = {0};
    hs_ascent ascent = {0};
    hs_group *g = NULL;
    hiss_status rc;

    *out = (hs_scale){.has_differences = hs_scale_is_cheap(m),
                      .climb_evals = CLIMB};
    found.at = hs_alloc_array((size_t)SITES_MAX * VALUES_MAX * HS_LANES,
                              sizeof *found.at);
    rc = found.at ? hs_ascent_init(&ascent, m, err) : hs_fail_memory(err);
    if (rc == HISS_OK)
        rc =
            hs_group_create(&g, m, kernel, seed, hs_stream(HS_STREAM_WARMUP, 0),
                            HS_GROUP_CHAINS, err);
    if (rc == HISS_OK)
        rc = hs_group_start(g, false, err);
    if (rc == HISS_OK) {
        rc = look_in_mirror(out, m, g, &ascent);
        if (rc == HISS_OK)
            rc = measure_betas(out, m, g, &ascent, &found);
        if (rc != HISS_OK)
            hs_fail_model(err, rc, m, &g->tile[0].at.fault, "in a pilot chain");
    }
    if (rc == HISS_OK)
        rc = measure_steps(out, g, err);
    hs_group_destroy(g);
    hs_ascent_clear(&ascent);
    hs_free(found.at);
    return rc;
}
