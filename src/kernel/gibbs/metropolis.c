/* metropolis.c - site by site, a uniformly chosen other value, Metropolis.
 *
 * A systematic scan visits every site once, in the model's order, by the sweeps
 * of gibbs (sweeps/sweeps.h, sweeps/few.h).  It accepts with probability
 * HS_METROPOLIS min(1, pi(y) / pi(x)), so that every visit may leave its site
 * as it is.  With min(1, pi(y) / pi(x)) a change that costs nothing would be
 * made at every visit: at beta = 0 all spins would flip in every step, for
 * ever.  As every visit may stay, a step may change one site alone, or none: it
 * is aperiodic and reaches whatever single changes of a random scan reach.
 *
 * The sites of a random scan are drawn anew for each step and are the same for
 * all chains.  It accepts with probability min(1, pi(y) / pi(x)): one step can
 * visit one site twice.  Pairs of two-valued sites, and labels with equal
 * couplings, have special loops under a flat tilt (lanes/gibbs), with the same
 * draws. */
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "kernel/gibbs/sweeps/few.h"
#include "kernel/gibbs/sweeps/labels_plan.h"
#include "kernel/gibbs/sweeps/site.h"
#include "kernel/gibbs/sweeps/sweeps.h"
#include "kernel/kernel.h"
#include "lanes/lanes.h"

enum {
    SYSTEMATIC,
    RANDOM
};

struct metropolis {
    int scan;
    int updates; /* of a random scan; 0: dim updates */
    /* for a systematic scan: */
    hs_paths sweeps; /* owned */
    hs_few_ways few; /* owned: for flat tilts */
    /* for a random scan: */
    hs_site site;
    const hs_pair_form *pairs; /* borrowed, or NULL for other models */
    bool has_labels;           /* then, owned: */
    hs_labels labels;
    hs_byte_row *label; /* [dim + 1] */
};

static bool is_random(const struct metropolis *s)
{
    return s->scan == RANDOM || s->updates > 0;
}

static int visits_of(const struct metropolis *s, const hs_model *m)
{
    return s->updates > 0 ? s->updates : m->domain.dim;
}

static hiss_status metropolis_setup(hs_kernel *k, const hs_model *m,
                                    hiss_error *err)
{
    struct metropolis *s = k->state;
    const hs_pair_form *pairs = hs_model_structure(m, HS_STRUCTURE_PAIRS);

    if (!is_random(s)) {
        for (int f = 0; f < HS_TILT_FORMS; f++)
            s->sweeps.path[f] =
                hs_sweep_choose(m, (hs_tilt_form)f, m->order != NULL);
        hs_few_choose(&s->few, m);
        return hs_paths_init(&s->sweeps, m, err);
    }
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

    hs_paths_clear(&s->sweeps);
    hs_few_clear(&s->few);
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
        propose, decide, (const uint32_t(*)[HS_LANES])s->site.tie, 1.0f, to);
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

static hiss_status step_at_random(hs_kernel *k, const hs_model *m,
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

static hiss_status sweep(hs_kernel *k, const hs_model *m, const hs_tilt *t,
                         hs_tile *x, int64_t steps, bool is_few)
{
    struct metropolis *s = k->state;
    hs_sweep_job job = {.m = m,
                        .t = t,
                        .x = x,
                        .steps = k->steps,
                        .visits = m->domain.dim,
                        .count = steps,
                        .order = m->order,
                        .apart = m->order ? m->apart : NULL,
                        .is_metropolis = true,
                        .is_summed = x->sum && t == &x->tilt};

    return hs_few_make(&s->few, &s->sweeps, k, &job, is_few);
}

static bool metropolis_walks(const hs_kernel *k, const hs_tile *x)
{
    const struct metropolis *s = k->state;

    return hs_few_applies(&s->few, x);
}

static hiss_status metropolis_walk(hs_kernel *k, const hs_model *m,
                                   const hs_tilt *t, hs_tile *x, int64_t steps)
{
    return sweep(k, m, t, x, steps, true);
}

static hiss_status metropolis_flush(hs_kernel *k, const hs_model *m, hs_tile *x)
{
    struct metropolis *s = k->state;

    return hs_few_flush(&s->few, m, x);
}

static hiss_status metropolis_step(hs_kernel *k, const hs_model *m,
                                   const hs_tilt *t, hs_tile *x)
{
    const struct metropolis *s = k->state;

    if (is_random(s))
        return step_at_random(k, m, t, x);
    HS_TRY(metropolis_flush(k, m, x));
    HS_TRY(sweep(k, m, t, x, 1, false));
    return metropolis_flush(k, m, x);
}

static const char *metropolis_path(const hs_kernel *k, hs_tilt_form form)
{
    const struct metropolis *s = k->state;

    return !is_random(s) ? hs_paths_name(&s->sweeps, form) : NULL;
}

static bool metropolis_plan(const hs_kernel *k, const hs_model *m,
                            hs_tilt_form form, hs_device_sampler *out)
{
    const struct metropolis *s = k->state;

    out->step = HS_DEVICE_METROPOLIS;
    out->visits = visits_of(s, m);
    out->is_random = true;
    return is_random(s) && hs_model_has_cheap_sites(m) &&
           form != HS_TILT_FACTORS;
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
    const struct metropolis *s = k->state;

    part[0] = (hs_work){.times = (double)visits_of(s, m) / m->domain.dim};
    return 1;
}

static hs_traits metropolis_traits(const hs_kernel *k)
{
    const struct metropolis *s = k->state;

    return (hs_traits){.exact = true,
                       .reversible = is_random(s),
                       .homogeneous = true,
                       .shares = is_random(s),
                       .period = 1};
}

static const hs_option metropolis_options[] = {
    {"scan", HS_CHOICE, offsetof(struct metropolis, scan), "systematic",
     "systematic|random", "order in which coordinates are visited"},
    {"updates", HS_INTEGER, offsetof(struct metropolis, updates), "0",
     "[0,1000000000]",
     "proposals per step, at random; 0: as many as coordinates"},
    {0},
};

const hs_kernel_type hs_kernel_metropolis = {
    .name = "metropolis",
    .summary = "Metropolis, coordinate by coordinate",
    .size = sizeof(struct metropolis),
    .options = metropolis_options,
    .setup = metropolis_setup,
    .step = metropolis_step,
    .walk = metropolis_walk,
    .walks = metropolis_walks,
    .flush = metropolis_flush,
    .path = metropolis_path,
    .clear = metropolis_clear,
    .traits = metropolis_traits,
    .plan = metropolis_plan,
    .made = metropolis_made,
    .work = metropolis_work,
};
