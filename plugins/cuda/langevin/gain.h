/* gain.h - what changes of one coordinate gain to first order, of one lane:
 * lanes/vec/gain.h. */
#ifndef HS_CUDA_LANGEVIN_GAIN_H
#define HS_CUDA_LANGEVIN_GAIN_H

#include "cuda/langevin/flip.h"

/* Of flipping coordinate i of a pair domain, whose row is given. */
HS_ON_CARD float hs_card_gain_flip(const hs_card_group *g, float beta,
                                   const hs_card_place *at, int i, int x,
                                   float row)
{
    const hs_card_tilt *t = &g->tilt;
    float gap = g->model.domain.gap;
    float up = beta != 0.0f ? beta * (row * gap) : 0.0f;

    if (t->slope)
        up = up + gap * HS_CARD_ROW(t->slope, at->tile, 2 * t->rows,
                                    2 * i + (x != 0), at->lane);
    else if (t->phi)
        up = up + HS_CARD_ROW(t->phi, at->tile, t->rows, i, at->lane);
    return vf_negate_if(x, up);
}

/* Of every value of coordinate i, to out[v]; rows: its own; 0 at x. */
HS_ON_CARD void hs_card_gain_values(const hs_card_group *g, float beta,
                                    const hs_card_place *at, int i, int x,
                                    const float *rows, float *out)
{
    const hs_domain *d = &g->model.domain;
    const hs_card_tilt *t = &g->tilt;
    int k = d->states[i], row = d->value[i];
    int labels = d->kind[i] == HISS_CATEGORICAL;
    const float *values = d->values + row;
    float here = labels ? rows[x] : values[x], phi_x = 0.0f, slope_x = 0.0f;

    if (t->slope)
        slope_x = HS_CARD_ROW(t->slope, at->tile, 2 * t->rows,
                              2 * (row + x) + labels, at->lane);
    else if (t->phi)
        phi_x = HS_CARD_ROW(t->phi, at->tile, t->rows, row + x, at->lane);
    for (int v = 0; v < k; v++) {
        float step = values[v] - here;
        float rise = labels ? rows[v] - here : rows[0] * step;

        rise = beta != 0.0f ? beta * rise : 0.0f;
        if (t->slope && labels)
            rise = rise + (HS_CARD_ROW(t->slope, at->tile, 2 * t->rows,
                                       2 * (row + v), at->lane) -
                           slope_x);
        else if (t->slope)
            rise = rise + slope_x * step;
        else if (t->phi)
            rise = rise +
                   (HS_CARD_ROW(t->phi, at->tile, t->rows, row + v, at->lane) -
                    phi_x);
        out[v] = v == x ? 0.0f : rise;
    }
}

/* phi_i(y_i) - phi_i(x_i) (lanes/langevin/tilt.c). */
HS_ON_CARD float hs_card_bend(const hs_card_group *g, const hs_card_place *at,
                              int i, int x, int y)
{
    const hs_card_tilt *t = &g->tilt;
    int row = g->model.domain.value[i];

    if (g->model.domain.is_pair)
        return HS_CARD_ROW(t->phi, at->tile, t->rows, i, at->lane) *
               (float)(y - x);
    return x == y
               ? 0.0f
               : HS_CARD_ROW(t->phi, at->tile, t->rows, row + y, at->lane) -
                     HS_CARD_ROW(t->phi, at->tile, t->rows, row + x, at->lane);
}

/* Its terms of a block of coordinates, BEND of them each, to w->bend. */
#define HS_CARD_BEND 16
HS_ON_CARD void hs_card_bends(const hs_card_group *g, const hs_card_work *w,
                              const hs_card_place *at)
{
    float part = 0.0f;

    for (int i = at->first; g->tilt.phi && i < at->last; i++) {
        part = part +
               hs_card_bend(
                   g, at, i,
                   HS_CARD_ROW(w->at.x, at->tile, g->model.dim, i, at->lane),
                   HS_CARD_ROW(w->y.x, at->tile, g->model.dim, i, at->lane));
        if (i % HS_CARD_BEND == HS_CARD_BEND - 1 || i + 1 == at->last) {
            HS_CARD_ROW(w->bend, at->tile, w->terms, i / HS_CARD_BEND,
                        at->lane) = part;
            part = 0.0f;
        }
    }
}

/* ln p(y) - ln p(x) under the tilt of g; w->bend has the terms of phi. */
HS_ON_CARD double hs_card_log_ratio(const hs_card_group *g,
                                    const hs_card_work *w, int64_t number)
{
    int64_t tile = number / HS_LANES;
    int lane = (int)(number % HS_LANES);
    int terms = (g->model.dim + HS_CARD_BEND - 1) / HS_CARD_BEND;
    float beta = g->lanes.beta[tile][lane];
    double u = w->y.u[tile][lane], phi = 0.0;

    if (u == HS_MINUS_INFINITY)
        return HS_MINUS_INFINITY;
    if (g->tilt.phi)
        phi = hs_card_sum(w->bend, tile, w->terms, terms, lane);
    return hs_card_tempered(beta, u) -
           hs_card_tempered(beta, w->at.u[tile][lane]) + phi;
}

#endif
