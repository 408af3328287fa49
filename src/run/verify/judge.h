/* judge.h - tests the counts of trials.
 *
 * A trial is a set of replicates before and after, of a sampler or of a user's
 * kernel, once or several times.  The smallest p of the tests of all trials,
 * times their number, decides; it also reports what these tests would have
 * detected. */
#ifndef HS_RUN_VERIFY_JUDGE_H
#define HS_RUN_VERIFY_JUDGE_H

#include <hiss/status.h>

#include "run/verify/shift.h"
#include "run/verify/tally.h"
#include "run/verify/verify.h"

typedef struct hs_counted {
    hs_tally *tally; /* borrowed */
    hs_shift *shift; /* borrowed */
    int64_t steps;
    bool has_calls;   /* its cells are calls of a kernel, not clocks */
    int64_t late;     /* number of earlier calls, for a trial of late calls */
    int first, tests; /* its tests of the distribution; set by hs_judge */
} hs_counted;

/* Writes tests, verdict, transitions and reversibility to *out, whose exact
 * must be set; the first trial has one step and pairs.  more: a further test
 * that counts, or NULL. */
hiss_status hs_judge(hs_verdict *out, hs_counted *trial, int trials,
                     const hs_verify_test *more, hiss_error *err);

/* The trial of the worst test; for a test of no trial, the last one that is not
 * late. */
int hs_judge_worst(const hs_verdict *v, const hs_counted *trial, int trials);

/* The smallest p of the tests of one trial, times their number. */
double hs_judge_p(const hs_verdict *v, const hs_counted *trial);

/* The same for a trial outside of the verdict. */
hiss_status hs_judge_alone(const hs_counted *trial, double *p, hiss_error *err);

/* Explains a failure: states that gain and lose, and a reason in words;
 * hs_judge calls it.  With out->is_memory_shown set, a second call describes
 * that. */
hiss_status hs_explain(hs_verdict *out, const hs_counted *trial, int trials,
                       hiss_error *err);

#endif
