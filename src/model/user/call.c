/* call.c - one call of a function of the user, and the layout of its arrays. */
#include "model/user/call.h"

/* Element [item][lane] of an array of a call, where there are so many items. */
static size_t spot(const hs_call *c, const hs_call_arrays *a, int items,
                   int item, int lane)
{
    return c->m->by_state ? (size_t)lane * (size_t)items + (size_t)item
                          : (size_t)item * (size_t)a->lanes + (size_t)lane;
}

void hs_call_put(const hs_call *c, const hs_call_arrays *a, int at)
{
    int dim = c->m->base.domain.dim;

    for (int i = 0; i < dim; i++) {
        const int16_t *from = c->x + (size_t)i * (size_t)c->columns;
        int16_t *to = a->x + spot(c, a, dim, i, at);
        size_t stride = c->m->by_state ? (size_t)dim : 1;

        for (int l = 0; l < c->lanes; l++)
            to[(size_t)l * stride] = from[l];
    }
}

static void take_gradient(const hs_call *c, const hs_call_arrays *a, int at)
{
    int rows = c->m->base.domain.rows;
    size_t stride = c->m->by_state ? (size_t)rows : 1;

    for (int r = 0; r < rows; r++) {
        const float *from = a->gradient + spot(c, a, rows, r, at);
        float *to = c->gradient + (size_t)r * (size_t)c->columns;

        for (int l = 0; l < c->lanes; l++)
            to[l] = from[(size_t)l * stride];
        for (int l = c->lanes; l < c->columns; l++)
            to[l] = to[0];
    }
}

static void take_change(const hs_call *c, const hs_call_arrays *a, int at)
{
    int states = c->m->base.domain.states[c->site];
    size_t stride = c->m->by_state ? (size_t)states : 1;

    for (int v = 0; v < states; v++) {
        const double *from = a->change + spot(c, a, states, v, at);
        double *to = c->change + (size_t)v * (size_t)c->columns;

        for (int l = 0; l < c->columns; l++)
            to[l] = from[l < c->lanes ? (size_t)l * stride : 0];
    }
}

void hs_call_take(const hs_call *c, const hs_call_arrays *a, int at)
{
    for (int l = 0; c->u && l < c->columns; l++)
        c->u[l] = a->u[at + (l < c->lanes ? l : 0)];
    if (c->gradient)
        take_gradient(c, a, at);
    if (c->change)
        take_change(c, a, at);
}

int hs_call_function(const hs_call *c, const int16_t *x,
                     const hs_call_arrays *a)
{
    const hs_callback *m = c->m;

    if (c->change)
        return m->change(m->instance, x, a->lanes, c->site, a->change);
    return m->evaluate(m->instance, x, a->lanes, a->u,
                       c->gradient ? a->gradient : NULL);
}

/* The parts of the room, in this order: aligned for all of them. */
static size_t change_bytes(const hs_callback *m, int columns)
{
    return m->change ? (size_t)m->base.domain.states_max * (size_t)columns * 8
                     : 0;
}

static size_t gradient_bytes(const hs_callback *m, int columns)
{
    return m->has_gradient ? (size_t)m->base.domain.rows * (size_t)columns * 4
                           : 0;
}

size_t hs_call_bytes(const hs_callback *m, int columns)
{
    size_t x = (size_t)m->base.domain.dim * (size_t)columns * sizeof(int16_t);

    if (!m->by_state)
        return 0;
    return change_bytes(m, columns) + gradient_bytes(m, columns) + x;
}

void hs_call_make(hs_call *c, void *scratch)
{
    hs_call_arrays a = {.u = c->u, .lanes = c->columns};
    const int16_t *x = c->x;

    c->status = HISS_OK;
    if (c->m->base.width > 0 && hs_fibers_ask(&c->ask))
        return;
    c->lanes = c->columns;
    if (c->m->by_state) {
        size_t change = change_bytes(c->m, c->columns);
        char *block = (char *)scratch + c->m->room_at;

        a.change = (double *)block;
        a.gradient = (float *)(block + change);
        a.x = (int16_t *)(block + change + gradient_bytes(c->m, c->columns));
        hs_call_put(c, &a, 0);
        x = a.x;
    } else {
        a.gradient = c->gradient;
        a.change = c->change;
    }
    c->code = hs_call_function(c, x, &a);
    c->status = c->code == 0 ? HISS_OK : HISS_EPLUGIN;
    if (c->code == 0 && c->m->by_state)
        hs_call_take(c, &a, 0);
}
