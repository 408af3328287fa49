/* probe.c - fresh chains of the same sampler against the run.
 *
 * Chains that all fell into the same one of two modes agree with each other.
 * Fresh chains from other random states cost little, since up to sixteen of
 * them walk in the time of one, and see what was missed.  They must agree with
 * each other and, in the mean of every column, with the run. */
#include <math.h>

#include "api/verdict.h"
#include "base/alloc.h"

#define TIMES_TAU 100.0 /* draws of a fresh chain, in autocorrelation times */
#define DRAWS_MIN 200.0
#define APART     0.1 /* of a standard deviation: what matters */
#define SEED_FLIP 0x9e3779b97f4a7c15u

/* Steps of thinned draws that a fresh chain makes; 0: the run is no guide. */
static int64_t draws_wanted(const hs_evidence *e)
{
    double tau = 1.0, wanted;
    int64_t samples = e->result->run.info.samples;

    for (int n = 0; n < e->columns->count; n++) {
        double own = e->columns->at[n].agree.tau;

        tau = own > tau ? own : tau;
    }
    wanted = TIMES_TAU * tau;
    wanted = wanted < DRAWS_MIN ? DRAWS_MIN : wanted;
    return wanted < (double)samples ? (int64_t)wanted : samples;
}

/* By the time that the run took for its steps. */
static double cost_of(const hs_evidence *e, int64_t draws)
{
    const hiss_run_info *info = &e->result->run.info;
    double steps =
        (double)info->warmup + (double)info->samples * (double)info->thin;
    double fresh = (double)info->warmup + (double)draws * (double)info->thin;
    double tiles = ceil(info->chains * (double)info->replicas / 16.0);
    double more = ceil(e->set->probe * (double)info->replicas / 16.0);

    return info->seconds * fresh / (steps > 0.0 ? steps : 1.0) * more / tiles *
           (info->threads < tiles ? info->threads : tiles);
}

static hiss_status sample_afresh(const hs_evidence *e, int64_t draws,
                                 hiss_result **out, hiss_error *err)
{
    const hiss_run_info *info = &e->result->run.info;
    const char *run = hiss_result_text(e->result, "resolved");
    const char *spec = hiss_result_text(e->result, "sampler");
    hiss_sampler *sampler = NULL;
    hiss_settings set;
    hiss_status rc = hiss_sampler_create(&sampler, run ? run : spec, err);

    hiss_settings_init(&set);
    set.chains = e->set->probe;
    set.samples = draws;
    set.warmup = info->warmup;
    set.thin = info->thin;
    set.seed = info->seed ^ SEED_FLIP;
    set.threads = e->set->threads;
    if (rc == HISS_OK)
        rc = hiss_sample(out, e->model, sampler, &set, err);
    hiss_sampler_destroy(sampler);
    return rc;
}

/* The column of the same thing in the run and among the fresh chains whose
 * means are furthest apart, in standard errors; -1 when none is by more than
 * chance and by more than matters. */
static int furthest(const hs_columns *run, const hs_columns *fresh,
                    double *sigmas)
{
    int worst = -1;

    *sigmas = HS_SIGMAS;
    for (int n = 0; n < run->count && n < fresh->count; n++) {
        const hiss_column *a = &run->at[n].column, *b = &fresh->at[n].column;
        hs_column_of of = run->at[n].of;
        double error, apart = fabs(a->mean - b->mean);

        if ((of != HS_OF_ENERGY && of != HS_OF_COORDINATE &&
             of != HS_OF_LABEL) ||
            fresh->at[n].of != of || fresh->at[n].index != run->at[n].index)
            continue;
        error = hypot(isnan(a->mcse) ? 0.0 : a->mcse,
                      isnan(b->mcse) ? 0.0 : b->mcse);
        if (apart <= APART * fmax(a->sd, b->sd) || apart <= *sigmas * error)
            continue;
        *sigmas = error > 0.0 ? apart / error : HUGE_VAL;
        worst = n;
    }
    return worst;
}

static void judge(hiss_diagnosis *d, const hs_evidence *e,
                  const hs_columns *fresh)
{
    char name[HS_COLUMN_TEXT];
    double sigmas;
    int apart = furthest(e->columns, fresh, &sigmas), worst, stuck = 0;
    hiss_outcome outcome = hs_worst_mixing(fresh, &worst);

    for (int n = 0; n < fresh->count; n++)
        stuck += fresh->at[n].column.state == HISS_STUCK;
    if (apart >= 0) {
        hs_column_name(&e->columns->at[apart], &e->result->domain, name);
        hs_find(d, "fresh chains", HISS_DOUBT, sigmas, HS_SIGMAS,
                "%d fresh chains disagree with the run at %s: %.4g, there "
                "%.4g",
                e->set->probe, name, fresh->at[apart].column.mean,
                e->columns->at[apart].column.mean);
    } else if (stuck || outcome != HISS_PASSED) {
        hs_column_name(&fresh->at[worst], &e->result->domain, name);
        hs_find(d, "fresh chains", HISS_DOUBT, fresh->at[worst].column.rhat,
                HS_RHAT_GOOD,
                "%d fresh chains do not agree with each other: R-hat %.3f at "
                "%s",
                e->set->probe, fresh->at[worst].column.rhat, name);
    } else {
        hs_find(d, "fresh chains", HISS_PASSED, NAN, NAN,
                "%d fresh chains from other starts agree with the run",
                e->set->probe);
        return;
    }
    hs_find_remedy(d, "the run may have missed a mode: use more --chains, a "
                      "longer --warmup, or pt(base=...)");
}

hiss_status hs_probe(hiss_diagnosis *d, const hs_evidence *e, hiss_error *err)
{
    hs_columns columns = {0};
    hiss_result *fresh = NULL;
    int64_t draws = draws_wanted(e);
    hiss_status rc;

    if (!e->model || e->set->probe < 1 ||
        cost_of(e, draws) > e->set->probe_seconds) {
        hs_find(d, "fresh chains", HISS_SKIPPED, NAN, NAN, "%s",
                !e->model ? "no fresh chains: the model is not at hand"
                : e->set->probe < 1 ? "fresh chains were not asked for"
                                    : "fresh chains would take too long");
        return HISS_OK;
    }
    rc = sample_afresh(e, draws, &fresh, err);
    if (rc == HISS_OK)
        rc = hs_columns_init(&columns, &fresh->run.store,
                             fresh->run.info.samples, &fresh->domain, NULL,
                             e->pool, err);
    if (rc == HISS_OK)
        judge(d, e, &columns);
    hs_columns_clear(&columns);
    hiss_result_destroy(fresh);
    return rc;
}
