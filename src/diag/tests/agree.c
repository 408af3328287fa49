/* agree.c - do chains agree by more than their own fluctuations explain?
 *
 * The autocorrelation time is that of Geyer's initial positive sequence,
 *     tau = 1 + 2 sum_t rho_t,   rho_t = autocovariance_t / autocovariance_0,
 * over half-chains that are centred on their own means.  Centring takes
 * W tau / n off every autocovariance, which is put back once tau is known. */
#include "diag/tests/agree.h"

#include <math.h>

#include "base/alloc.h"
#include "base/error.h"
#include "diag/chains/autocov.h"
#include "diag/chains/split.h"
#include "diag/maths/moments.h"
#include "diag/tests/chi2.h"

/* Centres the half-chains x [halves][n]; their means, and W. */
static double centre(double *x, int halves, int64_t n, double *mean)
{
    double within = 0.0;

    for (int j = 0; j < halves; j++) {
        double variance;

        hs_moments(x + j * n, n, &mean[j], &variance);
        for (int64_t i = 0; i < n; i++)
            x[j * n + i] -= mean[j];
        within += variance / halves;
    }
    return within;
}

static hiss_status time_within(hs_autocov *a, double *tau, hiss_error *err)
{
    double sum = 0.0, last = HUGE_VAL, zero;
    int64_t lags = 0;

    HS_TRY(hs_autocov_need(a, 0, err));
    zero = a->value[0];
    for (int64_t t = 0; t + 1 < a->n / 2; t += 2) {
        double pair;

        HS_TRY(hs_autocov_need(a, t + 1, err));
        pair = (a->value[t] + a->value[t + 1]) / zero;
        if (!(pair > 0.0))
            break;
        last = pair < last ? pair : last;
        sum += last;
        lags = t + 2;
    }
    *tau = -1.0 + 2.0 * sum;
    if (*tau < 0.5)
        *tau = 0.5;
    /* each of the lags had W tau / n too little */
    *tau *= 1.0 + 2.0 * (double)lags / (double)a->n;
    return HISS_OK;
}

hiss_status hs_agree(const double *draws, int chains, int64_t n,
                     hs_agreement *out, hiss_error *err)
{
    int halves = 2 * chains;
    int64_t size = n / 2;
    hs_autocov a = {0};
    double *x, *mean, within, middle, between, tau = 1.0;
    hiss_status rc = HISS_OK;

    *out = (hs_agreement){.df = halves - 1, .p = 1.0, .tau = NAN};
    if (!hs_draws_usable(draws, chains, n))
        return HISS_OK;
    x = hs_alloc_array((size_t)halves * (size_t)size, sizeof *x);
    mean = hs_alloc_array((size_t)halves, sizeof *mean);
    if (!x || !mean) {
        hs_free(x);
        hs_free(mean);
        return hs_fail_memory(err);
    }
    hs_split_chains(draws, chains, n, x);
    within = centre(x, halves, size, mean);
    hs_moments(mean, halves, &middle, &between);
    if (within > 0.0) {
        rc = hs_autocov_init(&a, x, halves, size, err);
        if (rc == HISS_OK)
            rc = time_within(&a, &tau, err);
        hs_autocov_clear(&a);
        out->tau = tau;
        out->statistic = between * out->df / (within * tau / (double)size);
        out->p = hs_chi2_sf(out->statistic, out->df);
    } else if (between > 0.0) {
        out->statistic = HUGE_VAL;
        out->p = 0.0;
    }
    hs_free(x);
    hs_free(mean);
    return rc;
}
