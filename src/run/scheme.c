/* scheme.c - a sampler as it will be run. */
#include "run/scheme.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/number.h"
#include "base/text.h"
#include "kernel/tempering.h"
#include "run/cooling.h"
#include "run/ladder.h"

#define ANNEAL_CHAINS (HS_PILOT_CHAIN + 0x10000u)
#define LADDER_CHAINS (HS_PILOT_CHAIN + 0x20000u)
#define ANNEAL_SHARE  0.15 /* of the pilot */

/* A value of the full spec as text, "" when it is not there. */
static const char *value_of(const hs_spec *spec, const char *key)
{
    const hs_spec *found = hs_spec_find(spec, key);

    return found && found->text ? found->text : "";
}

static bool is_open_ladder(const hs_kernel *k, const hs_spec *full)
{
    return k->type == &hs_kernel_pt && !hs_spec_find(full, "ladder") &&
           strcmp(value_of(full, "levels"), "auto") == 0;
}

static void tell_ladder(hs_scheme *s, const hs_ladder *l, double spent)
{
    char text[256];

    snprintf(text, sizeof text,
             "%d temperatures, barrier %.2f, from a pilot of %.0f evaluations",
             l->levels, l->barrier, spent);
    s->text = hs_strdup(text);
}

/* Replaces *sampler by the same with its temperatures. */
static hiss_status tune_ladder(hs_scheme *s, const hs_model *m,
                               const hs_spec *full, hs_watch *watch,
                               hiss_error *err)
{
    const hs_spec *base = hs_spec_find(full, "base");
    const char *hottest = value_of(full, "max_temperature");
    char *base_text = hs_spec_print(base);
    hs_ladder_request request = {.base = base_text,
                                 .hottest = HUGE_VAL,
                                 .swap_every =
                                     atoi(value_of(full, "swap_every")),
                                 .first_chain = LADDER_CHAINS};
    hs_cooling anneal = {0};
    hs_ladder ladder = {0};
    hs_text text = {0};
    char *printed = NULL;
    hiss_status rc = base_text ? HISS_OK : hs_fail_memory(err);

    if (strcmp(hottest, "auto") != 0)
        hs_number_real(hottest, &request.hottest);
    if (rc == HISS_OK)
        rc = hs_cooling_init(&anneal, m, base, ANNEAL_CHAINS, 1,
                            ANNEAL_SHARE * watch->budget, watch, err);
    request.budget = watch->budget - hs_watch_spent(watch);
    if (rc == HISS_OK)
        rc = hs_ladder_tune(&ladder, m, &request, &anneal, watch, err);
    if (rc == HISS_OK) {
        hs_ladder_print(&ladder, &request, &text);
        printed = hs_text_take(&text);
        tell_ladder(s, &ladder, hs_watch_spent(watch));
        hs_spec_clear(&s->sampler);
        rc = printed ? hs_spec_parse(&s->sampler, printed, err)
                     : hs_fail_memory(err);
    }
    hs_free(printed);
    hs_free(base_text);
    hs_cooling_clear(&anneal);
    hs_ladder_clear(&ladder);
    return rc;
}

/* The spec with every default spelled out. */
static hiss_status spell_out(const hs_spec *sampler, hs_kernel **tree,
                             hs_spec *full, hiss_error *err)
{
    char *text;
    hiss_status rc;

    HS_TRY(hs_kernel_create(tree, sampler, err));
    text = hs_kernel_print(*tree);
    rc = text ? hs_spec_parse(full, text, err) : hs_fail_memory(err);
    hs_free(text);
    return rc;
}

hiss_status hs_scheme_init(hs_scheme *s, const hs_model *m,
                           const hs_spec *sampler, double evals,
                           hs_watch *watch, hiss_error *err)
{
    hs_kernel *tree = NULL;
    hs_spec full = {0};
    hiss_status rc;

    *s = (hs_scheme){0};
    watch->budget = HS_PILOT_EVALS;
    if (evals > 0.0 && HS_PILOT_SHARE * evals < watch->budget)
        watch->budget = HS_PILOT_SHARE * evals;
    rc = hs_spec_copy(&s->sampler, sampler, err);
    if (rc == HISS_OK)
        rc = spell_out(sampler, &tree, &full, err);
    if (rc == HISS_OK && is_open_ladder(tree, &full)) {
        rc = tune_ladder(s, m, &full, watch, err);
        s->is_tuned = true;
    }
    s->energy_evals = watch->energy_evals;
    s->gradient_evals = watch->gradient_evals;
    hs_kernel_destroy(tree);
    hs_spec_clear(&full);
    if (rc != HISS_OK)
        hs_scheme_clear(s);
    return rc;
}

void hs_scheme_clear(hs_scheme *s)
{
    hs_spec_clear(&s->sampler);
    hs_free(s->text);
    *s = (hs_scheme){0};
}
