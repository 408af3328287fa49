/* unseen_modes.c - tempering in search of modes that are not known yet. */
#include "run/survey/unseen_modes.h"

#include <string.h>

#include "base/alloc.h"
#include "base/error.h"

#define CHAINS 4

struct watcher {
    hs_unseen_modes *found;
    const hs_library *known;
    int every, steps;
    int16_t *state; /* borrowed, [dim] */
};

/* Keeps what is not known. */
static void look(void *context, const hs_group *g)
{
    struct watcher *w = context;
    hs_unseen_modes *p = w->found;
    int dim = g->model->domain.dim;

    if (w->steps++ % w->every != 0)
        return;
    for (int c = 0; c < g->chains && p->count < HS_UNSEEN_MAX; c++) {
        int lane;
        const hs_tile *t = hs_group_at_level(g, c, 0, &lane);

        for (int i = 0; i < dim; i++)
            w->state[i] = t->at.x[i][lane];
        if (hs_library_mode(w->known, &g->model->domain, w->state) < 0)
            memcpy(p->state + (size_t)p->count++ * (size_t)dim, w->state,
                   (size_t)dim * sizeof *w->state);
    }
}

hiss_status hs_unseen_modes_make(hs_unseen_modes *p, const hs_model *m,
                                 const hs_unseen_request *request,
                                 hs_pilot_account *account, hiss_error *err)
{
    size_t dim = (size_t)m->domain.dim;
    struct watcher w = {.found = p,
                        .known = request->known,
                        .every = request->every,
                        .state = hs_alloc_array(dim, sizeof *w.state)};
    hs_trial trial = {0};
    hiss_status rc = HISS_OK;

    *p = (hs_unseen_modes){0};
    p->state = hs_alloc_array(HS_UNSEEN_MAX * dim, sizeof *p->state);
    if (!p->state || !w.state)
        rc = hs_fail_memory(err);
    if (rc == HISS_OK)
        rc = hs_trial_init(&trial, m, request->sampler, NULL, &request->from,
                           account->seed, request->first_chain, CHAINS, err);
    if (rc == HISS_OK)
        rc = hs_trial_run(&trial, request->budget, &(hs_trial_look){look, &w},
                          account, err);
    p->rate = trial.rate;
    hs_trial_clear(&trial);
    hs_free(w.state);
    if (rc != HISS_OK)
        hs_unseen_modes_clear(p);
    return rc;
}

void hs_unseen_modes_clear(hs_unseen_modes *p)
{
    hs_free(p->state);
    *p = (hs_unseen_modes){0};
}
