/* smc.c - a run of populations: one for each chain, one after the other.
 *
 * `samples` times `thin` is the number of replicas, unless a budget allows
 * fewer; at the target they are resampled once more, systematically and in the
 * order of their families, to `samples` draws of equal weight. So all checks of
 * draws apply; the correlation along the chain is that between relatives. A
 * chain that is not complete when the run stops is omitted. */
#include "run/sampling/smc.h"

#include <math.h>
#include <string.h>

#include "base/alloc.h"
#include "base/clock.h"
#include "base/error.h"
#include "device/open.h"
#include "diag/observe/logz.h"
#include "model/user/wide.h"
#include "run/chain/marginals.h"
#include "run/pilot/smc_pilot.h"
#include "run/population/population.h"

#define OPEN_DRAWS 4096 /* draws kept per chain if samples is 0 */
#define SIZE_LEAST 16   /* replicas */
#define BYTES_MOST 4e9  /* most bytes of replicas, if their number is open */
/* share of a time limit for which replicas are planned */
#define TIME_SHARE 0.6

struct smc_run {
    hs_run *run;
    const hs_model *m;
    const hs_scheme *scheme;
    const hiss_settings *set;
    double started;
    double resample;
    int steps;
    const hs_reals *betas;
    int size;      /* replicas */
    int draws;     /* draws of a chain */
    int done;      /* chains */
    hs_pool *pool; /* owned, like the next ones */
    hs_population *p;
    int *chosen;      /* [draws] */
    double *marginal; /* [value_count], summed over chains; or NULL */
    double energy_evals, gradient_evals; /* of complete chains */
};

hiss_status hs_smc_check(const hiss_settings *set, hiss_error *err)
{
    hs_device_choice device;
    const char *what = NULL;

    HS_TRY(hs_device_parse(set->device, &device, err));
    if (set->checkpoint || set->resume)
        what = "checkpoints";
    else if (set->ranks)
        what = "ranks";
    else if (device.is_card && !device.may_not)
        what = "a card";
    else if (set->init || set->init_best)
        what = "given starts: its replicas begin with uniform states";
    else if (set->by_level)
        what = "levels as chains";
    else if (set->warmup > 0 || set->save_warmup)
        what = "a warm-up: its replicas begin with uniform states, at infinite "
               "temperature";
    else if (set->ess > 0.0)
        what = "a wanted ESS: its length is known beforehand; give samples";
    if (what)
        return hs_fail(err, HISS_EUNSUP, "sampler smc does not know %s", what);
    return HISS_OK;
}

/* Chooses the number of replicas: as requested, or as the budgets allow. */
static hiss_status set_size(struct smc_run *r, hiss_error *err)
{
    const hiss_settings *set = r->set;
    const hs_betas *b = &r->scheme->betas;
    double wanted = (double)set->samples * (double)set->thin, most;
    double bytes = (double)hs_point_bytes(r->scheme->model) / HS_LANES;
    int64_t kept = set->samples;

    most = set->samples > 0 ? wanted : BYTES_MOST / bytes;
    if (set->evals > 0.0)
        most = fmin(most, set->evals / (set->chains * b->evals));
    if (set->time_limit > 0.0)
        most = fmin(most, TIME_SHARE *
                              (set->time_limit - (hs_now() - r->started)) *
                              set->threads / (set->chains * b->seconds));
    if (most < wanted || set->samples == 0)
        most = fmax(most, SIZE_LEAST);
    if (most > HS_POPULATION_MAX)
        return hs_fail(err, HISS_EARG, "sampler smc: %g replicas, at most %d",
                       most, HS_POPULATION_MAX);
    r->size = (int)most;
    if (kept == 0)
        kept = set->samples_most > 0 ? set->samples_most : OPEN_DRAWS;
    r->draws = (double)kept * (double)set->thin <= r->size
                   ? (int)kept
                   : (int)(r->size / set->thin);
    r->draws = r->draws > 0 ? r->draws : 1;
    if ((double)r->size * set->chains >= (double)HS_PILOT_CHAIN)
        return hs_fail(err, HISS_EARG,
                       "sampler smc: %d chains of %d replicas are more than "
                       "2^31",
                       set->chains, r->size);
    return HISS_OK;
}

static hiss_status prepare_particles(struct smc_run *r, hiss_error *err)
{
    size_t all = (size_t)r->set->chains * (size_t)r->size;

    HS_TRY(hs_store_init(&r->run->particles, &r->m->domain, r->set->chains,
                         r->size, HUGE_VAL, err));
    r->run->weight = hs_alloc_array(all, sizeof *r->run->weight);
    return r->run->weight ? HISS_OK : hs_fail_memory(err);
}

static hiss_status prepare(struct smc_run *r, hiss_error *err)
{
    const hiss_settings *set = r->set;
    const hs_scheme *s = r->scheme;

    HS_TRY(set_size(r, err));
    HS_TRY(hs_store_init(&r->run->store, &r->m->domain, set->chains, r->draws,
                         HUGE_VAL, err));
    HS_TRY(hs_smc_report_init(&r->run->population, r->betas->count, set->chains,
                              err));
    HS_TRY(hs_pool_create(&r->pool, set->threads, err));
    HS_TRY(hs_population_create(
        &r->p, s->model, s->sampler, r->size, r->pool,
        hs_wide_pieces(s->model, HS_LANES, set->threads), err));
    for (int w = 0; w < r->p->workers; w++)
        hs_scheme_attach(s, r->p->worker[w].group);
    if (set->particles)
        HS_TRY(prepare_particles(r, err));
    r->chosen = hs_alloc_array((size_t)r->draws, sizeof *r->chosen);
    if (set->marginals)
        r->marginal = hs_alloc_array((size_t)r->m->domain.value_count,
                                     sizeof *r->marginal);
    if (!r->chosen || (set->marginals && !r->marginal))
        return hs_fail_memory(err);
    r->run->population.replicas = r->size;
    for (int j = 0; j < r->betas->count; j++)
        r->run->population.beta[j] = (double)(float)r->betas->at[j];
    return HISS_OK;
}

static double evals_so_far(const struct smc_run *r)
{
    double energy, gradient;

    hs_population_evals(r->p, &energy, &gradient);
    return r->energy_evals + r->gradient_evals + energy + gradient;
}

/* Whether the caller wants to stop, or the time is over. */
static bool is_stopped(struct smc_run *r, int stage)
{
    const hiss_settings *set = r->set;
    double all = (double)set->chains * r->betas->count;
    double seconds = hs_now() - r->started;
    hiss_progress p = {.size = sizeof p,
                       .fraction =
                           (r->done * (double)r->betas->count + stage) / all,
                       .seconds = seconds,
                       .evaluations = evals_so_far(r),
                       .draws = 0};

    if (set->progress && set->progress(set->context, &p))
        r->run->info.ended = HISS_ENDED_STOPPED;
    else if (set->time_limit > 0.0 && seconds > set->time_limit)
        r->run->info.ended = HISS_ENDED_TIME;
    return r->run->info.ended != HISS_ENDED_DONE;
}

/* Advances to the next temperature. */
static hiss_status advance(struct smc_run *r, int stage, hiss_error *err)
{
    hs_smc_report *report = &r->run->population;
    double beta = report->beta[stage];

    report->counts[stage] += hs_population_foresee(r->p, beta);
    HS_TRY(hs_population_reweigh(r->p, beta, err));
    if (r->resample > 0.0 &&
        (r->resample >= 1.0 || hs_population_ess(r->p) < r->resample)) {
        hs_population_resample(r->p, (uint64_t)stage);
        report->resampled[stage] += 1.0;
    }
    for (int w = 0; w < r->p->workers; w++)
        hs_smc_pilot_apply(r->scheme, beta, r->p->worker[w].group);
    HS_TRY(hs_population_move(r->p, r->steps, err));
    report->energy[stage] += hs_population_energy(r->p);
    return HISS_OK;
}

/* The acceptance over all decisions counted by kernels so far. */
static float acceptance(const struct smc_run *r)
{
    double proposed = 0.0, accepted = 0.0;

    for (int w = 0; w < r->p->workers; w++)
        for (int l = 0; l < HS_LANES; l++) {
            double own[2] = {0.0, 0.0};

            hs_marginals_decisions(r->p->worker[w].group->kernel[0], l, &own[0],
                                   &own[1]);
            proposed += own[0];
            accepted += own[1];
        }
    return (float)(accepted / proposed);
}

static void add_marginals(struct smc_run *r)
{
    const hs_domain *d = &r->m->domain;

    for (int n = 0; r->marginal && n < r->p->size; n++) {
        int lane;
        const hs_tile *t = hs_population_at(r->p, n, &lane);

        for (int i = 0; i < d->dim; i++)
            r->marginal[d->value[i] + t->at.x[i][lane]] +=
                r->p->weight[n] / r->p->size;
    }
}

static void keep_particles(struct smc_run *r, float accept)
{
    for (int n = 0; r->run->weight && n < r->size; n++) {
        int lane;
        const hs_tile *t = hs_population_at(r->p, n, &lane);

        hs_store_put(&r->run->particles, r->done, n,
                     (const int16_t(*)[16])t->at.x, lane, t->at.u[lane],
                     accept);
        r->run->weight[(size_t)r->done * (size_t)r->size + (size_t)n] =
            r->p->weight[n] / r->size;
    }
}

/* Keeps a population at the target: its draws and its statistics. */
static void keep(struct smc_run *r)
{
    hs_smc_report *report = &r->run->population;
    uint64_t stage = (uint64_t)r->betas->count;
    hs_families f = hs_population_families(r->p);
    double energy, gradient;
    float accept = acceptance(r);
    int c = r->done;

    report->chain_log_z[c] = hs_logz_states(&r->m->domain) + r->p->log_ratio;
    report->ess[c] = hs_population_ess(r->p);
    report->rho_t[c] = f.rho_t;
    report->rho_s[c] = f.rho_s;
    report->families[c] = f.left;
    add_marginals(r);
    keep_particles(r, accept);
    hs_population_choose(r->p, stage, r->draws, r->chosen);
    for (int n = 0; n < r->draws; n++) {
        int lane;
        const hs_tile *t = hs_population_at(r->p, r->chosen[n], &lane);

        hs_store_put(&r->run->store, c, n, (const int16_t(*)[16])t->at.x, lane,
                     t->at.u[lane], accept);
    }
    hs_population_evals(r->p, &energy, &gradient);
    r->energy_evals += energy;
    r->gradient_evals += gradient;
    r->done++;
}

static hiss_status walk(struct smc_run *r, hiss_error *err)
{
    while (r->done < r->set->chains) {
        uint32_t first = (uint32_t)r->done * (uint32_t)r->size;

        HS_TRY(hs_population_begin(r->p, r->set->seed, first, err));
        for (int stage = 0; stage < r->betas->count; stage++) {
            if (is_stopped(r, stage))
                return HISS_OK;
            HS_TRY(advance(r, stage, err));
        }
        keep(r);
    }
    return HISS_OK;
}

static void finish_info(struct smc_run *r)
{
    hiss_run_info *info = &r->run->info;
    hiss_ended ended = info->ended;
    bool is_short = r->set->samples > 0 && r->draws < r->set->samples;

    if (ended == HISS_ENDED_DONE && is_short)
        ended = r->set->evals > 0.0 ? HISS_ENDED_EVALS : HISS_ENDED_TIME;
    *info = (hiss_run_info){
        .chains = r->done,
        .dim = r->m->domain.dim,
        .replicas = 1,
        .samples = r->draws,
        .thin = r->size / r->draws,
        .seed = r->set->seed,
        .threads = r->set->threads,
        .ranks = 1,
        .is_exact = r->scheme->sampler->traits.exact,
        .element = r->run->store.element,
        .energy_evals = r->scheme->energy_evals + r->energy_evals,
        .gradient_evals = r->scheme->gradient_evals + r->gradient_evals,
        .ended = ended,
        .seconds = hs_now() - r->started};
}

static hiss_status finish(struct smc_run *r, hiss_error *err)
{
    hs_run *run = r->run;
    hs_group **group;

    if (r->done == 0)
        return hs_fail(err, HISS_ESTOP,
                       "stopped before a population was at the target");
    finish_info(r);
    run->store.chains = r->done;
    run->store.domain = NULL; /* the result outlives the model */
    run->particles.domain = NULL;
    HS_TRY(hs_smc_report_finish(&run->population, r->done, err));
    run->doubt = hs_smc_report_doubt(&run->population);
    for (int v = 0; r->marginal && v < r->m->domain.value_count; v++)
        r->marginal[v] /= r->done;
    run->marginal = r->marginal;
    r->marginal = NULL;
    run->device =
        hs_strdup(r->set->device && strcmp(r->set->device, "auto") == 0
                      ? "cpu (auto: sampler smc does not know a card)"
                      : "cpu");
    if (!run->device)
        return hs_fail_memory(err);
    group = hs_alloc_array((size_t)r->p->workers, sizeof(hs_group *));
    if (!group)
        return HISS_OK; /* omits rates, not draws */
    for (int w = 0; w < r->p->workers; w++)
        group[w] = r->p->worker[w].group;
    hs_run_report(run, group, r->p->workers);
    hs_free(group);
    return HISS_OK;
}

hiss_status hs_smc_run(hs_run *run, const hs_model *m, const hs_scheme *scheme,
                       const hiss_settings *set, double started,
                       hiss_error *err)
{
    struct smc_run r = {
        .run = run,
        .m = m,
        .scheme = scheme,
        .set = set,
        .started = started,
        .resample = hs_sampler_number(scheme->sampler, "resample"),
        .steps = (int)hs_sampler_number(scheme->sampler, "steps"),
        .betas = &scheme->betas.list};
    hiss_status rc = prepare(&r, err);

    if (rc == HISS_OK)
        rc = walk(&r, err);
    if (rc == HISS_OK)
        rc = finish(&r, err);
    hs_population_destroy(r.p);
    hs_pool_destroy(r.pool);
    hs_free(r.chosen);
    hs_free(r.marginal);
    return rc;
}
