/* judge.c - tests the counts of trials. */
#include "run/verify/judge.h"

#include <math.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/number.h"

/* Names a test, as in "late U". */
static void name_late(hs_verify_test *test)
{
    char name[sizeof test->name];

    hs_snprintf(name, sizeof name, "late %s", test->name);
    memcpy(test->name, name, sizeof name);
}

/* Adds the tests of a trial to *out. */
static hiss_status test_trial(const hs_counted *t, hs_verdict *out,
                              hiss_error *err)
{
    int laws = hs_tally_tests(t->tally), first = out->tests;

    for (int i = 0; i < laws; i++) {
        hs_verify_test *test = &out->test[out->tests++];

        HS_TRY(hs_tally_test(t->tally, i, test, err));
        test->steps = t->steps;
    }
    for (int i = 0; i < HS_SHIFT_FAMILIES; i++) {
        hs_verify_test *test = &out->test[out->tests];

        out->tests += hs_shift_test(t->shift, i, test);
        test->steps = t->steps;
    }
    for (int i = first; i < out->tests && t->late > 0; i++)
        name_late(&out->test[i]);
    return HISS_OK;
}

static void decide(hs_verdict *out, const hs_counted *trial, int trials)
{
    hiss_verify_result *r = &out->result;
    const hs_verify_test *worst = &out->test[0];
    const hs_law *law = &trial[0].tally->law[0];
    double level = HS_VERIFY_P / out->tests / trial[0].tally->levels;

    for (int i = 1; i < out->tests; i++)
        if (out->test[i].chi2.p < worst->chi2.p)
            worst = &out->test[i];
    r->worst = (int)(worst - out->test);
    r->statistic = worst->chi2.statistic;
    r->freedom = (double)worst->chi2.df;
    r->p_value = fmin(1.0, worst->chi2.p * out->tests);
    hs_shift_bias(trial[0].shift, &r->bias, &r->bias_error);
    r->detectable = HUGE_VAL;
    for (int i = 0; i < trials; i++)
        r->detectable =
            fmin(r->detectable, hs_shift_reach(trial[i].shift, level));
    r->verdict = r->p_value <= HS_VERIFY_P          ? HISS_BROKEN
                 : r->detectable <= HS_VERIFY_BLIND ? HISS_KEPT
                 : hs_law_possible(law) == 1        ? HISS_KEPT
                                                    : HISS_UNDECIDED;
    r->is_invariant = r->verdict == HISS_KEPT;
}

hiss_status hs_judge(hs_verdict *out, hs_counted *trial, int trials,
                     const hs_verify_test *more, hiss_error *err)
{
    hiss_verify_result *r = &out->result;
    const hs_tally *once = trial[0].tally;
    size_t most = (size_t)hs_tally_tests(once) + HS_SHIFT_FAMILIES;
    hs_verify_test *symmetry;

    /* one more: a family without members is written but not counted */
    out->test = hs_alloc_array((size_t)trials * most + 3, sizeof *out->test);
    if (!out->test)
        return hs_fail_memory(err);
    for (int i = 0; i < trials; i++) {
        trial[i].first = out->tests;
        HS_TRY(test_trial(&trial[i], out, err));
        trial[i].tests = out->tests - trial[i].first;
    }
    if (more)
        out->test[out->tests++] = *more;
    decide(out, trial, trials);
    symmetry = &out->test[out->tests++];
    *symmetry = (hs_verify_test){.name = "reversibility",
                                 .members = 1,
                                 .steps = 1,
                                 .change = (double)NAN};
    HS_TRY(hs_pairs_symmetry(&once->pairs, &symmetry->chi2, err));
    HS_TRY(hs_pairs_list(&once->pairs, &out->pair, err));
    out->pairs = once->pairs.used;
    r->replicates = once->replicates;
    r->moved = (double)once->moved / (double)r->replicates;
    r->reversible_p_value = symmetry->chi2.p;
    r->twin_p_value = NAN;
    return hs_explain(out, trial, trials, err);
}

int hs_judge_worst(const hs_verdict *v, const hs_counted *trial, int trials)
{
    int number = 0;

    while (number + 1 < trials &&
           v->result.worst >= trial[number].first + trial[number].tests)
        number++;
    if (v->result.worst >= trial[number].first + trial[number].tests)
        while (number > 0 && trial[number].late > 0)
            number--;
    return number;
}

double hs_judge_p(const hs_verdict *v, const hs_counted *trial)
{
    double least = 1.0;

    for (int i = trial->first; i < trial->first + trial->tests; i++)
        least = fmin(least, v->test[i].chi2.p);
    return fmin(1.0, least * trial->tests);
}

hiss_status hs_judge_alone(const hs_counted *trial, double *p, hiss_error *err)
{
    hs_verdict own = {0};
    hs_counted t = *trial;
    size_t most = (size_t)hs_tally_tests(t.tally) + HS_SHIFT_FAMILIES;
    hiss_status rc;

    own.test = hs_alloc_array(most + 1, sizeof *own.test);
    rc = own.test ? test_trial(&t, &own, err) : hs_fail_memory(err);
    t.first = 0;
    t.tests = own.tests;
    *p = rc == HISS_OK ? hs_judge_p(&own, &t) : 0.0;
    hs_free(own.test);
    return rc;
}
