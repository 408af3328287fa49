/* flat_pilot.c - the pilot of multicanonical sampling: learns its weights. */
#include "run/flat/flat_pilot.h"

#include "base/alloc.h"
#include "base/error.h"
#include "base/text.h"
#include "run/flat/flatten.h"
#include "run/policy/policy.h"

_Static_assert(HS_FLAT_STARTS == HS_FLATTEN_LANES, "a start of each chain");

static hiss_status report(char **to, const hs_flattening *f, bool is_late,
                          double evals, hiss_error *err)
{
    hs_text text = {0};

    if (f->cells == 0)
        hs_text_print(&text, "no weights: log p did not vary, or there was no "
                             "time to learn them\n");
    else
        hs_text_print(&text,
                      "weights of log p from %.6g to %.6g in %d parts\n"
                      "%.0f crossings of the range in the last of %d stages\n",
                      f->range[0], f->range[1], f->cells, f->crossings,
                      f->halvings + 1);
    if (f->has_phases)
        hs_text_print(&text, "two phases, at log p = %.6g and %.6g\n",
                      f->phase[0], f->phase[1]);
    hs_text_print(&text, "%.0f evaluations of the pilot%s", evals,
                  is_late ? ", which had too little time" : "");
    *to = hs_text_take(&text);
    return *to ? HISS_OK : hs_fail_memory(err);
}

static hiss_status make_sampler(hs_sampler **out, const hs_sampler *full,
                                hs_flattening *f, hiss_error *err)
{
    hs_reals slopes = {f->slope, f->cells}, range = {f->range, 2};
    hs_reals phases = {f->phase, f->has_phases ? 2 : 0};

    return hs_sampler_make(
        out, full->type,
        (hs_setting[]){
            {"base", .sampler = full->child[0]},
            {"replicas", .number = hs_sampler_number(full, "replicas")},
            {"range", .list = &range},
            {"slopes", .list = &slopes},
            {f->has_phases ? "phases" : NULL, .list = &phases},
            {0}},
        err);
}

void hs_flat_learned_clear(hs_flat_learned *l)
{
    hs_sampler_release(l->sampler);
    hs_free(l->start);
    hs_free(l->text);
    *l = (hs_flat_learned){0};
}

static hiss_status take(hs_flat_learned *out, hs_flattening *f,
                        const hs_sampler *full, hiss_error *err)
{
    out->has_phases = f->has_phases;
    out->barrier = f->barrier;
    out->crossings = f->crossings;
    /* two crossings are a round trip, a draw takes about two */
    out->rate = f->evals > 0.0 ? 0.25 * f->crossings / f->evals : 0.0;
    if (f->cells == 0)
        return HISS_OK;
    HS_TRY(make_sampler(&out->sampler, full, f, err));
    out->start = f->state;
    f->state = NULL;
    return HISS_OK;
}

hiss_status hs_flat_learn(hs_flat_learned *out, const hs_model *m,
                          const hs_sampler *full, bool needs_gap,
                          hs_pilot_account *account, hiss_error *err)
{
    double budget = account->budget, before = hs_pilot_account_spent(account);
    bool is_late;
    hs_flattening f;
    hiss_status rc;

    *out = (hs_flat_learned){0};
    hs_pilot_account_restart(account);
    account->budget = hs_policy(HS_PREPARATION_SHARE) * account->evals;
    rc = hs_flatten(&f, m, full->child[0], needs_gap, account, err);
    account->budget = budget;
    is_late = account->is_late;
    account->is_late = false;
    HS_TRY(rc);
    rc = report(&out->text, &f, is_late,
                hs_pilot_account_spent(account) - before, err);
    if (rc == HISS_OK)
        rc = take(out, &f, full, err);
    hs_flattening_clear(&f);
    if (rc != HISS_OK)
        hs_flat_learned_clear(out);
    return rc;
}

hiss_status hs_flat_pilot(hs_sampler **sampler, int16_t **start, char **text,
                          const hs_model *m, const hs_sampler *full,
                          hs_pilot_account *account, hiss_error *err)
{
    const hs_reals *given = hs_sampler_list(full, "slopes");
    hs_flat_learned learned;

    if (full->type != &hs_kernel_multicanonical || (given && given->count > 0))
        return HISS_OK;
    HS_TRY(hs_flat_learn(&learned, m, full, false, account, err));
    hs_free(*text);
    *text = learned.text;
    learned.text = NULL;
    if (learned.sampler) {
        hs_sampler_release(*sampler);
        *sampler = learned.sampler;
        *start = learned.start;
        learned.sampler = NULL;
        learned.start = NULL;
    }
    hs_flat_learned_clear(&learned);
    return HISS_OK;
}
