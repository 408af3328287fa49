/* judge.h - tests of the counts of a trial.
 *
 * A trial is a set of replicates before and after: of a sampler or of a user's
 * kernel, once or several times.  The smallest p of the tests of the law of all
 * trials, times their number, decides; and what these tests would have seen. */
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
    int64_t late;     /* calls before it, where that is what it is for */
    int first, tests; /* its tests of the law; set by hs_judge */
} hs_counted;

/* Tests, verdict, transitions and reversibility to *out, whose exact is there;
 * the first trial is of one step and has pairs.  more: a test of no trial that
 * counts as they do, or NULL. */
hiss_status hs_judge(hs_verdict *out, hs_counted *trial, int trials,
                     const hs_verify_test *more, hiss_error *err);

/* The trial that the worst test is of; of no trial: the last one that is not
 * late. */
int hs_judge_worst(const hs_verdict *v, const hs_counted *trial, int trials);

/* The smallest p of the tests of one trial, times their number. */
double hs_judge_p(const hs_verdict *v, const hs_counted *trial);

/* The same of a trial that is none of the verdict's. */
hiss_status hs_judge_alone(const hs_counted *trial, double *p, hiss_error *err);

/* What happened, where the law is not kept: states that gain and lose, and a
 * reason in words; hs_judge calls it.  Once more, with out->is_memory_shown
 * set, it says that. */
hiss_status hs_explain(hs_verdict *out, const hs_counted *trial, int trials,
                       hiss_error *err);

#endif
