/* card_rounds.h - rounds whose steps a GPU makes (run/device/mirror.h). */
#ifndef HS_RUN_SAMPLING_CARD_ROUNDS_H
#define HS_RUN_SAMPLING_CARD_ROUNDS_H

#include <stdint.h>

#include <hiss/status.h>

#include "run/sampling/running.h"

/* Called after so many steps of a group. */
typedef void hs_card_look(hs_running *r, hs_group_state *w, int64_t steps);

/* Puts the run on the device that its settings ask for, and says so in
 * run->device; with `auto`, on the processor where no GPU will do. */
hiss_status hs_card_rounds_open(hs_running *r, hiss_error *err);

/* Draw number `draw` of a group, to a store: now, or when the next steps are
 * under way. */
void hs_card_rounds_keep(hs_running *r, hs_group_state *w, hs_store *store,
                         int64_t draw);

/* All groups to r->target; a fault is the first group's. */
void hs_card_rounds_advance(hs_running *r, hs_card_look *look);

/* Everything that the GPU knows, to the tiles here; is_last: but for states,
 * as no checkpoint follows. */
hiss_status hs_card_rounds_collect(hs_running *r, bool is_last,
                                   hiss_error *err);

#endif
