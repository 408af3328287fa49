/* block_wide.c - the tables of a block in double (model/precision.h).
 *
 * Sums and messages are double.  Relative to the largest, values are small or
 * negligible, so exponentials and draws use float. */
#include <string.h>

#include "base/alloc.h"
#include "kernel/gibbs/block.h"
#include "lanes/lanes.h"

typedef double double_row[HS_LANES];

struct wide {
    double_row *table;   /* owned, [entries] */
    double_row *slice;   /* owned, [slice] */
    double_row *message; /* owned, [messages] */
    double_row *value;   /* owned, [states] */
};

static bool wide_applies(const hs_model *m)
{
    return hs_model_is_wide(m);
}

static bool wide_init(void *tables, const hs_block_sizes *n)
{
    struct wide *w = tables;

    w->table = hs_alloc_array((size_t)n->entries, sizeof *w->table);
    w->slice = hs_alloc_array((size_t)n->slice, sizeof *w->slice);
    w->message = hs_alloc_array((size_t)n->messages, sizeof *w->message);
    w->value = hs_alloc_array((size_t)n->states, sizeof *w->value);
    return w->table && w->slice && w->message && w->value;
}

static void wide_clear(void *tables)
{
    struct wide *w = tables;

    hs_free(w->table);
    hs_free(w->slice);
    hs_free(w->message);
    hs_free(w->value);
}

/* Writes phi of the member's values to r->value. */
static void set_phi(const hs_block *b, hs_block_room *r, const hs_member *m,
                    const hs_domain *d, const hs_tilt *t, const hs_tile *x)
{
    int i = b->cluster[m->cluster];

    memset(r->value, 0, (size_t)m->states * sizeof *r->value);
    hs_tilt_add_values(t, d, i, x->at.x[i], r->value);
}

/* Copies the remaining entries of a factor to the slice. */
static void cut_slice(const hs_block *b, hs_block_room *r, const hs_member *m,
                      const hs_part *p, const hs_tile *x)
{
    const struct wide *w = r->tables;
    const int *own = b->stride + p->stride;
    int64_t base[HS_LANES];
    int entries = hs_block_offsets(b, m, own, own, r->offset);

    hs_block_base(b, p, x, base);
    for (int e = 0; e < entries; e++)
        for (int l = 0; l < HS_LANES; l++)
            w->slice[e][l] =
                (double)r->beta[l] * b->f->table[base[l] + r->offset[e]];
}

static void add_part(const hs_block *b, hs_block_room *r, const hs_member *m,
                     const hs_part *p, const hs_tile *x)
{
    const struct wide *w = r->tables;
    const int *own = b->stride + p->stride;
    const double_row *rows = w->message + p->from;

    if (!p->is_message && p->others == 0) {
        hs_block_offsets(b, m, own, NULL, r->offset);
        hs_lanes()->block_add_table_wide(b->f->table + p->from, r->offset,
                                         m->entries, r->beta, w->table);
        return;
    }
    if (!p->is_message) {
        cut_slice(b, r, m, p, x);
        rows = w->slice;
        own += m->size;
    }
    hs_block_offsets(b, m, own, NULL, r->offset);
    hs_lanes()->block_add_rows_wide((const double_row *)rows, r->offset,
                                    m->entries, w->table);
}

static void wide_pass(const hs_block *b, hs_block_room *r, const hs_member *m,
                      const hs_domain *d, const hs_tilt *t, const hs_tile *x)
{
    const struct wide *w = r->tables;

    set_phi(b, r, m, d, t, x);
    for (int e = 0; e < m->entries; e++) /* the member is the fastest */
        for (int l = 0; l < HS_LANES; l++)
            w->table[e][l] = (double)r->value[e % m->states][l];
    for (int k = 0; k < m->parts; k++)
        add_part(b, r, m, &b->part[m->part + k], x);
    hs_lanes()->block_reduce_wide((const double_row *)w->table, m->states,
                                  m->entries / m->states,
                                  w->message + m->message);
}

/* Adds the log weights of a part, given the rest of the cluster. */
static void add_weights(const hs_block *b, hs_block_room *r, const hs_member *m,
                        const hs_part *p, const hs_tile *x)
{
    const struct wide *w = r->tables;
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

            w->value[v][l] += p->is_message
                                  ? w->message[e][l]
                                  : (double)r->beta[l] * b->f->table[e];
        }
}

static void wide_weigh(const hs_block *b, hs_block_room *r, const hs_member *m,
                       const hs_domain *d, const hs_tilt *t, const hs_tile *x)
{
    const struct wide *w = r->tables;
    double_row *value = w->value;

    set_phi(b, r, m, d, t, x);
    for (int v = 0; v < m->states; v++)
        for (int l = 0; l < HS_LANES; l++)
            value[v][l] = (double)r->value[v][l];
    for (int n = 0; n < m->parts; n++)
        add_weights(b, r, m, &b->part[m->part + n], x);
    for (int l = 0; l < HS_LANES; l++) {
        double most = -1e300; /* not -infinity, whose differences are
                                 undefined */

        for (int v = 0; v < m->states; v++)
            most = value[v][l] > most ? value[v][l] : most;
        for (int v = 0; v < m->states; v++)
            r->value[v][l] = (float)(value[v][l] - most);
    }
}

const hs_block_maths hs_block_wide = {
    .name = "double",
    .size = sizeof(struct wide),
    .applies = wide_applies,
    .init = wide_init,
    .clear = wide_clear,
    .pass = wide_pass,
    .weigh = wide_weigh,
};
