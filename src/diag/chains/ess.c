/* ess.c - effective sample size of split chains, as in Vehtari et al. 2021.
 *
 * With m half-chains of n draws, W the mean of their variances, B/n the
 * variance of their means and V = W (n-1)/n + B/n,
 *     rho_t = 1 - (W - mean autocovariance at lag t) / V,
 *     ESS   = m n / tau,   tau = -1 + 2 sum_t rho_t,
 * the sum cut by Geyer's rules: pairs rho_2k + rho_2k+1 are taken while they
 * are positive, and made non-increasing.  The half terms at the cut and the
 * bound on tau follow ArviZ 0.23.
 *
 * Not here: the autocovariances (autocov.c), the ranks (levels.c). */
#include "diag/chains/ess.h"

#include "base/alloc.h"
#include "base/error.h"
#include "diag/chains/halves.h"
#include "diag/chains/levels.h"
#include "diag/chains/split.h"

#include <math.h>

/* One lag at a time: rho_t from the autocovariances. */
struct correlation {
    hs_autocov *acov; /* borrowed */
    double within;    /* W */
    double total;     /* V */
};

static hiss_status rho_at(struct correlation *r, int64_t t, double *rho,
                          hiss_error *err)
{
    HS_TRY(hs_autocov_need(r->acov, t, err));
    *rho = 1.0 - (r->within - r->acov->value[t]) / r->total;
    return HISS_OK;
}

/* Fills rho [n], zero at entry, up to the cut, which may be -1. */
static hiss_status positive_sequence(struct correlation *r, double *rho,
                                     int64_t *cut, hiss_error *err)
{
    double even = 1.0;
    double odd;
    int64_t t = 1;

    rho[0] = even;
    HS_TRY(rho_at(r, 1, &odd, err));
    rho[1] = odd;
    for (; t < r->acov->n - 3 && even + odd > 0.0; t += 2) {
        HS_TRY(rho_at(r, t + 1, &even, err));
        HS_TRY(rho_at(r, t + 2, &odd, err));
        if (even + odd >= 0.0) {
            rho[t + 1] = even;
            rho[t + 2] = odd;
        }
    }
    *cut = t - 2;
    if (even > 0.0)
        rho[*cut + 1] = even;
    return HISS_OK;
}

static double monotone_sum(double *rho, int64_t cut)
{
    double sum = 0.0;

    for (int64_t t = 1; t <= cut - 2; t += 2) {
        double pair = rho[t - 1] + rho[t];

        if (rho[t + 1] + rho[t + 2] > pair)
            rho[t + 1] = rho[t + 2] = pair / 2.0;
    }
    for (int64_t t = 0; t <= cut; t++)
        sum += rho[t];
    return -1.0 + 2.0 * sum + rho[cut + 1];
}

/* Computes the autocorrelation time of chains that vary. */
static hiss_status chain_time(hs_halves *h, double *tau, hiss_error *err)
{
    struct correlation r = {.acov = &h->acov};
    double *rho = hs_alloc_array((size_t)h->n, sizeof *rho);
    hiss_status rc = rho ? HISS_OK : hs_fail_memory(err);
    double n = (double)h->n;
    int64_t cut = -1;

    if (rc == HISS_OK)
        rc = hs_autocov_need(r.acov, 0, err);
    if (rc == HISS_OK) {
        r.within = r.acov->value[0] * n / (n - 1.0);
        r.total = r.acov->value[0] + h->between;
        rc = positive_sequence(&r, rho, &cut, err);
    }
    if (rc == HISS_OK)
        *tau = monotone_sum(rho, cut);
    hs_free(rho);
    return rc;
}

hiss_status hs_halves_ess(hs_halves *h, double *ess, hiss_error *err)
{
    double size = (double)h->count * (double)h->n, tau = NAN;

    if (!h->is_varying) {
        *ess = size;
        return HISS_OK;
    }
    HS_TRY(chain_time(h, &tau, err));
    if (!isnan(tau)) /* it is NaN if squares overflow */
        tau = fmax(tau, 1.0 / log10(size));
    *ess = size / tau;
    return HISS_OK;
}

/* ESS of unsplit chains; x is scratch. */
static hiss_status chain_ess(double *x, int chains, int64_t n, double *ess,
                             hiss_error *err)
{
    hs_halves h;
    hiss_status rc = hs_halves_init(&h, x, chains, n, err);

    if (rc == HISS_OK)
        rc = hs_halves_ess(&h, ess, err);
    hs_halves_clear(&h);
    return rc;
}

/* Copies the draws and splits them; if they are not usable, *split stays NULL
 * and *ess becomes NaN. */
static hiss_status begin(const double *draws, int chains, int64_t n,
                         double **split, double *ess, hiss_error *err)
{
    *ess = NAN;
    *split = NULL;
    if (!hs_draws_usable(draws, chains, n))
        return HISS_OK;
    *split = hs_alloc_array((size_t)chains * (size_t)n, sizeof **split);
    if (!*split)
        return hs_fail_memory(err);
    hs_split_chains(draws, chains, n, *split);
    return HISS_OK;
}

hiss_status hs_ess_mean(const double *draws, int chains, int64_t n, double *ess,
                        hiss_error *err)
{
    double *x;
    hiss_status rc = begin(draws, chains, n, &x, ess, err);

    if (x)
        rc = chain_ess(x, 2 * chains, n / 2, ess, err);
    hs_free(x);
    return rc;
}

hiss_status hs_ess_bulk(const double *draws, int chains, int64_t n, double *ess,
                        hiss_error *err)
{
    double *x;
    hiss_status rc = begin(draws, chains, n, &x, ess, err);

    if (x)
        rc = hs_normal_scores(x, hs_split_size(chains, n), err);
    if (x && rc == HISS_OK)
        rc = chain_ess(x, 2 * chains, n / 2, ess, err);
    hs_free(x);
    return rc;
}

/* x is scratch for the split indicator of draws <= quantile. */
static hiss_status indicator_ess(const double *draws, int chains, int64_t n,
                                 double quantile, double *x, double *ess,
                                 hiss_error *err)
{
    hs_split_chains(draws, chains, n, x);
    for (int64_t i = 0; i < hs_split_size(chains, n); i++)
        x[i] = x[i] <= quantile ? 1.0 : 0.0;
    return chain_ess(x, 2 * chains, n / 2, ess, err);
}

hiss_status hs_ess_tail(const double *draws, int chains, int64_t n, double *ess,
                        hiss_error *err)
{
    static const double prob[2] = {0.05, 0.95};
    double side[2] = {NAN, NAN};
    hs_levels l = {0};
    double *x;
    hiss_status rc = begin(draws, chains, n, &x, ess, err);

    if (x)
        rc = hs_levels_init(&l, draws, chains * n, err);
    for (int i = 0; i < 2 && x && rc == HISS_OK; i++)
        rc = indicator_ess(draws, chains, n, hs_levels_quantile(&l, prob[i]), x,
                           &side[i], err);
    if (x && rc == HISS_OK)
        *ess = fmin(side[0], side[1]);
    hs_levels_clear(&l);
    hs_free(x);
    return rc;
}
