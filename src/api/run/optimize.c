/* optimize.c - the best states of a model. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "api/object/manifest.h"
#include "api/object/objects.h"
#include "api/object/sized.h"
#include "base/alloc.h"
#include "base/error.h"
#include "base/number.h"
#include "device/open.h"
#include "model/factors.h"
#include "run/pilot/tour_sampler.h"
#include "run/search/optimize.h"
#include "run/search/scale.h"
#include "run/search/time_to_target.h"
#include "sink/file.h"

#define METHOD       "anneal"
#define TOP_MAX      100000
#define TERMS        1e6 /* terms of U, summed again for each solution */
#define RESTARTS_MAX ((int64_t)1 << 30)

/* The method as a spec: the options of `anneal(...)`. */
struct method {
    hs_spec *base;       /* owned */
    hs_sampler *sampler; /* kept: its tree */
    int sweeps;
    double hot, cold;
    bool breed;
};

static const hs_option method_options[] = {
    {"base", HS_CHILD, offsetof(struct method, base), "gibbs", NULL,
     "kernel whose temperature falls"},
    {"sweeps", HS_INTEGER, offsetof(struct method, sweeps), "0",
     "[0,2000000000]", "steps of a restart; 0: short first, then longer"},
    {"hot", HS_AUTO, offsetof(struct method, hot), "auto", "(0,inf)",
     "beta at the start"},
    {"cold", HS_AUTO, offsetof(struct method, cold), "auto", "(0,inf)",
     "beta at the end"},
    {"breed", HS_BOOL, offsetof(struct method, breed), "yes", NULL,
     "put restarts together, part by part"},
    {0},
};

struct hiss_optimum {
    hs_optimum found; /* owned */
    hs_domain domain; /* owned: a copy, because the model may be gone */
    hiss_search_info info;
    char *method; /* owned */
};

static const hiss_optimize_settings defaults = {
    .size = sizeof defaults, .seed = 1, .top = 10};

void hiss_optimize_settings_defaults(hiss_optimize_settings *settings,
                                     size_t size)
{
    hs_sized_init(settings, size, &defaults, sizeof defaults);
}

static hiss_status check_settings(const hiss_optimize_settings *s,
                                  hiss_error *err)
{
    hs_device_choice device;

    if (!(s->time_limit >= 0.0) || !(s->evals >= 0.0))
        return hs_fail(err, HISS_EARG, "a budget must not be negative or NaN");
    if (s->restarts < 0 || s->restarts > RESTARTS_MAX)
        return hs_fail(err, HISS_EARG, "restarts must be in [0,%lld]",
                       (long long)RESTARTS_MAX);
    if (s->time_limit == 0.0 && s->evals == 0.0 && s->restarts == 0)
        return hs_fail(err, HISS_EARG,
                       "there is no budget of evaluations, restarts or time: "
                       "the search might not end");
    HS_TRY(hs_check_threads(s->threads, err));
    HS_TRY(hs_device_parse(s->device, &device, err));
    if (s->top < 1 || s->top > TOP_MAX)
        return hs_fail(err, HISS_EARG, "top must be in [1,%d]", TOP_MAX);
    if (s->target && !isfinite(*s->target))
        return hs_fail(err, HISS_EARG, "the target must be a finite number");
    return HISS_OK;
}

/* Replaces a kernel alone by anneal(base=kernel). */
static hiss_status wrap(hs_spec *spec, hiss_error *err)
{
    hs_spec whole = {.text = hs_strdup(METHOD)};
    bool is_whole = whole.text && hs_spec_add_copy(&whole, "base", spec);

    hs_spec_clear(spec);
    *spec = whole;
    return is_whole ? HISS_OK : hs_fail_memory(err);
}

/* Sets the default kernels of tours. */
static hiss_status complete(hs_spec *spec, const hs_model *m, hiss_error *err)
{
    if (m->domain.is_tour && !hs_options_has(method_options, spec, "base") &&
        !hs_spec_add_word(spec, "base", "tour"))
        return hs_fail_memory(err);
    return hs_tour_sampler_spec(spec, m, err);
}

/* Fills the options of the method.  Its base is a tree, whose spec has all
 * defaults. */
static hiss_status fill_method(struct method *out, const hs_spec *spec,
                               hiss_error *err)
{
    const hs_sampler *base;

    HS_TRY(hs_options_parse(method_options, spec, "sampler " METHOD, out, err));
    HS_TRY(hs_sampler_create(&out->sampler, out->base, err));
    base = out->sampler;
    hs_spec_clear(out->base);
    return hs_options_spec(out->base, base->type->options, base->type->name,
                           base->shape.state, err);
}

static void clear_method(struct method *method)
{
    hs_options_clear(method_options, method);
    hs_sampler_release(method->sampler);
}

static hiss_status parse_method(struct method *out, const hs_model *m,
                                const char *text, hiss_error *err)
{
    hs_spec spec;
    hiss_status rc = HISS_OK;

    if (!text)
        text = m->domain.is_tour      ? "tour"
               : hs_scale_is_cheap(m) ? "gibbs"
                                      : "dmala(alpha=auto)";
    HS_TRY(hs_spec_parse_as(&spec, text, "sampler spec", err));
    if (!hs_spec_is(&spec, METHOD))
        rc = wrap(&spec, err);
    if (rc == HISS_OK)
        rc = complete(&spec, m, err);
    if (rc == HISS_OK)
        rc = fill_method(out, &spec, err);
    hs_spec_clear(&spec);
    return rc;
}

/* Kernels with their own replicas or temperatures cannot be cooled. */
static hiss_status check_method(const struct method *method, hiss_error *err)
{
    const hs_kernel_type *type = method->sampler->type;

    if (type->is_outermost)
        return hs_fail(err, HISS_EARG,
                       "sampler anneal: %s has replicas or temperatures of "
                       "its own; give its base kernel",
                       type->name);
    if (isfinite(method->hot) && isfinite(method->cold) &&
        method->hot > method->cold)
        return hs_fail(err, HISS_EARG,
                       "sampler anneal: hot=%g is colder than cold=%g; both "
                       "are inverse temperatures",
                       method->hot, method->cold);
    return HISS_OK;
}

static void scale_of(const hs_model *m, double *scale, double *shift)
{
    *scale = m->objective ? m->objective_scale : 1.0;
    *shift = m->objective ? m->objective_shift : 0.0;
}

static void describe(hiss_optimum *o, const hs_model *m,
                     const hiss_optimize_settings *s)
{
    const hs_optimum *found = &o->found;
    double scale, shift, u = found->solutions.at[0].u;

    scale_of(m, &scale, &shift);
    o->info = (hiss_search_info){.objective = scale * u + shift,
                                 .u = u,
                                 .is_minimised = scale < 0.0,
                                 .has_target = s->target != NULL,
                                 .target_hit = found->is_hit,
                                 .target = s->target ? *s->target : (double)NAN,
                                 .seconds = found->seconds,
                                 .best_seconds = found->best_seconds,
                                 .evals = found->evals,
                                 .restarts = found->restarts,
                                 .solutions = found->solutions.count,
                                 .rows = found->rows,
                                 .hot = found->hot,
                                 .cold = found->cold,
                                 .seed = s->seed,
                                 .threads = hs_threads(s->threads),
                                 .ended = found->ended,
                                 .sampler = o->method,
                                 .device = found->device};
}

/* Computes U of the best state again, from the state alone. */
static hiss_status check_best(const hiss_optimum *o, const hs_model *m,
                              hiss_error *err)
{
    const hs_solution *best = &o->found.solutions.at[0];
    double u;

    HS_TRY(hs_model_energy(m, best->state, &u, err));
    if (fabs(u - best->u) <= hs_optimum_tolerance(u))
        return HISS_OK;
    return hs_fail(
        err, HISS_EINTERNAL,
        "model %s: the best state has log p = %.17g, the search says "
        "%.17g",
        m->name, u, best->u);
}

/* Gives solution n its U, among those before it that are in order. */
static void put_in_order(hs_solutions *s, int n, double u)
{
    hs_solution one = s->at[n];

    one.u = u;
    for (; n > 0 && s->at[n - 1].u < u; n--)
        s->at[n] = s->at[n - 1];
    s->at[n] = one;
}

/* Of a model with an objective of its own, U of all solutions from the
 * coefficients as they were given: a search in single precision has a cut of .8
 * as .8000000149.  Not of models so large that their tables take longer than a
 * glance. */
static hiss_status sharpen(hs_solutions *s, const hs_model *m, hiss_error *err)
{
    hs_factors f = {0};
    hiss_status rc;

    if (!m->objective || !m->ops->factors || hs_model_work_of(m).terms > TERMS)
        return HISS_OK;
    rc = m->ops->factors(m, &f, err);
    if (rc == HISS_EUNSUP || rc == HISS_ELIMIT)
        return HISS_OK;
    for (int n = 0; rc == HISS_OK && n < s->count; n++)
        put_in_order(s, n, hs_factors_energy(&f, s->at[n].state));
    hs_factors_clear(&f);
    return rc;
}

static hiss_status run(hiss_optimum *o, const hs_model *m,
                       const struct method *method,
                       const hiss_optimize_settings *s, hiss_error *err)
{
    double scale, shift;
    hs_search search = {.kernel = method->sampler,
                        .goal = HUGE_VAL,
                        .time_limit = s->time_limit,
                        .evals = s->evals,
                        .restarts = s->restarts,
                        .sweeps = method->sweeps,
                        .hot = method->hot,
                        .cold = method->cold,
                        .breeds = method->breed,
                        .seed = s->seed,
                        .threads = hs_threads(s->threads),
                        .device = s->device,
                        .top = s->top,
                        .progress = s->progress,
                        .context = s->context};

    scale_of(m, &scale, &shift);
    if (s->target)
        search.goal = (*s->target - shift) / scale;
    o->method = hs_options_print(method_options, METHOD, method);
    if (!o->method)
        return hs_fail_memory(err);
    HS_TRY(hs_domain_copy(&o->domain, &m->domain, err));
    HS_TRY(hs_optimize(&o->found, m, &search, err));
    HS_TRY(check_best(o, m, err));
    HS_TRY(sharpen(&o->found.solutions, m, err));
    describe(o, m, s);
    return HISS_OK;
}

hiss_status hiss_optimize(hiss_optimum **out, const hiss_model *model,
                          const hiss_optimize_settings *settings,
                          hiss_error *err)
{
    hiss_optimize_settings s = defaults;
    struct method method = {0};
    hiss_optimum *o;
    hiss_status rc;

    if (out)
        *out = NULL;
    if (!out || !model || !settings)
        return hs_fail(err, HISS_EARG, "hiss_optimize: an argument is NULL");
    HS_TRY(
        hs_sized_read(&s, sizeof s, settings, "hiss_optimize_settings", err));
    HS_TRY(check_settings(&s, err));
    o = hs_alloc_array(1, sizeof *o);
    rc = o ? parse_method(&method, model->model, s.sampler, err)
           : hs_fail_memory(err);
    if (rc == HISS_OK)
        rc = check_method(&method, err);
    if (rc == HISS_OK)
        rc = run(o, model->model, &method, &s, err);
    clear_method(&method);
    if (rc != HISS_OK) {
        hiss_optimum_destroy(o);
        return rc;
    }
    *out = o;
    return HISS_OK;
}

void hiss_optimum_destroy(hiss_optimum *optimum)
{
    if (!optimum)
        return;
    hs_optimum_clear(&optimum->found);
    hs_domain_clear(&optimum->domain);
    hs_free(optimum->method);
    hs_free(optimum);
}

int hiss_optimum_info(const hiss_optimum *optimum, hiss_search_info *out)
{
    return hs_sized_fill(out, optimum ? &optimum->info : NULL, sizeof *out);
}

int hiss_optimum_solution(const hiss_optimum *optimum, int number,
                          double *values, double *u, int64_t *hits)
{
    const hs_domain *d;
    const hs_solution *s;

    if (!optimum || number < 0 || number >= optimum->found.solutions.count)
        return 0;
    d = &optimum->domain;
    s = &optimum->found.solutions.at[number];
    for (int i = 0; values && i < d->dim; i++)
        values[i] = (double)d->values[d->value[i] + s->state[i]];
    if (u)
        *u = s->u;
    if (hits)
        *hits = s->hits;
    return 1;
}

int hiss_optimum_row(const hiss_optimum *optimum, int number,
                     hiss_search_row *out)
{
    const hs_search_row *r;
    hiss_search_row row;
    hs_time_to_target t;
    double each;

    if (!optimum || number < 0 || number >= optimum->found.rows)
        return 0;
    r = &optimum->found.row[number];
    t = hs_time_to_target_restarts(r->hits, r->restarts);
    each = r->evals / (double)r->restarts;
    row = (hiss_search_row){.is_bred = r->is_bred,
                            .sweeps = r->sweeps,
                            .restarts = r->restarts,
                            .hits = r->hits,
                            .evals = each,
                            .tts = t.restarts * each,
                            .tts_low = t.low * each,
                            .tts_high = t.high * each};
    return hs_sized_fill(out, &row, sizeof row);
}

/* Writes the lines of a text, each after "# ". */
static void write_comments(FILE *to, const char *text)
{
    while (text && *text) {
        size_t length = strcspn(text, "\n");

        fprintf(to, "# %.*s\n", (int)length, text);
        text += length + (text[length] == '\n');
    }
}

/* Writes a line of values in the order of the model. */
static void write_state(FILE *to, const hs_domain *d, const int16_t *state)
{
    for (int i = 0; i < d->dim; i++) {
        char text[HS_NUMBER_MAX];

        hs_number_print(text, (double)d->values[d->value[i] + state[i]]);
        fprintf(to, "%s%s", i ? " " : "", text);
    }
    fputc('\n', to);
}

/* Writes a tour like TSPLIB: one city per line, -1 at the end. */
static void write_tour(FILE *to, const hs_domain *d, const int16_t *state,
                       const char *header)
{
    fprintf(to, "TYPE : TOUR\n");
    while (header && *header) {
        size_t length = strcspn(header, "\n");

        fprintf(to, "COMMENT : %.*s\n", (int)length, header);
        header += length + (header[length] == '\n');
    }
    fprintf(to, "DIMENSION : %d\nTOUR_SECTION\n", d->dim);
    for (int i = 0; i < d->dim; i++)
        fprintf(to, "%d\n", state[i] + 1);
    fprintf(to, "-1\nEOF\n");
}

static bool is_tour_file(const char *path)
{
    size_t length = strlen(path);

    return length > 5 && strcmp(path + length - 5, ".tour") == 0;
}

hiss_status hiss_optimum_write(const hiss_optimum *optimum, const char *path,
                               const char *header, int replace, hiss_error *err)
{
    const hs_domain *d;
    const int16_t *state;
    hs_file file;

    if (!optimum || !path || !*path)
        return hs_fail(err, HISS_EARG,
                       "hiss_optimum_write: no optimum or no file name");
    d = &optimum->domain;
    state = optimum->found.solutions.at[0].state;
    HS_TRY(hs_file_open(&file, path, replace != 0, err));
    if (d->is_tour && is_tour_file(path)) {
        write_tour(file.stream, d, state, header);
    } else {
        write_comments(file.stream, header);
        write_state(file.stream, d, state);
    }
    return hs_file_commit(&file, err);
}
