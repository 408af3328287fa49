/* call.c - calls a function of the user and lays out its arrays. */
#include "model/user/call.h"

#include <string.h>

#include "model/user/turn.h"

static size_t whole_blocks(size_t count, size_t block)
{
    return count / block * block;
}

/* Position of [item][lane] in an array of a call with this many items. */
static size_t spot(const hs_call *c, const hs_call_arrays *a, int items,
                   int item, int lane)
{
    return c->m->by_state ? (size_t)lane * (size_t)items + (size_t)item
                          : (size_t)item * (size_t)a->lanes + (size_t)lane;
}

/* Writes state after state: in blocks, then the remaining lanes and sites. */
static void put_by_state(const hs_call *c, int16_t *to)
{
    size_t dim = (size_t)c->m->base.domain.dim, lanes = (size_t)c->lanes;
    size_t columns = (size_t)c->columns;
    size_t sites = whole_blocks(dim, HS_TURN_INDEX);
    size_t whole = whole_blocks(lanes, HS_TURN_INDEX);

    for (size_t i = 0; i < sites; i += HS_TURN_INDEX)
        for (size_t l = 0; l < whole; l += HS_TURN_INDEX)
            hs_turn_indices(c->x + i * columns + l, columns, to + l * dim + i,
                            dim);
    for (size_t i = 0; i < dim; i++)
        for (size_t l = i < sites ? whole : 0; l < lanes; l++)
            to[l * dim + i] = c->x[i * columns + l];
}

void hs_call_put(const hs_call *c, const hs_call_arrays *a, int at)
{
    int dim = c->m->base.domain.dim;

    if (c->m->by_state) {
        put_by_state(c, a->x + (size_t)at * (size_t)dim);
        return;
    }
    for (int i = 0; i < dim; i++)
        memcpy(a->x + spot(c, a, dim, i, at),
               c->x + (size_t)i * (size_t)c->columns,
               (size_t)c->lanes * sizeof *c->x);
}

static void take_by_state(const hs_call *c, const float *from)
{
    size_t rows = (size_t)c->m->base.domain.rows, lanes = (size_t)c->lanes;
    size_t columns = (size_t)c->columns;
    size_t sites = whole_blocks(rows, HS_TURN_FLOAT);
    size_t whole = whole_blocks(lanes, HS_TURN_FLOAT);

    for (size_t r = 0; r < sites; r += HS_TURN_FLOAT)
        for (size_t l = 0; l < whole; l += HS_TURN_FLOAT)
            hs_turn_floats(from + l * rows + r, rows,
                           c->gradient + r * columns + l, columns);
    for (size_t r = 0; r < rows; r++)
        for (size_t l = r < sites ? whole : 0; l < lanes; l++)
            c->gradient[r * columns + l] = from[l * rows + r];
}

static void take_gradient(const hs_call *c, const hs_call_arrays *a, int at)
{
    int rows = c->m->base.domain.rows;

    if (c->m->by_state)
        take_by_state(c, a->gradient + (size_t)at * (size_t)rows);
    for (int r = 0; r < rows; r++) {
        float *to = c->gradient + (size_t)r * (size_t)c->columns;

        if (!c->m->by_state)
            memcpy(to, a->gradient + spot(c, a, rows, r, at),
                   (size_t)c->lanes * sizeof *to);
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

/* Sizes of the parts of the room, in this order, each aligned. */
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
    if (c->m->base.width > 0 && hs_fibers_ask(&c->ask)) {
        if (c->from) /* copied just before use */
            hs_call_take(c, c->from, c->at);
        return;
    }
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
