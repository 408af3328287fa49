/* manifest.c - the description of a run as one JSON object.
 *
 * docs/results.md documents the keys.  The object is complete, or memory was
 * short. */
#include "api/object/manifest.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/pool.h"
#include "base/read/json.h"
#include "base/read/sha256.h"
#include "base/text.h"
#include "model/gemm.h"
#include "sink/sink.h"

#define RNG "Philox4x32-10 (Random123), addressed by seed, chain and step"

const char *const hs_ended_words[] = {
    [HISS_ENDED_DONE] = "done",   [HISS_ENDED_STOPPED] = "stopped",
    [HISS_ENDED_EVALS] = "evals", [HISS_ENDED_TIME] = "time",
    [HISS_ENDED_ESS] = "ess",
};

static const char *const element_words[] = {
    [HISS_INT8] = "int8",
    [HISS_INT16] = "int16",
    [HISS_FLOAT32] = "float32",
};

static void put_now(json_t *o, bool *failed)
{
    time_t now = time(NULL);
    char text[64];
    struct tm utc;

    gmtime_r(&now, &utc);
    strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%S+00:00", &utc);
    hs_json_put_text(o, "created_at", text, failed);
}

/* Adds a name such as "AMD EPYC 7763", from Linux's list of processors. */
static void put_processor(json_t *o, bool *failed)
{
    FILE *file = fopen("/proc/cpuinfo", "r");
    char line[256], *name;

    while (file && fgets(line, sizeof line, file))
        if (strncmp(line, "model name", 10) == 0 &&
            (name = strchr(line, ':'))) {
            name += 1 + strspn(name + 1, " ");
            name[strcspn(name, "\n")] = '\0';
            hs_json_put_text(o, "processor", name, failed);
            break;
        }
    if (file)
        fclose(file);
}

hiss_status hs_manifest_add_file(json_t *manifest, const char *path,
                                 hiss_error *err)
{
    json_t *list = json_object_get(manifest, "inputs"), *one;
    char digest[HS_SHA256_TEXT], *whole;
    bool is_out = false, *failed = &is_out;
    int64_t bytes;

    HS_TRY(hs_sha256_file(path, digest, &bytes, err));
    one = json_object();
    whole = realpath(path, NULL);
    hs_json_put_text(one, "path", whole ? whole : path, failed);
    free(whole);
    hs_json_put_text(one, "sha256", digest, failed);
    hs_json_put_whole(one, "bytes", bytes, failed);
    hs_json_add(list, one, failed);
    return is_out ? hs_fail_memory(err) : HISS_OK;
}

static bool is_file(const char *path)
{
    struct stat found;

    return path && stat(path, &found) == 0 && S_ISREG(found.st_mode);
}

/* Omits a file that cannot be read any more. */
static void add_file(json_t *manifest, const char *path, bool *failed)
{
    if (hs_manifest_add_file(manifest, path, NULL) == HISS_ENOMEM)
        *failed = true;
}

/* Adds the files among the words of a spec. */
static void add_spec_files(json_t *manifest, const hs_spec *spec, bool *failed)
{
    if (!spec->is_list && is_file(spec->text))
        add_file(manifest, spec->text, failed);
    for (int i = 0; i < spec->count; i++)
        add_spec_files(manifest, &spec->child[i], failed);
}

static void add_model_files(json_t *manifest, const char *name, bool *failed)
{
    hiss_status rc;
    hs_spec spec;

    if (is_file(name)) {
        add_file(manifest, name, failed);
        return;
    }
    rc = hs_spec_parse(&spec, name, NULL);
    if (rc == HISS_ENOMEM)
        *failed = true;
    if (rc != HISS_OK)
        return;
    for (int i = 0; i < spec.count; i++)
        add_spec_files(manifest, &spec.child[i], failed);
    hs_spec_clear(&spec);
}

static hiss_status add_sampler_file(const void *manifest, const char *path,
                                    hiss_error *err)
{
    hiss_status rc = HISS_OK;

    if (is_file(path))
        rc = hs_manifest_add_file((json_t *)(uintptr_t)manifest, path, err);
    return rc == HISS_ENOMEM ? rc : HISS_OK;
}

/* Adds all input files of both, under "inputs". */
static void put_inputs(json_t *manifest, const hiss_model *model,
                       const hiss_sampler *sampler, bool *failed)
{
    hs_json_put(manifest, "inputs", json_array(), failed);
    add_model_files(manifest, hiss_model_name(model), failed);
    if (sampler && hs_sampler_each_file(sampler->tree, add_sampler_file,
                                        manifest, NULL) != HISS_OK)
        *failed = true;
}

char *hiss_model_inputs(const hiss_model *model, const hiss_sampler *sampler,
                        const char *file)
{
    json_t *o = model ? json_object() : NULL;
    bool failed = false;
    char *text = NULL;

    if (!o)
        return NULL;
    put_inputs(o, model, sampler, &failed);
    if (is_file(file))
        add_file(o, file, &failed);
    if (!failed)
        text = hs_json_print(json_object_get(o, "inputs"), JSON_COMPACT);
    json_decref(o);
    return text;
}

char *hs_manifest_origin(const hiss_model *model, const hiss_sampler *sampler)
{
    json_t *o = json_object(), *list, *one;
    hs_text text = {0};
    bool *failed = &text.failed;
    size_t n;

    put_inputs(o, model, sampler, failed);
    list = json_object_get(o, "inputs");
    json_array_foreach(list, n, one)
    {
        const char *sum = json_string_value(json_object_get(one, "sha256"));

        hs_text_add_string(&text, sum ? sum : "");
    }
    json_decref(o);
    return hs_text_take(&text);
}

static json_t *levels_json(const hs_run *run, bool *failed)
{
    json_t *list = json_array();

    for (int j = 0; j < run->levels; j++) {
        const hs_level *level = &run->level[j];
        json_t *one = json_object();

        hs_json_put_real(one, "temperature", level->temperature, failed);
        hs_json_put_real(one, "accept", level->accepted / level->proposed,
                         failed);
        if (level->swaps > 0.0)
            hs_json_put_real(one, "swap", level->swapped / level->swaps,
                             failed);
        if (level->tuning)
            hs_json_put_text(one, "tuning", level->tuning, failed);
        hs_json_add(list, one, failed);
    }
    return list;
}

static void put_counts(json_t *o, const hs_run *run, bool *failed)
{
    const hiss_run_info *info = &run->info;
    json_t *evals = json_object(), *accept = json_object();

    hs_json_put_whole(o, "dim", info->dim, failed);
    hs_json_put_whole(o, "chains", info->chains, failed);
    hs_json_put_whole(o, "replicas", info->replicas, failed);
    hs_json_put_whole(o, "samples", info->samples, failed);
    hs_json_put_whole(o, "warmup", info->warmup, failed);
    hs_json_put_whole(o, "thin", info->thin, failed);
    hs_json_put_text(o, "element", element_words[info->element], failed);
    hs_json_put_whole(o, "threads", info->threads, failed);
    hs_json_put_whole(o, "ranks", info->ranks, failed);
    hs_json_put_real(o, "seconds", info->seconds, failed);
    hs_json_put_text(o, "ended", hs_ended_words[info->ended], failed);
    hs_json_put_real(evals, "energy", info->energy_evals, failed);
    hs_json_put_real(evals, "gradient", info->gradient_evals, failed);
    hs_json_put(o, "evals", evals, failed);
    for (int n = 0; n < run->counters; n++)
        hs_json_put_real(accept, run->counter[n].name,
                         run->counter[n].accepted / run->counter[n].proposed,
                         failed);
    hs_json_put(o, "accept", accept, failed);
    if (run->tuning)
        hs_json_put_text(o, "tuning", run->tuning, failed);
    hs_json_put_text(o, "resolved", run->resolved, failed);
    if (run->pilot)
        hs_json_put_text(o, "pilot", run->pilot, failed);
    if (run->doubt)
        hs_json_put_text(o, "doubt", run->doubt, failed);
    if (run->tempering.levels > 0 && run->tempering.is_absolute) {
        hs_json_put_real(o, "log_z", run->tempering.log_z, failed);
        hs_json_put_real(o, "log_z_se", run->tempering.log_z_se, failed);
        hs_json_put(o, "log_z_settled",
                    json_boolean(run->tempering.log_z_settled), failed);
    }
    hs_json_put(o, "levels", levels_json(run, failed), failed);
    if (run->checkpoints > 0) {
        json_t *checkpoints = json_object();

        hs_json_put_whole(checkpoints, "written", run->checkpoints, failed);
        hs_json_put_real(checkpoints, "seconds", run->checkpoint_seconds,
                         failed);
        hs_json_put(o, "checkpoints", checkpoints, failed);
    }
    hs_json_put(o, "marginals",
                json_string(run->marginal ? "every step" : "draws"), failed);
}

/* The inverse temperature, and the objective as a function of log p. */
static void put_meaning(json_t *o, const hs_model *m, bool *failed)
{
    hs_json_put_real(o, "beta", hs_model_beta(m), failed);
    if (!m->objective)
        return;
    hs_json_put_text(o, "objective_name", m->objective, failed);
    hs_json_put_text(o, "sense", m->objective_scale < 0.0 ? "min" : "max",
                     failed);
    hs_json_put_real(o, "objective_scale", m->objective_scale, failed);
    hs_json_put_real(o, "objective_shift", m->objective_shift, failed);
}

/* Adds the results of tempering, if any. */
static void put_tempering(json_t *o, const hiss_result *result, bool *failed)
{
    json_t *one;
    hiss_tempering t = HISS_INIT(hiss_tempering);

    if (!hiss_result_tempering(result, &t))
        return;
    one = json_object();
    hs_json_put_whole(one, "levels", t.levels, failed);
    hs_json_put_real(one, "barrier", t.barrier, failed);
    hs_json_put_real(one, "round_trips", t.round_trips, failed);
    hs_json_put(one, "absolute", json_boolean(t.is_absolute), failed);
    hs_json_put_real(one, "log_z", t.log_z, failed);
    hs_json_put_real(one, "log_z_se", t.log_z_se, failed);
    hs_json_put(one, "log_z_settled", json_boolean(t.log_z_settled), failed);
    if (t.leg > 0) {
        hs_json_put_real(one, "path_barrier", t.leg_barrier, failed);
        hs_json_put_real(one, "path_log_z", t.leg_log_z, failed);
        hs_json_put_real(one, "path_log_z_se", t.leg_log_z_se, failed);
        hs_json_put(one, "path_agrees", json_boolean(t.leg_agrees), failed);
    }
    hs_json_put(o, "tempering", one, failed);
}

static json_t *reals_json(const double *at, int count, bool *failed)
{
    json_t *list = json_array();

    for (int i = 0; i < count; i++)
        hs_json_add(list, json_real(at[i]), failed);
    return list;
}

/* Adds the results of multicanonical sampling, if any. */
static void put_flat(json_t *o, const hiss_result *result, bool *failed)
{
    json_t *one;
    hiss_multicanonical f = HISS_INIT(hiss_multicanonical);

    if (!hiss_result_multicanonical(result, &f))
        return;
    one = json_object();
    hs_json_put(one, "u", reals_json(f.u, f.cells, failed), failed);
    hs_json_put(one, "histogram", reals_json(f.histogram, f.cells, failed),
                failed);
    hs_json_put(one, "target", reals_json(f.target, f.cells, failed), failed);
    if (f.has_phases) {
        hs_json_put(one, "phases", reals_json(f.phase, 2, failed), failed);
        hs_json_put_real(one, "valley", f.valley, failed);
        hs_json_put_real(one, "barrier", f.barrier, failed);
        hs_json_put_real(one, "share", f.share, failed);
        hs_json_put_real(one, "share_se", f.share_se, failed);
        hs_json_put_real(one, "gap", f.gap, failed);
    }
    hs_json_put_real(one, "round_trips", f.round_trips, failed);
    hs_json_put(one, "absolute", json_boolean(f.is_absolute), failed);
    hs_json_put_real(one, "log_z", f.log_z, failed);
    hs_json_put_real(one, "log_z_se", f.log_z_se, failed);
    hs_json_put(one, "log_z_settled", json_boolean(f.log_z_settled), failed);
    hs_json_put(o, "multicanonical", one, failed);
    if (!f.is_absolute)
        return;
    hs_json_put_real(o, "log_z", f.log_z, failed);
    hs_json_put_real(o, "log_z_se", f.log_z_se, failed);
    hs_json_put(o, "log_z_settled", json_boolean(f.log_z_settled), failed);
}

/* Adds the results of populations, if any. */
static void put_population(json_t *o, const hiss_result *result, bool *failed)
{
    json_t *one;
    hiss_population p = HISS_INIT(hiss_population);

    if (!hiss_result_population(result, &p))
        return;
    one = json_object();
    hs_json_put_whole(one, "replicas", p.replicas, failed);
    hs_json_put_whole(one, "temperatures", p.temperatures, failed);
    hs_json_put(one, "absolute", json_true(), failed);
    hs_json_put_real(one, "log_z", p.log_z, failed);
    hs_json_put_real(one, "log_z_se", p.log_z_se, failed);
    hs_json_put(one, "chain_log_z", reals_json(p.chain_log_z, p.chains, failed),
                failed);
    hs_json_put(one, "ess", reals_json(p.ess, p.chains, failed), failed);
    hs_json_put(one, "rho_t", reals_json(p.rho_t, p.chains, failed), failed);
    hs_json_put(one, "rho_s", reals_json(p.rho_s, p.chains, failed), failed);
    hs_json_put(one, "families", reals_json(p.families, p.chains, failed),
                failed);
    hs_json_put(o, "population", one, failed);
    hs_json_put_real(o, "log_z", p.log_z, failed);
    hs_json_put_real(o, "log_z_se", p.log_z_se, failed);
    hs_json_put(o, "log_z_settled", json_true(), failed);
}

/* Adds the weights of a network's proposals; log Z of tempering takes
 * precedence. */
static void put_network(json_t *o, const hiss_result *result, bool *failed)
{
    json_t *one;
    hiss_network_weights w = HISS_INIT(hiss_network_weights);

    if (!hiss_result_network_weights(result, &w))
        return;
    one = json_object();
    hs_json_put_whole(one, "bond", w.bond, failed);
    hs_json_put_whole(one, "largest", w.largest, failed);
    hs_json_put_whole(one, "frontier", w.frontier, failed);
    hs_json_put_whole(one, "layers", w.layers, failed);
    hs_json_put_real(one, "discarded", w.discarded, failed);
    hs_json_put_real(one, "proposals", w.proposals, failed);
    hs_json_put_real(one, "acceptance", w.acceptance, failed);
    hs_json_put_real(one, "effective", w.effective, failed);
    hs_json_put_real(one, "log_z", w.log_z, failed);
    hs_json_put_real(one, "log_z_se", w.log_z_se, failed);
    hs_json_put(o, "network", one, failed);
    if (json_object_get(o, "log_z"))
        return;
    hs_json_put_real(o, "log_z", w.log_z, failed);
    hs_json_put_real(o, "log_z_se", w.log_z_se, failed);
    hs_json_put(o, "log_z_settled", json_boolean(!isnan(w.log_z_se)), failed);
}

/* Adds the sampler without default options. */
static void put_asked(json_t *o, const hiss_sampler *sampler, bool *failed)
{
    char *asked = hs_sampler_print_given(sampler->tree);

    hs_json_put_text(o, "asked", asked, failed);
    *failed = *failed || !asked;
    hs_free(asked);
}

hiss_status hs_manifest_make(hiss_result *result, const hiss_model *model,
                             const hiss_sampler *sampler, hiss_error *err)
{
    bool is_out = false, *failed = &is_out;
    json_t *o = json_object();
    char seed[32];

    if (!o)
        return hs_fail_memory(err);
    result->manifest = o;
    hs_json_put_text(o, "hiss", hiss_version(), failed);
    hs_json_put_whole(o, "format", HS_RESULT_FORMAT, failed);
    put_now(o, failed);
    hs_json_put_text(o, "model", hiss_model_name(model), failed);
    hs_json_put_text(o, "reads_as", hiss_model_reads_as(model), failed);
    hs_json_put_text(o, "note", hiss_model_note(model), failed);
    put_meaning(o, model->model, failed);
    put_inputs(o, model, sampler, failed);
    hs_json_put_text(o, "sampler", hiss_sampler_spec(sampler), failed);
    put_asked(o, sampler, failed);
    hs_json_put(o, "exact", json_boolean(result->run.info.is_exact), failed);
    hs_json_put(o, "reversible",
                json_boolean(hiss_sampler_is_reversible(sampler)), failed);
    snprintf(seed, sizeof seed, "%llu",
             (unsigned long long)result->run.info.seed);
    /* as text, because JSON numbers end at 2^53 */
    hs_json_put_text(o, "seed", seed, failed);
    hs_json_put_text(o, "rng", RNG, failed);
    hs_json_put_text(o, "isa", hiss_isa(), failed);
    put_processor(o, failed);
    if (model->model->uses_blas)
        hs_json_put_text(o, "blas", hs_gemm_name(), failed);
    put_counts(o, &result->run, failed);
    put_tempering(o, result, failed);
    put_flat(o, result, failed);
    put_population(o, result, failed);
    put_network(o, result, failed);
    hs_json_put(o, "domain", hs_domain_json(&result->domain), failed);
    return is_out ? hs_fail_memory(err) : HISS_OK;
}

char *hs_manifest_line(const hiss_result *result)
{
    return hs_json_print(result->manifest, JSON_COMPACT | JSON_PRESERVE_ORDER |
                                               JSON_REAL_PRECISION(17));
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
    const char *version = hiss_result_text(result, "hiss");
    const hiss_run_info *info = &result->run.info;
    hs_text t = {0};
    char number[64];

    add_comment(&t, "hiss", version ? version : "(unknown)");
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
    add_comment(&t, "ended", hs_ended_words[info->ended]);
    add_comment(&t, "tuning", hiss_result_text(result, "tuning"));
    return hs_text_take(&t);
}
