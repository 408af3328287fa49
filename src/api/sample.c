/* sample.c - running a sampler, and what it drew. */
#include <math.h>
#include <unistd.h>

#include "api/objects.h"
#include "base/alloc.h"
#include "base/error.h"
#include "base/pool.h"
#include "diag/column.h"
#include "diag/ess.h"
#include "diag/mcse.h"
#include "diag/rhat.h"
#include "run/checkpoint.h"

#define CHAINS_MAX 1000000
#define STEPS_MAX  ((int64_t)1 << 40)

int hs_threads(int wanted)
{
    long all = sysconf(_SC_NPROCESSORS_ONLN);

    if (wanted > 0)
        return wanted;
    return all < 1 ? 1 : all > HS_THREADS_MAX ? HS_THREADS_MAX : (int)all;
}

void hiss_settings_init(hiss_settings *settings)
{
    *settings = (hiss_settings){.chains = 4,
                                .samples = 1000,
                                .warmup = -1,
                                .thin = 1,
                                .seed = 1,
                                .checkpoint_every = 60.0};
}

static hiss_status check_settings(const hiss_settings *s, hiss_error *err)
{
    if (s->chains < 1 || s->chains > CHAINS_MAX)
        return hs_fail(err, HISS_EARG, "chains must be in [1,%d], not %d",
                       CHAINS_MAX, s->chains);
    if (s->samples < 0 || s->samples > STEPS_MAX)
        return hs_fail(err, HISS_EARG, "samples must not be negative");
    if (s->thin < 1 || s->thin > STEPS_MAX)
        return hs_fail(err, HISS_EARG, "thin must be at least 1");
    if (s->warmup < -1 || s->warmup > STEPS_MAX)
        return hs_fail(err, HISS_EARG, "warmup must not be negative");
    if (s->threads < 0 || s->threads > HS_THREADS_MAX)
        return hs_fail(err, HISS_EARG, "threads must be in [0,%d]",
                       HS_THREADS_MAX);
    if (!(s->evals >= 0.0) || !(s->time_limit >= 0.0))
        return hs_fail(err, HISS_EARG, "a budget must not be negative");
    if (s->samples > STEPS_MAX / s->thin)
        return hs_fail(err, HISS_EARG,
                       "samples times thin is more than 2^40 steps");
    if (s->samples == 0 && s->evals == 0.0 && s->time_limit == 0.0)
        return hs_fail(err, HISS_EARG,
                       "samples is 0 and there is no budget of evaluations or "
                       "time: the run would not end");
    return HISS_OK;
}

static hiss_status check_init(const hs_model *m, const hiss_settings *s,
                              hiss_error *err)
{
    const hs_domain *d = &m->domain;

    for (int c = 0; s->init && c < s->chains; c++)
        for (int i = 0; i < d->dim; i++) {
            double x = s->init[(size_t)c * (size_t)d->dim + (size_t)i];
            bool is_there = false;

            for (int v = 0; v < d->states[i]; v++)
                is_there |= (double)d->values[d->value[i] + v] == x;
            if (!is_there)
                return hs_fail(err, HISS_EARG,
                               "initial state of chain %d: coordinate %d (%s) "
                               "has no value %g",
                               c, i + 1, hs_kind_name(d->kind[i]), x);
        }
    return HISS_OK;
}

hiss_status hiss_sample(hiss_result **out, const hiss_model *model,
                        const hiss_sampler *sampler,
                        const hiss_settings *settings, hiss_error *err)
{
    hiss_settings s;
    hiss_result *r;
    hiss_status rc;

    if (!out || !model || !sampler || !settings)
        return hs_fail(err, HISS_EARG, "hiss_sample: an argument is NULL");
    *out = NULL;
    s = *settings;
    HS_TRY(check_settings(&s, err));
    HS_TRY(check_init(model->model, &s, err));
    s.threads = hs_threads(s.threads);
    r = hs_alloc_array(1, sizeof *r);
    if (!r)
        return hs_fail_memory(err);
    rc = hs_run_all(&r->run, model->model, &sampler->spec, &s, err);
    if (rc != HISS_OK) {
        hs_free(r);
        return rc;
    }
    r->run.info.is_exact = hiss_sampler_is_exact(sampler);
    *out = r;
    return HISS_OK;
}

hiss_status hiss_checkpoint_text(const char *path, char **text, hiss_error *err)
{
    if (!path || !text)
        return hs_fail(err, HISS_EARG,
                       "hiss_checkpoint_text: an argument is NULL");
    return hs_checkpoint_text(path, text, err);
}

void hiss_result_destroy(hiss_result *result)
{
    if (!result)
        return;
    hs_run_clear(&result->run);
    hs_free(result);
}

void hiss_result_info(const hiss_result *result, hiss_run_info *out)
{
    *out = result->run.info;
}

const void *hiss_result_draws(const hiss_result *result)
{
    return result->run.store.draws;
}

const double *hiss_result_lp(const hiss_result *result)
{
    return result->run.store.lp;
}

void hiss_result_draw(const hiss_result *result, int chain, int64_t draw,
                      double *values)
{
    hs_store_draw(&result->run.store, chain, draw, values);
}

int hiss_result_acceptance(const hiss_result *result, int number,
                           const char **name, double *rate)
{
    const hs_counter *c = &result->run.counter[number];

    if (number < 0 || number >= result->run.counters)
        return 0;
    *name = c->name;
    *rate = c->proposed > 0.0 ? c->accepted / c->proposed : (double)NAN;
    return 1;
}

const char *hiss_result_tuning(const hiss_result *result)
{
    return *result->run.tuning ? result->run.tuning : NULL;
}

const char *hiss_result_warning(const hiss_result *result)
{
    return *result->run.warning ? result->run.warning : NULL;
}

static const hiss_column_state states[] = {
    [HS_COLUMN_VARIES] = HISS_VARIES,
    [HS_COLUMN_CONSTANT] = HISS_CONSTANT,
    [HS_COLUMN_STUCK] = HISS_STUCK,
    [HS_COLUMN_SHORT] = HISS_TOO_SHORT,
    [HS_COLUMN_UNDEFINED] = HISS_NOT_FINITE,
};

/* Mean, spread and trust of draws as [chain][n]. */
static hiss_status describe(const double *draws, int chains, int64_t n,
                            hiss_column *out, hiss_error *err)
{
    hs_column c = hs_column_inspect(draws, chains, n);
    double count = (double)chains * (double)n, sum = 0.0, square = 0.0;

    *out = (hiss_column){.state = states[c.state],
                         .still = c.still,
                         .mcse = NAN,
                         .ess_bulk = NAN,
                         .ess_tail = NAN,
                         .rhat = NAN};
    for (int64_t i = 0; i < chains * n; i++)
        sum += draws[i];
    out->mean = sum / count;
    for (int64_t i = 0; i < chains * n; i++)
        square += (draws[i] - out->mean) * (draws[i] - out->mean);
    out->sd = count > 1.0 ? sqrt(square / (count - 1.0)) : (double)NAN;
    if (c.state != HS_COLUMN_VARIES)
        return HISS_OK;
    HS_TRY(hs_ess_bulk(draws, chains, n, &out->ess_bulk, err));
    HS_TRY(hs_ess_tail(draws, chains, n, &out->ess_tail, err));
    HS_TRY(hs_rhat(draws, chains, n, &out->rhat, err));
    return hs_mcse_mean(draws, chains, n, &out->mcse, err);
}

hiss_status hiss_result_coordinate(const hiss_result *result, int coordinate,
                                   hiss_column *out, hiss_error *err)
{
    const hiss_run_info *info = &result->run.info;
    double *column;
    hiss_status rc;

    if (coordinate < 0 || coordinate >= info->dim)
        return hs_fail(err, HISS_EARG, "coordinate %d of %d", coordinate,
                       info->dim);
    column = hs_alloc_array((size_t)info->chains * (size_t)info->samples,
                            sizeof *column);
    if (!column)
        return hs_fail_memory(err);
    hs_store_column(&result->run.store, info->samples, coordinate, column);
    rc = describe(column, info->chains, info->samples, out, err);
    hs_free(column);
    return rc;
}

hiss_status hiss_result_energy(const hiss_result *result, hiss_column *out,
                               hiss_error *err)
{
    const hiss_run_info *info = &result->run.info;

    return describe(result->run.store.lp, info->chains, info->samples, out,
                    err);
}
