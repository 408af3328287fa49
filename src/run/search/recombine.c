/* recombine.c - combines two states to the best, component by component. */
#include "run/search/recombine.h"

#include <string.h>

#include "base/alloc.h"
#include "base/error.h"

#define SCOPES_MAX (INT64_C(1) << 26) /* most coordinates in all factors */

enum {
    SAME,    /* the two states agree */
    OPEN,    /* they differ, and its component is not known yet */
    IN_PART, /* it is in a component that was visited */
};

hiss_status hs_recombine_parts_create(hs_recombine_parts **out,
                                      const hs_model *m, hiss_error *err)
{
    hs_recombine_parts *p;
    hiss_status rc;

    *out = NULL;
    if (!m->ops->factors || m->is_dense)
        return HISS_OK;
    p = hs_alloc_array(1, sizeof *p);
    if (!p)
        return hs_fail_memory(err);
    rc = m->ops->factors(m, &p->factors, err);
    if (rc == HISS_OK && p->factors.scope_at[p->factors.count] <= SCOPES_MAX)
        rc = hs_factors_index(&p->factors, &p->start, &p->factor, err);
    else if (rc == HISS_OK || rc == HISS_EUNSUP || rc == HISS_ELIMIT) {
        hs_recombine_parts_destroy(p); /* optional, so a failure is ignored */
        return HISS_OK;
    }
    if (rc != HISS_OK) {
        hs_recombine_parts_destroy(p);
        return rc;
    }
    *out = p;
    return HISS_OK;
}

void hs_recombine_parts_destroy(hs_recombine_parts *parts)
{
    if (!parts)
        return;
    hs_factors_clear(&parts->factors);
    hs_free(parts->start);
    hs_free(parts->factor);
    hs_free(parts);
}

hiss_status hs_recombine_init(hs_recombine *r, const hs_recombine_parts *parts,
                              hiss_error *err)
{
    size_t dim = (size_t)parts->factors.dim;

    *r = (hs_recombine){.parts = parts};
    r->queue = hs_alloc_array(dim, sizeof *r->queue);
    r->mark = hs_alloc_array(dim, sizeof *r->mark);
    r->seen = hs_alloc_array((size_t)parts->factors.count, sizeof *r->seen);
    if (r->queue && r->mark && r->seen)
        return HISS_OK;
    hs_recombine_clear(r);
    return hs_fail_memory(err);
}

void hs_recombine_clear(hs_recombine *r)
{
    hs_free(r->queue);
    hs_free(r->mark);
    hs_free(r->seen);
    *r = (hs_recombine){0};
}

/* The gain of factor n if the coordinates of the present component are
 * exchanged; adds new coordinates of the component to the queue. */
static double look_at(hs_recombine *r, int64_t n, const int16_t *state,
                      const int16_t *other, int flip, int *count)
{
    const hs_factors *f = &r->parts->factors;
    int64_t from = f->table_at[n], to = f->table_at[n];
    int64_t stride = 1;

    for (int64_t s = f->scope_at[n + 1]; s-- > f->scope_at[n];) {
        int i = f->scope[s];

        from += stride * state[i];
        to += stride * (r->mark[i] == SAME ? state[i] : other[i] ^ flip);
        if (r->mark[i] == OPEN) {
            r->mark[i] = IN_PART;
            r->queue[(*count)++] = i;
        }
        stride *= f->states[i];
    }
    return f->table[to] - f->table[from];
}

/* Traverses the component of coordinate i; returns its gain. */
static double explore(hs_recombine *r, int i, const int16_t *state,
                      const int16_t *other, int flip, int *count)
{
    const hs_recombine_parts *p = r->parts;
    double gain = 0.0;

    r->mark[i] = IN_PART;
    r->queue[0] = i;
    *count = 1;
    for (int n = 0; n < *count; n++) {
        int at = r->queue[n];

        for (int64_t k = p->start[at]; k < p->start[at + 1]; k++) {
            int64_t factor = p->factor[k];

            if (r->seen[factor] == r->stamp)
                continue;
            r->seen[factor] = r->stamp;
            gain += look_at(r, factor, state, other, flip, count);
        }
    }
    return gain;
}

double hs_recombine_best(hs_recombine *r, int16_t *state, const int16_t *other,
                         bool is_mirrored)
{
    const hs_factors *f = &r->parts->factors;
    int differ = 0, flip = 0;
    double total = 0.0;

    for (int i = 0; i < f->dim; i++)
        differ += state[i] != other[i];
    flip = is_mirrored && differ > f->dim / 2;
    for (int i = 0; i < f->dim; i++)
        r->mark[i] = state[i] != (other[i] ^ flip) ? OPEN : SAME;
    if (++r->stamp == 0) { /* after 2^32 calls the marks are invalid */
        memset(r->seen, 0, (size_t)f->count * sizeof *r->seen);
        r->stamp = 1;
    }
    for (int i = 0; i < f->dim; i++) {
        int count;
        double gain;

        if (r->mark[i] != OPEN)
            continue;
        gain = explore(r, i, state, other, flip, &count);
        if (!(gain > 0.0))
            continue;
        for (int n = 0; n < count; n++)
            state[r->queue[n]] = (int16_t)(other[r->queue[n]] ^ flip);
        total += gain;
    }
    return total;
}
