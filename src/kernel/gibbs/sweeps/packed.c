/* packed.c - couplings J and -J, with a bit per chain: draws of its own, which
 * is why it is no row of sweeps.def.  Many steps at a time are worth most:
 * states are made bits, and bits states, once for all of them, and so is U. */
#include "kernel/gibbs/sweeps/packed.h"

#include "base/alloc.h"
#include "base/error.h"
#include "kernel/gibbs/sweeps/packed_plan.h"
#include "lanes/lanes.h"

struct packed {
    hs_packed plan; /* owned */
    uint16_t *word; /* owned, [dim + 2 HS_BUNDLE] */
    float beta;     /* of the laws, if there are: */
    bool has_laws;
};

static bool packed_applies(const hs_model *m, hs_tilt_form form,
                           bool is_ordered)
{
    (void)is_ordered;
    return form == HS_TILT_FLAT && !hs_packed_hindrance(m);
}

static hiss_status packed_init(void *state, const hs_model *m, hiss_error *err)
{
    struct packed *s = state;
    const char *why = hs_packed_hindrance(m);

    if (why)
        return hs_fail(err, HISS_EUNSUP,
                       "gibbs(packed=yes) wants couplings J or -J, equal "
                       "fields, and at most %d couplings of a site; this model "
                       "%s: use gibbs",
                       HS_PACKED_DEGREE, why);
    HS_TRY(hs_packed_init(&s->plan, m, err));
    s->word =
        hs_alloc_array((size_t)s->plan.dim + 2 * HS_BUNDLE, sizeof *s->word);
    return s->word ? HISS_OK : hs_fail_memory(err);
}

static void packed_clear(void *state)
{
    struct packed *s = state;

    hs_packed_clear(&s->plan);
    hs_free(s->word);
}

/* All chains of a word have one temperature (traits.packs). */
static void set_beta(struct packed *s, float beta)
{
    if (s->has_laws && s->beta == beta)
        return;
    s->beta = beta;
    s->has_laws = true;
    hs_packed_set_beta(&s->plan, beta);
}

const hs_packed *hs_sweep_packed_plan(void *state)
{
    struct packed *s = state;

    set_beta(s, 1.0f);
    return &s->plan;
}

static hiss_status packed_sweep(void *state, const hs_sweep_job *job)
{
    struct packed *s = state;
    hs_point *p = &job->x->at;

    set_beta(s, job->t->beta[0]);
    hs_lanes()->packed_take(&s->plan, (const int16_t(*)[HS_LANES])p->x,
                            s->word);
    hs_lanes()->packed_sweeps(&s->plan, &job->x->rng, job->count, s->word,
                              job->changed);
    hs_lanes()->packed_give(&s->plan, s->word, p->x);
    p->have = 0;
    return hs_sweep_finish(job);
}

const hs_sweep hs_sweep_packed = {
    .base = {.name = "packed",
             .size = sizeof(struct packed),
             .init = packed_init,
             .clear = packed_clear},
    .applies = packed_applies,
    .sweep = packed_sweep,
};
