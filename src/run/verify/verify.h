/* verify.h - does a sampler keep the law?
 *
 * N states are drawn exactly from an enumerable law, the sampler is applied
 * once to each, and where they end is compared with the law (chi-square) and
 * with where they began (features.h, paired.h).  Then chains with common clocks
 * make several steps in a row, as in a run, with the same tests.  Replicas
 * start from their own tempered laws; every level is tested, and neighboring
 * levels jointly.
 *
 * A sampler that hardly moves passes any test.  So the verdict is "kept" only
 * if a sampler whose stationary mean is off by HS_VERIFY_BLIND standard
 * deviations of U would have been found (hs_shift_reach), and "undecided"
 * otherwise. */
#ifndef HS_RUN_VERIFY_VERIFY_H
#define HS_RUN_VERIFY_VERIFY_H

#include <hiss/status.h>
#include <hiss/verify.h>

#include "exact/enumerate.h"
#include "kernel/sampler.h"
#include "run/verify/pairs.h"
#include "run/verify/tally.h"

#define HS_VERIFY_P     1e-4 /* at or below it the law is not kept */
#define HS_VERIFY_BLIND 0.5  /* sd of U: what must have been seen */

typedef struct hs_verdict {
    hiss_verify_result result;
    hs_verify_test *test; /* owned, [tests]: of the law, then reversibility */
    int tests;
    hs_pair *pair; /* owned, [pairs]: cold transitions by from, then to */
    int64_t pairs;
    hs_exact exact;         /* owned: what state numbers stand for */
    char *tuning;           /* owned, or NULL, as is: */
    char *device;           /* that made the steps */
    char *reason;           /* owned: why it is broken or undecided, or NULL */
    hiss_verify_flow *flow; /* owned, [flows]: the surest first */
    int flows;
    double *value;        /* owned, [flows][dim] */
    char gap[256];        /* where a kernel and its twin differ most */
    bool is_memory_shown; /* states that change places keep the law */
    char adapts[256]; /* what it does after which calls, "": it has no memory */
} hs_verdict;

/* settings are checked already, with threads >= 1; settings->pairs is the
 * caller's to write.  HISS_ELIMIT past HS_TABLE_MAX states, HISS_ESTOP when
 * the caller wished it.  On failure nothing is left in *v. */
hiss_status hs_verify(hs_verdict *v, const hs_model *m,
                      const hs_sampler *sampler,
                      const hiss_verify_settings *settings, hiss_error *err);
void hs_verdict_clear(hs_verdict *v);

/* The same for a user's kernel; same is a sampler that it claims to be, or
 * NULL.  HISS_EPLUGIN where the kernel fails. */
hiss_status hs_verify_kernel(hs_verdict *v, const hs_model *m,
                             const hiss_kernel *kernel, const hs_sampler *same,
                             const hiss_verify_settings *settings,
                             hiss_error *err);

/* As many steps in a row as it takes to leave the beginning behind, by what one
 * step has shown, and at least `least`, within bounds; what was asked for, if
 * anything was. */
int64_t hs_verify_steps(double renewal, int64_t least, int64_t asked);

#endif
