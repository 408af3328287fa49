/* betas.c - temperatures for a population, placed by a small one. */
#include "run/schedule/betas.h"

#include <math.h>

#include "base/alloc.h"
#include "base/clock.h"
#include "base/error.h"
#include "base/random/streams.h"
#include "run/policy/policy.h"
#include "run/population/population.h"

#define TEN     10.0  /* precision: base of printed numbers */
#define DIGITS  1e4   /* precision: five digits are printed */
#define LARGEST 1e300 /* precision: no finite number is much larger */

/* Rounds to five digits, which are easy to read, or to more if it is close to
 * the one before. */
static double rounded(double beta, double before)
{
    double unit = DIGITS, near = 0.0;

    while (beta * unit < DIGITS)
        unit *= TEN;
    for (; near <= before && unit < LARGEST; unit *= TEN)
        near = floor(beta * unit + 0.5) / unit;
    return near < 1.0 ? near : 1.0;
}

/* The fraction of its limit that is used up. */
static double spent(const hs_population *p, const hs_pilot_account *account)
{
    double energy, gradient, part;

    hs_population_evals(p, &energy, &gradient);
    part = account->budget > 0.0 ? (energy + gradient) / account->budget : 0.0;
    return fmax(part, hs_pilot_account_hurry(account));
}

/* Given, or such that the share that counts is `ess`; that share falls as e to
 * minus the square of the way, about. */
static double next_beta(hs_population *p, const hs_reals *given, int number,
                        double ess, const hs_pilot_account *account)
{
    double part = spent(p, account),
           hurry = 1.0 + hs_policy(HS_COOLING_GROWTH) * part, next;

    if (given && given->count > 0)
        return given->at[number];
    if (part > 1.0 || number == HS_BETAS_MAX - 1)
        return 1.0;
    next = hs_population_next(p, pow(ess, hurry * hurry));
    return next < 1.0 ? rounded(next, p->beta) : 1.0;
}

static hiss_status advance(hs_population *p, const hs_sampler *smc, int number,
                           double beta, hs_pilot_account *account,
                           hiss_error *err)
{
    int steps = (int)hs_sampler_number(smc, "steps");
    hiss_status rc;

    HS_TRY(hs_population_reweigh(p, beta, err));
    if (hs_population_ess(p) < 0.5) /* the usual share */
        hs_population_resample(p, (uint64_t)number);
    for (int n = 0; n < steps; n++) {
        HS_TRY(hs_population_move(p, 1, err));
        hs_population_pool(p);
        rc = hs_pilot_account_report(account, err);
        if (rc != HISS_OK && !account->is_late)
            return rc;
    }
    return HISS_OK;
}

static hiss_status find(hs_betas *b, hs_population *p, const hs_sampler *smc,
                        hs_pilot_account *account, hiss_error *err)
{
    const hs_reals *given = hs_sampler_list(smc, "betas");
    double ess = hs_sampler_number(smc, "ess"), beta = 0.0;

    HS_TRY(hs_population_begin(p, account->seed,
                               hs_stream(HS_STREAM_POPULATION, 0), err));
    for (int n = 0; beta < 1.0; n++) {
        beta = next_beta(p, given, n, ess, account);
        HS_TRY(advance(p, smc, n, beta, account, err));
        b->list.at[b->list.count++] = beta;
    }
    return HISS_OK;
}

hiss_status hs_betas_find(hs_betas *b, const hs_model *m, const hs_sampler *smc,
                          const hs_library *library, hs_pilot_account *account,
                          hiss_error *err)
{
    const hs_reals *given = hs_sampler_list(smc, "betas");
    int most = given && given->count > 0 ? given->count : HS_BETAS_MAX;
    int size = 2 * hs_policy_count(HS_SAMPLES);
    double began = hs_now(), energy, gradient;
    hs_population *p = NULL;
    hs_pool *pool = NULL;
    hiss_status rc = HISS_OK;

    *b = (hs_betas){0};
    b->list.at = hs_alloc_array((size_t)most, sizeof *b->list.at);
    if (!b->list.at)
        rc = hs_fail_memory(err);
    if (rc == HISS_OK)
        rc = hs_pool_create(&pool, 1, err);
    if (rc == HISS_OK)
        rc = hs_population_create(&p, m, smc, size, pool, 1, err);
    if (rc == HISS_OK) {
        hs_kernel_attach(p->worker[0].group->kernel[0], library);
        hs_group_tune(p->worker[0].group, 0);
        rc = find(b, p, smc, account, err);
    }
    if (rc == HISS_OK) {
        hs_population_evals(p, &energy, &gradient);
        account->energy_evals += energy;
        account->gradient_evals += gradient;
        b->evals = (energy + gradient) / size;
        b->seconds = (hs_now() - began) / size;
    }
    hs_population_destroy(p);
    hs_pool_destroy(pool);
    if (rc != HISS_OK)
        hs_betas_clear(b);
    return rc;
}

void hs_betas_clear(hs_betas *b)
{
    hs_free(b->list.at);
    *b = (hs_betas){0};
}
