/* patrol.c - tempering in search of modes that are not known yet. */
#include "run/patrol.h"

#include "base/alloc.h"
#include "base/error.h"

#define CHAINS 4

/* Keeps what is not known. */
static void look(hs_patrol *p, const hs_group *g, const hs_library *known)
{
    int dim = g->model->domain.dim;

    for (int c = 0; c < g->chains && p->count < HS_PATROL_MAX; c++) {
        int16_t *state = p->state + (size_t)p->count * (size_t)dim;
        int lane;
        const hs_tile *t = hs_group_at_level(g, c, 0, &lane);

        for (int i = 0; i < dim; i++)
            state[i] = t->at.x[i][lane];
        p->count += hs_library_mode(known, &g->model->domain, state) < 0;
    }
}

static hiss_status build(hs_group **out, const hs_model *m, const hs_ladder *l,
                         const hs_ladder_request *request, uint64_t seed,
                         hiss_error *err)
{
    hs_text text = {0};
    hs_spec spec = {0};
    char *printed;
    hiss_status rc;

    *out = NULL;
    hs_ladder_print(l, request, &text);
    printed = hs_text_take(&text);
    rc = printed ? hs_spec_parse(&spec, printed, err) : hs_fail_memory(err);
    if (rc == HISS_OK)
        rc = hs_group_create(out, m, &spec, seed, request->first_chain, CHAINS,
                             err);
    hs_spec_clear(&spec);
    hs_free(printed);
    return rc;
}

/* A fifth of the way is settling. */
static hiss_status walk(hs_patrol *p, hs_group *g, double budget,
                        const hs_library *known, int every, hs_watch *watch,
                        hiss_error *err)
{
    double spent = 0.0, energy, gradient;

    HS_TRY(hs_group_start(g, false, err));
    hs_group_set_warmup(g, true);
    for (int n = 0; spent < budget && p->count < HS_PATROL_MAX; n++) {
        HS_TRY(hs_group_step(g, err));
        hs_group_evals(g, &energy, &gradient);
        spent = (energy + gradient) * g->chains;
        if (spent > 0.2 * budget && n % every == 0)
            look(p, g, known);
        if (n % 16 == 0)
            HS_TRY(hs_watch_tell(watch, err));
    }
    hs_group_evals(g, &energy, &gradient);
    watch->energy_evals += energy * g->chains;
    watch->gradient_evals += gradient * g->chains;
    return HISS_OK;
}

hiss_status hs_patrol_make(hs_patrol *p, const hs_model *m, const hs_ladder *l,
                           const hs_ladder_request *request,
                           const hs_library *known, int every, hs_watch *watch,
                           hiss_error *err)
{
    hs_group *g = NULL;
    hiss_status rc = HISS_OK;

    *p = (hs_patrol){0};
    p->state = hs_alloc_array((size_t)HS_PATROL_MAX * (size_t)m->domain.dim,
                              sizeof *p->state);
    if (!p->state)
        rc = hs_fail_memory(err);
    if (rc == HISS_OK)
        rc = build(&g, m, l, request, watch->seed, err);
    if (rc == HISS_OK)
        rc = walk(p, g, request->budget, known, every, watch, err);
    hs_group_destroy(g);
    if (rc != HISS_OK)
        hs_patrol_clear(p);
    return rc;
}

void hs_patrol_clear(hs_patrol *p)
{
    hs_free(p->state);
    *p = (hs_patrol){0};
}
