/* verify.h - does a sampler keep the law?
 *
 * N states are drawn exactly from an enumerable law, the sampler is applied
 * once to each, and where they end is compared with the law (chi-square) and
 * with where they began (features.h, paired.h).  Then chains with common clocks
 * make several steps in a row, as in a run, and the same is looked at.
 * Replicas start from their own tempered laws; every level is tested, and
 * neighbouring levels jointly.
 *
 * A sampler that hardly moves passes any test.  So the verdict is "kept" only
 * if one that settles HS_VERIFY_BLIND standard deviations of U from the truth
 * would have been found (hs_shift_reach), and "undecided" otherwise. */
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
    hs_exact exact; /* owned: what state numbers stand for */
    char *tuning;   /* owned, or NULL */
} hs_verdict;

/* settings are checked already, with threads >= 1; settings->pairs is the
 * caller's to write.  HISS_ELIMIT past HS_TABLE_MAX states, HISS_ESTOP when
 * the caller wished it.  On failure nothing is left in *v. */
hiss_status hs_verify(hs_verdict *v, const hs_model *m,
                      const hs_sampler *sampler,
                      const hiss_verify_settings *settings, hiss_error *err);
void hs_verdict_clear(hs_verdict *v);

#endif
