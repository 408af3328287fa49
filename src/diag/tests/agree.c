/* agree.c - whether chains differ by more than their own fluctuations.
 *
 * The autocorrelation time is that of Geyer's initial positive sequence,
 *
 *   tau = 1 + 2 sum_t rho_t, rho_t = autocovariance_t / autocovariance_0,
 *
 * over half-chains that are centered on their own means.  Centering subtracts W
 * tau / n from every autocovariance, which is added back when tau is known. */
#include "diag/tests/agree.h"

#include <math.h>

#include "base/alloc.h"
#include "base/error.h"
#include "diag/chains/describe.h"
#include "diag/chains/split.h"
#include "diag/tests/chi2.h"

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
    /* each of the lags lacked W tau / n */
    *tau *= 1.0 + 2.0 * (double)lags / (double)a->n;
    return HISS_OK;
}

static hiss_status agree(hs_halves *h, hs_agreement *out, hiss_error *err)
{
    double n = (double)h->n, within, tau = 1.0;

    HS_TRY(hs_autocov_need(&h->acov, 0, err));
    within = h->acov.value[0] * n / (n - 1.0);
    if (within > 0.0) {
        HS_TRY(time_within(&h->acov, &tau, err));
        out->tau = tau;
        out->statistic = h->between * out->df / (within * tau / n);
        out->p = hs_chi2_sf(out->statistic, out->df);
    } else if (h->between > 0.0) {
        out->statistic = HUGE_VAL;
        out->p = 0.0;
    }
    return HISS_OK;
}

hiss_status hs_agree(const double *draws, int chains, int64_t n,
                     hs_agreement *out, hiss_error *err)
{
    int halves = 2 * chains;
    hs_halves h = {0};
    hiss_status rc;
    double *x;

    *out = (hs_agreement){.df = halves - 1, .p = 1.0, .tau = NAN};
    if (!hs_draws_usable(draws, chains, n))
        return HISS_OK;
    x = hs_alloc_array((size_t)hs_split_size(chains, n), sizeof *x);
    if (!x)
        return hs_fail_memory(err);
    hs_split_chains(draws, chains, n, x);
    rc = hs_halves_init(&h, x, halves, n / 2, err);
    if (rc == HISS_OK)
        rc = agree(&h, out, err);
    hs_halves_clear(&h);
    hs_free(x);
    return rc;
}

hiss_status hs_measure(const double *draws, int chains, int64_t n,
                       hiss_column *column, hs_agreement *out, hiss_error *err)
{
    hs_halves h;
    hiss_status rc = hs_describe_halves(draws, chains, n, column, &h, err);

    *out = (hs_agreement){.df = 2 * chains - 1, .p = 1.0, .tau = NAN};
    if (rc == HISS_OK)
        rc = h.count > 0 ? agree(&h, out, err)
                         : hs_agree(draws, chains, n, out, err);
    column->chance = out->p;
    hs_halves_clear(&h);
    return rc;
}
