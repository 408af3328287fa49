/* manifest_read.c - restores a run from its manifest.
 *
 * Values of a file are accepted within limits only. */
#include "api/object/manifest.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/clean.h"
#include "base/error.h"
#include "base/pool.h"
#include "base/read/json.h"
#include "sink/sink.h"

/* Limits of a manifest's values. */
enum {
    REPLICAS_MAX = 1 << 16,
    RANKS_MAX = 1 << 20,
    TEXT_MAX = 1 << 20,
    KEY_MAX = 256
};
#define STEPS_MAX ((int64_t)1 << 40)

static double real_of(const json_t *o, const char *key)
{
    const json_t *value = json_object_get(o, key);

    return json_is_number(value) ? json_number_value(value) : (double)NAN;
}

/* Reads a count within limits. */
static bool has_whole(const json_t *o, const char *key, int64_t low,
                      int64_t high, int64_t *out)
{
    const json_t *value = json_object_get(o, key);

    *out = json_integer_value(value);
    return json_is_integer(value) && *out >= low && *out <= high;
}

static int64_t whole_of(const json_t *o, const char *key)
{
    return json_integer_value(json_object_get(o, key));
}

static const char *text_of(const json_t *o, const char *key)
{
    return json_string_value(json_object_get(o, key));
}

/* JSON has no infinity, so null stands for it. */
static double temperature_of(const json_t *level)
{
    const json_t *value = json_object_get(level, "temperature");

    return json_is_null(value) ? (double)INFINITY
                               : real_of(level, "temperature");
}

static void apply_levels(hs_run *run, const json_t *o)
{
    const json_t *list = json_object_get(o, "levels"), *one;
    size_t n, count = json_array_size(list);

    count = count < REPLICAS_MAX ? count : REPLICAS_MAX;
    run->level = hs_alloc_array(count, sizeof *run->level);
    run->levels = run->level ? (int)count : 0;
    json_array_foreach(list, n, one)
    {
        const char *tuning = text_of(one, "tuning");

        if (n >= (size_t)run->levels)
            break;
        run->level[n] = (hs_level){.temperature = temperature_of(one),
                                   .proposed = 1.0,
                                   .accepted = real_of(one, "accept"),
                                   .swaps = 1.0,
                                   .swapped = real_of(one, "swap")};
        run->level[n].tuning = tuning ? hs_strdup(tuning) : NULL;
    }
}

/* The quantity that a counter such as "hiss.jump" or "hiss.jump#2" counts. */
static hiss_counted counted_by(const char *name)
{
    size_t length = strcspn(name, "#");

    for (const hs_kernel_type *const *t = hs_kernel_types; *t; t++)
        if ((*t)->counter && strlen((*t)->counter) == length &&
            strncmp((*t)->counter, name, length) == 0)
            return hs_kernel_counts(*t);
    return HISS_COUNTED_STEPS;
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
        c->counted = counted_by(name);
        c->proposed = json_is_number(rate) ? 1.0 : 0.0;
        c->accepted = json_number_value(rate);
        run->counters++;
    }
    run->tuning = tuning ? hs_strdup(tuning) : NULL;
}

/* Removes what could steer a terminal; the text of a pilot may have lines. */
static hiss_status clean_text(json_t *value, bool has_lines, const char *path,
                              hiss_error *err)
{
    hiss_status rc = HISS_OK;
    char *text;

    if (json_string_length(value) > TEXT_MAX)
        return hs_fail(err, HISS_EPARSE,
                       "%s: its manifest is refused: a text of %zu bytes, "
                       "expected at most %d",
                       path, json_string_length(value), TEXT_MAX);
    text = hs_strdup(json_string_value(value));
    if (!text)
        return hs_fail_memory(err);
    hs_clean(text, has_lines);
    if (strcmp(text, json_string_value(value)) != 0 &&
        json_string_set(value, text) != 0)
        rc = hs_fail_memory(err);
    hs_free(text);
    return rc;
}

/* Keys of hiss have letters, digits and punctuation only. */
static hiss_status check_key(const char *key, const char *path, hiss_error *err)
{
    size_t length = strlen(key);

    for (size_t i = 0; i < length && length <= KEY_MAX; i++)
        if (key[i] < ' ' || key[i] > '~')
            length = KEY_MAX + 1;
    if (length <= KEY_MAX)
        return HISS_OK;
    return hs_fail(err, HISS_EPARSE,
                   "%s: its manifest is refused: a key is not one that hiss "
                   "writes",
                   path);
}

/* Cleans all texts of a manifest, at any depth, because they are printed
 * later. */
static hiss_status clean_texts(json_t *value, const char *key, const char *path,
                               hiss_error *err)
{
    const char *name;
    json_t *one;
    size_t n;

    if (json_is_string(value))
        return clean_text(value, key && strcmp(key, "pilot") == 0, path, err);
    if (json_is_array(value))
        json_array_foreach(value, n, one)
        {
            HS_TRY(clean_texts(one, NULL, path, err));
        }
    else if (json_is_object(value))
        json_object_foreach(value, name, one)
        {
            HS_TRY(check_key(name, path, err));
            HS_TRY(clean_texts(one, name, path, err));
        }
    return HISS_OK;
}

/* Reads values that only the manifest has, within limits. */
static hiss_status apply_counts(hiss_run_info *info, const json_t *o,
                                const char *path, hiss_error *err)
{
    const json_t *evals = json_object_get(o, "evals");
    int64_t replicas, threads, ranks;
    const char *bad = NULL;

    info->seconds = real_of(o, "seconds");
    info->energy_evals = real_of(evals, "energy");
    info->gradient_evals = real_of(evals, "gradient");
    if (!has_whole(o, "replicas", 1, REPLICAS_MAX, &replicas))
        bad = "replicas";
    else if (!has_whole(o, "warmup", 0, STEPS_MAX, &info->warmup))
        bad = "warmup";
    else if (!has_whole(o, "thin", 1, STEPS_MAX, &info->thin))
        bad = "thin";
    else if (!has_whole(o, "threads", 1, HS_THREADS_MAX, &threads))
        bad = "threads";
    else if (!has_whole(o, "ranks", 1, RANKS_MAX, &ranks))
        bad = "ranks";
    else if (!(info->seconds >= 0.0))
        bad = "seconds";
    else if (info->energy_evals < 0.0 || info->gradient_evals < 0.0)
        bad = "evals";
    if (bad)
        return hs_fail(err, HISS_EPARSE,
                       "%s: its manifest is refused: %s is not within what a "
                       "run can have",
                       path, bad);
    info->replicas = (int)replicas;
    info->threads = (int)threads;
    info->ranks = (int)ranks;
    return HISS_OK;
}

hiss_status hs_manifest_apply(hiss_result *result, const char *path,
                              hiss_error *err)
{
    json_t *o = result->manifest;
    hiss_run_info *info = &result->run.info;
    const char *ended, *seed;

    HS_TRY(clean_texts(o, NULL, path, err));
    ended = text_of(o, "ended");
    seed = text_of(o, "seed");
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
    HS_TRY(apply_counts(info, o, path, err));
    info->seed = strtoull(seed, NULL, 10);
    info->is_exact = json_is_true(json_object_get(o, "exact"));
    for (int e = HISS_ENDED_DONE; e <= HISS_ENDED_ESS; e++)
        if (strcmp(ended, hs_ended_words[e]) == 0)
            info->ended = (hiss_ended)e;
    apply_levels(&result->run, o);
    apply_counters(&result->run, o);
    return hs_domain_from_json(&result->domain, json_object_get(o, "domain"),
                               info->dim, path, err);
}
