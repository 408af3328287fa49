/* mode_table.h - distinct states, found by their contents: open addressing. */
#ifndef HS_RUN_ATLAS_MODE_TABLE_H
#define HS_RUN_ATLAS_MODE_TABLE_H

#include <stdbool.h>
#include <stdint.h>

#include <hiss/modes.h>
#include <hiss/status.h>

typedef struct hs_mode_table {
    int dim;
    int64_t used, room; /* states, and capacity */
    int64_t slots;      /* a power of 2, at least twice the room */
    int64_t *slot;      /* owned: index + 1 into mode, 0 = free */
    hiss_mode *mode;    /* owned, [room] */
    int *last_chain;    /* owned, [room]: so that a chain counts once */
    int16_t *state;     /* owned, [room][dim]: indices */
} hs_mode_table;

/* Room for a few; it grows. */
hiss_status hs_mode_table_init(hs_mode_table *t, int dim, hiss_error *err);
void hs_mode_table_clear(hs_mode_table *t);

/* Finds a state, or adds it if `add` is set.  *index is -1 if it is absent and
 * not added.  HISS_ENOMEM only if it would be added. */
hiss_status hs_mode_table_find(hs_mode_table *t, const int16_t *state, bool add,
                               int64_t *index, hiss_error *err);

#endif
