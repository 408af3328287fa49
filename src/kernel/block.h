/* block.h - coordinates that are drawn together from their joint conditional.
 *
 * A bucket per member, in the order of elimination: its *cluster* is the
 * member and those of its neighbours that come later.  Forwards, the bucket's
 * table is the sum of its factors, of phi of its member and of the messages
 * that reached it; summed over the member it is the message to the bucket of
 * the next coordinate of the cluster.  Backwards, each member is drawn given
 * the rest of its cluster [Hamze & de Freitas 2004].  Factors see coordinates
 * outside the block at their present values, chain by chain. */
#ifndef HS_KERNEL_BLOCK_H
#define HS_KERNEL_BLOCK_H

#include <stdint.h>

#include <hiss/status.h>

#include "exact/cutset.h"
#include "kernel/tile.h"
#include "model/factors.h"

/* A factor or a message, seen from the cluster that it is added to. */
typedef struct hs_part {
    bool is_message;
    int64_t from;   /* first entry of the factor's table, or row of messages */
    int64_t stride; /* in block->stride: its own, per coordinate of the cluster;
                       then, if it sees others, those of its slice */
    int64_t other;  /* in block->other: coordinate and stride, in turns */
    int others;     /* coordinates outside the block */
    int slice;      /* entries that are left of it; 1 of a message */
} hs_part;

typedef struct hs_member {
    int64_t cluster; /* in block->cluster: the member itself first */
    int size;
    int states;
    int entries; /* of its table */
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
    double work;      /* rows that are added up */
} hs_block;

/* Takes the clusters out of c. */
hiss_status hs_block_init(hs_block *b, const hs_factors *f, hs_cutset *c,
                          hiss_error *err);
void hs_block_clear(hs_block *b);

/* Scratch memory that serves several blocks. */
typedef struct hs_block_room {
    hs_float_row *table;   /* owned, [entries_max] */
    hs_float_row *slice;   /* owned, [slice_max] */
    hs_float_row *message; /* owned, [messages] */
    hs_float_row *value;   /* owned, [2 * states_max] */
    int32_t *offset;       /* owned, [entries_max] */
    float beta[HS_LANES];
} hs_block_room;

hiss_status hs_block_room_init(hs_block_room *r, const hs_block *b, int blocks,
                               const hs_domain *d, hiss_error *err);
void hs_block_room_clear(hs_block_room *r);

/* Draws the members in every lane; adds the values that changed.  U and the
 * gradient of the point are left behind. */
void hs_block_draw(const hs_block *b, hs_block_room *r, const hs_domain *d,
                   const hs_tilt *t, hs_tile *x, double *changed);

#endif
