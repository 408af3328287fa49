/* verify.h - tests whether a sampler keeps the distribution.
 *
 * N states are drawn exactly from an enumerable distribution, and the sampler
 * is applied once to each.  The final states are compared with the distribution
 * (chi-square) and with the first states (features.h, paired.h).  Then chains
 * with common clocks make several steps in a row, as in a run, with the same
 * tests.  Replicas start from their own tempered distributions; every level is
 * tested, and neighboring levels jointly.
 *
 * A sampler that hardly moves passes any test.  So the verdict is "kept" only
 * if a sampler whose stationary mean is off by HS_VERIFY_BLIND standard
 * deviations of U would have been detected (hs_shift_reach), and "undecided"
 * otherwise. */
#ifndef HS_RUN_VERIFY_VERIFY_H
#define HS_RUN_VERIFY_VERIFY_H

#include <hiss/status.h>
#include <hiss/verify.h>

#include "exact/enumerate.h"
#include "kernel/sampler.h"
#include "run/verify/pairs.h"
#include "run/verify/tally.h"

#define HS_VERIFY_P     1e-4 /* at or below it the distribution is not kept */
#define HS_VERIFY_BLIND 0.5  /* sd of U: the bias that must be detectable */

typedef struct hs_verdict {
    hiss_verify_result result;
    hs_verify_test *test; /* owned, [tests]: of the distribution, then
                             reversibility */
    int tests;
    hs_pair *pair; /* owned, [pairs]: cold transitions by from, then to */
    int64_t pairs;
    hs_exact exact;         /* owned: the states behind state numbers */
    char *tuning;           /* owned, or NULL, like: */
    char *device;           /* device of the steps */
    char *reason;           /* owned: why it is broken or undecided, or NULL */
    hiss_verify_flow *flow; /* owned, [flows]: the most significant first */
    int flows;
    double *value;        /* owned, [flows][dim] */
    char gap[256];        /* where a kernel and its twin differ most */
    bool is_memory_shown; /* states that change places keep the distribution */
    char adapts[256];     /* how it depends on earlier calls; "" if it has no
                         memory */
} hs_verdict;

/* settings must be checked, with threads >= 1; the caller writes
 * settings->pairs.  HISS_ELIMIT past HS_TABLE_MAX states, HISS_ESTOP if the
 * caller stopped it.  On failure *v is empty. */
hiss_status hs_verify(hs_verdict *v, const hs_model *m,
                      const hs_sampler *sampler,
                      const hiss_verify_settings *settings, hiss_error *err);
void hs_verdict_clear(hs_verdict *v);

/* The same for a user's kernel; same is a sampler that it claims to be, or
 * NULL.  HISS_EPLUGIN if the kernel fails. */
hiss_status hs_verify_kernel(hs_verdict *v, const hs_model *m,
                             const hiss_kernel *kernel, const hs_sampler *same,
                             const hiss_verify_settings *settings,
                             hiss_error *err);

/* The number of steps in a row needed to forget the beginning, by the renewal
 * of one step, at least `least`, and more with few replicates, within bounds;
 * or the caller's own, if given. */
int64_t hs_verify_steps(double renewal, int64_t least,
                        const hiss_verify_settings *set);

#endif
