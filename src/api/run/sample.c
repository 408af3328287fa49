/* sample.c - runs a sampler and makes the result. */
#include <math.h>
#include <string.h>

#include "api/object/manifest.h"
#include "api/object/objects.h"
#include "api/object/sized.h"
#include "base/alloc.h"
#include "base/error.h"
#include "base/platform/platform.h"
#include "base/pool.h"
#include "device/open.h"
#include "kernel/kernel.h"
#include "run/chain/twice.h"
#include "run/comm/ranks.h"
#include "run/sampling/checkpoint.h"

#define CHAINS_MAX 1000000
#define STEPS_MAX  ((int64_t)1 << 40)

/* Threads of a rank: the processors it is bound to, else its share of the
 * machine's. */
static int threads_of_rank(const hs_ranks *ranks, int wanted)
{
    int all = hs_threads(0), own;

    if (wanted > 0 || hs_ranks_size(ranks) == 1)
        return hs_threads(wanted);
    own = hs_platform_bound_processors();
    own = own < all ? own : all / ranks->local;
    return own < 1 ? 1 : own;
}

int hs_threads(int wanted)
{
    int all = hs_platform_processors();

    if (wanted > 0)
        return wanted;
    return all > HS_THREADS_MAX ? HS_THREADS_MAX : all;
}

hiss_status hs_check_threads(int wanted, hiss_error *err)
{
    if (wanted < 0 || wanted > HS_THREADS_MAX)
        return hs_fail(err, HISS_EARG, "threads must be in [0,%d], not %d",
                       HS_THREADS_MAX, wanted);
    if (wanted > 1 && !hs_platform_has_threads())
        return hs_fail(err, HISS_EUNSUP,
                       "a WebAssembly build has one thread, not %d", wanted);
    return HISS_OK;
}

static const hiss_settings defaults = {.size = sizeof defaults,
                                       .samples = 1000,
                                       .warmup = -1,
                                       .thin = 1,
                                       .seed = 1,
                                       .checkpoint_every = 60.0};

void hiss_settings_defaults(hiss_settings *settings, size_t size)
{
    hs_sized_init(settings, size, &defaults, sizeof defaults);
}

static hiss_status check_settings(const hiss_settings *s, hiss_error *err)
{
    hs_device_choice device;

    if (s->chains < 1 || s->chains > CHAINS_MAX)
        return hs_fail(err, HISS_EARG,
                       "chains must be in [1,%d], or 0 for the default, not %d",
                       CHAINS_MAX, s->chains);
    if (s->samples < 0 || s->samples > STEPS_MAX)
        return hs_fail(err, HISS_EARG, "samples must be in [0,2^40]");
    if (s->samples_most < 0 || s->samples_most > STEPS_MAX)
        return hs_fail(err, HISS_EARG, "samples_most must be in [0,2^40]");
    if (s->thin < 1 || s->thin > STEPS_MAX)
        return hs_fail(err, HISS_EARG, "thin must be in [1,2^40]");
    if (s->warmup < -1 || s->warmup > STEPS_MAX)
        return hs_fail(err, HISS_EARG,
                       "warmup must be in [0,2^40], or -1 for half the run");
    HS_TRY(hs_check_threads(s->threads, err));
    HS_TRY(hs_device_parse(s->device, &device, err));
    if (!(s->evals >= 0.0) || !(s->time_limit >= 0.0) || !(s->ess >= 0.0) ||
        !(s->afterwards >= 0.0))
        return hs_fail(err, HISS_EARG, "a budget must not be negative or NaN");
    if (!(s->checkpoint_every >= 0.0))
        return hs_fail(err, HISS_EARG,
                       "checkpoint_every must not be negative or NaN");
    if (s->steps_before < 0 || s->steps_before > STEPS_MAX)
        return hs_fail(err, HISS_EARG, "steps_before must be in [0,2^40]");
    if (s->by_level && (s->ranks || device.is_card))
        return hs_fail(err, HISS_EUNSUP,
                       "chains by level are advanced by the processor and one "
                       "rank");
    if (s->by_level && (s->resume || s->checkpoint))
        return hs_fail(err, HISS_EUNSUP,
                       "chains by level are kept by the caller, not in a "
                       "checkpoint");
    if (s->level_draws && (s->ranks || device.is_card || s->resume ||
                           s->checkpoint || s->samples == 0))
        return hs_fail(err, HISS_EUNSUP,
                       "draws of all levels are kept of a given number of "
                       "them, by the processor and one rank, without a "
                       "checkpoint");
    if (s->samples > STEPS_MAX / s->thin)
        return hs_fail(err, HISS_EARG,
                       "samples times thin is more than 2^40 steps");
    if (s->samples == 0 && s->evals == 0.0 && s->time_limit == 0.0 &&
        s->ess == 0.0)
        return hs_fail(err, HISS_EARG,
                       "samples is 0 and there is no budget of evaluations, "
                       "time or ESS: the run would not end");
    return HISS_OK;
}

static hiss_status check_places(const hiss_settings *s, hiss_error *err)
{
    if ((s->checkpoint && !*s->checkpoint) || (s->resume && !*s->resume))
        return hs_fail(err, HISS_EARG,
                       "the name of the checkpoint is empty, expected a file");
    return HISS_OK;
}

/* Whether all coordinates of all states have one of their two values. */
static bool are_pairs(const hs_domain *d, const double *x, int64_t states)
{
    const float *value = d->values + d->value[0];
    double low = (double)value[0], high = (double)value[d->is_pair];
    int odd = !d->is_pair;

    for (int64_t n = 0; !odd && n < states * d->dim;) {
        int64_t end = n + d->dim;

        for (; n < end; n++)
            odd |= x[n] != low && x[n] != high;
    }
    return !odd;
}

static hiss_status check_init(const hs_model *m, int replicas,
                              const hiss_settings *s, hiss_error *err)
{
    const hs_domain *d = &m->domain;
    int64_t states = s->by_level ? (int64_t)s->chains * replicas : s->chains;

    if (!s->init || are_pairs(d, s->init, states))
        return HISS_OK;
    for (int64_t c = 0; c < states; c++)
        for (int i = 0; i < d->dim; i++) {
            double x = s->init[(size_t)c * (size_t)d->dim + (size_t)i];
            bool is_there = false;

            for (int v = 0; v < d->states[i]; v++)
                is_there |= (double)d->values[d->value[i] + v] == x;
            if (!is_there)
                return hs_fail(err, HISS_EARG,
                               "initial state of chain %d: coordinate %d (%s) "
                               "has no value %g",
                               (int)(s->by_level ? c / replicas : c), i + 1,
                               hs_kind_name(d->kind[i]), x);
        }
    return HISS_OK;
}

/* Copies what a result needs of its model, which may be gone later. */
static hiss_status remember_model(hiss_result *r, const hs_model *m,
                                  hiss_error *err)
{
    size_t bytes = (size_t)m->domain.dim * sizeof *m->fixed_at;

    HS_TRY(hs_domain_copy(&r->domain, &m->domain, err));
    if (!m->fixed_at)
        return HISS_OK;
    r->fixed_at = hs_alloc_array(1, bytes);
    r->full_states = hs_alloc_array(1, bytes);
    if (!r->fixed_at || !r->full_states)
        return hs_fail_memory(err);
    memcpy(r->fixed_at, m->fixed_at, bytes);
    memcpy(r->full_states, m->full_states, bytes);
    return HISS_OK;
}

/* All ranks must succeed in this before they continue together. */
static hiss_status prepare(hiss_result **out, char **origin,
                           const hiss_model *model, const hiss_sampler *sampler,
                           hiss_settings *s, hiss_error *err)
{
    bool has_checkpoint = s->checkpoint || s->resume;

    HS_TRY(check_settings(s, err));
    HS_TRY(check_places(s, err));
    HS_TRY(check_init(model->model, sampler->tree->replicas, s, err));
    *out = hs_alloc_array(1, sizeof **out);
    *origin =
        has_checkpoint ? hs_manifest_origin(model, sampler) : hs_strdup("");
    if (!*out || !*origin)
        return hs_fail_memory(err);
    return model->model->is_user && !s->resume
               ? hs_model_check_function(model->model, err)
               : HISS_OK;
}

static hiss_status finish(hiss_result *r, const hiss_model *model,
                          const hiss_sampler *sampler, hiss_error *err)
{
    HS_TRY(remember_model(r, model->model, err));
    return hs_manifest_make(r, model, sampler, err);
}

hiss_status hiss_sample(hiss_result **out, const hiss_model *model,
                        const hiss_sampler *sampler,
                        const hiss_settings *settings, hiss_error *err)
{
    hs_ranks *ranks;
    hiss_settings s = defaults;
    hiss_result *r = NULL;
    char *origin = NULL;
    hiss_status rc;

    if (out)
        *out = NULL;
    if (!out || !model || !sampler || !settings)
        return hs_fail(err, HISS_EARG, "hiss_sample: an argument is NULL");
    HS_TRY(hs_sized_read(&s, sizeof s, settings, "hiss_settings", err));
    if (s.chains == 0)
        s.chains = hiss_default_chains(model);
    ranks = s.ranks ? hs_ranks_all() : NULL;
    rc = hs_ranks_agree(ranks, prepare(&r, &origin, model, sampler, &s, err),
                        err);
    if (rc == HISS_OK) {
        s.threads = threads_of_rank(ranks, s.threads);
        rc = hs_run_all(&r->run, model->model, origin, sampler->tree, &s, err);
    }
    if (rc == HISS_OK && hs_ranks_rank(ranks) == 0)
        rc = finish(r, model, sampler, err);
    hs_free(origin);
    if (rc != HISS_OK || hs_ranks_rank(ranks) != 0) {
        hiss_result_destroy(r);
        return rc;
    }
    *out = r;
    return HISS_OK;
}

hiss_status hiss_checkpoint_text(const char *path, char **text, hiss_error *err)
{
    if (text)
        *text = NULL;
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
    hs_domain_clear(&result->domain);
    hs_free(result->fixed_at);
    hs_free(result->full_states);
    json_decref(result->manifest);
    hs_free(result->folder);
    hs_free(result);
}

int hiss_result_info(const hiss_result *result, hiss_run_info *out)
{
    return hs_sized_fill(out, result ? &result->run.info : NULL, sizeof *out);
}

const void *hiss_result_draws(const hiss_result *result)
{
    return result ? result->run.store.draws : NULL;
}

const double *hiss_result_lp(const hiss_result *result)
{
    return result ? result->run.store.lp : NULL;
}

void hiss_result_draw(const hiss_result *result, int chain, int64_t draw,
                      double *values)
{
    if (result && values && chain >= 0 && chain < result->run.info.chains &&
        draw >= 0 && draw < result->run.info.samples)
        hs_store_draw(&result->run.store, chain, draw, values);
}

int hiss_result_levels(const hiss_result *result, double *values)
{
    const hs_run *run = result ? &result->run : NULL;
    const hs_domain *d;
    size_t states;

    if (!run || !run->by_level)
        return 0;
    d = &result->domain;
    states = (size_t)run->info.chains * (size_t)run->info.replicas;
    for (size_t k = 0; values && k < states; k++)
        for (int i = 0; i < d->dim; i++) {
            size_t at = k * (size_t)d->dim + (size_t)i;

            values[at] = (double)d->values[d->value[i] + run->by_level[at]];
        }
    return run->info.replicas;
}

int hiss_result_acceptance(const hiss_result *result, int number,
                           const char **name, double *rate)
{
    const hs_counter *c;

    if (!result || !name || !rate || number < 0 ||
        number >= result->run.counters)
        return 0;
    c = &result->run.counter[number];
    *name = c->name;
    *rate = c->proposed > 0.0 ? c->accepted / c->proposed : (double)NAN;
    return 1;
}

hiss_counted hiss_result_counted(const hiss_result *result, int number)
{
    if (!result || number < 0 || number >= result->run.counters)
        return HISS_COUNTED_STEPS;
    return result->run.counter[number].counted;
}

const char *hiss_result_tuning(const hiss_result *result)
{
    return result ? result->run.tuning : NULL;
}

int hiss_result_tempering(const hiss_result *result, hiss_tempering *out)
{
    bool has_levels = result && result->run.tempering.levels > 0;

    return hs_sized_fill(out, has_levels ? &result->run.tempering : NULL,
                         sizeof *out);
}

int hiss_result_multicanonical(const hiss_result *result,
                               hiss_multicanonical *out)
{
    bool is_there = result && result->run.flat.cells > 0;

    return hs_sized_fill(out, is_there ? &result->run.flat : NULL, sizeof *out);
}

int hiss_result_population(const hiss_result *result, hiss_population *out)
{
    bool is_there = result && result->run.population.temperatures > 0;

    return hs_sized_fill(out, is_there ? &result->run.population : NULL,
                         sizeof *out);
}

int hiss_result_network_weights(const hiss_result *result,
                                hiss_network_weights *out)
{
    bool is_there = result && result->run.network.bond > 0;

    return hs_sized_fill(out, is_there ? &result->run.network : NULL,
                         sizeof *out);
}

const char *hiss_result_resolved(const hiss_result *result)
{
    return result ? result->run.resolved : NULL;
}

const char *hiss_result_device(const hiss_result *result)
{
    return result ? result->run.device : NULL;
}

const char *hiss_result_pilot(const hiss_result *result)
{
    return result ? result->run.pilot : NULL;
}

const char *hiss_result_warning(const hiss_result *result)
{
    return result && *result->run.warning ? result->run.warning : NULL;
}
