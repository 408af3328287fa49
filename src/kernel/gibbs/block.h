/* block.h - coordinates that are drawn together from their joint conditional.
 *
 * A bucket per member, in the order of elimination: its *cluster* is the member
 * and those of its neighbors that come later.  Forwards, the bucket's table is
 * the sum of its factors, phi of its member and the messages sent to it. Its
 * sum over the member is the message to the bucket of the next coordinate of
 * the cluster.  Backwards, each member is drawn given the rest of its cluster
 * [Hamze & de Freitas 2004].  Coordinates outside the block have their present
 * values, chain by chain. */
#ifndef HS_KERNEL_GIBBS_BLOCK_H
#define HS_KERNEL_GIBBS_BLOCK_H

#include <stdint.h>

#include <hiss/status.h>

#include "exact/cutset.h"
#include "kernel/tile.h"
#include "model/factors.h"

/* A factor or a message, seen from the cluster that it is added to. */
typedef struct hs_part {
    bool is_message;
    int64_t from;   /* first entry of the factor's table, or row of messages */
    int64_t stride; /* in block->stride: per coordinate of the cluster; then, if
                       it has others, those of its slice */
    int64_t other;  /* in block->other: coordinate and stride, alternating */
    int others;     /* coordinates outside the block */
    int slice;      /* entries that remain; 1 for a message */
} hs_part;

typedef struct hs_member {
    int64_t cluster; /* in block->cluster: the member itself first */
    int size;
    int states;
    int entries; /* entries of its table */
    int64_t message;
    int64_t part; /* in block->part */
    int parts;
} hs_member;

typedef struct hs_block {
    const hs_factors *f; /* borrowed */
    int members;
    hs_member *member; /* owned */
    int *cluster;      /* owned */
    hs_part *part;     /* owned */
    int *stride;       /* owned */
    int *other;        /* owned */
    int entries_max, slice_max;
    int64_t messages; /* rows */
    double work;      /* rows that are summed */
} hs_block;

/* Takes the clusters out of c. */
hiss_status hs_block_init(hs_block *b, const hs_factors *f, hs_cutset *c,
                          hiss_error *err);
void hs_block_clear(hs_block *b);

/* Sizes of the largest tables of several blocks. */
typedef struct hs_block_sizes {
    int64_t entries, slice, messages;
    int states;
} hs_block_sizes;

typedef struct hs_block_maths hs_block_maths;

/* Scratch memory that serves several blocks. */
typedef struct hs_block_room {
    const hs_block_maths *maths; /* arithmetic of the tables */
    void *tables;                /* owned: its own */
    hs_float_row *value;         /* owned, [2 * states] */
    int32_t *offset;             /* owned, [entries] */
    float beta[HS_LANES];
} hs_block_room;

/* The arithmetic of tables: one row each, the most special first. */
struct hs_block_maths {
    const char *name;
    size_t size; /* size of its tables */
    bool (*applies)(const hs_model *m);
    /* Allocates; false if memory is short.  Freed by clear, also then. */
    bool (*init)(void *tables, const hs_block_sizes *n);
    void (*clear)(void *tables);
    /* Forwards: computes the table of a member, and its message. */
    void (*pass)(const hs_block *b, hs_block_room *r, const hs_member *m,
                 const hs_domain *d, const hs_tilt *t, const hs_tile *x);
    /* Backwards: writes log weights of the member's values, given the rest of
     * its cluster, to r->value. */
    void (*weigh)(const hs_block *b, hs_block_room *r, const hs_member *m,
                  const hs_domain *d, const hs_tilt *t, const hs_tile *x);
};

extern const hs_block_maths hs_block_wide, hs_block_single;

hiss_status hs_block_room_init(hs_block_room *r, const hs_block *b, int blocks,
                               const hs_model *m, hiss_error *err);
void hs_block_room_clear(hs_block_room *r);

/* Draws the members in every lane; adds the number of changed values.  U and
 * the gradient of the point become invalid. */
void hs_block_draw(const hs_block *b, hs_block_room *r, const hs_domain *d,
                   const hs_tilt *t, hs_tile *x, double *changed);

/* Entry e of a table over the cluster is entry offset[e] of one with these
 * strides; coordinates with stride 0 in `only` (may be NULL) are left out.
 * Returns the number of entries. */
static inline int hs_block_offsets(const hs_block *b, const hs_member *m,
                                   const int *stride, const int *only,
                                   int32_t *offset)
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

/* Position in its table that a factor's other coordinates select, lane by
 * lane. */
static inline void hs_block_base(const hs_block *b, const hs_part *p,
                                 const hs_tile *x, int64_t *base)
{
    const int *other = b->other + p->other;

    for (int l = 0; l < HS_LANES; l++)
        base[l] = p->from;
    for (int k = 0; k < p->others; k++)
        for (int l = 0; l < HS_LANES; l++)
            base[l] +=
                (int64_t)x->at.x[other[2 * k]][l] * (int64_t)other[2 * k + 1];
}

#endif
