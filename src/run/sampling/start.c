/* start.c - starts the chains of a run.
 *
 * If tempering alone changes modes, replicas come down from the hottest level
 * (run/chain/group_descend.c), level by level.  Between two levels the caller
 * is polled.  A run with a time limit may have to begin before they have
 * arrived, and so may one with few evaluations if a step is expensive.  Chains
 * that share their levels between ranks count evaluations too late for that. */
#include <math.h>

#include "base/error.h"
#include "run/sampling/running.h"

#define IN_TIME  0.15 /* share of the remaining time limit, */
#define IN_EVALS 0.15 /* and of the evaluations */

/* Data that the threads share while replicas come down. */
struct descent {
    hs_running *r;
    float beta[HS_REPLICAS_MAX];
    int level;
    double most; /* most evaluations of a chain */
};

static void set_state(void *context, int index)
{
    hs_running *r = context;
    hs_group_state *w = &r->state[index];

    w->status = hs_group_state_start(w, r->set, &w->error);
}

static void descend_state(void *context, int index)
{
    struct descent *d = context;
    hs_group_state *w = &d->r->state[index];

    w->status =
        hs_group_descend(w->group, d->beta, d->level,
                         w->group->team ? HUGE_VAL : d->most, &w->error);
    if (d->level == 0 && w->status == HISS_OK)
        w->status = hs_group_mend(w->group, &w->error);
}

static hiss_status descend(hs_running *r, hiss_error *err)
{
    struct descent d = {.r = r, .most = HUGE_VAL};
    double now = hs_now(), until = HUGE_VAL;

    if (r->set->time_limit > 0.0)
        until = now + IN_TIME * (r->started + r->set->time_limit - now);
    if (r->set->evals > 0.0)
        d.most = IN_EVALS * r->set->evals / r->set->chains;
    hs_group_betas(r->state[0].group, d.beta);
    for (d.level = r->state[0].group->replicas - 1; d.level >= 0; d.level--) {
        if (d.level > 0 && hs_now() > until)
            continue;
        hs_run_each(r, descend_state, &d);
        HS_TRY(hs_rounds_fault(r, err));
        if (d.level > 0 && hs_rounds_is_stopped(r, true))
            return hs_fail(err, HISS_ESTOP, "stopped on request");
    }
    return HISS_OK;
}

hiss_status hs_start_states(hs_running *r, hiss_error *err)
{
    const hiss_settings *set = r->set;

    if (set->resume || r->partition.count == 0)
        return HISS_OK; /* the states come from the checkpoint */
    hs_run_each(r, set_state, r);
    HS_TRY(hs_rounds_fault(r, err));
    if ((r->scheme->settling > 0.0 || set->level_draws) && !set->init)
        HS_TRY(descend(r, err));
    for (int g = 0; !set->init && !set->init_best && g < r->partition.count;
         g++)
        hs_scheme_start(r->scheme, r->state[g].group, r->state[g].first_chain);
    return HISS_OK;
}
