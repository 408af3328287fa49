/* mirror.h - the tiles of a run on a GPU, and their copies on the CPU.
 *
 * The tiles of all groups are on the GPU, which makes the steps and exchanges
 * levels.  The tiles on the CPU keep clocks and costs, and get states, U,
 * levels and counts on request.  So all code that reads tiles (draws,
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

/* The purpose of the steps. */
typedef enum hs_mirror_use {
    HS_MIRROR_RUN,
    HS_MIRROR_SEARCH, /* can keep the best state of every lane */
    HS_MIRROR_PILOT   /* tunes kernels (run/pilot/card_pilot.h) */
} hs_mirror_use;

/* Puts the groups' tiles on a GPU, as they are.  HISS_EUNSUP if it cannot run
 * this model or this sampler.  Borrows the states and the pool. */
hiss_status hs_mirror_create(hs_mirror **out, const hs_device_table *device,
                             int card, hs_group_state *state, int groups,
                             hs_mirror_use use, hs_pool *pool, hiss_error *err);
void hs_mirror_destroy(hs_mirror *m);

/* Sends the tiles of the CPU to the GPU: states, levels, names, and the numbers
 * of steps that their kernels have made. */
hiss_status hs_mirror_send(hs_mirror *m, hiss_error *err);

/* Starts this many steps of every lane, each with exchanges of levels if there
 * are levels; is_summed: marginals count them.  Does not wait.  If warm-up has
 * ended since the last call, the GPU takes the CPU's copy: counts and levels
 * must have been fetched before. */
hiss_status hs_mirror_step(hs_mirror *m, int64_t steps, bool is_summed,
                           hiss_error *err);

/* Waits for the GPU and fetches numbers of all tiles: accepted moves, levels if
 * there are any, and U and states on request. */
hiss_status hs_mirror_fetch(hs_mirror *m, bool with_states, hiss_error *err);

/* For a pilot: fetches the tuned values of its kernels; call it after a
 * fetch. */
hiss_status hs_mirror_fetch_tuned(hs_mirror *m, hiss_error *err);

/* Start the transfer of the states at level 0, after the requested steps, to a
 * slot; and wait for what has arrived there. */
hiss_status hs_mirror_keep(hs_mirror *m, int slot, hiss_error *err);
hiss_status hs_mirror_kept(hs_mirror *m, int slot, hs_device_draws *out,
                           hiss_error *err);
/* Accepted moves of a chain of a group at that draw, if nothing was fetched
 * since. */
double hs_mirror_accepted(const hs_mirror *m, const hs_device_draws *draws,
                          int group, int chain);
/* Decisions of a chain so far; all chains have the same number. */
double hs_mirror_proposed(const hs_mirror *m);

/* The same for marginals; is_last: the run ends, and everything is in the sums
 * of tiles. */
hiss_status hs_mirror_fetch_sums(hs_mirror *m, bool is_last, hiss_error *err);

/* --- a search (run/search/card_wave.h): groups of one tile ---------------- */

/* The best of one group. */
typedef struct hs_mirror_best {
    int16_t (*x)[HS_LANES]; /* [dim] */
    double *u;              /* [HS_LANES] */
    bool *is_hit;           /* likewise */
} hs_mirror_best;

/* Sends beta and weights (device.h) of all tiles to the GPU. */
hiss_status hs_mirror_send_betas(hs_mirror *m, hiss_error *err);
/* Keeps better states and checks for the goal. */
hiss_status hs_mirror_keep_best(hs_mirror *m, double goal, hiss_error *err);
/* Finds the groups that have hit the goal so far, [groups]; waits for the
 * GPU. */
hiss_status hs_mirror_find_hits(hs_mirror *m, bool *is_hit, hiss_error *err);
/* Copy the states of one group, and its best, from the GPU and back. */
hiss_status hs_mirror_bring(hs_mirror *m, int group, const hs_mirror_best *best,
                            hiss_error *err);
hiss_status hs_mirror_return(hs_mirror *m, int group,
                             const hs_mirror_best *best, hiss_error *err);

#endif
