/* trust.c - opens the model that a result names, within the rules of trust. */
#include "api/object/trust.h"

#include <libgen.h>
#include <stdlib.h>
#include <string.h>

#include "api/object/manifest.h"
#include "api/object/sized.h"
#include "base/alloc.h"
#include "base/error.h"
#include "base/number.h"
#include "base/state/domain.h"

#define RECORDED_MAX 4096 /* most files that a manifest may list */

hiss_status hs_result_set_folder(hiss_result *result, const char *path,
                                 hiss_error *err)
{
    char *whole = realpath(path, NULL);

    if (!whole)
        return hs_fail(err, HISS_EIO, "%s: where it lies cannot be seen", path);
    result->folder = hs_strdup(dirname(whole));
    free(whole);
    return result->folder ? HISS_OK : hs_fail_memory(err);
}

hiss_status hs_trust_read(const hiss_trust **trust, hiss_trust *room,
                          hiss_error *err)
{
    if (!*trust)
        return HISS_OK;
    *room = HISS_INIT(hiss_trust);
    HS_TRY(hs_sized_read(room, sizeof *room, *trust, "hiss_trust", err));
    *trust = room;
    return HISS_OK;
}

hiss_status hs_trust_init(hiss_trust *t, const hiss_result *result,
                          const char *const *plugins, hiss_error *err)
{
    const json_t *list = json_object_get(result->manifest, "inputs");
    size_t count = json_array_size(list);
    hiss_recorded *recorded;

    *t = (hiss_trust){.size = sizeof *t,
                      .folder = result->folder,
                      .base = hiss_result_text(result, "folder"),
                      .plugins = plugins,
                      .anywhere = 1};
    if (count > RECORDED_MAX)
        return hs_fail(err, HISS_EREFUSED,
                       "the result lists %zu inputs, expected at most %d",
                       count, RECORDED_MAX);
    recorded = hs_alloc_array(count, sizeof *recorded);
    if (!recorded)
        return hs_fail_memory(err);
    t->recorded = recorded;
    while (t->count < (int)count &&
           hiss_result_input(result, t->count, &recorded[t->count].path,
                             &recorded[t->count].sha256))
        t->count++;
    return HISS_OK;
}

void hs_trust_clear(hiss_trust *t)
{
    hs_free((void *)(uintptr_t)t->recorded);
    *t = (hiss_trust){0};
}

static hiss_status condition(hiss_model *model, const hiss_result *result,
                             const hiss_given *given, const hiss_trust *trust,
                             hiss_error *err)
{
    const char *evidence = hiss_result_text(result, "evidence");
    const char *fix = hiss_result_text(result, "fix");
    const json_t *beta = json_object_get(result->manifest, "beta");

    if (given->evidence)
        HS_TRY(hiss_model_evidence(model, given->evidence, err));
    else if (evidence)
        HS_TRY(hiss_model_evidence_from(model, evidence, trust, err));
    if (fix)
        HS_TRY(hiss_model_fix(model, fix, err));
    return json_is_number(beta)
               ? hiss_model_temper(model, json_number_value(beta), err)
               : HISS_OK;
}

/* The name of a value in the domain of a run, which has only the possible
 * values of fixed coordinates; other values get a name that no file has. */
static char *state_of(const hs_domain *run, int i, float value)
{
    char other[HS_NAME_MAX + 1];

    for (int v = 0; v < run->states[i]; v++)
        if (run->values[run->value[i] + v] == value)
            return hs_strdup(run->state_names[run->value[i] + v]);
    hs_snprintf(other, sizeof other, "(%.9g)", (double)value);
    return hs_strdup(other);
}

/* Names a model whose files have no names as its run did: `fix` may use them,
 * and a file of names beside the model is not opened again. */
static hiss_status take_names(hs_domain *d, const hs_domain *run,
                              hiss_error *err)
{
    char **states = NULL;
    bool is_short = false;
    hiss_status rc;

    if (d->names || !run->names || d->dim != run->dim)
        return HISS_OK;
    if (run->state_names) {
        states = hs_alloc_array((size_t)d->value_count, sizeof *states);
        is_short = !states;
    }
    for (int i = 0; states && i < d->dim; i++)
        for (int v = d->value[i]; v < d->value[i] + d->states[i]; v++) {
            states[v] = state_of(run, i, d->values[v]);
            is_short |= !states[v];
        }
    rc = is_short ? hs_fail_memory(err)
                  : hs_domain_name(d, run->names, states, err);
    hs_strings_free(states, d->value_count);
    return rc;
}

static hiss_status open_model(hiss_model **out, const hiss_result *result,
                              const hiss_given *given, const hiss_trust *trust,
                              hiss_error *err)
{
    const char *word = hiss_result_text(result, "word");
    const char *format = hiss_result_text(result, "model_format");

    if (given->model)
        HS_TRY(hiss_model_open(out, given->model, format, err));
    else if (word)
        HS_TRY(hiss_model_open_from(out, word, format, trust, err));
    else
        return hs_fail(err, HISS_EARG,
                       "the result does not say which model it is of; give it "
                       "with --model");
    HS_TRY(take_names(&(*out)->model->domain, &result->domain, err));
    return condition(*out, result, given, trust, err);
}

hiss_status hiss_result_model(hiss_model **out, const hiss_result *result,
                              const hiss_given *given, hiss_error *err)
{
    hiss_given words = HISS_INIT(hiss_given);
    hiss_trust trust;
    hiss_status rc;

    if (out)
        *out = NULL;
    if (!out || !result)
        return hs_fail(err, HISS_EARG,
                       "hiss_result_model: an argument is NULL");
    if (given)
        HS_TRY(hs_sized_read(&words, sizeof words, given, "hiss_given", err));
    rc = hs_trust_init(&trust, result, words.plugins, err);
    if (rc == HISS_OK)
        rc = open_model(out, result, &words, &trust, err);
    hs_trust_clear(&trust);
    if (rc != HISS_OK) {
        hiss_model_destroy(*out);
        *out = NULL;
    }
    return rc;
}
