/* manifest.c - what a run was, as one JSON object, and back.
 *
 * Keys are documented in docs/results.md.  A failed allocation of jansson
 * leaves a key out; that the object itself is there is checked. */
#include "api/manifest.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/sha256.h"
#include "base/text.h"
#include "model/gemm.h"
#include "sink/sink.h"

#define RNG "Philox4x32-10 (Random123), addressed by seed, chain and step"

static const char *const ended_words[] = {
    [HISS_ENDED_DONE] = "done",   [HISS_ENDED_STOPPED] = "stopped",
    [HISS_ENDED_EVALS] = "evals", [HISS_ENDED_TIME] = "time",
    [HISS_ENDED_ESS] = "ess",
};

static const char *const element_words[] = {
    [HISS_INT8] = "int8",
    [HISS_INT16] = "int16",
    [HISS_FLOAT32] = "float32",
};

/* --- making ------------------------------------------------------------- */

static void put(json_t *o, const char *key, json_t *value)
{
    json_object_set_new(o, key, value);
}

static void put_text(json_t *o, const char *key, const char *text)
{
    json_t *value = text ? json_string(text) : NULL;

    if (value) /* not UTF-8: left out */
        put(o, key, value);
}

static void put_real(json_t *o, const char *key, double value)
{
    put(o, key, isfinite(value) ? json_real(value) : json_null());
}

static void put_now(json_t *o)
{
    time_t now = time(NULL);
    char text[64];
    struct tm utc;

    gmtime_r(&now, &utc);
    strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%S+00:00", &utc);
    put_text(o, "created_at", text);
}

/* "AMD EPYC 7763", from where Linux tells it. */
static void put_processor(json_t *o)
{
    FILE *file = fopen("/proc/cpuinfo", "r");
    char line[256], *name;

    while (file && fgets(line, sizeof line, file))
        if (strncmp(line, "model name", 10) == 0 &&
            (name = strchr(line, ':'))) {
            name += 1 + strspn(name + 1, " ");
            name[strcspn(name, "\n")] = '\0';
            put_text(o, "processor", name);
            break;
        }
    if (file)
        fclose(file);
}

hiss_status hs_manifest_add_file(json_t *manifest, const char *path,
                                 hiss_error *err)
{
    json_t *list = json_object_get(manifest, "inputs"), *one = json_object();
    char digest[HS_SHA256_TEXT], *whole;
    int64_t bytes;
    hiss_status rc = hs_sha256_file(path, digest, &bytes, err);

    if (rc != HISS_OK) {
        json_decref(one);
        return rc;
    }
    whole = realpath(path, NULL);
    put_text(one, "path", whole ? whole : path);
    free(whole);
    put_text(one, "sha256", digest);
    put(one, "bytes", json_integer(bytes));
    json_array_append_new(list, one);
    return HISS_OK;
}

static bool is_file(const char *path)
{
    struct stat found;

    return path && stat(path, &found) == 0 && S_ISREG(found.st_mode);
}

/* Files among the words of a spec. */
static void add_spec_files(json_t *manifest, const hs_spec *spec)
{
    if (!spec->is_list && is_file(spec->text))
        hs_manifest_add_file(manifest, spec->text, NULL);
    for (int i = 0; i < spec->count; i++)
        add_spec_files(manifest, &spec->child[i]);
}

static void add_model_files(json_t *manifest, const char *name)
{
    hs_spec spec;

    if (is_file(name)) {
        hs_manifest_add_file(manifest, name, NULL);
    } else if (hs_spec_parse(&spec, name, NULL) == HISS_OK) {
        for (int i = 0; i < spec.count; i++)
            add_spec_files(manifest, &spec.child[i]);
        hs_spec_clear(&spec);
    }
}

char *hs_manifest_origin(const hiss_model *model)
{
    json_t *o = json_object(), *list, *one;
    hs_text text = {0};
    size_t n;

    put(o, "inputs", json_array());
    add_model_files(o, hiss_model_name(model));
    list = json_object_get(o, "inputs");
    json_array_foreach(list, n, one)
    {
        hs_text_add_string(&text,
                           json_string_value(json_object_get(one, "sha256")));
    }
    json_decref(o);
    return hs_text_take(&text);
}

static json_t *levels_json(const hs_run *run)
{
    json_t *list = json_array();

    for (int j = 0; j < run->levels; j++) {
        const hs_level *level = &run->level[j];
        json_t *one = json_object();

        put_real(one, "temperature", level->temperature);
        put_real(one, "accept", level->accepted / level->proposed);
        if (level->swaps > 0.0)
            put_real(one, "swap", level->swapped / level->swaps);
        if (level->tuning)
            put_text(one, "tuning", level->tuning);
        json_array_append_new(list, one);
    }
    return list;
}

static void put_counts(json_t *o, const hs_run *run)
{
    const hiss_run_info *info = &run->info;
    json_t *evals = json_object(), *accept = json_object();

    put(o, "dim", json_integer(info->dim));
    put(o, "chains", json_integer(info->chains));
    put(o, "replicas", json_integer(info->replicas));
    put(o, "samples", json_integer(info->samples));
    put(o, "warmup", json_integer(info->warmup));
    put(o, "thin", json_integer(info->thin));
    put_text(o, "element", element_words[info->element]);
    put(o, "threads", json_integer(info->threads));
    put(o, "ranks", json_integer(info->ranks));
    put_real(o, "seconds", info->seconds);
    put_text(o, "ended", ended_words[info->ended]);
    put_real(evals, "energy", info->energy_evals);
    put_real(evals, "gradient", info->gradient_evals);
    put(o, "evals", evals);
    for (int n = 0; n < run->counters; n++)
        put_real(accept, run->counter[n].name,
                 run->counter[n].accepted / run->counter[n].proposed);
    put(o, "accept", accept);
    if (run->tuning)
        put_text(o, "tuning", run->tuning);
    put_text(o, "resolved", run->resolved);
    if (run->pilot)
        put_text(o, "pilot", run->pilot);
    if (run->doubt)
        put_text(o, "doubt", run->doubt);
    if (run->rungs.levels > 0 && run->rungs.is_absolute) {
        put_real(o, "log_z", run->rungs.log_z);
        put_real(o, "log_z_se", run->rungs.log_z_se);
        put(o, "log_z_settled", json_boolean(run->rungs.log_z_settled));
    }
    put(o, "levels", levels_json(run));
    if (run->checkpoints > 0) {
        json_t *checkpoints = json_object();

        put(checkpoints, "written", json_integer(run->checkpoints));
        put_real(checkpoints, "seconds", run->checkpoint_seconds);
        put(o, "checkpoints", checkpoints);
    }
    put(o, "marginals", json_string(run->marginal ? "every step" : "draws"));
}

/* What tempering found, where there was any. */
static void put_tempering(json_t *o, const hiss_result *result)
{
    json_t *one;
    hiss_tempering t;

    if (!hiss_result_tempering(result, &t))
        return;
    one = json_object();
    put(one, "levels", json_integer(t.levels));
    put_real(one, "barrier", t.barrier);
    put_real(one, "round_trips", t.round_trips);
    put(one, "absolute", json_boolean(t.is_absolute));
    put_real(one, "log_z", t.log_z);
    put_real(one, "log_z_se", t.log_z_se);
    put(one, "log_z_settled", json_boolean(t.log_z_settled));
    put(o, "tempering", one);
}

hiss_status hs_manifest_make(hiss_result *result, const hiss_model *model,
                             const hiss_sampler *sampler, hiss_error *err)
{
    json_t *o = json_object();
    char seed[32];

    if (!o)
        return hs_fail_memory(err);
    result->manifest = o;
    put_text(o, "hiss", hiss_version());
    put(o, "format", json_integer(HS_RESULT_FORMAT));
    put_now(o);
    put_text(o, "model", hiss_model_name(model));
    put_text(o, "note", hiss_model_note(model));
    put(o, "inputs", json_array());
    add_model_files(o, hiss_model_name(model));
    put_text(o, "sampler", hiss_sampler_spec(sampler));
    put(o, "exact", json_boolean(result->run.info.is_exact));
    put(o, "reversible", json_boolean(hiss_sampler_is_reversible(sampler)));
    snprintf(seed, sizeof seed, "%llu",
             (unsigned long long)result->run.info.seed);
    put_text(o, "seed", seed); /* text: JSON numbers end at 2^53 */
    put_text(o, "rng", RNG);
    put_text(o, "isa", hiss_isa());
    put_processor(o);
    if (model->model->uses_blas)
        put_text(o, "blas", hs_gemm_name());
    put_counts(o, &result->run);
    put_tempering(o, result);
    put(o, "domain", hs_domain_json(&result->domain));
    return HISS_OK;
}

char *hs_manifest_line(const hiss_result *result)
{
    char *text =
        json_dumps(result->manifest, JSON_COMPACT | JSON_PRESERVE_ORDER |
                                         JSON_REAL_PRECISION(17));
    char *copy = text ? hs_strdup(text) : NULL;

    free(text);
    return copy;
}

static void add_comment(hs_text *t, const char *key, const char *text)
{
    if (!text)
        return;
    if (t->length > 0)
        hs_text_add_char(t, '\n');
    hs_text_add_string(t, key);
    hs_text_add_string(t, ": ");
    for (; *text; text++) /* a comment is one line */
        hs_text_add_char(t, *text == '\n' ? ' ' : *text);
}

char *hs_manifest_comments(const hiss_result *result)
{
    static const char *const before[] = {"command", "model", "sampler"};
    const hiss_run_info *info = &result->run.info;
    hs_text t = {0};
    char number[64];

    add_comment(&t, "hiss", hiss_result_text(result, "hiss"));
    for (size_t i = 0; i < sizeof before / sizeof *before; i++)
        add_comment(&t, before[i], hiss_result_text(result, before[i]));
    add_comment(&t, "exact",
                info->is_exact ? "yes" : "no, the draws follow another law");
    add_comment(&t, "seed", hiss_result_text(result, "seed"));
    snprintf(number, sizeof number, "%d", info->chains);
    add_comment(&t, "chains", number);
    snprintf(number, sizeof number, "%lld", (long long)info->samples);
    add_comment(&t, "samples", number);
    snprintf(number, sizeof number, "%lld", (long long)info->warmup);
    add_comment(&t, "warmup", number);
    snprintf(number, sizeof number, "%lld", (long long)info->thin);
    add_comment(&t, "thin", number);
    add_comment(&t, "element", element_words[info->element]);
    add_comment(&t, "ended", ended_words[info->ended]);
    add_comment(&t, "tuning", hiss_result_text(result, "tuning"));
    return hs_text_take(&t);
}

/* --- reading ------------------------------------------------------------ */

static double real_of(const json_t *o, const char *key)
{
    const json_t *value = json_object_get(o, key);

    return json_is_number(value) ? json_number_value(value) : (double)NAN;
}

static int64_t whole_of(const json_t *o, const char *key)
{
    return json_integer_value(json_object_get(o, key));
}

static const char *text_of(const json_t *o, const char *key)
{
    return json_string_value(json_object_get(o, key));
}

static void apply_levels(hs_run *run, const json_t *o)
{
    const json_t *list = json_object_get(o, "levels"), *one;
    size_t n;

    run->level = hs_alloc_array(json_array_size(list), sizeof *run->level);
    run->levels = run->level ? (int)json_array_size(list) : 0;
    json_array_foreach(list, n, one)
    {
        const char *tuning = text_of(one, "tuning");

        if (n >= (size_t)run->levels)
            break;
        run->level[n] = (hs_level){.temperature = real_of(one, "temperature"),
                                   .proposed = 1.0,
                                   .accepted = real_of(one, "accept"),
                                   .swaps = 1.0,
                                   .swapped = real_of(one, "swap")};
        run->level[n].tuning = tuning ? hs_strdup(tuning) : NULL;
    }
}

static void apply_counters(hs_run *run, json_t *o)
{
    json_t *accept = json_object_get(o, "accept"), *rate;
    const char *tuning = text_of(o, "tuning"), *name;

    json_object_foreach(accept, name, rate)
    {
        hs_counter *c = &run->counter[run->counters];

        if (run->counters == HS_COUNTERS_MAX)
            break;
        snprintf(c->name, sizeof c->name, "%s", name);
        c->proposed = json_is_number(rate) ? 1.0 : 0.0;
        c->accepted = json_number_value(rate);
        run->counters++;
    }
    run->tuning = tuning ? hs_strdup(tuning) : NULL;
}

hiss_status hs_manifest_apply(hiss_result *result, const char *path,
                              hiss_error *err)
{
    json_t *o = result->manifest, *evals = json_object_get(o, "evals");
    hiss_run_info *info = &result->run.info;
    const char *ended = text_of(o, "ended"), *seed = text_of(o, "seed");

    if (!json_is_object(o) || !ended || !seed || !text_of(o, "sampler"))
        return hs_fail(err, HISS_EPARSE, "%s: its manifest is damaged", path);
    if (whole_of(o, "format") != HS_RESULT_FORMAT)
        return hs_fail(err, HISS_EPARSE,
                       "%s: layout %lld of hiss %s, this version reads layout "
                       "%d",
                       path, (long long)whole_of(o, "format"),
                       text_of(o, "hiss") ? text_of(o, "hiss") : "(unknown)",
                       HS_RESULT_FORMAT);
    if (whole_of(o, "chains") != info->chains ||
        whole_of(o, "samples") != info->samples ||
        whole_of(o, "dim") != info->dim)
        return hs_fail(err, HISS_EPARSE,
                       "%s: its draws are not those that its manifest "
                       "describes",
                       path);
    info->replicas = (int)whole_of(o, "replicas");
    info->warmup = whole_of(o, "warmup");
    info->thin = whole_of(o, "thin");
    info->seed = strtoull(seed, NULL, 10);
    info->threads = (int)whole_of(o, "threads");
    info->ranks = (int)whole_of(o, "ranks");
    info->seconds = real_of(o, "seconds");
    info->energy_evals = real_of(evals, "energy");
    info->gradient_evals = real_of(evals, "gradient");
    info->is_exact = json_is_true(json_object_get(o, "exact"));
    for (int e = HISS_ENDED_DONE; e <= HISS_ENDED_ESS; e++)
        if (strcmp(ended, ended_words[e]) == 0)
            info->ended = (hiss_ended)e;
    apply_levels(&result->run, o);
    apply_counters(&result->run, o);
    return hs_domain_from_json(&result->domain, json_object_get(o, "domain"),
                               info->dim, path, err);
}
