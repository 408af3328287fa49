/* tile.c - sixteen chains in lockstep. */
#include "kernel/tile.h"

#include <math.h>
#include <string.h>

#include "base/assert.h"
#include "base/error.h"
#include "lanes/lanes.h"

hiss_status hs_tile_init(hs_tile *t, const hs_model *m, uint64_t seed,
                         hiss_error *err)
{
    *t = (hs_tile){.rng.seed = seed};
    for (int l = 0; l < HS_LANES; l++)
        t->tilt.beta[l] = 1.0f;
    return hs_point_init(&t->at, m, err);
}

void hs_tile_clear(hs_tile *t)
{
    hs_point_clear(&t->at);
    hs_tilt_clear(&t->tilt);
}

hiss_status hs_tile_check(hs_tile *t, const hs_point *p)
{
    HS_ASSERT(t->lanes >= 0 && t->lanes <= HS_LANES);
    for (int l = 0; l < t->lanes; l++)
        if (isnan(p->u[l]) || p->u[l] == HUGE_VAL) {
            t->fault = (hs_fault){.lane = l};
            return HISS_ENUMERIC;
        }
    return HISS_OK;
}

void hs_tile_count(hs_tile *t, unsigned made)
{
    t->energy_evals += (made & HS_U) != 0;
    t->gradient_evals += (made & HS_GRAD) != 0;
}

hiss_status hs_tile_evaluate(hs_tile *t, const hs_model *m, hs_point *p,
                             unsigned want)
{
    unsigned missing = want & ~p->have;
    hiss_status rc;

    if (!missing)
        return HISS_OK;
    p->lanes = t->lanes;
    rc = hs_model_evaluate(m, p, want);
    if (rc != HISS_OK) {
        t->fault = p->fault;
        return rc;
    }
    if (m->gradient_states > 0 && (missing & HS_GRAD)) {
        t->energy_evals += (double)m->gradient_states;
        missing &= ~(unsigned)HS_GRAD;
    }
    hs_tile_count(t, missing);
    return hs_tile_check(t, p);
}

void hs_tile_count_sites(hs_tile *t, const hs_model *m, double sites)
{
    t->energy_evals += sites / m->domain.dim;
}

void hs_tile_log_ratio(const hs_model *m, const hs_tilt *t, const hs_point *x,
                       const hs_point *y, double *log_ratio)
{
    double phi[HS_LANES];

    HS_ASSERT((x->have & HS_U) && (y->have & HS_U));
    hs_tilt_difference(t, &m->domain, (const hs_index_row *)x->x,
                       (const hs_index_row *)y->x, phi);
    for (int l = 0; l < HS_LANES; l++)
        log_ratio[l] = y->u[l] == -HUGE_VAL
                           ? -HUGE_VAL
                           : hs_tempered(t->beta[l], y->u[l]) -
                                 hs_tempered(t->beta[l], x->u[l]) + phi[l];
}

void hs_tile_acceptance(const double *log_ratio, float *probability)
{
    float capped[HS_LANES];

    for (int l = 0; l < HS_LANES; l++)
        capped[l] = log_ratio[l] < 0.0    ? (float)log_ratio[l]
                    : isnan(log_ratio[l]) ? -INFINITY
                                          : 0.0f;
    hs_lanes()->exp(capped, probability);
}

void hs_tile_decide(hs_tile *t, const double *log_ratio, int32_t *accept)
{
    double log_u[HS_LANES];

    HS_ASSERT(t->rng.clock < HS_CLOCK_MAX);
    hs_lanes()->log_uniform(&t->rng, HS_DRAW_ACCEPT, log_u);
    for (int l = 0; l < HS_LANES; l++)
        accept[l] = log_ratio[l] >= 0.0 || log_u[l] < log_ratio[l];
}

void hs_tile_move(hs_tile *t, const hs_model *m, const hs_point *y,
                  const int32_t *accept)
{
    const hs_lane_table *lanes = hs_lanes();
    hs_point *x = &t->at;
    bool any = false;

    HS_ASSERT(y != x && (y->have & HS_U));
    for (int l = 0; l < HS_LANES; l++) {
        any |= accept[l] != 0;
        if (accept[l])
            x->u[l] = y->u[l];
    }
    /* before the return: validity must not depend on the other lanes */
    x->have &= y->have;
    if (!any)
        return;
    lanes->select_index(accept, m->domain.dim, (const hs_index_row *)y->x,
                        x->x);
    if (x->grad && x->have & HS_GRAD)
        lanes->select_float(accept, m->domain.rows,
                            (const hs_float_row *)y->grad, x->grad);
    if (m->cache_bytes)
        lanes->select_float(accept,
                            (int)(m->cache_bytes / sizeof(hs_float_row)),
                            (const hs_float_row *)y->cache, x->cache);
}
