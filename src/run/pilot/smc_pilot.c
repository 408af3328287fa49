/* smc_pilot.c - what sequential Monte Carlo needs to know beforehand. */
#include "run/pilot/smc_pilot.h"

#include <math.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/text.h"
#include "kernel/tempering.h"
#include "run/policy/policy.h"

#define TUNED 8 /* capacity: temperatures at which the base is tuned */

/* Appends a line to the report. */
static hiss_status report(hs_scheme *s, const hs_sampler *full, hiss_error *err)
{
    hs_text text = {0};

    hs_text_print(&text,
                  "%s%s%d temperatures, chosen so that %g of the replicas "
                  "count at each",
                  s->text ? s->text : "", s->text ? "\n" : "",
                  s->betas.list.count, hs_sampler_number(full, "ess"));
    hs_free(s->text);
    s->text = hs_text_take(&text);
    return s->text ? HISS_OK : hs_fail_memory(err);
}

/* Takes the given betas if nothing depends on their cost. */
static hiss_status take_betas(hs_betas *b, const hs_reals *given,
                              hiss_error *err)
{
    b->list.at = hs_alloc_array((size_t)given->count, sizeof *given->at);
    if (!b->list.at)
        return hs_fail_memory(err);
    b->list.count = given->count;
    memcpy(b->list.at, given->at, (size_t)given->count * sizeof *given->at);
    return HISS_OK;
}

static hiss_status place_betas(hs_scheme *s, const hs_sampler *full,
                               hs_pilot_account *account, hiss_error *err)
{
    const hs_reals *given = hs_sampler_list(full, "betas");
    double budget = account->budget;
    hiss_status rc;

    if (given && given->count > 0 && !(account->evals > 0.0) &&
        !(account->until > 0.0))
        return take_betas(&s->betas, given, err);
    account->budget = hs_policy(HS_PREPARATION_SHARE) * account->evals;
    rc = hs_betas_find(&s->betas, s->model, full, s->library, account, err);
    account->budget = budget;
    s->is_cut |= account->is_late;
    account->is_late = false;
    if (rc != HISS_OK || (given && given->count > 0))
        return rc;
    HS_TRY(report(s, full, err));
    hs_sampler_release(s->sampler);
    return hs_sampler_make(
        &s->sampler, &hs_kernel_smc,
        (hs_setting[]){
            {"base", .sampler = full->child[0]},
            {"steps", .number = hs_sampler_number(full, "steps")},
            {"resample", .number = hs_sampler_number(full, "resample")},
            {"betas", .list = &s->betas.list},
            {0}},
        err);
}

/* Some of the temperatures, as levels of pt. */
static hiss_status tune(hs_scheme *s, const hs_sampler *full,
                        hs_pilot_account *account, hiss_error *err)
{
    const hs_reals *betas = &s->betas.list;
    int levels = betas->count < TUNED ? betas->count : TUNED;
    double temperature[TUNED];
    hs_reals ladder = {temperature, levels};
    hs_sampler *pt = NULL;
    hiss_status rc;

    if (hs_kernel_packs(&full->shape)) /* there is nothing to tune */
        return HISS_OK;
    for (int j = 0; j < levels; j++) {
        int below = (int)((int64_t)j * betas->count / levels);

        temperature[j] = 1.0 / betas->at[betas->count - 1 - below];
    }
    HS_TRY(hs_sampler_make(&pt, &hs_kernel_pt,
                           (hs_setting[]){{"base", .sampler = full->child[0]},
                                          {"levels", .number = levels},
                                          {"ladder", .list = &ladder},
                                          {0}},
                           err));
    rc = hs_pilot_init(&s->pilot, s->model, pt,
                       &(hs_pilot_found){s->library, NULL, 0}, account, err);
    hs_sampler_release(pt);
    return rc;
}

hiss_status hs_smc_pilot(hs_scheme *s, const hs_sampler *full,
                         hs_pilot_account *account, hiss_error *err)
{
    HS_TRY(place_betas(s, full, account, err));
    return tune(s, full, account, err);
}

void hs_smc_pilot_apply(const hs_scheme *s, double beta, hs_group *g)
{
    const hs_group *tuned = s->pilot.group;
    double least = HUGE_VAL;
    int nearest = 0;

    for (int j = 0; tuned && j < tuned->replicas; j++) {
        double ratio = beta * hs_tempering_temperature(tuned->kernel[0], j);
        double off = ratio < 1.0 ? 1.0 / ratio : ratio;

        nearest = off < least ? j : nearest;
        least = off < least ? off : least;
    }
    hs_pilot_apply(&s->pilot, nearest, g);
}
