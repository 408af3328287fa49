/* symmetry.c - tests whether a chain is reversible.
 *
 * If x is drawn from pi and y from the kernel at x, the kernel is reversible if
 * n(x,y) and n(y,x) have the same distribution.  Given its total, n(x,y) is
 * then binomial with probability 1/2, independently for each unordered pair, so
 *     sum over pairs of (n_xy - n_yx)^2 / (n_xy + n_yx)
 * is a chi-square with one degree per pair.  Pairs of fewer than GROUP_MIN
 * transitions are pooled in order. The choice depends on the totals alone, so
 * it does not affect the distribution. */
#include "diag/tests/symmetry.h"

#define GROUP_MIN 10

/* Counts `last` and replaces it by group. */
static void close_group(hs_symmetry *s, const int64_t group[2])
{
    double total = (double)(s->last[0] + s->last[1]);
    double d = (double)(s->last[0] - s->last[1]);

    if (total > 0.0) {
        s->statistic += d * d / total;
        s->df++;
    }
    s->last[0] = group[0];
    s->last[1] = group[1];
}

void hs_symmetry_add(hs_symmetry *s, int64_t forward, int64_t backward)
{
    const int64_t pair[2] = {forward, backward};

    if (forward + backward >= GROUP_MIN) {
        close_group(s, pair);
        return;
    }
    s->open[0] += forward;
    s->open[1] += backward;
    if (s->open[0] + s->open[1] >= GROUP_MIN) {
        close_group(s, s->open);
        s->open[0] = s->open[1] = 0;
    }
}

void hs_symmetry_finish(hs_symmetry *s, hs_chi2 *out)
{
    static const int64_t none[2] = {0, 0};

    /* An empty last group means that no group was ever closed; fewer than
     * GROUP_MIN transitions show nothing. */
    if (s->last[0] + s->last[1] > 0) {
        s->last[0] += s->open[0];
        s->last[1] += s->open[1];
        close_group(s, none);
    }
    *out = (hs_chi2){.statistic = s->statistic, .df = s->df};
    hs_chi2_finish(out);
    *s = (hs_symmetry){0};
}
