/* card_rounds.c - rounds whose steps a GPU makes.
 *
 * All groups are at the same step.  The GPU makes as many steps at a time as
 * possible: up to the next kept draw, the end of the warm-up or the end of the
 * round. */
#include "run/sampling/card_rounds.h"

#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "device/open.h"
#include "run/comm/ranks.h"

struct stretch {
    hs_running *r;
    hs_card_look *look;
    int64_t steps;
};

/* Ranks take one GPU after the other, unless one is named. */
static hiss_status open_card(hs_running *r, const hs_device_choice *choice,
                             hiss_error *err)
{
    int ranks = hs_ranks_size(r->partition.ranks), cards, number;
    const hs_device_table *device;
    hs_device_card card;
    char text[HS_DEVICE_NAME + 64], more[32] = "";

    number = choice->number < 0 ? 0 : choice->number;
    HS_TRY(hs_device_open_card(&device, number, err));
    HS_TRY(device->count(&cards, err));
    if (choice->number < 0)
        number = hs_ranks_rank(r->partition.ranks) % cards;
    HS_TRY(device->card(number, &card, err));
    for (int g = 0; g < r->partition.count; g++)
        r->chains_here += r->state[g].group->chains;
    if (r->partition.count > 0)
        HS_TRY(hs_mirror_create(&r->mirror, device, number, r->state,
                                r->partition.count, HS_MIRROR_RUN, r->pool,
                                err));
    if (ranks > 1)
        snprintf(more, sizeof more, ", the first of %d ranks", ranks);
    snprintf(text, sizeof text, "cuda:%d (%s)%s", number, card.name, more);
    r->run->device = hs_strdup(text);
    return r->run->device ? HISS_OK : hs_fail_memory(err);
}

/* All ranks use GPUs, or none. */
static hiss_status open_cards(hs_running *r, const hs_device_choice *choice,
                              hiss_error *err)
{
    hiss_status rc = open_card(r, choice, err);

    rc = hs_ranks_agree(r->partition.ranks, rc, err);
    if (rc == HISS_OK)
        return HISS_OK;
    hs_mirror_destroy(r->mirror);
    hs_free(r->run->device);
    r->mirror = NULL;
    r->run->device = NULL;
    return rc;
}

hiss_status hs_card_rounds_open(hs_running *r, hiss_error *err)
{
    hs_device_choice choice;
    hiss_error why = {0};
    char text[sizeof why.message + 32] = "cpu";
    hiss_status rc;

    HS_TRY(hs_device_parse(r->set->device, &choice, err));
    if (choice.is_card) {
        rc = open_cards(r, &choice, choice.may_not ? &why : err);
        if (rc == HISS_OK || !choice.may_not)
            return rc;
        snprintf(text, sizeof text, "cpu (auto: %s)", why.message);
    }
    r->run->device = hs_strdup(text);
    return r->run->device ? HISS_OK : hs_fail_memory(err);
}

static int64_t least(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

static bool is_warming(const hs_group_state *w)
{
    return w->warmup < 0 || w->step < w->warmup;
}

/* Steps until a state may be kept, in this phase. */
static int64_t until_kept(const hs_running *r, const hs_group_state *w)
{
    if (!is_warming(w))
        return w->thin - (w->step - w->warmup) % w->thin;
    return r->set->save_warmup ? w->warm_thin - w->step % w->warm_thin
                               : INT64_MAX;
}

static int64_t steps_at_once(const hs_running *r)
{
    const hs_group_state *w = &r->state[0];
    int64_t steps = least(r->target - w->step, until_kept(r, w));

    if (r->set->evals > 0.0)
        return 1;
    return is_warming(w) && w->warmup >= 0 ? least(steps, w->warmup - w->step)
                                           : steps;
}

static void look_at(void *context, int index)
{
    const struct stretch *s = context;

    s->look(s->r, &s->r->state[index], s->steps);
}

/* Whether counts of the GPU are needed here after this many steps: they are
 * cleared when warm-up ends, and a round waits, so that it has its length. */
static bool is_needed(const hs_running *r, int64_t steps)
{
    const hs_group_state *w = &r->state[0];

    return w->step + steps == r->target ||
           (is_warming(w) && (w->step + steps == w->warmup || w->warmup < 0));
}

/* Whether every second draw of the store must be dropped first. */
static bool is_full(const hs_running *r)
{
    const hs_group_state *w = &r->state[0];

    return is_warming(w) ? w->warm_kept == r->store[HS_WARM]->capacity
                         : w->kept == r->store[HS_KEPT]->capacity;
}

/* The arrived draws of one group. */
struct arrival {
    hs_running *r;
    hs_device_draws draws;
    const hs_coming *coming; /* NULL if counts have been fetched since */
    hs_store *store;
    int64_t draw;
};

static void put_group(const struct arrival *a, hs_group_state *w)
{
    hs_running *r = a->r;
    int group = (int)(w - r->state), first = group * HS_GROUP_CHAINS;

    for (int c = 0; c < w->group->chains; c++) {
        float accept =
            a->coming ? hs_marginals_rate(
                            &w->marginals, c, a->coming->proposed,
                            hs_mirror_accepted(r->mirror, &a->draws, group, c))
                      : hs_marginals_accept(&w->marginals, w->group, c);

        hs_store_put_packed(a->store, w->row + c, a->draw,
                            a->draws.word + first + c, r->chains_here,
                            a->draws.bits, a->draws.u[first + c], accept);
    }
}

static void put_arrival(void *context, int group)
{
    const struct arrival *a = context;

    put_group(a, &a->r->state[group]);
}

/* Moves the draws of a slot to their store. */
static hiss_status take(hs_running *r, int slot, hiss_error *err)
{
    hs_coming *coming = &r->coming[slot];
    struct arrival a = {
        .r = r, .coming = coming, .store = coming->store, .draw = coming->draw};

    if (!coming->store)
        return HISS_OK;
    HS_TRY(hs_mirror_kept(r->mirror, slot, &a.draws, err));
    hs_pool_run(r->pool, put_arrival, &a, r->partition.count);
    coming->store = NULL;
    return HISS_OK;
}

/* Takes them in the order of the draws. */
static hiss_status take_all(hs_running *r, hiss_error *err)
{
    for (int n = 0; n < HS_DEVICE_SLOTS; n++)
        HS_TRY(take(r, (r->slot + n) % HS_DEVICE_SLOTS, err));
    return HISS_OK;
}

void hs_card_rounds_keep(hs_running *r, hs_group_state *w, hs_store *store,
                         int64_t draw)
{
    struct arrival now = {
        .r = r, .draws = r->arrived, .store = store, .draw = draw};

    if (!r->is_deferred)
        put_group(&now, w);
    else if (w == &r->state[0]) /* all groups are at the same draw */
        r->coming[r->slot] =
            (hs_coming){.store = store,
                        .draw = draw,
                        .proposed = hs_mirror_proposed(r->mirror)};
}

/* Packs a draw after its steps and stores it while the GPU makes those of the
 * next one, unless the caller's turn comes first. */
static hiss_status stretch(hs_running *r, hs_card_look *look, hiss_error *err)
{
    struct stretch s = {r, look, steps_at_once(r)};
    bool is_kept = s.steps == until_kept(r, &r->state[0]);
    bool is_fetched = is_needed(r, s.steps) || (is_kept && is_full(r));

    HS_TRY(hs_mirror_step(r->mirror, s.steps, !is_warming(&r->state[0]), err));
    if (is_kept)
        HS_TRY(hs_mirror_keep(r->mirror, r->slot, err));
    if (is_fetched) {
        HS_TRY(take_all(r, err));
        HS_TRY(hs_mirror_fetch(r->mirror, false, err));
    }
    if (is_fetched && is_kept)
        HS_TRY(hs_mirror_kept(r->mirror, r->slot, &r->arrived, err));
    r->is_deferred = !is_fetched;
    hs_pool_run(r->pool, look_at, &s, r->partition.count);
    if (is_kept && !is_fetched) {
        r->slot = (r->slot + 1) % HS_DEVICE_SLOTS;
        HS_TRY(take(r, r->slot, err));
    }
    return HISS_OK;
}

void hs_card_rounds_advance(hs_running *r, hs_card_look *look)
{
    hs_group_state *first = &r->state[0];

    while (first->step < r->target && !first->is_done) {
        first->status = stretch(r, look, &first->error);
        if (first->status == HISS_OK && first->is_done)
            first->status = take_all(r, &first->error);
        if (first->status != HISS_OK)
            first->is_done = true;
    }
}

hiss_status hs_card_rounds_collect(hs_running *r, bool is_last, hiss_error *err)
{
    HS_TRY(hs_mirror_fetch(r->mirror, !is_last, err));
    return hs_mirror_fetch_sums(r->mirror, is_last, err);
}
