/* modes.c - which local optima the draws belong to.
 *
 * Optima are kept in a table of distinct states with open addressing.  WORK
 * bounds the effort: draws times coordinates. */
#include "run/modes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "run/ascend.h"

#define WORK      2e8
#define DRAWS_MIN 64

/* Distinct states with what is known of them. */
struct table {
    int dim;
    int64_t used, slots; /* slots: a power of 2 */
    int64_t *slot;       /* owned: index + 1 into mode, 0 = free */
    hiss_mode *mode;     /* owned, [slots / 2] */
    int *last_chain;     /* owned: so that a chain counts once */
    int16_t *state;      /* owned, [slots / 2][dim] */
};

static void table_clear(struct table *t)
{
    hs_free(t->slot);
    hs_free(t->mode);
    hs_free(t->last_chain);
    hs_free(t->state);
}

static hiss_status table_init(struct table *t, int dim, int64_t most,
                              hiss_error *err)
{
    *t = (struct table){.dim = dim, .slots = 16};
    while (t->slots < 2 * most)
        t->slots *= 2;
    t->slot = hs_alloc_array((size_t)t->slots, sizeof *t->slot);
    t->mode = hs_alloc_array((size_t)t->slots / 2, sizeof *t->mode);
    t->last_chain = hs_alloc_array((size_t)t->slots / 2, sizeof(int));
    t->state =
        hs_alloc_array((size_t)t->slots / 2 * (size_t)dim, sizeof *t->state);
    if (t->slot && t->mode && t->last_chain && t->state)
        return HISS_OK;
    table_clear(t);
    return hs_fail_memory(err);
}

static uint64_t hash(const int16_t *state, int dim)
{
    uint64_t h = 0xcbf29ce484222325u; /* FNV-1a, by value */

    for (int i = 0; i < dim; i++)
        h = (h ^ (uint16_t)state[i]) * 0x100000001b3u;
    return h ^ (h >> 29);
}

/* Index of a state; -1 when it is not there and not to be added. */
static int64_t table_find(struct table *t, const int16_t *state, bool add)
{
    size_t bytes = (size_t)t->dim * sizeof *state;
    uint64_t mask = (uint64_t)t->slots - 1, at = hash(state, t->dim) & mask;

    for (; t->slot[at]; at = (at + 1) & mask) {
        int64_t index = t->slot[at] - 1;

        if (memcmp(t->state + index * t->dim, state, bytes) == 0)
            return index;
    }
    if (!add)
        return -1;
    t->slot[at] = ++t->used;
    memcpy(t->state + (t->used - 1) * t->dim, state, bytes);
    t->mode[t->used - 1] = (hiss_mode){.exact = (double)NAN};
    t->last_chain[t->used - 1] = -1;
    return t->used - 1;
}

/* Indices of one draw into a lane. */
static void load(const hs_store *s, const hs_domain *d, int chain, int64_t draw,
                 double *values, hs_point *p, int lane)
{
    hs_store_draw(s, chain, draw, values);
    for (int i = 0; i < d->dim; i++)
        for (int v = 0; v < d->states[i]; v++)
            if ((double)d->values[d->value[i] + v] == values[i])
                p->x[i][lane] = (int16_t)v;
    p->have = 0;
}

static void lane_state(const hs_point *p, int dim, int lane, int16_t *state)
{
    for (int i = 0; i < dim; i++)
        state[i] = p->x[i][lane];
}

/* Work space of both passes. */
struct climb {
    const hs_model *m;
    hs_ascent ascent; /* owned */
    hs_point point;   /* owned */
    double *values;   /* owned, [dim] */
    int16_t *state;   /* owned, [dim] */
};

static hiss_status ascend_draws(struct climb *c, const hs_store *s,
                                int64_t samples, int64_t stride,
                                struct table *t)
{
    int64_t total = s->chains * samples;
    int dim = c->m->domain.dim;

    for (int64_t first = 0; first < total; first += HS_LANES * stride) {
        int lanes = 0;

        for (int64_t n = first; n < total && lanes < HS_LANES; n += stride)
            load(s, &c->m->domain, (int)(n / samples), n % samples, c->values,
                 &c->point, lanes++);
        HS_TRY(hs_ascend(&c->ascent, c->m, &c->point, lanes));
        for (int l = 0; l < lanes; l++) {
            int chain = (int)((first + l * stride) / samples);
            int64_t index;

            lane_state(&c->point, dim, l, c->state);
            index = table_find(t, c->state, true);
            t->mode[index].u = c->point.u[l];
            t->mode[index].draws++;
            t->mode[index].chains += t->last_chain[index] != chain;
            t->last_chain[index] = chain;
        }
    }
    return HISS_OK;
}

/* Every state ascended: the exact mass of each basin that was found. */
static hiss_status ascend_all(struct climb *c, double log_z, struct table *t)
{
    const hs_domain *d = &c->m->domain;
    int64_t total = (int64_t)hs_domain_size(d);

    for (int64_t i = 0; i < t->used; i++)
        t->mode[i].exact = 0.0;
    for (int64_t first = 0; first < total; first += HS_LANES) {
        int lanes = total - first < HS_LANES ? (int)(total - first) : HS_LANES;
        double u[HS_LANES];

        for (int l = 0; l < HS_LANES; l++) {
            int64_t rest = l < lanes ? first + l : first;

            for (int i = d->dim - 1; i >= 0; i--) {
                c->point.x[i][l] = (int16_t)(rest % d->states[i]);
                rest /= d->states[i];
            }
        }
        c->point.have = 0;
        HS_TRY(hs_model_evaluate(c->m, &c->point, HS_U));
        memcpy(u, c->point.u, sizeof u);
        HS_TRY(hs_ascend(&c->ascent, c->m, &c->point, lanes));
        for (int l = 0; l < lanes; l++) {
            int64_t index;

            if (u[l] == -HUGE_VAL)
                continue;
            lane_state(&c->point, d->dim, l, c->state);
            index = table_find(t, c->state, false);
            if (index >= 0)
                t->mode[index].exact += exp(u[l] - log_z);
        }
    }
    return HISS_OK;
}

/* For sorting: by draws, then by U, then by the order of discovery. */
struct rank {
    int64_t index, draws;
    double u;
};

static int compare(const void *a, const void *b)
{
    const struct rank *p = a, *q = b;

    if (p->draws != q->draws)
        return p->draws < q->draws ? 1 : -1;
    if (p->u != q->u)
        return p->u < q->u ? 1 : -1;
    return p->index < q->index ? -1 : 1;
}

/* The modes with most draws, in order, to the caller's arrays. */
static hiss_status give(const struct table *t, const hs_domain *d, int most,
                        int *count, hiss_mode *modes, double *states,
                        hiss_error *err)
{
    struct rank *rank = hs_alloc_array((size_t)t->used, sizeof *rank);
    double all = 0.0;

    if (!rank)
        return hs_fail_memory(err);
    for (int64_t i = 0; i < t->used; i++) {
        rank[i] = (struct rank){i, t->mode[i].draws, t->mode[i].u};
        all += (double)t->mode[i].draws;
    }
    qsort(rank, (size_t)t->used, sizeof *rank, compare);
    *count = t->used < most ? (int)t->used : most;
    for (int n = 0; n < *count; n++) {
        int64_t index = rank[n].index;

        modes[n] = t->mode[index];
        modes[n].mass = (double)modes[n].draws / all;
        for (int i = 0; i < d->dim; i++)
            states[(size_t)n * (size_t)d->dim + (size_t)i] =
                (double)d->values[d->value[i] + t->state[index * t->dim + i]];
    }
    hs_free(rank);
    return HISS_OK;
}

static hiss_status climb_init(struct climb *c, const hs_model *m,
                              hiss_error *err)
{
    size_t dim = (size_t)m->domain.dim;

    *c = (struct climb){.m = m};
    HS_TRY(hs_ascent_init(&c->ascent, m, err));
    HS_TRY(hs_point_init(&c->point, m, err));
    c->values = hs_alloc_array(dim, sizeof *c->values);
    c->state = hs_alloc_array(dim, sizeof *c->state);
    return c->values && c->state ? HISS_OK : hs_fail_memory(err);
}

static void climb_clear(struct climb *c)
{
    hs_ascent_clear(&c->ascent);
    hs_point_clear(&c->point);
    hs_free(c->values);
    hs_free(c->state);
}

hiss_status hs_modes_find(const hs_store *store, int64_t samples,
                          const hs_model *m, double log_z, int most, int *count,
                          hiss_mode *modes, double *states, hiss_error *err)
{
    int64_t total = store->chains * samples, stride = 1;
    int64_t bound = (int64_t)(WORK / m->domain.dim);
    struct table t = {0};
    struct climb c;
    hiss_status rc = climb_init(&c, m, err);

    *count = 0;
    bound = bound < DRAWS_MIN ? DRAWS_MIN : bound;
    while (total / stride > bound)
        stride++;
    if (rc == HISS_OK)
        rc = table_init(&t, m->domain.dim, total / stride + 1, err);
    if (rc == HISS_OK)
        rc = ascend_draws(&c, store, samples, stride, &t);
    if (rc == HISS_OK && !isnan(log_z))
        rc = ascend_all(&c, log_z, &t);
    if (rc == HISS_OK)
        rc = give(&t, &m->domain, most, count, modes, states, err);
    table_clear(&t);
    climb_clear(&c);
    return rc;
}
