/* group.h - up to 16 chains with all their replicas, advanced together. */
#ifndef HS_RUN_CHAIN_GROUP_H
#define HS_RUN_CHAIN_GROUP_H

#include <stdint.h>

#include <hiss/status.h>

#include "kernel/sampler.h"
#include "model/model.h"

#define HS_GROUP_CHAINS HS_LANES

/* Builds `chains` (1 .. 16) chains numbered from first_chain, their kernels
 * from the sampler, and places the levels.  States are all index 0: give them
 * with hs_group_set or hs_group_start. */
hiss_status hs_group_create(hs_group **out, const hs_model *m,
                            const hs_sampler *sampler, uint64_t seed,
                            uint32_t first_chain, int chains, hiss_error *err);
void hs_group_destroy(hs_group *g);

/* The first tile of a member of a team of `size` that shares the group. */
int hs_group_part(const hs_group *g, int member, int size);

/* Replica r of chain c (counted within the group): its tile and lane. */
hs_tile *hs_group_tile(const hs_group *g, int chain, int replica, int *lane);

/* The lane of chain c that stands at `level`, whatever its replica. */
hs_tile *hs_group_at_level(const hs_group *g, int chain, int level, int *lane);

/* Sets the state of one lane (indices, dim of them) and drops what was known
 * of the point. */
void hs_group_set(hs_group *g, int chain, int replica, const int16_t *state);

/* Random feasible states in every lane of its own tiles, by address
 * HS_DRAW_INIT; with best, the best of several and then ascended.
 * HISS_EINFEASIBLE after `tries`. */
hiss_status hs_group_start(hs_group *g, bool best, hiss_error *err);

/* The same, of states that the user gave if random ones are hardly ever
 * possible; count 0: none. */
hiss_status hs_group_start_given(hs_group *g, const int16_t *state, int count,
                                 hiss_error *err);

/* The same without evaluating U: uniform over all states. */
void hs_group_scatter(hs_group *g);

/* After a walk from hot to cold: of a softened model, lanes at level 0 that
 * ended where the target has probability 0 get random possible states. */
hiss_status hs_group_mend(hs_group *g, hiss_error *err);

/* The betas of all levels, [replicas]. */
void hs_group_betas(const hs_group *g, float *beta);
/* A stage of the way from the hottest level, where all replicas begin, to
 * their own: some steps at `level`, or at their own where that is hotter.  With
 * 0, which is the last one, there are none.  most: evaluations of a chain that
 * all stages may take; HUGE_VAL: no limit. */
hiss_status hs_group_descend(hs_group *g, const float *beta, int level,
                             double most, hiss_error *err);

/* The message of a tile whose step or evaluation failed with rc: "BEFORE chain
 * 3AFTER", or a pilot chain. */
hiss_status hs_group_fail(const hs_group *g, const hs_tile *t, hiss_status rc,
                          const char *before, const char *after,
                          hiss_error *err);

/* One step of every replica without an exchange. */
hiss_status hs_group_walk(hs_group *g, hiss_error *err);

/* One step of every replica, then their exchange.  After a fault the message
 * names chain and step; in a team all have it. */
hiss_status hs_group_step(hs_group *g, hiss_error *err);

/* Whether several steps at once are faster than one by one; so many of them;
 * and what must follow before states, U or marginals are read. */
bool hs_group_walks(const hs_group *g);
hiss_status hs_group_stride(hs_group *g, int64_t steps, hiss_error *err);
hiss_status hs_group_flush(hs_group *g, hiss_error *err);

void hs_group_set_warmup(hs_group *g, bool is_warmup);

/* Kernels adapt from here on, until it is frozen, with a plan for so many
 * steps.  For chains of which no draws are kept: a chain that adapts to where
 * it stands can leave its law (run/pilot/pilot.h). */
void hs_group_tune(hs_group *g, int64_t steps);

/* The chains learn together: what a level is tuned to, and what it knows so
 * far, becomes its mean over the chains, and over the replicas that have one
 * law.  After every step of the tuning. */
void hs_group_pool(hs_group *g);

/* Ends warm-up and tuning: what was found is frozen, counts of acceptance are
 * cleared. */
void hs_group_freeze(hs_group *g);

/* Evaluations per chain so far, all replicas: energy and gradient. */
void hs_group_evals(const hs_group *g, double *energy, double *gradient);
/* Their sum, as budgets count it: a step that evaluates nothing (a bridge that
 * has one mode) costs half the update of one coordinate, so that no budget
 * lasts for ever. */
double hs_group_spent(const hs_group *g);

#endif
