/* smc_report.c - the results of populations: weights, families, log Z. */
#include "run/sampling/smc_report.h"

#include <math.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/text.h"
#include "diag/observe/logz.h"

#define FAMILIES 10.0 /* fewer effective families cannot be trusted */

hiss_status hs_smc_report_init(hs_smc_report *r, int temperatures, int chains,
                               hiss_error *err)
{
    size_t t = (size_t)temperatures, c = (size_t)chains;

    *r = (hs_smc_report){
        .size = sizeof *r, .temperatures = temperatures, .chains = chains};
    r->beta = hs_alloc_array(t, sizeof *r->beta);
    r->counts = hs_alloc_array(t, sizeof *r->counts);
    r->resampled = hs_alloc_array(t, sizeof *r->resampled);
    r->energy = hs_alloc_array(t, sizeof *r->energy);
    r->chain_log_z = hs_alloc_array(c, sizeof *r->chain_log_z);
    r->ess = hs_alloc_array(c, sizeof *r->ess);
    r->rho_t = hs_alloc_array(c, sizeof *r->rho_t);
    r->rho_s = hs_alloc_array(c, sizeof *r->rho_s);
    r->families = hs_alloc_array(c, sizeof *r->families);
    if (r->beta && r->counts && r->resampled && r->energy && r->chain_log_z &&
        r->ess && r->rho_t && r->rho_s && r->families)
        return HISS_OK;
    hs_smc_report_clear(r);
    return hs_fail_memory(err);
}

void hs_smc_report_clear(hs_smc_report *r)
{
    hs_free(r->beta);
    hs_free(r->counts);
    hs_free(r->resampled);
    hs_free(r->energy);
    hs_free(r->chain_log_z);
    hs_free(r->ess);
    hs_free(r->rho_t);
    hs_free(r->rho_s);
    hs_free(r->families);
    *r = (hs_smc_report){0};
}

/* The mean of unbiased estimates of Z is unbiased, but the mean of their
 * logarithms is biased for log Z. */
hiss_status hs_smc_report_finish(hs_smc_report *r, int chains, hiss_error *err)
{
    double *ones = hs_alloc_array((size_t)chains, sizeof *ones);
    double top = -HUGE_VAL, sum = 0.0;
    hs_logz z = {0};
    hiss_status rc;

    if (!ones) /* zeros: ln 1 */
        return hs_fail_memory(err);
    rc = hs_logz_estimate(r->chain_log_z, ones, chains, 1, &z, err);
    hs_free(ones);
    for (int c = 0; c < chains; c++)
        top = fmax(top, r->chain_log_z[c]);
    for (int c = 0; c < chains; c++)
        sum += exp(r->chain_log_z[c] - top);
    r->log_z = top + log(sum / chains);
    r->log_z_se = z.se;
    for (int j = 0; j < r->temperatures; j++) {
        r->counts[j] /= chains;
        r->resampled[j] /= chains;
        r->energy[j] /= chains;
    }
    r->chains = chains;
    return rc;
}

char *hs_smc_report_doubt(const hs_smc_report *r)
{
    double least = HUGE_VAL;
    hs_text text = {0};

    for (int c = 0; c < r->chains; c++)
        least = fmin(least, (double)r->replicas / r->rho_s[c]);
    if (!(least < FAMILIES) || r->replicas < 2)
        return NULL;
    hs_text_print(&text,
                  "a population of %lld came down to %.1f families: take more "
                  "samples, or more steps at each temperature",
                  (long long)r->replicas, least);
    return hs_text_take(&text);
}
