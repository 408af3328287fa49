/* block_single.c - the tables of a block in float. */
#include <string.h>

#include "base/alloc.h"
#include "kernel/gibbs/block.h"
#include "lanes/lanes.h"

struct single {
    hs_float_row *table;   /* owned, [entries] */
    hs_float_row *slice;   /* owned, [slice] */
    hs_float_row *message; /* owned, [messages] */
};

static bool single_applies(const hs_model *m)
{
    (void)m;
    return true;
}

static bool single_init(void *tables, const hs_block_sizes *n)
{
    struct single *s = tables;

    s->table = hs_alloc_array((size_t)n->entries, sizeof *s->table);
    s->slice = hs_alloc_array((size_t)n->slice, sizeof *s->slice);
    s->message = hs_alloc_array((size_t)n->messages, sizeof *s->message);
    return s->table && s->slice && s->message;
}

static void single_clear(void *tables)
{
    struct single *s = tables;

    hs_free(s->table);
    hs_free(s->slice);
    hs_free(s->message);
}

/* Copies the remaining entries of a factor to the slice. */
static void cut_slice(const hs_block *b, hs_block_room *r, const hs_member *m,
                      const hs_part *p, const hs_tile *x)
{
    const struct single *s = r->tables;
    const int *own = b->stride + p->stride;
    int64_t base[HS_LANES];
    int entries = hs_block_offsets(b, m, own, own, r->offset);

    hs_block_base(b, p, x, base);
    for (int e = 0; e < entries; e++)
        for (int l = 0; l < HS_LANES; l++)
            s->slice[e][l] =
                r->beta[l] * (float)b->f->table[base[l] + r->offset[e]];
}

static void add_part(const hs_block *b, hs_block_room *r, const hs_member *m,
                     const hs_part *p, const hs_tile *x)
{
    const struct single *s = r->tables;
    const int *own = b->stride + p->stride;
    const hs_float_row *rows = s->message + p->from;

    if (!p->is_message && p->others == 0) {
        hs_block_offsets(b, m, own, NULL, r->offset);
        hs_lanes()->block_add_table(b->f->table + p->from, r->offset,
                                    m->entries, r->beta, s->table);
        return;
    }
    if (!p->is_message) {
        cut_slice(b, r, m, p, x);
        rows = s->slice;
        own += m->size;
    }
    hs_block_offsets(b, m, own, NULL, r->offset);
    hs_lanes()->block_add_rows((const hs_float_row *)rows, r->offset,
                               m->entries, s->table);
}

/* Adds phi of the member, its fastest coordinate. */
static void add_phi(hs_block_room *r, const hs_member *m, int i,
                    const hs_domain *d, const hs_tilt *t, const hs_tile *x)
{
    const struct single *s = r->tables;

    if (!t->phi)
        return;
    memset(r->value, 0, (size_t)m->states * sizeof *r->value);
    hs_tilt_add_values(t, d, i, x->at.x[i], r->value);
    for (int e = 0; e < m->entries; e++)
        r->offset[e] = e % m->states;
    hs_lanes()->block_add_rows((const hs_float_row *)r->value, r->offset,
                               m->entries, s->table);
}

/* Adds log weights of the member's values, given the rest of its cluster. */
static void add_weights(const hs_block *b, hs_block_room *r, const hs_member *m,
                        const hs_part *p, const hs_tile *x)
{
    const struct single *s = r->tables;
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
                                  ? s->message[e][l]
                                  : r->beta[l] * (float)b->f->table[e];
        }
}

static void single_weigh(const hs_block *b, hs_block_room *r,
                         const hs_member *m, const hs_domain *d,
                         const hs_tilt *t, const hs_tile *x)
{
    int i = b->cluster[m->cluster];

    memset(r->value, 0, (size_t)m->states * sizeof *r->value);
    hs_tilt_add_values(t, d, i, x->at.x[i], r->value);
    for (int n = 0; n < m->parts; n++)
        add_weights(b, r, m, &b->part[m->part + n], x);
}

/* Forwards: computes the table of a member, and its message. */
static void single_pass(const hs_block *b, hs_block_room *r, const hs_member *m,
                        const hs_domain *d, const hs_tilt *t, const hs_tile *x)
{
    const struct single *s = r->tables;

    memset(s->table, 0, (size_t)m->entries * sizeof *s->table);
    add_phi(r, m, b->cluster[m->cluster], d, t, x);
    for (int k = 0; k < m->parts; k++)
        add_part(b, r, m, &b->part[m->part + k], x);
    hs_lanes()->block_reduce((const hs_float_row *)s->table, m->states,
                             m->entries / m->states, s->message + m->message);
}

const hs_block_maths hs_block_single = {
    .name = "float",
    .size = sizeof(struct single),
    .applies = single_applies,
    .init = single_init,
    .clear = single_clear,
    .pass = single_pass,
    .weigh = single_weigh,
};
