/* neighbors.c - U of the states that differ from a state in one coordinate. */
#include "run/scouts/neighbors.h"

#include <math.h>

#include "base/error.h"

/* Up to sixteen single changes of a state. */
struct changes {
    int site[HS_LANES], to[HS_LANES];
    int count;
};

bool hs_neighbours_is_long(const hs_domain *d, int i)
{
    return !hs_kind_is_label(d->kind[i]) && d->states[i] > 2;
}

static hiss_status evaluate(const hs_model *m, hs_tile *t, const int16_t *state,
                            const struct changes *c)
{
    for (int l = 0; l < HS_LANES; l++)
        hs_point_write(&t->at, m->domain.dim, l, state);
    for (int l = 0; l < c->count; l++)
        t->at.x[c->site[l]][l] = (int16_t)c->to[l];
    t->lanes = HS_LANES;
    return hs_tile_evaluate(t, m, &t->at, HS_U);
}

static bool is_asked_for(const hs_domain *d, int i, int v, int x, bool is_wide)
{
    return v != x && (is_wide || !hs_neighbours_is_long(d, i) ||
                      (v >= x - 1 && v <= x + 1));
}

hiss_status hs_neighbours(const hs_model *m, hs_tile *t, const int16_t *state,
                          bool is_wide, double *u, double *gain)
{
    const hs_domain *d = &m->domain;
    struct changes c = {.count = 0};

    HS_TRY(evaluate(m, t, state, &c));
    *u = t->at.u[0];
    for (int i = 0; i < d->dim; i++)
        for (int v = 0; v < d->states[i]; v++) {
            bool is_last = i == d->dim - 1 && v == d->states[i] - 1;

            gain[d->value[i] + v] = v == state[i] ? 0.0 : -HUGE_VAL;
            if (is_asked_for(d, i, v, state[i], is_wide)) {
                c.site[c.count] = i;
                c.to[c.count++] = v;
            }
            if (c.count == 0 || (c.count < HS_LANES && !is_last))
                continue;
            HS_TRY(evaluate(m, t, state, &c));
            for (int l = 0; l < c.count; l++)
                gain[d->value[c.site[l]] + c.to[l]] = t->at.u[l] - *u;
            c.count = 0;
        }
    return HISS_OK;
}

double hs_neighbours_mass(const hs_domain *d, const double *gain, double u)
{
    for (int i = 0; i < d->dim; i++) {
        double sum = 0.0;

        for (int v = 0; v < d->states[i]; v++)
            sum += exp(gain[d->value[i] + v]);
        u += log(sum);
    }
    return u;
}
