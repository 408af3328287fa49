/* scan.c - couplings J and -J, all sites in order, without phi: lists of
 * neighbors as they are read (lanes/gibbs/scan.c). */
#include "base/alloc.h"
#include "base/error.h"
#include "kernel/gibbs/sweeps/sweeps.h"
#include "lanes/lanes.h"

struct scan {
    const hs_scan *lists; /* borrowed, as is: */
    const hs_pair_form *pairs;
    hs_byte_row *bytes; /* owned, [dim + 1]: states */
};

static bool scan_applies(const hs_model *m, hs_tilt_form form, bool is_ordered)
{
    return form == HS_TILT_FLAT && is_ordered && m->apart &&
           hs_model_structure(m, HS_STRUCTURE_SIGNED) &&
           hs_model_structure(m, HS_STRUCTURE_PAIRS);
}

static hiss_status scan_init(void *state, const hs_model *m, hiss_error *err)
{
    struct scan *s = state;

    s->lists = hs_model_structure(m, HS_STRUCTURE_SIGNED);
    s->pairs = hs_model_structure(m, HS_STRUCTURE_PAIRS);
    s->bytes = hs_alloc_array((size_t)s->lists->dim + 1, sizeof *s->bytes);
    return s->bytes ? HISS_OK : hs_fail_memory(err);
}

static void scan_clear(void *state)
{
    struct scan *s = state;

    hs_free(s->bytes);
}

static void draw(void *state, hs_point *p, const hs_visits *visits)
{
    const struct scan *s = state;
    double gain[HS_LANES] = {0};
    double *gained = p->have & HS_U && s->pairs->is_whole ? gain : NULL;

    hs_lanes()->scan_heat_bath(s->lists, visits, p->x, s->bytes, gained);
    hs_sweep_gain(p, s->pairs->scale, gained);
}

static hiss_status scan_sweep(void *state, const hs_sweep_job *job)
{
    hs_sweep_visit(job, draw, state);
    return hs_sweep_finish(job);
}

const hs_sweep hs_sweep_scan = {
    .base = {.name = "scan",
             .size = sizeof(struct scan),
             .init = scan_init,
             .clear = scan_clear},
    .applies = scan_applies,
    .sweep = scan_sweep,
};
