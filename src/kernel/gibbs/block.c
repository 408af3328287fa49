/* block.c - a block: which tables meet in which cluster. */
#include "kernel/gibbs/block.h"

#include "base/alloc.h"
#include "base/error.h"

/* Position of coordinate v in the cluster, or -1. */
static int place_in(const hs_block *b, const hs_member *m, int v)
{
    for (int k = 0; k < m->size; k++)
        if (b->cluster[m->cluster + k] == v)
            return k;
    return -1;
}

/* The member that a factor belongs to: its first in the order; -1 if none. */
static int home_of(const hs_factors *f, int64_t n, const int *rank)
{
    int home = -1;

    for (int64_t k = f->scope_at[n]; k < f->scope_at[n + 1]; k++) {
        int r = rank[f->scope[k]];

        if (r >= 0 && (home < 0 || r < home))
            home = r;
    }
    return home;
}

static int parent_of(const hs_block *b, const hs_member *m, const int *rank)
{
    return m->size > 1 ? rank[b->cluster[m->cluster + 1]] : -1;
}

/* Counts the parts, strides and other coordinates. */
static void count_parts(hs_block *b, const int *rank, int64_t *parts,
                        int64_t *strides, int64_t *others)
{
    const hs_factors *f = b->f;

    for (int n = 0; n < b->members; n++) {
        int parent = parent_of(b, &b->member[n], rank);

        if (parent >= 0)
            b->member[parent].parts++;
    }
    for (int64_t n = 0; n < f->count; n++) {
        int home = home_of(f, n, rank);

        if (home < 0)
            continue;
        b->member[home].parts++;
        *others += 2 * (f->scope_at[n + 1] - f->scope_at[n]);
    }
    for (int n = 0; n < b->members; n++) {
        hs_member *m = &b->member[n];

        m->part = *parts;
        *parts += m->parts;
        *strides += 2 * (int64_t)m->size * m->parts;
        m->parts = 0;
    }
}

/* Adds a part to a member, with its strides at 0. */
static hs_part *new_part(hs_block *b, hs_member *m, int64_t *strides)
{
    hs_part *p = &b->part[m->part + m->parts++];

    p->stride = *strides;
    *strides += 2 * (int64_t)m->size;
    p->slice = 1;
    b->work += m->entries;
    return p;
}

static void add_message(hs_block *b, hs_member *to, const hs_member *from,
                        int64_t *strides)
{
    hs_part *p = new_part(b, to, strides);
    int stride = 1;

    p->is_message = true;
    p->from = from->message;
    for (int k = 1; k < from->size; k++) {
        int v = b->cluster[from->cluster + k];

        b->stride[p->stride + place_in(b, to, v)] = stride;
        stride *= b->f->states[v];
    }
}

static void add_factor(hs_block *b, hs_member *to, int64_t n, int64_t *strides,
                       int64_t *others)
{
    const hs_factors *f = b->f;
    hs_part *p = new_part(b, to, strides);
    int *own = b->stride + p->stride, *slice = own + to->size;
    int stride = 1;

    p->from = f->table_at[n];
    p->other = *others;
    for (int64_t k = f->scope_at[n + 1] - 1; k >= f->scope_at[n]; k--) {
        int v = f->scope[k], at = place_in(b, to, v);

        if (at >= 0) {
            own[at] = stride;
        } else {
            b->other[(*others)++] = v;
            b->other[(*others)++] = stride;
            p->others++;
        }
        stride *= f->states[v];
    }
    for (int k = 0; k < to->size; k++)
        if (own[k] > 0) {
            slice[k] = p->slice;
            p->slice *= f->states[b->cluster[to->cluster + k]];
        }
    if (p->others > 0 && p->slice > b->slice_max)
        b->slice_max = p->slice;
}

static hiss_status add_parts(hs_block *b, const int *rank, hiss_error *err)
{
    int64_t parts = 0, strides = 0, others = 0;

    count_parts(b, rank, &parts, &strides, &others);
    b->part = hs_alloc_array((size_t)parts, sizeof *b->part);
    b->stride = hs_alloc_array((size_t)strides, sizeof *b->stride);
    b->other = hs_alloc_array((size_t)others, sizeof *b->other);
    if (!b->part || !b->stride || !b->other)
        return hs_fail_memory(err);
    strides = others = 0;
    for (int64_t n = 0; n < b->f->count; n++) {
        int home = home_of(b->f, n, rank);

        if (home >= 0)
            add_factor(b, &b->member[home], n, &strides, &others);
    }
    for (int n = 0; n < b->members; n++) {
        int parent = parent_of(b, &b->member[n], rank);

        if (parent >= 0)
            add_message(b, &b->member[parent], &b->member[n], &strides);
    }
    return HISS_OK;
}

static void add_members(hs_block *b, const hs_cutset *c, int *rank)
{
    const int *states = b->f->states;

    for (int v = 0; v < b->f->dim; v++)
        rank[v] = -1;
    for (int n = 0; n < c->count; n++) {
        hs_member *m = &b->member[n];

        rank[c->member[n]] = n;
        m->cluster = c->cluster_at[n];
        m->size = (int)(c->cluster_at[n + 1] - c->cluster_at[n]);
        m->states = states[c->member[n]];
        m->entries = 1;
        for (int k = 0; k < m->size; k++)
            m->entries *= states[b->cluster[m->cluster + k]];
        m->message = b->messages;
        b->messages += m->entries / m->states;
        if (m->entries > b->entries_max)
            b->entries_max = m->entries;
    }
}

hiss_status hs_block_init(hs_block *b, const hs_factors *f, hs_cutset *c,
                          hiss_error *err)
{
    int *rank = hs_alloc_array((size_t)f->dim, sizeof *rank);
    hiss_status rc = HISS_OK;

    *b = (hs_block){.f = f, .members = c->count, .cluster = c->cluster};
    c->cluster = NULL;
    b->member = hs_alloc_array((size_t)c->count, sizeof *b->member);
    if (!rank || !b->member) {
        rc = hs_fail_memory(err);
    } else {
        add_members(b, c, rank);
        rc = add_parts(b, rank, err);
    }
    hs_free(rank);
    if (rc != HISS_OK)
        hs_block_clear(b);
    return rc;
}

void hs_block_clear(hs_block *b)
{
    hs_free(b->member);
    hs_free(b->cluster);
    hs_free(b->part);
    hs_free(b->stride);
    hs_free(b->other);
    *b = (hs_block){0};
}
