/* rhat.c - whether the chains agree: split, rank-normalized R-hat.
 *
 * For m half-chains of n normal scores, W the mean of their variances and B/n
 * the variance of their means,
 *
 *   R-hat = sqrt((n - 1 + B/W) / n),
 *
 * once for the draws and once for |draw - median|, which detects chains of
 * equal location and unequal scale. */
#include "diag/chains/rhat.h"

#include "base/alloc.h"
#include "base/error.h"
#include "diag/chains/levels.h"
#include "diag/chains/split.h"
#include "diag/maths/moments.h"

#include <math.h>

/* R-hat of the normal scores of x [chains][n]; mean [chains] is scratch. */
static hiss_status score_rhat(double *x, int chains, int64_t n, double *mean,
                              double *rhat, hiss_error *err)
{
    double within = 0.0;
    double between;
    double ignored;

    HS_TRY(hs_normal_scores(x, chains * n, err));
    for (int c = 0; c < chains; c++) {
        double variance;

        hs_moments(x + c * n, n, &mean[c], &variance);
        within += variance / chains;
    }
    hs_moments(mean, chains, &ignored, &between);
    *rhat = sqrt(((double)n * between / within + (double)(n - 1)) / (double)n);
    return HISS_OK;
}

static hiss_status fold(double *x, int64_t n, hiss_error *err)
{
    hs_levels l;

    HS_TRY(hs_levels_init(&l, x, n, err));

    double median = hs_levels_median(&l);

    hs_levels_clear(&l);
    for (int64_t i = 0; i < n; i++)
        x[i] = fabs(x[i] - median);
    return HISS_OK;
}

hiss_status hs_rhat(const double *draws, int chains, int64_t n, double *rhat,
                    hiss_error *err)
{
    double bulk = NAN;
    double folded = NAN;
    int64_t half = n / 2;
    hiss_status rc = HISS_ENOMEM;

    *rhat = NAN;
    if (chains < 2 || !hs_draws_usable(draws, chains, n))
        return HISS_OK;

    double *x = hs_alloc_array((size_t)chains * (size_t)n, sizeof *x);
    double *mean = hs_alloc_array(2 * (size_t)chains, sizeof *mean);

    if (!x || !mean) {
        hs_fail_memory(err);
        goto out;
    }
    hs_split_chains(draws, chains, n, x);
    rc = score_rhat(x, 2 * chains, half, mean, &bulk, err);
    if (rc != HISS_OK)
        goto out;
    hs_split_chains(draws, chains, n, x);
    rc = fold(x, hs_split_size(chains, n), err);
    if (rc == HISS_OK)
        rc = score_rhat(x, 2 * chains, half, mean, &folded, err);
    if (rc == HISS_OK)
        *rhat = fmax(bulk, folded); /* folding a column of two values may leave
                                       one */
out:
    hs_free(mean);
    hs_free(x);
    return rc;
}
