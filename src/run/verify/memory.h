/* memory.h - does what a kernel does depend on states of earlier calls?
 *
 * A kernel that adapts for ever changes the law by little: by less than a tenth
 * of a standard deviation of U even where it follows every step.  Whether it
 * adapts is seen much better from what it does: calls with states that are all
 * alike, then one with exact draws, in which it is counted how many move and
 * how far.  Before it the states are either the most probable one or draws from
 * the lower quarter of U.  A kernel without memory, or with a schedule that
 * knows nothing of the states, does the same after either.
 *
 * Which comes first is drawn at random, so that a rank test is right whatever
 * else changes from call to call.
 *
 * The draws are exact, and so are those that a kernel without fault moves,
 * whatever it remembers: they are counted as a stage of one step, after calls
 * by the thousand. */
#ifndef HS_RUN_VERIFY_MEMORY_H
#define HS_RUN_VERIFY_MEMORY_H

#include <hiss/status.h>

#include "run/verify/foreign.h"

typedef struct hs_memory {
    double p; /* of the surer of two tests, times 2 */
    double z;
    double after_top, after_low; /* means: share that moved, or how many
                                    coordinates changed */
    bool is_distance;            /* the latter */
} hs_memory;

/* Exact draws of the calls that are checked, before and after, go to *probed,
 * whose common is there; batch: the most states of a call. */
hiss_status hs_memory_run(hs_memory *out, hs_foreign_stage *probed,
                          int64_t batch, hiss_error *err);

#endif
