/* ascend.c - climbs to a local optimum. */
#include "run/chain/ascend.h"

#include <math.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/state/tour.h"

#define ROUNDS    1000
#define TOLERANCE 1e-5f /* gains below this are rounding */

hiss_status hs_ascent_init(hs_ascent *a, const hs_model *m, hiss_error *err)
{
    *a = (hs_ascent){0};
    HS_TRY(hs_point_init(&a->spare, m, err));
    a->change = hs_alloc_array((size_t)m->domain.states_max, sizeof *a->change);
    if (m->domain.is_tour)
        a->scratch =
            hs_alloc_array(2 * (size_t)m->domain.dim, sizeof *a->scratch);
    if (a->change && (a->scratch || !m->domain.is_tour))
        return HISS_OK;
    hs_ascent_clear(a);
    return hs_fail_memory(err);
}

void hs_ascent_clear(hs_ascent *a)
{
    hs_point_clear(&a->spare);
    hs_free(a->change);
    hs_free(a->scratch);
    *a = (hs_ascent){0};
}

/* Finds the best value of coordinate i in every lane; true if a counted lane
 * moves. */
static bool best_values(const hs_ascent *a, const hs_point *p, int i,
                        int states, int lanes, int16_t *to, float *gain)
{
    bool moved = false;

    for (int l = 0; l < HS_LANES; l++) {
        to[l] = p->x[i][l];
        gain[l] = 0.0f;
        for (int v = 0; v < states; v++)
            if (a->change[v][l] > gain[l] + TOLERANCE) {
                to[l] = (int16_t)v;
                gain[l] = a->change[v][l];
            }
        moved |= l < lanes && to[l] != p->x[i][l];
    }
    return moved;
}

/* A tried move counts as a visited site, averaged over the lanes in use. */
static hiss_status ascend_tours(hs_ascent *a, const hs_model *m, hs_point *p,
                                int lanes)
{
    int dim = m->domain.dim;
    hs_tour_map map = {dim, m->edge, m->near, hs_tour_nears(dim)};
    int64_t weighed = 0;

    HS_TRY(hs_model_evaluate(m, p, HS_U));
    for (int l = 0; l < lanes; l++) {
        int16_t *tour = &p->x[0][l];

        if (isinf(p->u[l]) || hs_poll_stops(a->poll))
            continue; /* no tour */
        weighed +=
            hs_tour_climb(tour, HS_LANES, &map, (double)TOLERANCE, a->scratch);
        hs_tour_normalize(tour, HS_LANES, dim, a->scratch);
    }
    a->visits += (double)weighed / lanes;
    p->have = 0;
    return hs_model_evaluate(m, p, HS_U);
}

hiss_status hs_ascend(hs_ascent *a, const hs_model *m, hs_point *p, int lanes)
{
    bool moved = true;

    if (m->domain.is_tour)
        return ascend_tours(a, m, p, lanes);
    HS_TRY(hs_model_evaluate(m, p, HS_U | HS_GRAD));
    for (int round = 0; round < ROUNDS && moved && !hs_poll_stops(a->poll);
         round++) {
        moved = false;
        a->visits += m->domain.dim;
        for (int i = 0; i < m->domain.dim; i++) {
            int16_t to[HS_LANES];
            float gain[HS_LANES];

            HS_TRY(hs_model_differences(m, p, i, a->change, &a->spare));
            if (best_values(a, p, i, m->domain.states[i], lanes, to, gain)) {
                hs_model_move(m, p, i, to, gain);
                moved = true;
            }
        }
    }
    p->have = 0;
    return hs_model_evaluate(m, p, HS_U);
}
