/* group_start.c - starts chains in a random state of positive probability.
 *
 * Coordinate i of try n has the random word (i; purpose init, clock n), unless
 * the model has a way of its own to find a possible state, which uses the same
 * words.  With `best`, each lane takes the best of BEST tries and then
 * climbs.  If the user gave possible states and random ones are not found in
 * FEW tries, the lanes take those in turn. */
#include <math.h>

#include "base/error.h"
#include "lanes/lanes.h"
#include "run/chain/ascend.h"
#include "run/chain/everywhere.h"
#include "run/chain/group.h"

#define TRIES 10000
#define FEW   100 /* tries if the user gave a possible state */
#define THIN  24  /* more, of states with ever more coordinates at index 0 */
#define BEST  64

/* Possible states, one after the other. */
struct given {
    const int16_t *state;
    int count, dim;
};

/* State number n of every lane, possible ones if the model can find them; a
 * softened one leaves that to the model that it softens. */
static hiss_status next_states(hs_tile *t, const hs_model *m, uint64_t n,
                               hs_point *p, hiss_error *err)
{
    const hs_model *from = m->hard ? m->hard : m;
    hs_rng rng = t->rng;
    hiss_status rc;

    rng.clock = n;
    if (!from->ops->start) {
        hs_point_uniform(p, m, &rng, HS_DRAW_INIT);
        return HISS_OK;
    }
    rc = from->ops->start(from, p, &rng, t->lanes, err);
    p->have = 0;
    if (rc != HISS_OK)
        hs_error_prefix(err, "model %.80s", m->name);
    return rc;
}

/* If no random state is possible, as in packings, fewer coordinates differ from
 * their first value in each try, and none in the last. */
static void thin_out(const hs_model *m, uint64_t n, hs_point *p)
{
    uint32_t every = n + 1 < TRIES + THIN ? 2u << (n - TRIES) : 0;

    for (int i = 0; n >= TRIES && i < m->domain.dim; i++) {
        uint32_t mixed = ((uint32_t)i * 2654435769u + (uint32_t)n) >> 4;

        if (every > 0 && mixed % every == 0)
            continue;
        for (int l = 0; l < HS_LANES; l++)
            p->x[i][l] = 0;
    }
}

/* Lanes for which no try was possible. */
static void take_given(hs_tile *t, const double *found,
                       const struct given *given)
{
    int dim = given->dim;

    for (int l = 0; l < t->lanes; l++) {
        const int16_t *state =
            given->state +
            (size_t)(t->rng.chain[l] % (uint32_t)given->count) * (size_t)dim;

        for (int i = 0; i < dim && found[l] == -HUGE_VAL; i++)
            t->at.x[i][l] = state[i];
    }
    t->at.have = 0;
}

/* Tries until every lane in use has what it needs: a possible state, or the
 * best of BEST.  Lanes marked in `possible` (may be NULL) stay where they
 * are. */
static hiss_status search(hs_tile *t, const hs_model *m, hs_point *p, bool best,
                          const bool *possible, const struct given *given,
                          hiss_error *err)
{
    double found[HS_LANES];
    uint64_t tries = given ? FEW : TRIES + THIN;
    hiss_status rc;

    p->lanes = t->lanes;
    for (int l = 0; l < HS_LANES; l++)
        found[l] = possible && possible[l] ? HUGE_VAL : -HUGE_VAL;
    for (uint64_t n = 0; n < tries; n++) {
        int32_t take[HS_LANES];
        bool done = !best || n + 1 >= BEST;

        HS_TRY(next_states(t, m, n, p, err));
        if (n >= TRIES && !m->domain.is_tour)
            thin_out(m, n, p);
        rc = hs_model_evaluate(m, p, HS_U);
        if (rc != HISS_OK)
            return hs_fail_model(err, rc, m, &p->fault, "at a random state");
        for (int l = 0; l < HS_LANES; l++) {
            bool is_better =
                hs_model_is_possible(m, p->u[l]) &&
                (best ? p->u[l] > found[l] : found[l] == -HUGE_VAL);

            take[l] = is_better || isnan(p->u[l]);
            found[l] = take[l] ? p->u[l] : found[l];
            done = done &&
                   (l >= t->lanes || found[l] > -HUGE_VAL || isnan(found[l]));
        }
        hs_lanes()->select_index(take, m->domain.dim,
                                 (const hs_index_row *)p->x, t->at.x);
        if (done) {
            t->at.have = 0;
            return HISS_OK;
        }
    }
    if (given) {
        take_given(t, found, given);
        return HISS_OK;
    }
    return hs_fail(err, HISS_EINFEASIBLE,
                   "model %s: no feasible start found after %d tries; give "
                   "one with --init FILE",
                   m->name, TRIES);
}

/* Makes try 0 in the tile itself, which suffices for most models: no other
 * states are touched, which take gigabytes for 10^8 coordinates.  *found:
 * whether all lanes have a possible state; otherwise search begins anew. */
static hiss_status try_first(hs_tile *t, const hs_model *m, bool *found,
                             hiss_error *err)
{
    hiss_status rc;

    *found = true;
    t->at.lanes = t->lanes;
    HS_TRY(next_states(t, m, 0, &t->at, err));
    rc = hs_model_evaluate(m, &t->at, HS_U);
    if (rc != HISS_OK)
        return hs_fail_model(err, rc, m, &t->at.fault, "at a random state");
    for (int l = 0; l < HS_LANES; l++)
        *found &= hs_model_is_possible(m, t->at.u[l]);
    t->at.have = 0;
    return HISS_OK;
}

void hs_group_scatter(hs_group *g)
{
    for (int i = g->first_tile; i < g->end_tile; i++)
        hs_point_uniform(&g->tile[i].at, g->model, &g->tile[i].rng,
                         HS_DRAW_INIT);
}

/* Marks lanes whose state is allowed: possible ones, and any at a level above
 * the target's. */
static hiss_status find_possible(const hs_model *m, hs_tile *t, bool *possible,
                                 bool *are_all, hiss_error *err)
{
    hiss_status rc = hs_tile_evaluate(t, m, &t->at, HS_U);

    if (rc != HISS_OK)
        return hs_fail_model(err, rc, m, &t->fault, "at a cooled state");
    *are_all = true;
    for (int l = 0; l < HS_LANES; l++) {
        possible[l] = t->level[l] > 0 || hs_model_is_possible(m, t->at.u[l]);
        *are_all &= possible[l];
    }
    return HISS_OK;
}

hiss_status hs_group_mend(hs_group *g, hiss_error *err)
{
    hs_point spare;
    hiss_status rc;

    if (!g->model->hard)
        return HISS_OK;
    HS_TRY(hs_point_init(&spare, g->model, err));
    rc = HISS_OK;
    for (int i = g->first_tile; i < g->end_tile && rc == HISS_OK; i++) {
        bool possible[HS_LANES] = {0}, are_all = false;

        rc = find_possible(g->model, &g->tile[i], possible, &are_all, err);
        if (rc == HISS_OK && !are_all)
            rc = search(&g->tile[i], g->model, &spare, false, possible, NULL,
                        err);
    }
    hs_point_clear(&spare);
    return rc;
}

/* Makes the first try of every lane. */
static void take_first(hs_group *g)
{
    for (int i = g->first_tile; i < g->end_tile; i++) {
        hs_rng rng = g->tile[i].rng;

        rng.clock = 0;
        hs_point_uniform(&g->tile[i].at, g->model, &rng, HS_DRAW_INIT);
    }
}

static hiss_status begin(hs_group *g, bool best, const struct given *given,
                         hiss_error *err)
{
    hs_ascent ascent;
    hs_point spare;
    hiss_status rc;

    if (!best && !g->model->ops->start && hs_is_everywhere(g->model)) {
        take_first(g);
        return HISS_OK;
    }
    HS_TRY(hs_point_init(&spare, g->model, err));
    rc = hs_ascent_init(&ascent, g->model, err);

    for (int i = g->first_tile; i < g->end_tile && rc == HISS_OK; i++) {
        bool found = false;

        if (!best)
            rc = try_first(&g->tile[i], g->model, &found, err);
        if (rc == HISS_OK && !found)
            rc = search(&g->tile[i], g->model, &spare, best, NULL, given, err);
        if (rc == HISS_OK && best) {
            hs_point *at = &g->tile[i].at;

            rc = hs_ascend(&ascent, g->model, at, g->tile[i].lanes);
            if (rc != HISS_OK)
                hs_fail_model(err, rc, g->model, &at->fault,
                              "on the way to a mode");
        }
    }
    hs_ascent_clear(&ascent);
    hs_point_clear(&spare);
    return rc;
}

hiss_status hs_group_start(hs_group *g, bool best, hiss_error *err)
{
    return begin(g, best, NULL, err);
}

hiss_status hs_group_start_given(hs_group *g, const int16_t *state, int count,
                                 hiss_error *err)
{
    struct given given = {state, count, g->model->domain.dim};

    return begin(g, false, count > 0 ? &given : NULL, err);
}
