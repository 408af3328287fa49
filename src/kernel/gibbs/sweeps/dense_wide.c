/* dense_wide.c - couplings of all pairs in double
 * (lanes/gibbs/dense_wide.c).
 *
 * U is updated in double, and computed by the model now and then. */
#include "base/alloc.h"
#include "base/error.h"
#include "kernel/gibbs/sweeps/sweeps.h"
#include "lanes/lanes.h"

#define REFRESH 64 /* steps */

struct dense_wide {
    const hs_dense_wide *all; /* borrowed */
    double (*s)[HS_LANES];    /* owned, [dim]: values */
};

static bool dense_wide_applies(const hs_model *m, hs_tilt_form form,
                               bool is_ordered)
{
    (void)is_ordered;
    return form != HS_TILT_FACTORS &&
           hs_model_structure(m, HS_STRUCTURE_DENSE_WIDE);
}

static hiss_status dense_wide_init(void *state, const hs_model *m,
                                   hiss_error *err)
{
    struct dense_wide *s = state;

    s->all = hs_model_structure(m, HS_STRUCTURE_DENSE_WIDE);
    s->s = hs_alloc_array((size_t)s->all->dim, sizeof *s->s);
    return s->s ? HISS_OK : hs_fail_memory(err);
}

static void dense_wide_clear(void *state)
{
    struct dense_wide *s = state;

    hs_free(s->s);
}

static void draw(void *state, hs_point *p, const hs_visits *visits)
{
    const struct dense_wide *s = state;
    const hs_dense_wide *all = s->all;
    double gain[HS_LANES] = {0};

    for (int i = 0; i < all->dim; i++)
        for (int l = 0; l < HS_LANES; l++)
            s->s[i][l] = (double)(all->low + all->gap * (float)p->x[i][l]);
    hs_lanes()->dense_heat_bath_wide(all, visits, s->s, p->x, gain);
    for (int l = 0; l < HS_LANES; l++)
        p->u[l] += gain[l] / (double)all->scale;
    p->have &= visits->rng->clock % REFRESH ? HS_U : 0;
}

static hiss_status dense_wide_sweep(void *state, const hs_sweep_job *job)
{
    hs_sweep_visit(job, draw, state);
    return hs_sweep_finish(job);
}

const hs_sweep hs_sweep_dense_wide = {
    .base = {.name = "dense-wide",
             .size = sizeof(struct dense_wide),
             .init = dense_wide_init,
             .clear = dense_wide_clear},
    .applies = dense_wide_applies,
    .sweep = dense_wide_sweep,
};
