/* card_rounds.c - rounds whose steps a card makes.
 *
 * All groups are at the same step.  The card makes as many steps at a time as
 * nothing here depends on: up to the next draw that is kept, the end of the
 * warm-up, the next transfer of marginals or the end of the round. */
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

static hiss_status open_card(hs_running *r, const hs_device_choice *choice,
                             hiss_error *err)
{
    const hs_device_table *device;
    hs_device_card card;
    char text[HS_DEVICE_NAME + 32];

    if (hs_ranks_size(r->partition.ranks) > 1)
        return hs_fail(err, HISS_EUNSUP,
                       "device cuda: a run that ranks share cannot be on a "
                       "card yet; use --device cpu, or one process");
    HS_TRY(hs_device_open_card(&device, choice->number, err));
    HS_TRY(device->card(choice->number, &card, err));
    HS_TRY(hs_mirror_create(&r->mirror, device, choice->number, r->state,
                            r->partition.count, r->pool, err));
    snprintf(text, sizeof text, "cuda:%d (%s)", choice->number, card.name);
    r->run->device = hs_strdup(text);
    return r->run->device ? HISS_OK : hs_fail_memory(err);
}

hiss_status hs_card_rounds_open(hs_running *r, hiss_error *err)
{
    hs_device_choice choice;
    hiss_error why = {0};
    char text[sizeof why.message + 32] = "cpu";
    hiss_status rc;

    HS_TRY(hs_device_parse(r->set->device, &choice, err));
    if (choice.is_card) {
        rc = open_card(r, &choice, choice.may_not ? &why : err);
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

    if (r->set->evals > 0.0 || hs_mirror_couples(r->mirror))
        return 1;
    if (is_warming(w))
        return w->warmup < 0 ? steps : least(steps, w->warmup - w->step);
    return w->marginals.recent
               ? least(steps, HS_TRAIL_STEPS - w->marginals.pending)
               : steps;
}

static void look_at(void *context, int index)
{
    const struct stretch *s = context;

    s->look(s->r, &s->r->state[index], s->steps);
}

/* What is needed here after so many steps. */
static unsigned needed(const hs_running *r, int64_t steps)
{
    const hs_group_state *w = &r->state[0];
    unsigned what = 0;

    if (steps == until_kept(r, w))
        what |= HS_DEVICE_STATES | HS_DEVICE_ENERGIES | HS_DEVICE_CHANGED;
    if (is_warming(w) && (w->step + steps == w->warmup || w->warmup < 0))
        what |= HS_DEVICE_CHANGED; /* counts are cleared then */
    if (!is_warming(w) && w->marginals.recent &&
        w->marginals.pending + steps == HS_TRAIL_STEPS)
        what |= HS_DEVICE_SUMS;
    if (w->step + steps == r->target)
        what |= HS_DEVICE_CHANGED; /* waits, so that rounds have their length */
    return what;
}

static hiss_status stretch(hs_running *r, hs_card_look *look, hiss_error *err)
{
    struct stretch s = {r, look, steps_at_once(r)};
    unsigned what = needed(r, s.steps);

    HS_TRY(hs_mirror_step(r->mirror, s.steps, !is_warming(&r->state[0]), err));
    if (what)
        HS_TRY(hs_mirror_fetch(r->mirror, what, err));
    hs_pool_run(r->pool, look_at, &s, r->partition.count);
    return what & HS_DEVICE_SUMS ? hs_mirror_clear_sums(r->mirror, err)
                                 : HISS_OK;
}

void hs_card_rounds_advance(hs_running *r, hs_card_look *look)
{
    hs_group_state *first = &r->state[0];

    while (first->step < r->target && !first->is_done) {
        first->status = stretch(r, look, &first->error);
        if (first->status != HISS_OK)
            first->is_done = true;
    }
}

hiss_status hs_card_rounds_settle(hs_running *r, hiss_error *err)
{
    return hs_mirror_fetch(r->mirror,
                           HS_DEVICE_STATES | HS_DEVICE_ENERGIES |
                               HS_DEVICE_CHANGED | HS_DEVICE_SUMS,
                           err);
}
