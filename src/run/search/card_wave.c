/* card_wave.c - batches of a search side by side, with steps by a GPU. */
#include "run/search/card_wave.h"

#include <math.h>
#include <string.h>

#include "base/alloc.h"
#include "base/clock.h"
#include "base/error.h"
#include "run/device/mirror.h"
#include "run/device/plan_model.h"

#define LOOK_SECONDS 0.05 /* between two polls of the caller */

/* A wave in progress. */
struct wave {
    const hs_card_wave *how; /* borrowed */
    hs_anneal *const *batch; /* likewise, [count] */
    int count;
    hs_group_state *state; /* owned, [count]; its groups are the batches' */
    bool *is_over;         /* owned, [count] */
    bool *is_hit;          /* owned, [count] */
    hs_mirror *mirror;     /* owned */
    int left;              /* number of unfinished batches */
};

static hs_mirror_best best_of(hs_anneal *a)
{
    return (hs_mirror_best){.x = a->best, .u = a->u, .is_hit = a->is_hit};
}

/* Values tuned while beta rises can only be tuned by the processor. */
hiss_status hs_card_wave_check(const hs_model *m, const hs_sampler *kernel,
                               hiss_error *err)
{
    hs_device_model model;
    const char *name = kernel->type->name;

    if (strcmp(name, "gibbs") != 0 && strcmp(name, "metropolis") != 0)
        return hs_fail(err, HISS_EUNSUP,
                       "device cuda: a search cannot cool %s there, only gibbs "
                       "and metropolis(scan=random); use --device cpu",
                       name);
    return hs_plan_model(&model, m, err);
}

static hiss_status begin(struct wave *w, hiss_error *err)
{
    const hs_card_wave *how = w->how;
    size_t count = (size_t)w->count;

    w->state = hs_alloc_array(count, sizeof *w->state);
    w->is_over = hs_alloc_array(count, sizeof *w->is_over);
    w->is_hit = hs_alloc_array(count, sizeof *w->is_hit);
    if (!w->state || !w->is_over || !w->is_hit)
        return hs_fail_memory(err);
    for (int n = 0; n < w->count; n++)
        w->state[n].group = w->batch[n]->group;
    w->left = w->count;
    HS_TRY(hs_mirror_create(&w->mirror, how->device, how->card, w->state,
                            w->count, HS_MIRROR_SEARCH, how->pool, err));
    for (int n = 0; n < w->count; n++) {
        hs_mirror_best best = best_of(w->batch[n]);

        HS_TRY(hs_mirror_return(w->mirror, n, &best, err));
    }
    return HISS_OK;
}

static void clear(struct wave *w)
{
    hs_mirror_destroy(w->mirror);
    hs_free(w->state);
    hs_free(w->is_over);
    hs_free(w->is_hit);
}

/* Sets temperatures of the next step, and whose states are kept after it. */
static void heat(struct wave *w)
{
    for (int n = 0; n < w->count; n++) {
        hs_anneal *a = w->batch[n];
        hs_tile *t = &a->group->tile[0];
        bool keeps = !w->is_over[n] && hs_anneal_keeps(a);

        if (!w->is_over[n])
            hs_anneal_heat(a);
        for (int l = 0; l < HS_LANES; l++)
            t->weight[l] = l >= a->lanes ? -1.0f : keeps ? 1.0f : 0.0f;
    }
}

static hiss_status end(struct wave *w, int n, hiss_error *err)
{
    hs_mirror_best best = best_of(w->batch[n]);

    HS_TRY(hs_mirror_bring(w->mirror, n, &best, err));
    w->is_over[n] = true;
    w->left--;
    return w->how->done(w->how->context, n, err);
}

static hiss_status turn(struct wave *w, int n, hiss_error *err)
{
    hs_mirror_best best = best_of(w->batch[n]);

    HS_TRY(hs_mirror_bring(w->mirror, n, &best, err));
    HS_TRY(hs_anneal_turn(w->batch[n], err));
    return hs_mirror_return(w->mirror, n, &best, err);
}

/* Does what follows a step of each batch. */
static hiss_status follow(struct wave *w, hiss_error *err)
{
    for (int n = 0; n < w->count; n++) {
        hs_anneal *a = w->batch[n];

        if (w->is_over[n])
            continue;
        a->step++;
        if (a->step == a->steps || (a->plan->stops && w->is_hit[n]))
            HS_TRY(end(w, n, err));
        else if (hs_anneal_is_turning(a))
            HS_TRY(turn(w, n, err));
    }
    return HISS_OK;
}

/* Drops batches that another one has made unnecessary. */
static void drop(struct wave *w)
{
    for (int n = 0; n < w->count; n++)
        if (!w->is_over[n] && !w->how->is_wanted(w->how->context, n)) {
            w->is_over[n] = true;
            w->left--;
        }
}

static hiss_status step(struct wave *w, hiss_error *err)
{
    const hs_anneal_plan *plan = w->batch[0]->plan;
    bool looks = plan->stops && plan->goal < HUGE_VAL;

    heat(w);
    HS_TRY(hs_mirror_send_betas(w->mirror, err));
    HS_TRY(hs_mirror_step(w->mirror, 1, false, err));
    HS_TRY(hs_mirror_keep_best(w->mirror, plan->goal, err));
    if (looks)
        HS_TRY(hs_mirror_find_hits(w->mirror, w->is_hit, err));
    HS_TRY(follow(w, err));
    drop(w);
    return HISS_OK;
}

static hiss_status walk(struct wave *w, bool *is_cut, hiss_error *err)
{
    double asked = hs_now();
    bool goes = true;

    while (w->left > 0 && goes) {
        HS_TRY(step(w, err));
        if (hs_now() - asked > LOOK_SECONDS) {
            goes = w->how->go_on(w->how->context);
            asked = hs_now();
        }
    }
    for (int n = 0; n < w->count; n++) {
        hs_mirror_best best = best_of(w->batch[n]);

        is_cut[n] = !w->is_over[n];
        if (is_cut[n])
            HS_TRY(hs_mirror_bring(w->mirror, n, &best, err));
    }
    return HISS_OK;
}

hiss_status hs_card_wave_run(const hs_card_wave *how, hs_anneal *const *batch,
                             int count, bool *is_cut, hiss_error *err)
{
    struct wave w = {.how = how, .batch = batch, .count = count};
    hiss_status rc = begin(&w, err);

    if (rc == HISS_OK)
        rc = walk(&w, is_cut, err);
    clear(&w);
    return rc;
}
