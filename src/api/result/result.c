/* result.c - results as files, and queries of them. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "api/object/manifest.h"
#include "api/object/objects.h"
#include "api/object/sized.h"
#include "api/object/trust.h"
#include "base/alloc.h"
#include "base/error.h"
#include "base/read/input.h"
#include "base/read/json.h"
#include "base/read/sha256.h"
#include "base/read/trust.h"
#include "sink/apart.h"
#include "sink/seal.h"
#include "sink/sink.h"

int hiss_output_format(int number, hiss_output_info *out)
{
    for (int s = 0; hs_sinks[s]; s++)
        if (s == number) {
            hiss_output_info info = {.name = hs_sinks[s]->name,
                                     .suffixes = hs_sinks[s]->suffixes,
                                     .summary = hs_sinks[s]->summary,
                                     .is_read = hs_sinks[s]->read != NULL};

            return hs_sized_fill(out, &info, sizeof info);
        }
    return 0;
}

hiss_status hiss_output_check(const char *path, const hiss_model *model,
                              hiss_error *err)
{
    const hs_sink *sink;

    if (!path)
        return hs_fail(err, HISS_EARG, "no file name given");
    HS_TRY(hs_sink_find(&sink, path, err));
    if (model && sink->check)
        return sink->check(&model->model->domain, path, err);
    return HISS_OK;
}

/* --- writing ------------------------------------------------------------ */

/* Computes the marginals of every coordinate; owned by the caller. */
static double *marginals_of(const hiss_result *result)
{
    const hs_domain *d = &result->domain;
    double *all = hs_alloc_array((size_t)d->value_count, sizeof *all);

    for (int i = 0; all && i < d->dim; i++)
        hiss_result_marginal(result, i, all + d->value[i]);
    return all;
}

static hs_draws draws_of(const hs_store *store, int64_t samples)
{
    return (hs_draws){.samples = samples,
                      .x = store->draws,
                      .lp = store->lp,
                      .accept = store->accept};
}

hiss_status hiss_result_write(const hiss_result *result, const char *path,
                              int replace, hiss_error *err)
{
    const hiss_run_info *info;
    const hs_sink *sink;
    char *manifest, *comments;
    double *marginal;
    hiss_status rc;

    if (!result)
        return hs_fail(err, HISS_EARG, "hiss_result_write: no result");
    info = &result->run.info;
    HS_TRY(hiss_output_check(path, NULL, err));
    HS_TRY(hs_sink_find(&sink, path, err));
    manifest = hs_manifest_line(result);
    comments = hs_manifest_comments(result);
    marginal = marginals_of(result);
    if (manifest && comments && marginal) {
        const char *created = hiss_result_text(result, "created_at");
        hs_output out = {
            .domain = &result->domain,
            .fixed_at = result->fixed_at,
            .full_states = result->full_states,
            .chains = info->chains,
            .element = info->element,
            .kept = draws_of(&result->run.store, info->samples),
            .warmup = draws_of(&result->run.warm, info->warmup_samples),
            .marginal = marginal,
            .manifest = manifest,
            .comments = comments,
            .version = hiss_version(),
            .created = created ? created : "",
            .is_biased = !info->is_exact,
            .seconds = info->seconds,
            .warmup_steps = info->warmup,
            .thin = info->thin,
            .seed = info->seed,
        };

        rc = sink->write(&out, path, replace, err);
    } else {
        rc = hs_fail_memory(err);
    }
    hs_free(manifest);
    hs_free(comments);
    hs_free(marginal);
    return rc;
}

int hiss_result_halve(hiss_result *result)
{
    hiss_run_info *info = result ? &result->run.info : NULL;
    bool failed = false;

    if (!info || info->samples < 2)
        return 0;
    for (int c = 0; c < info->chains; c++)
        hs_store_thin(&result->run.store, c, info->samples, 2);
    info->samples /= 2;
    info->thin *= 2;
    info->warmup_samples = 0;
    hs_store_shrink(&result->run.store, info->samples);
    hs_json_put_whole(result->manifest, "samples", info->samples, &failed);
    hs_json_put_whole(result->manifest, "thin", info->thin, &failed);
    return !failed;
}

/* --- reading ------------------------------------------------------------ */

/* Moves draws and marginals to the result. */
static void adopt(hiss_result *result, hs_loaded *in)
{
    hs_run *run = &result->run;

    run->info = (hiss_run_info){.chains = in->chains,
                                .dim = in->dim,
                                .samples = in->samples,
                                .element = in->element};
    run->store = (hs_store){.dim = in->dim,
                            .chains = in->chains,
                            .capacity = in->samples,
                            .element = in->element,
                            .draws = in->x,
                            .mapped = in->mapped,
                            .lp = in->lp,
                            .accept = in->accept};
    run->marginal = in->marginal;
    in->x = NULL;
    in->lp = NULL;
    in->accept = NULL;
    in->marginal = NULL;
}

static bool is_value(const hs_domain *d, int i, double x)
{
    for (int v = d->value[i]; v < d->value[i + 1]; v++)
        if ((double)d->values[v] == x)
            return true;
    return false;
}

/* Checks that every draw is a state of the manifest's coordinates. */
static hiss_status check_values(const hiss_result *r, const char *path,
                                hiss_error *err)
{
    const hiss_run_info *info = &r->run.info;
    double *x = hs_alloc_array((size_t)info->dim, sizeof *x);
    hiss_status rc = x ? HISS_OK : hs_fail_memory(err);

    for (int c = 0; c < info->chains && rc == HISS_OK; c++)
        for (int64_t n = 0; n < info->samples && rc == HISS_OK; n++) {
            hs_store_draw(&r->run.store, c, n, x);
            for (int i = 0; i < info->dim && rc == HISS_OK; i++)
                if (!is_value(&r->domain, i, x[i]))
                    rc = hs_fail(err, HISS_EPARSE,
                                 "%s: chain %d, draw %lld: x.%d is %g, which "
                                 "is none of its values",
                                 path, c, (long long)n, i + 1, x[i]);
        }
    hs_free(x);
    return rc;
}

hiss_status hiss_result_read(hiss_result **out, const char *path,
                             hiss_error *err)
{
    const hs_sink *sink;
    hs_loaded in;
    hiss_result *r;
    json_error_t fault;
    size_t length;
    hiss_status rc;

    if (out)
        *out = NULL;
    if (!out || !path)
        return hs_fail(err, HISS_EARG, "hiss_result_read: an argument is NULL");
    if (hs_sink_find(&sink, path, NULL) != HISS_OK)
        return hs_fail(err, HISS_EARG,
                       "%.512s: not a result by its name, expected .nc or .csv",
                       path);
    if (!sink->read)
        return hs_fail(err, HISS_EUNSUP,
                       "%s: files of this kind are only written; .nc and .csv "
                       "are read as well",
                       path);
    HS_TRY(hs_input_check(path, err)); /* netCDF opens it by its name */
    HS_TRY(hs_seal_check(path, err));
    if (sink->is_fragile) /* also with a valid checksum, because anybody can
                             make one */
        HS_TRY(hs_apart_read(&in, sink, path, err));
    else
        HS_TRY(sink->read(&in, path, err));
    r = hs_alloc_array(1, sizeof *r);
    if (!r) {
        hs_loaded_clear(&in);
        return hs_fail_memory(err);
    }
    adopt(r, &in);
    length = strlen(in.manifest);
    r->manifest = hs_json_parse(in.manifest, length, 0, &fault);
    if (!r->manifest && hs_json_lacked_memory(&fault, length))
        rc = hs_fail_memory(err);
    else
        rc = hs_manifest_apply(r, path, err);
    if (rc == HISS_OK)
        rc = hs_result_set_folder(r, path, err);
    if (rc == HISS_OK)
        rc = check_values(r, path, err);
    if (rc == HISS_OK && r->run.marginal && in.values != r->domain.value_count)
        rc = hs_fail(err, HISS_EPARSE,
                     "%s: its marginals do not fit its coordinates", path);
    hs_loaded_clear(&in);
    if (rc != HISS_OK) {
        hiss_result_destroy(r);
        return rc;
    }
    *out = r;
    return HISS_OK;
}

/* --- the manifest ------------------------------------------------------- */

char *hiss_result_manifest(const hiss_result *result)
{
    return result ? hs_manifest_line(result) : NULL;
}

hiss_status hiss_result_put(hiss_result *result, const char *key,
                            const char *text, hiss_error *err)
{
    bool failed = false;

    if (!result || !key)
        return hs_fail(err, HISS_EARG, "hiss_result_put: an argument is NULL");
    if (!text)
        return HISS_OK;
    if (!hs_json_is_utf8(text))
        return hs_fail(err, HISS_EARG, "%s is not UTF-8", key);
    hs_json_put_text(result->manifest, key, text, &failed);
    return failed ? hs_fail_memory(err) : HISS_OK;
}

const char *hiss_result_text(const hiss_result *result, const char *key)
{
    return result && key
               ? json_string_value(json_object_get(result->manifest, key))
               : NULL;
}

const char *hiss_result_objective(const hiss_result *result, double *scale,
                                  double *shift)
{
    const json_t *o = result ? result->manifest : NULL;
    const char *name = hiss_result_text(result, "objective_name");

    if (scale)
        *scale = name ? json_number_value(json_object_get(o, "objective_scale"))
                      : 1.0;
    if (shift)
        *shift = name ? json_number_value(json_object_get(o, "objective_shift"))
                      : 0.0;
    return name;
}

double hiss_result_beta(const hiss_result *result)
{
    const json_t *beta =
        result ? json_object_get(result->manifest, "beta") : NULL;

    if (!result)
        return (double)NAN;
    return json_is_number(beta) ? json_number_value(beta) : 1.0;
}

hiss_status hiss_result_add_input(hiss_result *result, const char *path,
                                  hiss_error *err)
{
    if (!result || !path)
        return hs_fail(err, HISS_EARG,
                       "hiss_result_add_input: an argument is NULL");
    return hs_manifest_add_file(result->manifest, path, err);
}

int hiss_result_input(const hiss_result *result, int number, const char **path,
                      const char **sha256)
{
    const json_t *list, *one;

    if (!result || !path || !sha256 || number < 0)
        return 0;
    list = json_object_get(result->manifest, "inputs");
    one = json_array_get(list, (size_t)number);
    *path = json_string_value(json_object_get(one, "path"));
    *sha256 = json_string_value(json_object_get(one, "sha256"));
    return *path && *sha256;
}

/* A file of a result of this process, which may read any file. */
static hiss_status check_own(const char *path, const char *was, hiss_error *err)
{
    char is[HS_SHA256_TEXT];
    int64_t bytes;

    HS_TRY(hs_sha256_file(path, is, &bytes, err));
    if (strcmp(is, was) == 0)
        return HISS_OK;
    return hs_fail(err, HISS_EARG,
                   "%s has changed since the run: its SHA-256 is %.12s..., was "
                   "%.12s...",
                   path, is, was);
}

hiss_status hiss_result_check_inputs(const hiss_result *result, hiss_error *err)
{
    const char *path, *was;
    hiss_status rc = HISS_OK;
    hiss_trust trust;

    if (!result)
        return hs_fail(err, HISS_EARG, "hiss_result_check_inputs: no result");
    HS_TRY(hs_trust_init(&trust, result, NULL, err));
    for (int n = 0; rc == HISS_OK && hiss_result_input(result, n, &path, &was);
         n++) {
        char *allowed = NULL;

        rc = result->folder
                 ? hs_trust_file(&trust, path, "--model", &allowed, err)
                 : check_own(path, was, err);
        hs_free(allowed);
    }
    hs_trust_clear(&trust);
    return rc;
}

/* --- coordinates -------------------------------------------------------- */

hiss_kind hiss_result_kind(const hiss_result *result, int coordinate)
{
    return result && hs_has_coordinate(&result->domain, coordinate)
               ? result->domain.kind[coordinate]
               : HISS_BINARY;
}

int hiss_result_states(const hiss_result *result, int coordinate)
{
    return result && hs_has_coordinate(&result->domain, coordinate)
               ? result->domain.states[coordinate]
               : 0;
}

const char *hiss_result_coordinate_name(const hiss_result *result,
                                        int coordinate)
{
    return result && result->domain.names &&
                   hs_has_coordinate(&result->domain, coordinate)
               ? result->domain.names[coordinate]
               : NULL;
}

const char *hiss_result_state_name(const hiss_result *result, int coordinate,
                                   int index)
{
    return result ? hs_domain_state_name(&result->domain, coordinate, index)
                  : NULL;
}

double hiss_result_value(const hiss_result *result, int coordinate, int index)
{
    return result ? hs_domain_value(&result->domain, coordinate, index)
                  : (double)NAN;
}

void hiss_result_column(const hiss_result *result, int coordinate, double *out)
{
    const hiss_run_info *info;

    if (!result || !out)
        return;
    info = &result->run.info;
    if (coordinate == -1)
        memcpy(out, result->run.store.lp,
               (size_t)info->chains * (size_t)info->samples * sizeof *out);
    else if (hs_has_coordinate(&result->domain, coordinate))
        hs_store_column(&result->run.store, info->samples, coordinate, out);
}

void hiss_result_marginal(const hiss_result *result, int coordinate,
                          double *out)
{
    const hs_domain *d;
    const hs_store *s;
    const float *values;
    int64_t total;
    int states;

    if (!result || !out || !hs_has_coordinate(&result->domain, coordinate))
        return;
    d = &result->domain;
    s = &result->run.store;
    total = s->chains * result->run.info.samples;
    states = d->states[coordinate];
    values = d->values + d->value[coordinate];
    if (result->run.marginal) {
        memcpy(out, result->run.marginal + d->value[coordinate],
               (size_t)states * sizeof *out);
        return;
    }
    memset(out, 0, (size_t)states * sizeof *out);
    for (int64_t n = 0; n < total; n++) {
        double x = hs_element_at(s->element, s->draws, n * d->dim + coordinate);

        for (int v = 0; v < states; v++)
            out[v] += (double)values[v] == x;
    }
    for (int v = 0; v < states; v++)
        out[v] /= (double)(total ? total : 1);
}

const float *hiss_result_accept(const hiss_result *result)
{
    return result ? result->run.store.accept : NULL;
}

int hiss_result_warmup(const hiss_result *result, hiss_warmup *out)
{
    const hs_store *warm;
    hiss_warmup draws;

    if (!result || result->run.info.warmup_samples == 0)
        return 0;
    warm = &result->run.warm;
    draws = (hiss_warmup){.samples = result->run.info.warmup_samples,
                          .draws = warm->draws,
                          .lp = warm->lp,
                          .accept = warm->accept};
    return hs_sized_fill(out, &draws, sizeof draws);
}

int hiss_result_particles(const hiss_result *result, hiss_particles *out)
{
    const hs_run *run = result ? &result->run : NULL;
    hiss_particles all;

    if (!run || !run->weight)
        return 0;
    all = (hiss_particles){.chains = run->info.chains,
                           .replicas = run->population.replicas,
                           .states = run->particles.draws,
                           .lp = run->particles.lp,
                           .weight = run->weight};
    return hs_sized_fill(out, &all, sizeof all);
}

int hiss_result_level(const hiss_result *result, int number, hiss_level *out)
{
    const hs_level *level;
    hiss_level info;

    if (!result || number < 0 || number >= result->run.levels)
        return 0;
    level = &result->run.level[number];
    info = (hiss_level){.temperature = level->temperature,
                        .accept = level->accepted / level->proposed,
                        .swap = level->swapped / level->swaps,
                        .tuning = level->tuning};
    return hs_sized_fill(out, &info, sizeof info);
}
