/* foreign.h - contestants that are not of the library: programs that move
 * states, and files of draws. */
#ifndef HISS_ARENA_RUN_FOREIGN_H
#define HISS_ARENA_RUN_FOREIGN_H

#include "arena/run/cell.h"

#define ARENA_PATIENCE 30.0 /* seconds for a call: a program has to start */

/* A run of CHAINS chains from random states through a pipe (docs/judge.md),
 * the first fifth of which is warm-up; NULL: score->fault says why. */
hiss_result *arena_foreign_run(const instance *at, const arena_contestant *c,
                               arena_race race, int seed,
                               const arena_budget *budget, arena_score *score);

/* Tests whether the kernel keeps the distribution, if exact draws exist. */
void arena_foreign_verify(const instance *at, const arena_contestant *c,
                          int seed, arena_score *score);

/* The draws of a file, as CHAINS chains; NULL: score->fault says why. */
hiss_result *arena_foreign_draws(const instance *at, const arena_contestant *c,
                                 arena_score *score);

#endif
