/* regular.c - equal couplings on a graph of one degree, without phi: looked up
 * by the number of high neighbors (lanes/regular/regular.c). */
#include "kernel/gibbs/sweeps/sweeps.h"
#include "lanes/lanes.h"

struct regular {
    const hs_regular *graph; /* borrowed, as is: */
    const hs_pair_form *pairs;
};

static bool regular_applies(const hs_model *m, hs_tilt_form form,
                            bool is_ordered)
{
    (void)is_ordered;
    return form == HS_TILT_FLAT &&
           hs_model_structure(m, HS_STRUCTURE_REGULAR) &&
           hs_model_structure(m, HS_STRUCTURE_PAIRS);
}

static hiss_status regular_init(void *state, const hs_model *m, hiss_error *err)
{
    struct regular *s = state;

    (void)err;
    s->graph = hs_model_structure(m, HS_STRUCTURE_REGULAR);
    s->pairs = hs_model_structure(m, HS_STRUCTURE_PAIRS);
    return HISS_OK;
}

static void draw(void *state, hs_point *p, const hs_visits *visits)
{
    const struct regular *s = state;
    double gain[HS_LANES] = {0};
    double *gained = p->have & HS_U && s->pairs->is_whole ? gain : NULL;

    hs_lanes()->regular_heat_bath(s->graph, visits, p->x, gained);
    hs_sweep_gain(p, s->pairs->scale, gained);
}

static hiss_status regular_sweep(void *state, const hs_sweep_job *job)
{
    hs_sweep_visit(job, draw, state);
    return hs_sweep_finish(job);
}

const hs_sweep hs_sweep_regular = {
    .base = {.name = "regular",
             .size = sizeof(struct regular),
             .init = regular_init},
    .applies = regular_applies,
    .sweep = regular_sweep,
};
