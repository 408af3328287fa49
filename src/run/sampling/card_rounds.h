/* card_rounds.h - rounds whose steps a GPU makes (run/device/mirror.h). */
#ifndef HS_RUN_SAMPLING_CARD_ROUNDS_H
#define HS_RUN_SAMPLING_CARD_ROUNDS_H

#include <stdint.h>

#include <hiss/status.h>

#include "run/sampling/running.h"

/* Called after this many steps of a group. */
typedef void hs_card_look(hs_running *r, hs_group_state *w, int64_t steps);

/* Puts the run on the requested device and describes it in run->device; with
 * `auto`, on the processor if no GPU is suitable. */
hiss_status hs_card_rounds_open(hs_running *r, hiss_error *err);

/* Stores draw number `draw` of a group: now, or while the next steps are
 * made. */
void hs_card_rounds_keep(hs_running *r, hs_group_state *w, hs_store *store,
                         int64_t draw);

/* Advances all groups to r->target; a fault goes to the first group. */
void hs_card_rounds_advance(hs_running *r, hs_card_look *look);

/* Copies everything from the GPU to the tiles here; is_last: without states,
 * because no checkpoint follows. */
hiss_status hs_card_rounds_collect(hs_running *r, bool is_last,
                                   hiss_error *err);

#endif
