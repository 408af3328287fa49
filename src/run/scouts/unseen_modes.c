/* unseen_modes.c - tempering in search of modes that are not known yet. */
#include "run/scouts/unseen_modes.h"

#include <math.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"

#define CHAINS 4 /* capacity: chains of tempering that is watched */

/* Modes at the visits, and how often they changed. */
struct watcher {
    hs_unseen_modes *found;
    const hs_library *known;
    int every, steps;
    int16_t *state;   /* owned, [dim] */
    double *seen;     /* owned, [modes + 1]: visits to each mode; the last, to
                         unknown ones */
    int last[CHAINS]; /* mode, -2: none yet */
    double looks, pairs, changes;
};

static void note(struct watcher *w, int chain, int mode, int dim)
{
    hs_unseen_modes *p = w->found;
    size_t bytes = (size_t)dim * sizeof *w->state;

    if (mode < 0 && p->count < HS_UNSEEN_MAX)
        memcpy(p->state + (size_t)p->count++ * (size_t)dim, w->state, bytes);
    if (p->looks < HS_UNSEEN_LOOKS)
        memcpy(p->look + (size_t)p->looks++ * (size_t)dim, w->state, bytes);
    w->seen[mode < 0 ? w->known->modes : mode] += 1.0;
    w->looks += 1.0;
    if (w->last[chain] > -2) {
        w->pairs += 1.0;
        w->changes += mode != w->last[chain];
    }
    w->last[chain] = mode;
}

/* Keeps unknown states, and notes the mode of every chain. */
static void look(void *context, const hs_group *g)
{
    struct watcher *w = context;
    int dim = g->model->domain.dim;

    if (w->steps++ % w->every != 0)
        return;
    for (int c = 0; c < g->chains; c++) {
        int lane;
        const hs_tile *t = hs_group_at_level(g, c, 0, &lane);

        hs_point_read(&t->at, dim, lane, w->state);
        note(w, c, hs_library_mode(w->known, &g->model->domain, w->state), dim);
    }
}

/* Observed over expected changes of mode; one is added to both, a prior
 * guess. */
static double freshness(const struct watcher *w)
{
    double same = 0.0, expected, ratio;

    for (int k = 0; k <= w->known->modes && w->looks > 0.0; k++)
        same += w->seen[k] / w->looks * (w->seen[k] / w->looks);
    expected = w->pairs * (1.0 - same);
    ratio = (w->changes + 1.0) / (expected + 1.0);
    return ratio < 1.0 ? ratio / (2.0 - ratio) : 1.0;
}

hiss_status hs_unseen_modes_make(hs_unseen_modes *p, const hs_model *m,
                                 const hs_unseen_request *request,
                                 hs_pilot_account *account, hiss_error *err)
{
    size_t dim = (size_t)m->domain.dim;
    struct watcher w = {.found = p,
                        .known = request->known,
                        .every = request->every,
                        .last = {-2, -2, -2, -2}};
    hs_trial trial = {0};
    hiss_status rc = HISS_OK;

    *p = (hs_unseen_modes){.freshness = 1.0};
    p->state = hs_alloc_array(HS_UNSEEN_MAX * dim, sizeof *p->state);
    p->look = hs_alloc_array(HS_UNSEEN_LOOKS * dim, sizeof *p->look);
    w.state = hs_alloc_array(dim, sizeof *w.state);
    w.seen = hs_alloc_array((size_t)w.known->modes + 1, sizeof *w.seen);
    if (!p->state || !p->look || !w.state || !w.seen)
        rc = hs_fail_memory(err);
    if (rc == HISS_OK)
        rc = hs_trial_init(&trial, m, request->sampler, NULL, &request->from,
                           account->seed, request->first_chain, CHAINS, err);
    if (rc == HISS_OK)
        rc = hs_trial_run(&trial, request->budget, &(hs_trial_look){look, &w},
                          account, err);
    if (rc == HISS_OK)
        p->freshness = freshness(&w);
    p->of_u = fmin(hs_trial_sure(&trial, trial.u_discord), 1.0);
    p->cost = trial.cost;
    hs_trial_clear(&trial);
    hs_free(w.state);
    hs_free(w.seen);
    if (rc != HISS_OK)
        hs_unseen_modes_clear(p);
    return rc;
}

void hs_unseen_modes_clear(hs_unseen_modes *p)
{
    hs_free(p->state);
    hs_free(p->look);
    *p = (hs_unseen_modes){0};
}
