/* sparse.c - couplings of pairs, row by row (lanes/gibbs/heat_bath.c). */
#include "kernel/gibbs/sweeps/sweeps.h"
#include "lanes/lanes.h"

struct sparse {
    const hs_pair_form *pairs; /* borrowed */
};

static bool sparse_applies(const hs_model *m, hs_tilt_form form,
                           bool is_ordered)
{
    (void)is_ordered;
    return form != HS_TILT_FACTORS && hs_model_structure(m, HS_STRUCTURE_PAIRS);
}

static hiss_status sparse_init(void *state, const hs_model *m, hiss_error *err)
{
    struct sparse *s = state;

    (void)err;
    s->pairs = hs_model_structure(m, HS_STRUCTURE_PAIRS);
    return HISS_OK;
}

static void draw(void *state, hs_point *p, const hs_visits *visits)
{
    const struct sparse *s = state;
    const hs_pair_form *g = s->pairs;
    double gain[HS_LANES] = {0};
    double *gained =
        p->have & HS_U && g->is_whole && g->j->uniform != 0.0f ? gain : NULL;

    hs_lanes()->ising_heat_bath(g->j, g->low, g->gap, g->step, visits, p->x,
                                gained);
    hs_sweep_gain(p, g->scale, gained);
}

static hiss_status sparse_sweep(void *state, const hs_sweep_job *job)
{
    hs_sweep_visit(job, draw, state);
    return hs_sweep_finish(job);
}

const hs_sweep hs_sweep_sparse = {
    .base = {.name = "sparse",
             .size = sizeof(struct sparse),
             .init = sparse_init},
    .applies = sparse_applies,
    .sweep = sparse_sweep,
};
