/* tally.c - counts where replicates began and ended, and tests it.
 *
 * Replicates are independent, so the counts of level j are multinomial with its
 * distribution, and those of two levels with the product of their
 * distributions: replicas are drawn independently and a correct exchange keeps
 * them so. */
#include "run/verify/tally.h"

#include <math.h>
#include <stdio.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/number.h"

#define RARE                                                                   \
  25.0 /* expected replicates: states with fewer are pooled by the first test */
#define JOINT_ALL (INT64_C(1) << 26) /* cells of all pairs of levels */

hiss_status hs_tally_init(hs_tally *t, const hs_law *law, int levels,
                          bool has_pairs, hiss_error *err)
{
    int64_t states = law[0].states, cells = states * states;

    *t = (hs_tally){
        .law = law, .levels = levels, .states = states, .has_pairs = has_pairs};
    t->count =
        hs_alloc_array((size_t)states * (size_t)levels, sizeof *t->count);
    t->began = hs_alloc_array((size_t)states, sizeof *t->began);
    t->stayed = hs_alloc_array((size_t)states, sizeof *t->stayed);
    if (!t->count || !t->began || !t->stayed)
        return hs_fail_memory(err);
    if (levels > 1 && cells <= HS_JOINT_MAX &&
        cells * (levels - 1) <= JOINT_ALL) {
        t->joint = hs_alloc_array((size_t)cells * (size_t)(levels - 1),
                                  sizeof *t->joint);
        if (!t->joint)
            return hs_fail_memory(err);
    }
    return has_pairs ? hs_pairs_init(&t->pairs, err) : HISS_OK;
}

void hs_tally_clear(hs_tally *t)
{
    hs_free(t->count);
    hs_free(t->joint);
    hs_free(t->began);
    hs_free(t->stayed);
    hs_pairs_clear(&t->pairs);
    *t = (hs_tally){0};
}

hiss_status hs_tally_add(hs_tally *t, uint32_t from, const uint32_t *to,
                         hiss_error *err)
{
    int64_t states = t->states;

    for (int j = 0; j < t->levels; j++)
        t->count[j * states + to[j]]++;
    for (int j = 0; t->joint && j + 1 < t->levels; j++)
        t->joint[(j * states + to[j]) * states + to[j + 1]]++;
    t->replicates++;
    t->moved += from != to[0];
    t->began[from]++;
    t->stayed[from] += from == to[0];
    return t->has_pairs ? hs_pairs_add(&t->pairs, from, to[0], err) : HISS_OK;
}

int hs_tally_tests(const hs_tally *t)
{
    return t->levels + (t->joint ? t->levels - 1 : 0) + 1;
}

/* Tests the rare state with the largest excess.  By Chernoff a count of k or
 * more with expectation e has probability at most e^-(k ln(k/e) - k + e). */
static void test_rare(const hs_tally *t, hs_verify_test *out)
{
    double worst = 0.0, at = 0.0;

    *out = (hs_verify_test){
        .name = "rare states", .change = (double)NAN, .chi2.p = 1.0};
    for (int64_t x = 0; x < t->states; x++) {
        double p = t->law[0].p[x], e = p * (double)t->replicates;
        double k = (double)t->count[x], far;

        if (!(p > 0.0) || e >= RARE)
            continue;
        out->members++;
        far = k > e ? k * log(k / e) - k + e : 0.0;
        at = far > worst ? p : at;
        worst = fmax(worst, far);
    }
    if (out->members == 0)
        out->members = 1;
    out->chi2.statistic = sqrt(2.0 * worst);
    out->chi2.p = fmin(1.0, out->members * exp(-worst));
    if (worst > 0.0)
        hs_snprintf(out->worst, sizeof out->worst, "one of probability %.2g",
                    at);
}

/* Expected counts of one level, or of levels j and j + 1 together. */
static void expect(const hs_tally *t, int j, bool is_joint, double *out)
{
    double n = (double)t->replicates;
    const double *p = t->law[j].p;

    for (int64_t x = 0; x < t->states; x++)
        if (!is_joint)
            out[x] = n * p[x];
        else
            for (int64_t y = 0; y < t->states; y++)
                out[x * t->states + y] = n * p[x] * t->law[j + 1].p[y];
}

static hiss_status test_law(const hs_tally *t, int number, hs_verify_test *out,
                            hiss_error *err)
{
    bool is_joint = number >= t->levels;
    int j = is_joint ? number - t->levels : number;
    int64_t cells = is_joint ? t->states * t->states : t->states;
    const int64_t *observed = (is_joint ? t->joint : t->count) + j * cells;
    double *expected = hs_alloc_array((size_t)cells, sizeof *expected);
    hiss_status rc;

    *out = (hs_verify_test){.name = "law", .members = 1, .change = (double)NAN};
    if (!expected)
        return hs_fail_memory(err);
    if (is_joint)
        snprintf(out->name, sizeof out->name, "levels %d and %d", j, j + 1);
    else if (j > 0)
        snprintf(out->name, sizeof out->name, "level %d", j);
    expect(t, j, is_joint, expected);
    rc = hs_chi2_pooled(expected, observed, cells, &out->chi2, err);
    hs_free(expected);
    return rc;
}

hiss_status hs_tally_test(const hs_tally *t, int number, hs_verify_test *out,
                          hiss_error *err)
{
    if (number < hs_tally_tests(t) - 1)
        return test_law(t, number, out, err);
    test_rare(t, out);
    return HISS_OK;
}
