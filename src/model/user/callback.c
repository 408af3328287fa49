/* callback.c - U, and perhaps its gradient, from a function of the caller.
 *
 * Without a gradient the rows are differences of U to the states that differ in
 * one coordinate, its *neighbors*: one for each other value of a two-valued or
 * categorical coordinate, and two for the levels beside the present one of an
 * ordinal coordinate.  A call asks for up to `batch` tiles of neighbors. So a
 * function that is slow to call but fast per state, such as one in Python, is
 * called about (neighbors / batch) times per gradient. Only chains in use are
 * evaluated: four chains ask for four states of each neighbor, side by side,
 * and for copies up to a multiple of sixteen. A function for the changes of one
 * coordinate is called once for each.
 *
 * Not here: where the function comes from (plugin.c, api/problem/arrays.c). */
#include "model/user/callback.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "model/slope.h"
#include "model/user/call.h"

#define BATCH_BYTES (1 << 20) /* bytes of the states in one call */
#define BATCH_MAX   64

/* Number of neighbors of coordinate i. */
static int neighbors(const hs_domain *d, int i)
{
    int states = d->states[i];

    if (d->kind[i] == HISS_CATEGORICAL || states <= 2)
        return states - 1;
    return 2;
}

/* The n-th neighbor of coordinate i. */
struct place {
    int i, n;
};

/* The first existing neighbor from this place on; i is dim past the last. */
static struct place normalize(const hs_domain *d, struct place at)
{
    while (at.i < d->dim && at.n >= neighbors(d, at.i))
        at = (struct place){at.i + 1, 0};
    return at;
}

static struct place next(const hs_domain *d, struct place at)
{
    return normalize(d, (struct place){at.i, at.n + 1});
}

/* Its distance in indices, cyclically. */
static int step_of(const hs_domain *d, struct place at)
{
    return d->kind[at.i] == HISS_CATEGORICAL || at.n == 0 ? at.n + 1 : -1;
}

/* One call evaluates both neighbors of a level. */
static bool opens_pair(const hs_domain *d, struct place at)
{
    return d->kind[at.i] != HISS_CATEGORICAL && d->states[at.i] > 2 &&
           at.n == 0;
}

static int lanes_in_use(const hs_point *p)
{
    return p->lanes > 0 ? p->lanes : HS_LANES;
}

/* The states of one call. */
struct batch {
    double *u;   /* borrowed, [columns] */
    int16_t *x;  /* borrowed, [dim][columns] */
    int count;   /* count of neighbors */
    int lanes;   /* lanes of each neighbor, side by side */
    int columns; /* total, a multiple of 16 */
    struct place first;
};

static hiss_status call(const hs_callback *m, hs_point *p, hs_call c)
{
    c.m = m;
    hs_call_make(&c, p->scratch);
    p->fault = (hs_fault){.code = c.code};
    return c.status;
}

/* Evaluates U at the point, with or without its gradient. */
static hiss_status call_here(const hs_callback *m, hs_point *p, float *gradient)
{
    HS_TRY(call(m, p,
                (hs_call){.x = p->x[0],
                          .columns = HS_LANES,
                          .lanes = lanes_in_use(p),
                          .u = p->u,
                          .gradient = gradient}));
    p->have |= HS_U;
    return HISS_OK;
}

static int shifted(int index, int step, int states)
{
    return (index + step + states) % states;
}

/* Returns coordinate i of the n-th neighbor. */
static int16_t *lanes_of(const struct batch *b, int i, int n)
{
    return b->x + (size_t)i * (size_t)b->columns + (size_t)n * (size_t)b->lanes;
}

/* Counts the neighbors from b->first on that fit; returns the first that does
 * not. */
static struct place count_neighbors(const hs_callback *m, struct batch *b)
{
    const hs_domain *d = &m->base.domain;
    struct place at = b->first;
    int most = m->batch * HS_LANES / b->lanes;

    for (b->count = 0; at.i < d->dim; at = next(d, at), b->count++)
        if (b->count + (opens_pair(d, at) ? 2 : 1) > most)
            break;
    b->columns = (b->count * b->lanes + HS_LANES - 1) / HS_LANES * HS_LANES;
    return at;
}

static void fill(const hs_domain *d, const hs_point *p, const struct batch *b)
{
    struct place at = b->first;

    for (int j = 0; j < d->dim; j++)
        for (int c = 0; c < b->columns; c++)
            b->x[(size_t)j * (size_t)b->columns + (size_t)c] =
                p->x[j][c % b->lanes];
    for (int n = 0; n < b->count; n++, at = next(d, at)) {
        int16_t *x = lanes_of(b, at.i, n);

        for (int l = 0; l < b->lanes; l++)
            x[l] = (int16_t)shifted(p->x[at.i][l], step_of(d, at),
                                    d->states[at.i]);
    }
}

/* U with another label minus U with the present one.  The difference keeps its
 * digits if U is large (slope.h). */
static void label_row(const hs_domain *d, const hs_point *p, struct place at,
                      const double *u, hs_float_row *out)
{
    for (int l = 0; l < HS_LANES; l++) {
        int x = p->x[at.i][l];
        double here = isinf(p->u[l]) ? 0.0 : p->u[l];

        out[shifted(x, at.n + 1, d->states[at.i])][l] = (float)(u[l] - here);
        out[x][l] = (float)(p->u[l] - here);
    }
}

/* u is U at the other value, or at the levels above and then below. */
static void number_row(const hs_domain *d, const hs_point *p, int i,
                       const double *u, hs_float_row *out)
{
    const float *value = d->values + d->value[i];
    int states = d->states[i];

    for (int l = 0; states == 2 && l < HS_LANES; l++)
        (*out)[l] = p->x[i][l]
                        ? hs_slope_pair(u[l], p->u[l], value[1] - value[0])
                        : hs_slope_pair(p->u[l], u[l], value[1] - value[0]);
    for (int l = 0; states > 2 && l < HS_LANES; l++)
        (*out)[l] = hs_slope_level(value, states, p->x[i][l], u[HS_LANES + l],
                                   p->u[l], u[l]);
}

/* Copies U of the n-th neighbor to all lanes; unused lanes get U of the state
 * itself. */
static void spread(const hs_point *p, const struct batch *b, int n, double *u)
{
    for (int l = 0; l < HS_LANES; l++)
        u[l] = l < b->lanes ? b->u[n * b->lanes + l] : p->u[l];
}

static void put_rows(const hs_domain *d, hs_point *p, const struct batch *b)
{
    struct place at = b->first;

    for (int n = 0; n < b->count; n++, at = next(d, at)) {
        hs_float_row *out = p->grad + d->row[at.i];
        double u[2 * HS_LANES];

        spread(p, b, n, u);
        if (opens_pair(d, at))
            spread(p, b, n + 1, u + HS_LANES);
        if (d->kind[at.i] == HISS_CATEGORICAL)
            label_row(d, p, at, u, out);
        else if (at.n == 0)
            number_row(d, p, at.i, u, out);
    }
}

/* Rows of coordinates with one state stay 0. */
static hiss_status difference_rows(const hs_callback *m, hs_point *p)
{
    const hs_domain *d = &m->base.domain;
    struct place at = normalize(d, (struct place){0, 0});

    while (at.i < d->dim) {
        struct batch b = {
            .u = p->scratch, .lanes = lanes_in_use(p), .first = at};

        at = count_neighbors(m, &b);
        b.x = (int16_t *)(b.u + b.columns);
        fill(d, p, &b);
        HS_TRY(call(m, p,
                    (hs_call){.x = b.x,
                              .columns = b.columns,
                              .lanes = b.count * b.lanes,
                              .u = b.u}));
        put_rows(d, p, &b);
    }
    return HISS_OK;
}

/* Computes the changes of coordinate i, [states][16], in the scratch of the
 * point. */
static hiss_status call_change(const hs_callback *m, hs_point *p, int i)
{
    return call(m, p,
                (hs_call){.x = p->x[0],
                          .columns = HS_LANES,
                          .lanes = lanes_in_use(p),
                          .site = i,
                          .change = p->scratch});
}

/* U at the n-th neighbor; -infinity beside an impossible state, where a change
 * is undefined. */
static void neighbor_energy(const hs_domain *d, const hs_point *p,
                            struct place at, double *u)
{
    const double(*change)[HS_LANES] = p->scratch;

    for (int l = 0; l < HS_LANES; l++) {
        int v = shifted(p->x[at.i][l], step_of(d, at), d->states[at.i]);

        u[l] = p->u[l] == -HUGE_VAL ? -HUGE_VAL : p->u[l] + change[v][l];
    }
}

/* Computes the same rows from the changes, with a call for each coordinate. */
static hiss_status change_rows(const hs_callback *m, hs_point *p)
{
    const hs_domain *d = &m->base.domain;

    for (int i = 0; i < d->dim; i++) {
        double u[2 * HS_LANES];
        hs_float_row *out = p->grad + d->row[i];
        int count = neighbors(d, i);

        if (count > 0)
            HS_TRY(call_change(m, p, i));
        for (int n = 0; n < count; n++) {
            struct place at = {i, n};
            bool is_label = d->kind[i] == HISS_CATEGORICAL;

            neighbor_energy(d, p, at, u + (is_label ? 0 : n) * HS_LANES);
            if (is_label)
                label_row(d, p, at, u, out);
            else if (n + 1 == count)
                number_row(d, p, i, u, out);
        }
    }
    return HISS_OK;
}

/* NaN or +infinity where U is finite is a fault. */
hiss_status hs_callback_change(const hs_model *base, hs_point *p, int i,
                               hs_float_row *out)
{
    const hs_callback *m = (const hs_callback *)base;
    const double(*change)[HS_LANES] = p->scratch;
    int used = lanes_in_use(p);

    HS_TRY(hs_model_evaluate(base, p, HS_U)); /* after a large move */
    HS_TRY(call_change(m, p, i));
    for (int v = 0; v < base->domain.states[i]; v++)
        for (int l = 0; l < HS_LANES; l++) {
            double c = change[v][l];
            bool is_odd = isnan(c) || c == HUGE_VAL;

            if (is_odd && l < used && p->u[l] != -HUGE_VAL) {
                p->fault = (hs_fault){.lane = l};
                return HISS_ENUMERIC;
            }
            out[v][l] = v == p->x[i][l] || isnan(c) ? 0.0f : (float)c;
        }
    return HISS_OK;
}

static bool is_all_finite(const hs_float_row *row, int rows)
{
    int odd[HS_LANES] = {0}, any = 0;

    for (int r = 0; r < rows; r++)
        for (int l = 0; l < HS_LANES; l++)
            odd[l] |= !(fabsf(row[r][l]) <= FLT_MAX);
    for (int l = 0; l < HS_LANES; l++)
        any |= odd[l];
    return !any;
}

/* Every proposal would spread a NaN. */
static hiss_status check_gradient(const hs_model *m, hs_point *p)
{
    int rows = m->domain.rows;

    if (is_all_finite((const hs_float_row *)p->grad, rows))
        return HISS_OK;
    for (int r = 0; r < rows; r++)
        for (int l = 0; l < HS_LANES; l++)
            if (!isfinite(p->grad[r][l]) && isfinite(p->u[l])) {
                p->fault = (hs_fault){.is_gradient = true, .lane = l};
                return HISS_ENUMERIC;
            }
    return HISS_OK;
}

hiss_status hs_callback_evaluate(const hs_model *base, hs_point *p,
                                 unsigned want)
{
    const hs_callback *m = (const hs_callback *)base;

    if ((want & HS_GRAD) && m->has_gradient) {
        HS_TRY(call_here(m, p, p->grad[0]));
        return check_gradient(base, p);
    }
    if (!(p->have & HS_U))
        HS_TRY(call_here(m, p, NULL));
    if (!(want & HS_GRAD))
        return HISS_OK;
    return m->change ? change_rows(m, p) : difference_rows(m, p);
}

/* Chooses the tiles of neighbors in one call, and in all. */
static void plan_batches(hs_callback *m)
{
    const hs_domain *d = &m->base.domain;
    size_t tile =
        HS_LANES * (sizeof(double) + (size_t)d->dim * sizeof(int16_t));
    int64_t all = 0;

    for (int i = 0; i < d->dim; i++)
        all += neighbors(d, i);
    m->batch =
        tile > BATCH_BYTES / BATCH_MAX ? (int)(BATCH_BYTES / tile) : BATCH_MAX;
    m->batch = m->batch > all ? (int)all : m->batch;
    m->batch = m->batch < 2 ? 2 : m->batch; /* for opens_pair */
    m->base.scratch_bytes = (size_t)m->batch * tile;
    m->base.gradient_states = all;
}

void hs_callback_reserve(hs_callback *m)
{
    int columns = HS_LANES;

    if (m->change) {
        m->base.scratch_bytes =
            (size_t)m->base.domain.states_max * HS_LANES * sizeof(double);
    } else if (!m->has_gradient) {
        plan_batches(m);
        columns *= m->batch;
    }
    m->room_at = (m->base.scratch_bytes + HS_ALIGN - 1) / HS_ALIGN * HS_ALIGN;
    m->base.scratch_bytes = m->room_at + hs_call_bytes(m, columns);
}

static const void *structure(const hs_model *base, hs_structure kind)
{
    const hs_callback *m = (const hs_callback *)base;

    return kind == HS_STRUCTURE_FUNCTION && m->card.evaluate ? &m->card : NULL;
}

static const hs_model_ops callback_ops = {
    .evaluate = hs_callback_evaluate,
    .structure = structure,
};

static const hs_model_ops changed_ops = {
    .evaluate = hs_callback_evaluate,
    .change = hs_callback_change,
    .structure = structure,
};

hiss_status hs_callback_create(hs_model **out, const char *name,
                               hs_domain *domain, const hs_callback *from,
                               hiss_error *err)
{
    hs_callback *m = hs_alloc_array(1, sizeof *m);
    char *copy = hs_strdup(name);

    *out = NULL;
    if (!m || !copy) {
        hs_free(m);
        hs_free(copy);
        hs_domain_clear(domain);
        return hs_fail_memory(err);
    }
    *m = *from;
    m->base = (hs_model){.ops = from->change ? &changed_ops : &callback_ops,
                         .width = from->base.width,
                         .is_user = true};
    m->base.name = copy;
    m->card.name = copy;
    m->base.domain = *domain;
    *domain = (hs_domain){0};
    hs_callback_reserve(m);
    *out = &m->base;
    return HISS_OK;
}
