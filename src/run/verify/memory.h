/* memory.h - tests whether a kernel depends on states of earlier calls.
 *
 * A kernel that adapts forever changes the distribution only a little: by less
 * than a tenth of a standard deviation of U even if it follows every step.  Its
 * adaptation is easier to detect directly: after calls with equal states comes
 * one with exact draws, in which the number of moves and their distances are
 * counted.  The earlier states are either the most probable one or draws from
 * the lowest quarter of U.  A kernel without memory, or with a schedule
 * independent of the states, does the same after either.  The order is random,
 * so a rank test is valid whatever else changes from call to call.
 *
 * The draws are exact, and so are those moved by a correct kernel, whatever it
 * remembers.  They are counted as a stage of one step, after thousands of
 * calls. */
#ifndef HS_RUN_VERIFY_MEMORY_H
#define HS_RUN_VERIFY_MEMORY_H

#include <hiss/status.h>

#include "run/verify/foreign.h"

typedef struct hs_memory {
    double p; /* p of the more significant of two tests, times 2 */
    double z;
    double after_top, after_low; /* means: share that moved, or number of
                                    coordinates that changed */
    bool is_distance;            /* the latter */
} hs_memory;

/* The exact draws of the checked calls, before and after, go to *probed, whose
 * common must be set; batch: the most states of a call. */
hiss_status hs_memory_run(hs_memory *out, hs_foreign_stage *probed,
                          int64_t batch, hiss_error *err);

#endif
