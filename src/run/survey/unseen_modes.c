/* unseen_modes.c - tempering in search of modes that are not known yet. */
#include "run/survey/unseen_modes.h"

#include <string.h>

#include "base/alloc.h"
#include "base/error.h"

#define CHAINS 4

/* Modes that were looked at, and how often they changed. */
struct record {
    int last[CHAINS]; /* mode, -2: none yet */
    double seen[HS_LIBRARY_MAX + 1];
    double looks, pairs, changes;
};

/* Keeps what is not known, and notes which mode every chain is in. */
static void look(hs_unseen_modes *p, struct record *r, const hs_group *g,
                 const hs_library *known, int16_t *state)
{
    int dim = g->model->domain.dim;

    for (int c = 0; c < g->chains; c++) {
        int lane, mode;
        const hs_tile *t = hs_group_at_level(g, c, 0, &lane);

        for (int i = 0; i < dim; i++)
            state[i] = t->at.x[i][lane];
        mode = hs_library_mode(known, &g->model->domain, state);
        if (mode < 0 && p->count < HS_UNSEEN_MAX)
            memcpy(p->state + (size_t)p->count++ * (size_t)dim, state,
                   (size_t)dim * sizeof *state);
        if (p->looks < HS_UNSEEN_LOOKS)
            memcpy(p->look + (size_t)p->looks++ * (size_t)dim, state,
                   (size_t)dim * sizeof *state);
        r->seen[mode < 0 ? known->modes : mode] += 1.0;
        r->looks += 1.0;
        if (r->last[c] > -2) {
            r->pairs += 1.0;
            r->changes += mode != r->last[c];
        }
        r->last[c] = mode;
    }
}

/* One change more than seen, and one more than expected: a guess at first. */
static double freshness(const struct record *r, int modes)
{
    double same = 0.0, expected, ratio;

    for (int k = 0; k <= modes; k++)
        same += r->looks > 0.0 ? r->seen[k] / r->looks * (r->seen[k] / r->looks)
                               : 0.0;
    expected = r->pairs * (1.0 - same);
    ratio = (r->changes + 1.0) / (expected + 1.0);
    return ratio < 1.0 ? ratio / (2.0 - ratio) : 1.0;
}

static hiss_status build(hs_group **out, const hs_model *m, const hs_ladder *l,
                         const hs_ladder_request *request, uint64_t seed,
                         hiss_error *err)
{
    hs_sampler *sampler;
    hiss_status rc;

    *out = NULL;
    HS_TRY(hs_ladder_sampler(&sampler, l, request, err));
    rc = hs_group_create(out, m, sampler, seed, request->first_chain, CHAINS,
                         err);
    hs_sampler_release(sampler);
    return rc;
}

/* A fifth of the way is settling. */
static hiss_status walk(hs_unseen_modes *p, hs_group *g, double budget,
                        const hs_library *known, int every, int16_t *state,
                        hs_pilot_account *account, hiss_error *err)
{
    struct record record = {.last = {-2, -2, -2, -2}};
    double spent = 0.0, energy, gradient;

    HS_TRY(hs_group_start(g, false, err));
    hs_group_tune(g, 0);
    for (int n = 0; spent < budget; n++) {
        HS_TRY(hs_group_step(g, err));
        hs_group_pool(g);
        spent = hs_group_spent(g) * g->chains;
        if (spent > 0.2 * budget && n % every == 0)
            look(p, &record, g, known, state);
        if (n % 16 == 0)
            HS_TRY(hs_pilot_account_report(account, err));
    }
    hs_group_evals(g, &energy, &gradient);
    account->energy_evals += energy * g->chains;
    account->gradient_evals += gradient * g->chains;
    p->freshness = freshness(&record, known->modes);
    return HISS_OK;
}

hiss_status hs_unseen_modes_make(hs_unseen_modes *p, const hs_model *m,
                                 const hs_ladder *l,
                                 const hs_ladder_request *request,
                                 const hs_library *known, int every,
                                 hs_pilot_account *account, hiss_error *err)
{
    int16_t *state = hs_alloc_array((size_t)m->domain.dim, sizeof *state);
    hs_group *g = NULL;
    hiss_status rc = HISS_OK;

    *p = (hs_unseen_modes){.freshness = 1.0};
    p->state = hs_alloc_array((size_t)HS_UNSEEN_MAX * (size_t)m->domain.dim,
                              sizeof *p->state);
    p->look = hs_alloc_array((size_t)HS_UNSEEN_LOOKS * (size_t)m->domain.dim,
                             sizeof *p->look);
    if (!p->state || !p->look || !state)
        rc = hs_fail_memory(err);
    if (rc == HISS_OK)
        rc = build(&g, m, l, request, account->seed, err);
    if (rc == HISS_OK)
        rc = walk(p, g, request->budget, known, every, state, account, err);
    hs_group_destroy(g);
    hs_free(state);
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
