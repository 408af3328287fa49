/* byte_states.h - states as bytes, stored from step to step, for the paths
 * `regular` and `factors`. */
#ifndef HS_KERNEL_LANGEVIN_PATHS_BYTE_STATES_H
#define HS_KERNEL_LANGEVIN_PATHS_BYTE_STATES_H

#include "kernel/langevin/paths/spread.h"

typedef struct hs_byte_states {
    const hs_regular *graph; /* borrowed */
    hs_byte_row *x, *y;      /* owned, [dim] */
    hs_spread spread;
} hs_byte_states;

/* As in hs_langevin_path; state is a hs_byte_states. */
hiss_status hs_byte_states_init(void *state, const hs_model *m,
                                hiss_error *err);
void hs_byte_states_clear(void *state);
void hs_byte_states_move(void *state, hs_proposal *p);

/* Copies the states of the tile to b->x. */
void hs_byte_states_take(hs_byte_states *b, const hs_proposal *p);

#endif
