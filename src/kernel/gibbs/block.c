/* block.c - a block: which tables meet where, and how it is drawn. */
#include "kernel/gibbs/block.h"

#include <float.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "lanes/lanes.h"

/* --- building ------------------------------------------------------------ */

/* Where coordinate v stands in the cluster, -1: nowhere. */
static int place_in(const hs_block *b, const hs_member *m, int v)
{
    for (int k = 0; k < m->size; k++)
        if (b->cluster[m->cluster + k] == v)
            return k;
    return -1;
}

/* The member that a factor belongs to: its first in the order; -1: none. */
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

/* How many parts, strides and others there will be. */
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

/* A new part of a member, with its strides at 0. */
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

static bool reserve(hs_block_room *r, int64_t entries, int64_t slice,
                    int64_t messages)
{
    r->table = hs_alloc_array((size_t)entries, sizeof *r->table);
    r->slice = hs_alloc_array((size_t)slice, sizeof *r->slice);
    r->message = hs_alloc_array((size_t)messages, sizeof *r->message);
    return r->table && r->slice && r->message;
}

static bool reserve_wide(hs_block_wide *w, int64_t entries, int64_t slice,
                         int64_t messages, size_t states)
{
    w->table = hs_alloc_array((size_t)entries, sizeof *w->table);
    w->slice = hs_alloc_array((size_t)slice, sizeof *w->slice);
    w->message = hs_alloc_array((size_t)messages, sizeof *w->message);
    w->value = hs_alloc_array(states, sizeof *w->value);
    return w->table && w->slice && w->message && w->value;
}

hiss_status hs_block_room_init(hs_block_room *r, const hs_block *b, int blocks,
                               const hs_model *m, hiss_error *err)
{
    int64_t entries = 1, slice = 1, messages = 1;
    size_t states = (size_t)m->domain.states_max;

    for (int n = 0; n < blocks; n++) {
        entries = b[n].entries_max > entries ? b[n].entries_max : entries;
        slice = b[n].slice_max > slice ? b[n].slice_max : slice;
        messages = b[n].messages > messages ? b[n].messages : messages;
    }
    entries = slice > entries ? slice : entries;
    *r = (hs_block_room){.is_wide = hs_model_is_wide(m)};
    r->value = hs_alloc_array(2 * states, sizeof *r->value);
    r->offset = hs_alloc_array((size_t)entries, sizeof *r->offset);
    if (r->value && r->offset &&
        (r->is_wide ? reserve_wide(&r->wide, entries, slice, messages, states)
                    : reserve(r, entries, slice, messages)))
        return HISS_OK;
    hs_block_room_clear(r);
    return hs_fail_memory(err);
}

void hs_block_room_clear(hs_block_room *r)
{
    hs_free(r->table);
    hs_free(r->slice);
    hs_free(r->message);
    hs_free(r->value);
    hs_free(r->offset);
    hs_free(r->wide.table);
    hs_free(r->wide.slice);
    hs_free(r->wide.message);
    hs_free(r->wide.value);
    *r = (hs_block_room){0};
}

/* --- drawing ------------------------------------------------------------- */

int hs_block_offsets(const hs_block *b, const hs_member *m, const int *stride,
                     const int *only, int32_t *offset)
{
    int count = 1;

    offset[0] = 0;
    for (int k = 0; k < m->size; k++) {
        int states = b->f->states[b->cluster[m->cluster + k]];

        if (only && only[k] == 0)
            continue;
        for (int e = count; e < count * states; e++)
            offset[e] = offset[e - count] + stride[k];
        count *= states;
    }
    return count;
}

void hs_block_base(const hs_block *b, const hs_part *p, const hs_tile *x,
                   int64_t *base)
{
    const int *other = b->other + p->other;

    for (int l = 0; l < HS_LANES; l++)
        base[l] = p->from;
    for (int k = 0; k < p->others; k++)
        for (int l = 0; l < HS_LANES; l++)
            base[l] +=
                (int64_t)x->at.x[other[2 * k]][l] * (int64_t)other[2 * k + 1];
}

/* What is left of a factor, to r->slice. */
static void cut_slice(const hs_block *b, hs_block_room *r, const hs_member *m,
                      const hs_part *p, const hs_tile *x)
{
    const int *own = b->stride + p->stride;
    int64_t base[HS_LANES];
    int entries = hs_block_offsets(b, m, own, own, r->offset);

    hs_block_base(b, p, x, base);
    for (int e = 0; e < entries; e++)
        for (int l = 0; l < HS_LANES; l++)
            r->slice[e][l] =
                r->beta[l] * (float)b->f->table[base[l] + r->offset[e]];
}

static void add_part(const hs_block *b, hs_block_room *r, const hs_member *m,
                     const hs_part *p, const hs_tile *x)
{
    const int *own = b->stride + p->stride;
    const hs_float_row *rows = r->message + p->from;

    if (!p->is_message && p->others == 0) {
        hs_block_offsets(b, m, own, NULL, r->offset);
        hs_lanes()->block_add_table(b->f->table + p->from, r->offset,
                                    m->entries, r->beta, r->table);
        return;
    }
    if (!p->is_message) {
        cut_slice(b, r, m, p, x);
        rows = r->slice;
        own += m->size;
    }
    hs_block_offsets(b, m, own, NULL, r->offset);
    hs_lanes()->block_add_rows((const hs_float_row *)rows, r->offset,
                               m->entries, r->table);
}

/* phi of the member, its fastest coordinate. */
static void add_phi(hs_block_room *r, const hs_member *m, int i,
                    const hs_domain *d, const hs_tilt *t, const hs_tile *x)
{
    if (!t->phi)
        return;
    memset(r->value, 0, (size_t)m->states * sizeof *r->value);
    hs_tilt_add_values(t, d, i, x->at.x[i], r->value);
    for (int e = 0; e < m->entries; e++)
        r->offset[e] = e % m->states;
    hs_lanes()->block_add_rows((const hs_float_row *)r->value, r->offset,
                               m->entries, r->table);
}

/* Log weights of the member's values given the rest of its cluster. */
static void add_weights(const hs_block *b, hs_block_room *r, const hs_member *m,
                        const hs_part *p, const hs_tile *x)
{
    const int *own = b->stride + p->stride;
    int64_t base[HS_LANES];

    hs_block_base(b, p, x, base);
    for (int k = 1; k < m->size; k++) {
        const int16_t *at = x->at.x[b->cluster[m->cluster + k]];

        for (int l = 0; l < HS_LANES; l++)
            base[l] += (int64_t)at[l] * own[k];
    }
    for (int v = 0; v < m->states; v++)
        for (int l = 0; l < HS_LANES; l++) {
            int64_t e = base[l] + (int64_t)v * own[0];

            r->value[v][l] += p->is_message
                                  ? r->message[e][l]
                                  : r->beta[l] * (float)b->f->table[e];
        }
}

static void weigh(const hs_block *b, hs_block_room *r, const hs_member *m,
                  const hs_domain *d, const hs_tilt *t, const hs_tile *x)
{
    int i = b->cluster[m->cluster];

    memset(r->value, 0, (size_t)m->states * sizeof *r->value);
    hs_tilt_add_values(t, d, i, x->at.x[i], r->value);
    for (int n = 0; n < m->parts; n++)
        add_weights(b, r, m, &b->part[m->part + n], x);
}

/* Forwards: the table of a member, and its message. */
static void pass(const hs_block *b, hs_block_room *r, const hs_member *m,
                 const hs_domain *d, const hs_tilt *t, const hs_tile *x)
{
    memset(r->table, 0, (size_t)m->entries * sizeof *r->table);
    add_phi(r, m, b->cluster[m->cluster], d, t, x);
    for (int k = 0; k < m->parts; k++)
        add_part(b, r, m, &b->part[m->part + k], x);
    hs_lanes()->block_reduce((const hs_float_row *)r->table, m->states,
                             m->entries / m->states, r->message + m->message);
}

static void draw_member(const hs_block *b, hs_block_room *r, const hs_member *m,
                        const hs_domain *d, const hs_tilt *t, hs_tile *x,
                        int drawn, const uint32_t *words, double *changed)
{
    int i = b->cluster[m->cluster];
    uint32_t more[4][HS_LANES];
    int16_t to[HS_LANES];

    if (r->is_wide)
        hs_block_weigh_wide(b, r, m, d, t, x);
    else
        weigh(b, r, m, d, t, x);
    if (m->states > HS_FEW)
        hs_lanes()->philox(&x->rng, HS_DRAW_TIE, (uint32_t)drawn, 1, more);
    hs_lanes()->draw_value((const hs_float_row *)r->value, m->states, words,
                           more[0], r->value + d->states_max, to);
    for (int l = 0; l < HS_LANES; l++)
        changed[l] += to[l] != x->at.x[i][l];
    memcpy(x->at.x[i], to, sizeof to);
}

void hs_block_draw(const hs_block *b, hs_block_room *r, const hs_domain *d,
                   const hs_tilt *t, hs_tile *x, double *changed)
{
    uint32_t words[4][HS_LANES];

    /* an impossible entry stays so at beta = 0 */
    for (int l = 0; l < HS_LANES; l++)
        r->beta[l] = t->beta[l] > FLT_MIN ? t->beta[l] : FLT_MIN;
    for (int n = 0; n < b->members; n++) {
        const hs_member *m = &b->member[n];

        if (m->size == 1) /* nobody waits for its message */
            continue;
        if (r->is_wide)
            hs_block_pass_wide(b, r, m, d, t, x);
        else
            pass(b, r, m, d, t, x);
    }
    for (int n = b->members - 1, drawn = 0; n >= 0; n--, drawn++) {
        if (drawn % 4 == 0)
            hs_lanes()->philox(&x->rng, HS_DRAW_PROPOSE, (uint32_t)drawn / 4, 1,
                               words);
        draw_member(b, r, &b->member[n], d, t, x, drawn, words[drawn % 4],
                    changed);
    }
}
