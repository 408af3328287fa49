/* labels.c - labels with equal couplings, in bytes (lanes/gibbs/labels.c). */
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "kernel/gibbs/sweeps/labels_plan.h"
#include "kernel/gibbs/sweeps/sweeps.h"
#include "lanes/lanes.h"

struct labels {
    hs_labels plan;     /* owned */
    hs_byte_row *label; /* owned, [dim + 1] */
};

static bool labels_applies(const hs_model *m, hs_tilt_form form,
                           bool is_ordered)
{
    (void)is_ordered;
    return form == HS_TILT_FLAT && hs_labels_apply(m);
}

static hiss_status labels_init(void *state, const hs_model *m, hiss_error *err)
{
    struct labels *s = state;

    HS_TRY(hs_labels_init(&s->plan, m, false, err));
    s->label = hs_alloc_array((size_t)s->plan.dim + 1, sizeof *s->label);
    return s->label ? HISS_OK : hs_fail_memory(err);
}

static void labels_clear(void *state)
{
    struct labels *s = state;

    hs_labels_clear(&s->plan);
    hs_free(s->label);
}

static void draw(void *state, hs_point *p, const hs_visits *visits)
{
    const struct labels *s = state;

    if (visits->is_metropolis)
        hs_lanes()->labels_metropolis(&s->plan, visits, p->x, s->label);
    else
        hs_lanes()->labels_heat_bath(&s->plan, visits, p->x, s->label);
    p->have = 0;
}

static hiss_status labels_sweep(void *state, const hs_sweep_job *job)
{
    struct labels *s = state;
    int dim = s->plan.dim;

    HS_TRY(hs_tile_evaluate(job->x, job->m, &job->x->at, HS_U));
    hs_lanes()->narrow_index(dim, (const hs_index_row *)job->x->at.x, s->label);
    memset(s->label[dim], 255, sizeof s->label[dim]);
    hs_sweep_visit(job, draw, state);
    return hs_sweep_finish(job);
}

const hs_sweep hs_sweep_labels = {
    .base = {.name = "labels",
             .size = sizeof(struct labels),
             .init = labels_init,
             .clear = labels_clear},
    .applies = labels_applies,
    .sweep = labels_sweep,
};
