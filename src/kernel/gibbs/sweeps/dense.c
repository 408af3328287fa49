/* dense.c - couplings of all pairs (lanes/gibbs/dense.c).  U is updated in
 * double.  Its gains are exact to 2^-53, so it is never computed afresh. */
#include "base/alloc.h"
#include "base/error.h"
#include "kernel/gibbs/sweeps/sweeps.h"
#include "lanes/lanes.h"

struct dense {
    const hs_dense_whole *all; /* borrowed */
    int32_t (*s)[HS_LANES];    /* owned, [dim] */
};

static bool dense_applies(const hs_model *m, hs_tilt_form form, bool is_ordered)
{
    (void)is_ordered;
    return form != HS_TILT_FACTORS &&
           hs_model_structure(m, HS_STRUCTURE_DENSE_WHOLE);
}

static hiss_status dense_init(void *state, const hs_model *m, hiss_error *err)
{
    struct dense *s = state;

    s->all = hs_model_structure(m, HS_STRUCTURE_DENSE_WHOLE);
    s->s = hs_alloc_array((size_t)s->all->dim, sizeof *s->s);
    return s->s ? HISS_OK : hs_fail_memory(err);
}

static void dense_clear(void *state)
{
    struct dense *s = state;

    hs_free(s->s);
}

static void draw(void *state, hs_point *p, const hs_visits *visits)
{
    const struct dense *s = state;

    hs_lanes()->dense_heat_bath(s->all, visits, s->s, p->x, p->u);
    p->have &= HS_U;
}

static hiss_status dense_sweep(void *state, const hs_sweep_job *job)
{
    hs_sweep_visit(job, draw, state);
    return hs_sweep_finish(job);
}

const hs_sweep hs_sweep_dense = {
    .base = {.name = "dense",
             .size = sizeof(struct dense),
             .init = dense_init,
             .clear = dense_clear},
    .applies = dense_applies,
    .sweep = dense_sweep,
};
