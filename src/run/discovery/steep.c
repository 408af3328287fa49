/* steep.c - climbing by gradients: many coordinates at once. */
#include "run/discovery/steep.h"

#include <math.h>

#include "base/alloc.h"
#include "base/error.h"
#include "lanes/lanes.h"

#define ROUNDS 64
#define HAIR   1e-4f /* gains below this are rounding */

hiss_status hs_steep_init(hs_steep *s, const hs_model *m, hiss_error *err)
{
    *s = (hs_steep){0};
    HS_TRY(hs_point_init(&s->next, m, err));
    s->row = hs_alloc_array((size_t)m->domain.states_max, sizeof *s->row);
    s->local = hs_alloc_array((size_t)m->domain.states_max, sizeof *s->local);
    if (s->row && s->local)
        return HISS_OK;
    hs_steep_clear(s);
    return hs_fail_memory(err);
}

void hs_steep_clear(hs_steep *s)
{
    hs_point_clear(&s->next);
    hs_free(s->row);
    hs_free(s->local);
    *s = (hs_steep){0};
}

void hs_steep_gains(const hs_steep *s, const hs_model *m, const hs_point *p,
                    int i, hs_float_row *out)
{
    const hs_domain *d = &m->domain;
    const float *value = d->values + d->value[i];
    const hs_float_row *row = hs_model_rows(m, p, i, i + 1, s->local, NULL);
    bool is_label = hs_kind_is_label(d->kind[i]);

    for (int v = 0; v < d->states[i]; v++)
        for (int l = 0; l < HS_LANES; l++) {
            int x = p->x[i][l];

            out[v][l] = is_label ? row[v][l] - row[x][l]
                                 : row[0][l] * (value[v] - value[x]);
        }
}

/* The best value of coordinate i by its gains, or one that is next to x where
 * values are many numbers: a gradient says little of those far away. */
static int best_value(const hs_steep *s, const hs_domain *d, int i, int lane,
                      int x)
{
    bool is_number = !hs_kind_is_label(d->kind[i]) && d->states[i] > 2;
    int first = is_number && x > 0 ? x - 1 : 0, best = x;
    int end = is_number && x + 2 < d->states[i] ? x + 2 : d->states[i];
    float gain = HAIR;

    for (int v = is_number ? first : 0; v < end; v++)
        if (s->row[v][lane] > gain) {
            gain = s->row[v][lane];
            best = v;
        }
    return best;
}

/* Goes along in lanes whose coin says so; counts what changes. */
static void step_site(hs_steep *s, const hs_model *m, const hs_tile *t, int i,
                      const uint32_t *word, const double *share, int *changes)
{
    hs_steep_gains(s, m, &t->at, i, s->row);
    for (int l = 0; l < HS_LANES; l++) {
        int best = best_value(s, &m->domain, i, l, t->at.x[i][l]);

        if (best != t->at.x[i][l] && hs_uniform(word[l]) < share[l])
            changes[l]++;
        else
            best = t->at.x[i][l];
        s->next.x[i][l] = (int16_t)best;
    }
}

hiss_status hs_steep_climb(hs_steep *s, const hs_model *m, hs_tile *t)
{
    double share[HS_LANES];
    bool is_open = true;

    for (int l = 0; l < HS_LANES; l++)
        share[l] = 1.0;
    for (int round = 0; round < ROUNDS && is_open; round++) {
        int changes[HS_LANES] = {0};
        int32_t accept[HS_LANES];
        uint32_t words[4][HS_LANES];

        HS_TRY(hs_tile_evaluate(t, m, &t->at, HS_U | HS_GRAD));
        hs_tile_tick(t);
        for (int i = 0; i < m->domain.dim; i++) {
            if (i % 4 == 0)
                hs_lanes()->philox(&t->rng, HS_DRAW_PROBE, (uint32_t)i / 4, 1,
                                   words);
            step_site(s, m, t, i, words[i % 4], share, changes);
        }
        s->next.have = 0;
        HS_TRY(hs_tile_evaluate(t, m, &s->next, HS_U | HS_GRAD));
        is_open = false;
        for (int l = 0; l < HS_LANES; l++) {
            accept[l] = s->next.u[l] > t->at.u[l];
            share[l] = accept[l] ? 1.0 : 0.5 * share[l];
            is_open |= l < t->lanes && share[l] * m->domain.dim > 0.5 &&
                       (changes[l] > 0 || share[l] < 0.5);
        }
        hs_tile_move(t, m, &s->next, accept);
    }
    return HISS_OK;
}
