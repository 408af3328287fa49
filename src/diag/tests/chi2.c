/* chi2.c - Pearson's test of counts against a distribution.
 *
 * It walks the cells in ascending order of expectation and closes a group as
 * soon as its expectation is GROUP_MIN.  So cells are pooled with those nearest
 * in size.  A cell of GROUP_MIN or more is alone, except the smallest such
 * cell, which joins the group that is still open.  Not here: the distribution
 * function (gamma.c), the choice of cells. */
#include "diag/tests/chi2.h"

#include "base/alloc.h"
#include "base/error.h"
#include "diag/maths/gamma.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#define GROUP_MIN 5.0
#define TOTAL_TOL 1e-6

struct cell {
    double expected;
    double observed;
    int64_t index;
};

double hs_chi2_sf(double x, double df)
{
    if (isnan(x) || isnan(df))
        return NAN;
    return df > 0.0 ? hs_gamma_q(0.5 * df, 0.5 * x) : 1.0;
}

void hs_chi2_finish(hs_chi2 *c)
{
    if (isinf(c->statistic))
        c->p = 0.0; /* an impossible event needs no degrees of freedom */
    else
        c->p = hs_chi2_sf(c->statistic, (double)c->df);
}

/* Equal expectations keep the order of the cells: an order that depended on the
 * counts would pool low counts with low ones and reject true distributions. */
static int compare(const void *a, const void *b)
{
    const struct cell *x = a;
    const struct cell *y = b;

    if (x->expected != y->expected)
        return x->expected < y->expected ? -1 : 1;
    return (x->index > y->index) - (x->index < y->index);
}

static hiss_status check(const double *expected, const int64_t *observed,
                         int64_t cells, hiss_error *err)
{
    double total = 0.0;
    double count = 0.0;

    for (int64_t i = 0; i < cells; i++) {
        if (!(expected[i] >= 0.0) || isinf(expected[i]))
            return hs_fail(err, HISS_EARG,
                           "cell %" PRId64
                           " expects %g, a number >= 0 is needed",
                           i, expected[i]);
        if (observed[i] < 0)
            return hs_fail(err, HISS_EARG,
                           "cell %" PRId64 " holds a count of %" PRId64, i,
                           observed[i]);
        total += expected[i];
        count += (double)observed[i];
    }
    if (fabs(total - count) > TOTAL_TOL * fmax(total, count))
        return hs_fail(err, HISS_EARG,
                       "the expected counts sum to %.9g, the observed to %.9g",
                       total, count);
    return HISS_OK;
}

static double term(struct cell group)
{
    double d = group.observed - group.expected;

    return d * d / group.expected;
}

/* cell [count], ascending, with every expectation above 0 */
static void sum_groups(const struct cell *cell, int64_t count, hs_chi2 *out)
{
    struct cell open = {0};
    struct cell last = {0}; /* closed, but held back to take any remaining
                               cells */
    int64_t groups = 0;

    for (int64_t i = 0; i < count; i++) {
        open.expected += cell[i].expected;
        open.observed += cell[i].observed;
        if (open.expected < GROUP_MIN)
            continue;
        if (groups++)
            out->statistic += term(last);
        last = open;
        open = (struct cell){0};
    }
    last.expected += open.expected;
    last.observed += open.observed;
    if (groups > 1) {
        out->statistic += term(last);
        out->df = groups - 1;
    } else {
        out->statistic = 0.0; /* a single group always fits */
    }
}

hiss_status hs_chi2_pooled(const double *expected, const int64_t *observed,
                           int64_t cells, hs_chi2 *out, hiss_error *err)
{
    int64_t possible = 0;

    *out = (hs_chi2){.p = 1.0};
    HS_TRY(check(expected, observed, cells, err));

    struct cell *cell = hs_alloc_array((size_t)cells, sizeof *cell);

    if (!cell)
        return hs_fail_memory(err);
    for (int64_t i = 0; i < cells; i++) {
        if (expected[i] > 0.0)
            cell[possible++] =
                (struct cell){expected[i], (double)observed[i], i};
        else if (observed[i] > 0)
            out->statistic = INFINITY;
    }
    qsort(cell, (size_t)possible, sizeof *cell, compare);
    if (out->statistic == 0.0)
        sum_groups(cell, possible, out);
    else
        out->df = possible;
    hs_free(cell);
    hs_chi2_finish(out);
    return HISS_OK;
}
