/* group.h - up to 16 chains with all their replicas, advanced together. */
#ifndef HS_RUN_CHAIN_GROUP_H
#define HS_RUN_CHAIN_GROUP_H

#include <stdint.h>

#include <hiss/status.h>

#include "kernel/sampler.h"
#include "model/model.h"

#define HS_GROUP_CHAINS HS_LANES

/* Builds `chains` (1 ..  16) chains numbered from first_chain, with kernels
 * from the sampler, and places the levels.  States are all index 0; set them
 * with hs_group_set or hs_group_start. */
hiss_status hs_group_create(hs_group **out, const hs_model *m,
                            const hs_sampler *sampler, uint64_t seed,
                            uint32_t first_chain, int chains, hiss_error *err);
void hs_group_destroy(hs_group *g);

/* The first tile of a member of a team of `size` that shares the group. */
int hs_group_part(const hs_group *g, int member, int size);

/* Finds the tile and lane of replica r of chain c (counted within the
 * group). */
hs_tile *hs_group_tile(const hs_group *g, int chain, int replica, int *lane);

/* Finds the lane of chain c at `level`, of any replica. */
hs_tile *hs_group_at_level(const hs_group *g, int chain, int level, int *lane);

/* Sets the state of one lane (dim indices); the point becomes invalid. */
void hs_group_set(hs_group *g, int chain, int replica, const int16_t *state);

/* Draws random possible states in every lane of its own tiles, by address
 * HS_DRAW_INIT; with best, takes the best of several and climbs.
 * HISS_EINFEASIBLE after `tries`. */
hiss_status hs_group_start(hs_group *g, bool best, hiss_error *err);

/* The same with states that the user gave, if random ones are hardly ever
 * possible; count 0: none. */
hiss_status hs_group_start_given(hs_group *g, const int16_t *state, int count,
                                 hiss_error *err);

/* The same without evaluating U: uniform over all states. */
void hs_group_scatter(hs_group *g);

/* Call it after a walk from hot to cold.  For a softened model, lanes at level
 * 0 where the target has probability 0 get random possible states. */
hiss_status hs_group_mend(hs_group *g, hiss_error *err);

/* Writes the betas of all levels, [replicas]. */
void hs_group_betas(const hs_group *g, float *beta);
/* Makes a stage of the descent from the hottest level, where all replicas
 * begin, to their own levels: some steps at `level`, or at a lane's own level
 * if that is hotter; none with 0, the last stage.  most: evaluations of a chain
 * that all stages may take; HUGE_VAL for no limit. */
hiss_status hs_group_descend(hs_group *g, const float *beta, int level,
                             double most, hiss_error *err);

/* Writes the message of a tile whose step or evaluation failed with rc: "BEFORE
 * chain 3AFTER", or a pilot chain. */
hiss_status hs_group_fail(const hs_group *g, const hs_tile *t, hiss_status rc,
                          const char *before, const char *after,
                          hiss_error *err);

/* Makes one step of every replica without an exchange. */
hiss_status hs_group_walk(hs_group *g, hiss_error *err);

/* Makes one step of every replica, then their exchange.  After a fault the
 * message names chain and step; in a team all members have it. */
hiss_status hs_group_step(hs_group *g, hiss_error *err);

/* Whether several steps at once are faster than one by one; makes that many;
 * and makes states, U and marginals valid afterwards. */
bool hs_group_walks(const hs_group *g);
hiss_status hs_group_stride(hs_group *g, int64_t steps, hiss_error *err);
hiss_status hs_group_flush(hs_group *g, hiss_error *err);

void hs_group_set_warmup(hs_group *g, bool is_warmup);

/* Gives all kernels a library, which is borrowed; and all lanes a beta. */
void hs_group_attach(hs_group *g, const hs_library *library);
void hs_group_heat(hs_group *g, double beta);

/* Lets kernels adapt from here on, until the group is frozen, with a plan for
 * this many steps.  Use it only for chains whose draws are not kept: a chain
 * that adapts to its state can leave its distribution (run/pilot/pilot.h). */
void hs_group_tune(hs_group *g, int64_t steps);

/* Pools what the chains have tuned: the values of a level become their mean
 * over the chains, and over the replicas of one distribution.  Call it after
 * every step of the tuning. */
void hs_group_pool(hs_group *g);

/* Ends warm-up and tuning: freezes tuned values and clears counts of
 * acceptance. */
void hs_group_freeze(hs_group *g);

/* Evaluations per chain so far, over all replicas: energy and gradient. */
void hs_group_evals(const hs_group *g, double *energy, double *gradient);
/* Their sum, as counted by budgets.  A step that evaluates nothing (a bridge
 * with one mode) costs half the update of one coordinate, so that every budget
 * ends. */
double hs_group_spent(const hs_group *g);

#endif
