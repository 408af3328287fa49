/* racer.c - one sampler of a comparison. */
#include "api/compare/racer.h"

#include <hiss/hiss.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "diag/tests/repetitions.h"

#define DRAWS_MAX   65536 /* draws stored per chain, then thinned */
#define DRAWS_LEAST 8
#define THIN_MAX    1000000000
#define COLUMNS_MIN 8
#define COLUMNS_MAX 64
#define VALUES_MAX  2e7 /* values in columns whose ESS is computed */

/* A run and its evaluation. */
struct outcome {
    hiss_result *result; /* owned */
    hiss_run_info info;
    int chains, repetitions;
    double *distance, *cover; /* owned, [HS_RACE_POINTS][repetitions] */
};

hiss_status hs_racer_spec(const char *word, const char **spec, int64_t *thin,
                          hiss_error *err)
{
    const char *star = strchr(word, '*');
    char *end;

    *thin = 1;
    *spec = word;
    if (*word < '0' || *word > '9')
        return HISS_OK;
    *thin = strtoll(word, &end, 10);
    if (*thin < 1 || *thin > THIN_MAX || end + strspn(end, " \t") != star)
        return hs_fail(err, HISS_EARG,
                       "%s: expected a sampler, or as in 10*gibbs the steps "
                       "per draw and a sampler",
                       word);
    *spec = star + 1 + strspn(star + 1, " \t");
    return HISS_OK;
}

static hiss_settings run_settings(const hiss_racer *racer, hs_race_watch *watch)
{
    const hiss_compare_settings *set = watch->settings;
    hiss_settings s;

    hiss_settings_init(&s);
    s.chains = set->chains * set->repetitions;
    s.samples = racer->race == HISS_RACE_SAMPLES ? set->samples : 0;
    s.samples_most = DRAWS_MAX;
    s.thin = racer->thin;
    s.warmup = set->warmup;
    s.seed = set->seed;
    s.threads = set->threads;
    s.device = set->device;
    if (racer->race == HISS_RACE_TIME)
        s.time_limit = set->time_limit * set->repetitions;
    else if (racer->race == HISS_RACE_EVALS)
        s.evals = set->evals * set->repetitions;
    if (set->progress) {
        s.progress = hs_race_watch_show;
        s.context = watch;
    }
    return s;
}

static hiss_status draw(struct outcome *o, const hiss_model *model,
                        const char *spec, const hiss_racer *racer,
                        hs_race_watch *watch, hiss_error *err)
{
    hiss_settings settings = run_settings(racer, watch);
    hiss_sampler *sampler;
    hiss_status rc;

    HS_TRY(hiss_sampler_create(&sampler, spec, err));
    rc = hiss_sample(&o->result, model, sampler, &settings, err);
    hiss_sampler_destroy(sampler);
    if (watch->is_stopped)
        return hs_race_watch_fail(err);
    if (rc != HISS_OK && rc != HISS_ESTOP)
        return rc;
    hiss_result_info(o->result, &o->info);
    if (o->info.samples < DRAWS_LEAST)
        return hs_fail(err, HISS_EARG,
                       "%s: %lld draws per chain are too few: raise evals, "
                       "time or samples, or lower chains",
                       racer->sampler, (long long)o->info.samples);
    return HISS_OK;
}

/* ESS of one repetition's part of a column; infinite if it is constant. */
static hiss_status block_ess(const struct outcome *o, const double *column,
                             int repetition, double *ess, hiss_error *err)
{
    int64_t first = (int64_t)repetition * o->chains * o->info.samples;
    hiss_column c = HISS_INIT(hiss_column);
    hiss_status rc =
        hiss_describe(column + first, o->chains, o->info.samples, &c, err);

    *ess = c.state == HISS_VARIES     ? c.ess_bulk
           : c.state == HISS_CONSTANT ? (double)INFINITY
                                      : 0.0;
    return rc;
}

/* The smallest ESS of U and evenly spaced coordinates. */
static hiss_status measure_ess(const struct outcome *o, double *smallest,
                               hiss_error *err)
{
    double all = (double)o->info.chains * (double)o->info.samples;
    double most = fmin(fmax(VALUES_MAX / all, COLUMNS_MIN), COLUMNS_MAX);
    int dim = o->info.dim, count = dim < most ? dim : (int)most;
    double *column = hs_alloc_array(
        (size_t)o->info.chains * (size_t)o->info.samples, sizeof *column);
    hiss_status rc = column ? HISS_OK : hs_fail_memory(err);

    for (int r = 0; r < o->repetitions; r++)
        smallest[r] = INFINITY;
    for (int n = -1; n < count && rc == HISS_OK; n++) {
        hiss_result_column(
            o->result, n < 0 ? -1 : (int)((int64_t)n * dim / count), column);
        for (int r = 0; r < o->repetitions && rc == HISS_OK; r++) {
            double ess;

            rc = block_ess(o, column, r, &ess, err);
            smallest[r] = ess < smallest[r] ? ess : smallest[r];
        }
    }
    for (int r = 0; r < o->repetitions; r++)
        if (isinf(smallest[r]))
            smallest[r] = NAN; /* nothing changed, and nothing varies under the
                                  model */
    hs_free(column);
    return rc;
}

/* Computes the distance after each share of the draws. */
static hiss_status measure_distance(hs_racer *racer, struct outcome *o,
                                    hs_distance *distance, hiss_error *err)
{
    const hiss_run_info *info = &o->info;
    int64_t draws[HS_RACE_POINTS];
    double all =
        (double)info->warmup + (double)info->samples * (double)info->thin;

    for (int k = 0; k < HS_RACE_POINTS; k++)
        draws[k] = info->samples >> (HS_RACE_POINTS - 1 - k);
    HS_TRY(hs_distance_measure(distance, o->result, o->chains, HS_RACE_POINTS,
                               draws, o->distance, o->cover, err));
    for (int k = 0; k < HS_RACE_POINTS; k++) {
        hiss_race_point *point = &racer->curve[k];
        double steps =
            (double)info->warmup + (double)draws[k] * (double)info->thin;

        point->evals = racer->summary.evals * steps / all;
        hs_repetitions_mean(o->distance + k * o->repetitions, o->repetitions,
                            &point->mean, &point->se);
    }
    racer->summary.curve = racer->curve;
    racer->summary.points = distance->exact ? HS_RACE_POINTS : 0;
    return HISS_OK;
}

static void set_figure(hiss_figure *figure, const double *values, int n)
{
    figure->values = values;
    hs_repetitions_mean(values, n, &figure->mean, &figure->se);
}

/* Copies a figure to another unit. */
static void scale_figure(hiss_figure *figure, const hiss_figure *of,
                         double scale, double *values, int n)
{
    for (int r = 0; r < n; r++)
        values[r] = of->values[r] * scale;
    *figure = (hiss_figure){
        .mean = of->mean * scale, .se = of->se * scale, .values = values};
}

static hiss_status measure(hs_racer *racer, struct outcome *o,
                           hs_distance *distance, hiss_error *err)
{
    hiss_racer *t = &racer->summary;
    int n = o->repetitions, last = (HS_RACE_POINTS - 1) * n;
    double *at = racer->values; /* one figure after the other */

    HS_TRY(measure_distance(racer, o, distance, err));
    for (int r = 0; r < n; r++) {
        at[r] = o->distance[last + r];
        at[n + r] = distance->has_states ? log(2.0 * at[r] / distance->states)
                                         : (double)NAN;
        at[2 * n + r] = o->cover[last + r];
    }
    HS_TRY(measure_ess(o, at + 3 * n, err));
    set_figure(&t->distance, at, n);
    set_figure(&t->log_mae, at + n, n);
    set_figure(&t->coverage, at + 2 * n, n);
    set_figure(&t->ess, at + 3 * n, n);
    scale_figure(&t->ess_per_eval, &t->ess, 1.0 / t->evals, at + 4 * n, n);
    scale_figure(&t->ess_per_second, &t->ess, 1.0 / t->seconds, at + 5 * n, n);
    return HISS_OK;
}

static hiss_status make_room(hs_racer *racer, struct outcome *o,
                             hiss_error *err)
{
    size_t n = (size_t)o->repetitions;

    racer->values = hs_alloc_array(6 * n, sizeof *racer->values);
    o->distance = hs_alloc_array(HS_RACE_POINTS * n, sizeof *o->distance);
    o->cover = hs_alloc_array(HS_RACE_POINTS * n, sizeof *o->cover);
    return racer->values && o->distance && o->cover ? HISS_OK
                                                    : hs_fail_memory(err);
}

hiss_status hs_racer_run(hs_racer *racer, const char *word, hiss_race race,
                         const hiss_model *model, hs_distance *distance,
                         hs_race_watch *watch, hiss_error *err)
{
    const hiss_compare_settings *set = watch->settings;
    struct outcome o = {.info = HISS_INIT(hiss_run_info),
                        .chains = set->chains,
                        .repetitions = set->repetitions};
    hiss_racer *t = &racer->summary;
    const char *spec;
    hiss_status rc;

    *t = (hiss_racer){.size = sizeof *t,
                      .sampler = word,
                      .race = race,
                      .chains = set->chains,
                      .repetitions = set->repetitions};
    HS_TRY(hs_racer_spec(word, &spec, &t->thin, err));
    rc = make_room(racer, &o, err);
    if (rc == HISS_OK)
        rc = draw(&o, model, spec, t, watch, err);
    if (rc == HISS_OK) {
        double evals = o.info.energy_evals + o.info.gradient_evals;

        t->is_exact = o.info.is_exact != 0;
        t->evals = evals / o.repetitions;
        t->seconds = o.info.seconds / o.repetitions;
        t->draws = o.info.samples;
        watch->done++;
        watch->evaluations += evals;
        rc = measure(racer, &o, distance, err);
    }
    hiss_result_destroy(o.result);
    hs_free(o.distance);
    hs_free(o.cover);
    return rc;
}

void hs_racer_clear(hs_racer *racer)
{
    hs_free(racer->values);
    *racer = (hs_racer){0};
}
