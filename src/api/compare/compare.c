/* compare.c - a race of samplers at equal cost. */
#include <hiss/compare.h>

#include <math.h>

#include "api/compare/racer.h"
#include "api/compare/ranking.h"
#include "api/object/objects.h"
#include "api/object/sized.h"
#include "base/alloc.h"
#include "base/clock.h"
#include "base/error.h"
#include "device/open.h"
#include "diag/tests/tvd.h"

#define SAMPLERS_MAX    10000
#define CHAINS_MAX      100000
#define REPETITIONS_MAX 10000
#define ALL_MAX         1000000 /* most chains of a run */
#define SAMPLES_LEAST   8
#define STEPS_MAX       ((int64_t)1 << 40)

struct hiss_comparison {
    hs_distance distance; /* owned */
    hs_racer *racers;     /* owned, [samplers * HS_RACES] */
    int racer_count;
    char **words; /* owned, [samplers]: their original texts */
    int samplers;
    hiss_race_outcome outcome[HS_RACES];
    bool is_run[HS_RACES];
};

static const hiss_compare_settings defaults = {
    .size = sizeof defaults, .repetitions = 8, .warmup = -1, .seed = 1};

void hiss_compare_settings_defaults(hiss_compare_settings *settings,
                                    size_t size)
{
    hs_sized_init(settings, size, &defaults, sizeof defaults);
}

static bool is_on(const hiss_compare_settings *s, int race)
{
    return race == HISS_RACE_EVALS  ? s->evals > 0.0
           : race == HISS_RACE_TIME ? s->time_limit > 0.0
                                    : s->samples > 0;
}

static hiss_status check_settings(const hiss_compare_settings *s,
                                  hiss_error *err)
{
    hs_device_choice device;

    HS_TRY(hs_device_parse(s->device, &device, err));
    if (!(s->evals >= 0.0) || !(s->time_limit >= 0.0))
        return hs_fail(err, HISS_EARG, "a budget must not be negative or NaN");
    if (s->samples != 0 &&
        (s->samples < SAMPLES_LEAST || s->samples > STEPS_MAX))
        return hs_fail(err, HISS_EARG,
                       "samples must be in [%d,2^40], or 0: no such race",
                       SAMPLES_LEAST);
    if (s->evals == 0.0 && s->time_limit == 0.0 && s->samples == 0)
        return hs_fail(err, HISS_EARG,
                       "evals, time_limit or samples is missing: what the "
                       "samplers may spend");
    if (s->repetitions < 2 || s->repetitions > REPETITIONS_MAX)
        return hs_fail(err, HISS_EARG, "repetitions must be in [2,%d], not %d",
                       REPETITIONS_MAX, s->repetitions);
    if (s->chains < 1 || s->chains > CHAINS_MAX)
        return hs_fail(err, HISS_EARG,
                       "chains must be in [1,%d], or 0 for the default, not %d",
                       CHAINS_MAX, s->chains);
    if ((int64_t)s->chains * s->repetitions > ALL_MAX)
        return hs_fail(err, HISS_EARG,
                       "%d chains in each of %d repetitions are %lld, expected "
                       "at most %d in all",
                       s->chains, s->repetitions,
                       (long long)s->chains * s->repetitions, ALL_MAX);
    if (s->warmup < -1 || s->warmup > STEPS_MAX)
        return hs_fail(err, HISS_EARG,
                       "warmup must be in [0,2^40], or -1 for the usual one");
    return hs_check_threads(s->threads, err);
}

/* Whether a run could begin: the spec is valid and can move the model. */
static hiss_status check_sampler(const char *word, const hiss_model *model,
                                 hiss_error *err)
{
    hiss_sampler *sampler;
    hs_kernel *tree;
    const char *spec;
    int64_t thin;
    hiss_status rc;

    HS_TRY(hs_racer_spec(word, &spec, &thin, err));
    HS_TRY(hiss_sampler_create(&sampler, spec, err));
    rc = hs_sampler_set_up(&tree, sampler, model, err);
    hs_kernel_destroy(tree);
    hiss_sampler_destroy(sampler);
    return rc;
}

/* Copies the specs; all are checked before the first one runs. */
static hiss_status take_samplers(hiss_comparison *c, const hiss_model *model,
                                 const char *const *words, int count,
                                 hiss_error *err)
{
    c->words = hs_alloc_array((size_t)count, sizeof *c->words);
    c->racers = hs_alloc_array(HS_RACES * (size_t)count, sizeof *c->racers);
    if (!c->words || !c->racers)
        return hs_fail_memory(err);
    for (; c->samplers < count; c->samplers++) {
        const char *word = words[c->samplers];

        if (!word)
            return hs_fail(err, HISS_EARG, "hiss_compare: sampler %d is NULL",
                           c->samplers);
        HS_TRY(check_sampler(word, model, err));
        c->words[c->samplers] = hs_strdup(word);
        if (!c->words[c->samplers])
            return hs_fail_memory(err);
    }
    return HISS_OK;
}

static hiss_status run_race(hiss_comparison *c, hiss_race race,
                            const hiss_model *model, hs_race_watch *watch,
                            hiss_error *err)
{
    hs_racer *racers = &c->racers[c->racer_count];

    for (int n = 0; n < c->samplers; n++) {
        c->racer_count++;
        HS_TRY(hs_racer_run(&racers[n], c->words[n], race, model, &c->distance,
                            watch, err));
    }
    c->is_run[race] = true;
    return hs_ranking_decide(&c->outcome[race], racers, c->samplers,
                             c->distance.exact != NULL, err);
}

static hiss_status run_races(hiss_comparison *c, const hiss_model *model,
                             const hiss_compare_settings *settings,
                             hiss_error *err)
{
    hs_race_watch watch = {.settings = settings, .began = hs_now()};
    hiss_exact *exact;

    for (int race = 0; race < HS_RACES; race++)
        watch.all += is_on(settings, race) ? c->samplers : 0;
    HS_TRY(hs_race_watch_exact(&watch, &exact, model, err));
    HS_TRY(hs_distance_init(&c->distance, exact, model, err));
    for (int race = 0; race < HS_RACES; race++)
        if (is_on(settings, race))
            HS_TRY(run_race(c, (hiss_race)race, model, &watch, err));
    return HISS_OK;
}

hiss_status hiss_compare(hiss_comparison **out, const hiss_model *model,
                         const char *const *samplers, int count,
                         const hiss_compare_settings *settings, hiss_error *err)
{
    hiss_compare_settings s = defaults;
    hiss_comparison *c;
    hiss_status rc;

    if (out)
        *out = NULL;
    if (!out || !model || !samplers || !settings)
        return hs_fail(err, HISS_EARG, "hiss_compare: an argument is NULL");
    if (count < 2 || count > SAMPLERS_MAX)
        return hs_fail(err, HISS_EARG,
                       "%d samplers: a race needs two or more, at most %d",
                       count, SAMPLERS_MAX);
    HS_TRY(hs_sized_read(&s, sizeof s, settings, "hiss_compare_settings", err));
    if (s.chains == 0 && s.repetitions > 0 && s.repetitions <= REPETITIONS_MAX)
        s.chains = hs_default_chains(model->model, s.repetitions);
    HS_TRY(check_settings(&s, err));
    c = hs_alloc_array(1, sizeof *c);
    if (!c)
        return hs_fail_memory(err);
    rc = take_samplers(c, model, samplers, count, err);
    if (rc == HISS_OK)
        rc = run_races(c, model, &s, err);
    if (rc != HISS_OK) {
        hiss_comparison_destroy(c);
        return rc;
    }
    *out = c;
    return HISS_OK;
}

void hiss_comparison_destroy(hiss_comparison *comparison)
{
    if (!comparison)
        return;
    for (int n = 0; n < comparison->racer_count; n++)
        hs_racer_clear(&comparison->racers[n]);
    for (int n = 0; n < comparison->samplers; n++)
        hs_free(comparison->words[n]);
    hs_distance_clear(&comparison->distance);
    hs_free(comparison->racers);
    hs_free(comparison->words);
    hs_free(comparison);
}

const char *hiss_comparison_metric(const hiss_comparison *comparison)
{
    return comparison ? hs_distance_metric(&comparison->distance) : NULL;
}

const hiss_racer *hiss_comparison_racer(const hiss_comparison *comparison,
                                        int number)
{
    if (!comparison || number < 0 || number >= comparison->racer_count)
        return NULL;
    return &comparison->racers[number].summary;
}

const hiss_race_outcome *hiss_comparison_outcome(
    const hiss_comparison *comparison, hiss_race race)
{
    if (!comparison || (int)race < 0 || (int)race >= HS_RACES ||
        !comparison->is_run[race])
        return NULL;
    return &comparison->outcome[race];
}

double hiss_tvd(const int64_t *counts, const double *law, int64_t states)
{
    if (!counts || !law || states < 1)
        return (double)NAN;
    return hs_tvd(counts, law, states);
}
