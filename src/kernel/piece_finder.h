/* piece_finder.h - finds distinct pieces of differences of modes, for pieces.h,
 * which defines them. */
#ifndef HS_KERNEL_PIECE_FINDER_H
#define HS_KERNEL_PIECE_FINDER_H

#include <stdbool.h>
#include <stdint.h>

#include "model/factors.h"

/* The distinct pieces found so far. */
typedef struct hs_piece_finder {
    const int16_t *top; /* borrowed, [modes][dim] */
    int modes, dim;
    int count;
    int64_t *at;    /* owned, [count + 1] */
    double *often;  /* owned, [count]: number of pairs of modes with this
                       piece */
    int32_t *slot;  /* owned, hash table: 1 + number of the piece, 0 if free */
    uint64_t *key;  /* owned, [count] */
    int32_t *site;  /* owned, [room] */
    int16_t *value; /* owned, [2 * room]: one and two */
    int64_t room;
    int32_t *parent, *size, *member; /* owned, [dim] */
} hs_piece_finder;

/* top, modes and dim must be set; clear it also on failure. */
bool hs_piece_finder_init(hs_piece_finder *f);
void hs_piece_finder_clear(hs_piece_finder *f);

/* Each adds what it finds; false if memory is short. */
bool hs_piece_finder_tables(hs_piece_finder *f, const hs_factors *tables);
bool hs_piece_finder_columns(hs_piece_finder *f);
bool hs_piece_finder_nearest(hs_piece_finder *f);

#endif
