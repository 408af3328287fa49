/* metropolis.c - random sites, a uniformly chosen other value, Metropolis.
 *
 * The sites of a step are drawn anew and are the same for all chains.  Pairs of
 * two-valued sites, and labels with equal couplings, have special loops under a
 * flat tilt (lanes/gibbs), with the same draws. */
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "kernel/gibbs/sweeps/labels_plan.h"
#include "kernel/gibbs/sweeps/site.h"
#include "kernel/gibbs/sweeps/sweeps.h"
#include "kernel/kernel.h"
#include "lanes/lanes.h"

struct metropolis {
    int updates; /* 0: dim */
    hs_site site;
    const hs_pair_form *pairs; /* borrowed, or NULL for other models */
    bool has_labels;           /* then, owned: */
    hs_labels labels;
    hs_byte_row *label; /* [dim + 1] */
};

static int visits_of(const struct metropolis *s, const hs_model *m)
{
    return s->updates > 0 ? s->updates : m->domain.dim;
}

static hiss_status metropolis_setup(hs_kernel *k, const hs_model *m,
                                    hiss_error *err)
{
    struct metropolis *s = k->state;
    const hs_pair_form *pairs = hs_model_structure(m, HS_STRUCTURE_PAIRS);

    HS_TRY(hs_site_init(&s->site, m, err));
    if (pairs && m->ops->rows)
        s->pairs = pairs;
    s->has_labels = hs_labels_apply(m);
    if (!s->has_labels)
        return HISS_OK;
    HS_TRY(hs_labels_init(&s->labels, m, false, err));
    s->label = hs_alloc_array((size_t)s->labels.dim + 1, sizeof *s->label);
    return s->label ? HISS_OK : hs_fail_memory(err);
}

static void metropolis_clear(hs_kernel *k)
{
    struct metropolis *s = k->state;

    hs_site_clear(&s->site);
    hs_labels_clear(&s->labels);
    hs_free(s->label);
}

static hiss_status update(hs_kernel *k, const hs_model *m, const hs_tilt *t,
                          hs_tile *x, int i, int64_t position)
{
    struct metropolis *s = k->state;
    const uint32_t *propose, *decide;
    int16_t to[HS_LANES];
    int32_t accept[HS_LANES];

    HS_TRY(hs_site_logits(&s->site, m, t, x, i));
    hs_site_words(x, HS_DRAW_PROPOSE, position, s->site.words, &propose);
    hs_site_words(x, HS_DRAW_ACCEPT, position, s->site.more, &decide);
    hs_site_ties(&s->site, x, m, i, position);
    hs_lanes()->metropolis_value(
        (const hs_float_row *)s->site.logits, m->domain.states[i], x->at.x[i],
        propose, decide, (const uint32_t(*)[HS_LANES])s->site.tie, to);
    for (int l = 0; l < HS_LANES; l++)
        accept[l] = to[l] != x->at.x[i][l];
    hs_site_move(&s->site, m, x, i, to);
    hs_kernel_count(k, x, accept);
    return HISS_OK;
}

static void draw(void *state, hs_point *p, const hs_visits *visits)
{
    const struct metropolis *s = state;
    const hs_pair_form *g = s->pairs;

    if (g)
        hs_lanes()->ising_metropolis(g->j, g->low, g->gap, g->step, visits,
                                     p->x);
    else
        hs_lanes()->labels_metropolis(&s->labels, visits, p->x, s->label);
    p->have = 0;
}

/* Makes all visits by a special loop. */
static void visit_all(hs_kernel *k, const hs_model *m, const hs_tilt *t,
                      hs_tile *x)
{
    struct metropolis *s = k->state;
    double changed[HS_LANES] = {0};
    hs_sweep_job job = {.m = m,
                        .t = t,
                        .x = x,
                        .steps = k->steps,
                        .visits = visits_of(s, m),
                        .count = 1,
                        .is_random = true,
                        .changed = changed};

    if (s->has_labels) {
        hs_lanes()->narrow_index(s->labels.dim, (const hs_index_row *)x->at.x,
                                 s->label);
        memset(s->label[s->labels.dim], 255, sizeof *s->label);
    }
    hs_sweep_visit(&job, draw, s);
    for (int l = 0; l < x->lanes; l++) {
        k->lane[HS_PROPOSED][l] += (double)job.visits;
        k->lane[HS_ACCEPTED][l] += changed[l];
    }
}

static hiss_status metropolis_step(hs_kernel *k, const hs_model *m,
                                   const hs_tilt *t, hs_tile *x)
{
    struct metropolis *s = k->state;
    int64_t visits = visits_of(s, m);
    bool is_fast =
        (s->pairs || s->has_labels) && hs_tilt_form_of(t) == HS_TILT_FLAT;

    hs_tile_tick(x);
    HS_TRY(hs_tile_evaluate(x, m, &x->at, HS_U));
    if (is_fast)
        visit_all(k, m, t, x);
    for (int64_t p = 0; !is_fast && p < visits; p++) {
        HS_TRY(update(k, m, t, x, hs_site_random(x, m, p), p));
        HS_TRY(hs_site_mend(m, x, k->steps, visits, p));
    }
    hs_site_count(x, m, visits);
    return hs_site_refresh(m, x, k->steps, visits);
}

static bool metropolis_plan(const hs_kernel *k, const hs_model *m,
                            hs_tilt_form form, hs_device_sampler *out)
{
    out->step = HS_DEVICE_METROPOLIS;
    out->visits = visits_of(k->state, m);
    out->is_random = true;
    return hs_model_has_cheap_sites(m) && form != HS_TILT_FACTORS;
}

static void metropolis_made(hs_kernel *k, const hs_model *m, hs_tile *x,
                            hs_tilt_form form, int64_t steps)
{
    int visits = visits_of(k->state, m);

    (void)form;
    for (int64_t n = 0; n < steps; n++) {
        hs_tile_tick(x);
        hs_site_presume(x, m, visits);
    }
    for (int l = 0; l < x->lanes; l++)
        k->lane[HS_PROPOSED][l] += (double)visits * (double)steps;
}

static int metropolis_work(const hs_kernel *k, const hs_model *m, hs_work *part)
{
    part[0] =
        (hs_work){.times = (double)visits_of(k->state, m) / m->domain.dim};
    return 1;
}

static hs_traits metropolis_traits(const hs_kernel *k)
{
    (void)k;
    return (hs_traits){.exact = true,
                       .reversible = true,
                       .homogeneous = true,
                       .shares = true,
                       .period = 1};
}

static const hs_option metropolis_options[] = {
    {"updates", HS_INTEGER, offsetof(struct metropolis, updates), "0",
     "[0,1000000000]", "proposals per step; 0: as many as coordinates"},
    {0},
};

const hs_kernel_type hs_kernel_metropolis = {
    .name = "metropolis",
    .summary = "random-site Metropolis",
    .size = sizeof(struct metropolis),
    .options = metropolis_options,
    .setup = metropolis_setup,
    .step = metropolis_step,
    .clear = metropolis_clear,
    .traits = metropolis_traits,
    .plan = metropolis_plan,
    .made = metropolis_made,
    .work = metropolis_work,
};
