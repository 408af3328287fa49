/* mirror.h - the tiles of a run on a card, and what is known of them here.
 *
 * The tiles of all groups are on the card, where steps are made; the tiles here
 * keep clocks, counts and levels, and get states and U when these are asked
 * for.  So whatever looks at tiles (draws, marginals, exchanges of levels,
 * checkpoints, reports) is the same for both devices. */
#ifndef HS_RUN_DEVICE_MIRROR_H
#define HS_RUN_DEVICE_MIRROR_H

#include <stdbool.h>
#include <stdint.h>

#include <hiss/status.h>

#include "base/pool.h"
#include "device/device.h"
#include "run/chain/group_state.h"

typedef struct hs_mirror hs_mirror;

/* Puts the groups' tiles on a card, as they are.  HISS_EUNSUP if it cannot run
 * this model or this sampler.  The states and the pool are borrowed. */
hiss_status hs_mirror_create(hs_mirror **out, const hs_device_table *device,
                             int card, hs_group_state *state, int groups,
                             hs_pool *pool, hiss_error *err);
void hs_mirror_destroy(hs_mirror *m);

/* Whether the runner must see every step: levels are exchanged here. */
bool hs_mirror_couples(const hs_mirror *m);

/* So many steps of every lane, and one exchange of levels behind them where
 * there are levels; is_summed: marginals count them. */
hiss_status hs_mirror_step(hs_mirror *m, int64_t steps, bool is_summed,
                           hiss_error *err);

/* Brings HS_DEVICE_... bits of all tiles here, and waits for the card. */
hiss_status hs_mirror_fetch(hs_mirror *m, unsigned what, hiss_error *err);

/* Sums were taken from the tiles here: the card begins anew. */
hiss_status hs_mirror_clear_sums(hs_mirror *m, hiss_error *err);

#endif
