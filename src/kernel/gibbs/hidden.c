/* hidden.c - block Gibbs through hidden units.
 *
 * For a model whose hidden units were summed out (model/hidden.h), a step draws
 * h given x, and then all coordinates y given h at once.  With E scaled by beta
 * and the tilt phi added, this is reversible for
 *     g(x) e^phi(x),   g(x) = sum_h e^(beta E(x,h)),
 * because g(x) p(h|x) p(y|h) is symmetric in x and y.  At beta = 1, g is the
 * distribution itself and every step is accepted. Otherwise y is accepted with
 *     min(1, e^(beta U(y) - ln g(y)) / e^(beta U(x) - ln g(x))),
 * which keeps e^(beta U + phi), detailed balance included.  Between 0 and 1
 * beta U - ln g differs from 0 by at most ln 2 per unit, so acceptance falls
 * slowly. */
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "kernel/kernel.h"
#include "lanes/lanes.h"
#include "model/hidden.h"

struct hidden {
    const hs_hidden *units; /* borrowed from the model */
    hs_point y;             /* owned: the proposal */
    hs_float_row *odds;     /* owned, [dim] */
    bool is_free;           /* every coordinate has both values */
};

static hiss_status hidden_setup(hs_kernel *k, const hs_model *m,
                                hiss_error *err)
{
    struct hidden *s = k->state;

    s->units = hs_model_structure(m, HS_STRUCTURE_HIDDEN);
    if (!s->units)
        return hs_fail(err, HISS_EUNSUP,
                       "sampler hidden: model %s has no hidden units; "
                       "restricted Boltzmann machines and mixtures have them",
                       m->name ? m->name : "");
    s->is_free = true;
    for (int i = 0; i < m->domain.dim; i++)
        s->is_free &= m->domain.states[i] == 2;
    HS_TRY(hs_point_init(&s->y, m, err));
    s->odds = hs_alloc_array((size_t)m->domain.dim, sizeof *s->odds);
    return s->odds ? HISS_OK : hs_fail_memory(err);
}

static void hidden_clear(hs_kernel *k)
{
    struct hidden *s = k->state;

    hs_point_clear(&s->y);
    hs_free(s->odds);
}

/* Without a tilt the coordinates are units too.  Index 0 belongs to the
 * smallest u, as in draw_states, so the draw is whether a unit is off. */
static void draw_units(struct hidden *s, const hs_model *m, const hs_tile *x)
{
    int dim = m->domain.dim;

    for (int i = 0; i < dim; i++)
        for (int l = 0; l < HS_LANES; l++)
            s->odds[i][l] = -s->odds[i][l];
    hs_hidden_units(&x->rng, HS_DRAW_PROPOSE, dim, s->odds);
    for (int i = 0; i < dim; i++)
        for (int l = 0; l < HS_LANES; l++)
            s->y.x[i][l] = s->odds[i][l] == 0.0f;
    s->y.have = 0;
}

/* Draws all coordinates from their odds and the tilt; those of one value
 * stay. */
static void draw_states(struct hidden *s, const hs_model *m, const hs_tilt *t,
                        const hs_tile *x)
{
    static const int16_t first[HS_LANES] = {0};
    uint32_t words[4][HS_LANES];
    hs_float_row logits[2], upto[2];

    for (int i = 0; i < m->domain.dim; i++) {
        if (i % 4 == 0)
            hs_lanes()->philox(&x->rng, HS_DRAW_PROPOSE, (uint32_t)i / 4, 1,
                               words);
        memset(logits[0], 0, sizeof logits[0]);
        memcpy(logits[1], s->odds[i], sizeof logits[1]);
        hs_tilt_add_values(t, &m->domain, i, first, logits);
        hs_lanes()->draw_value((const hs_float_row *)logits,
                               m->domain.states[i], words[i % 4], NULL, upto,
                               s->y.x[i]);
    }
    s->y.have = 0;
}

/* ln of the acceptance ratio of y: 0 at beta 1 of a model that was not
 * scaled. */
static void log_ratio(const struct hidden *s, const hs_model *m,
                      const hs_tilt *t, const hs_tile *x, double *ratio)
{
    double here[HS_LANES], there[HS_LANES];
    bool is_plain = hs_model_beta(m) == 1.0;

    for (int l = 0; l < HS_LANES; l++) {
        ratio[l] = 0.0;
        is_plain &= t->beta[l] == 1.0f;
    }
    if (is_plain)
        return;
    s->units->excess(m, &x->at, t->beta, here);
    s->units->excess(m, &s->y, t->beta, there);
    for (int l = 0; l < HS_LANES; l++)
        ratio[l] = here[l] - there[l];
}

/* The draw costs as much as an evaluation, and the evaluation of y follows. */
static hiss_status hidden_step(hs_kernel *k, const hs_model *m,
                               const hs_tilt *t, hs_tile *x)
{
    struct hidden *s = k->state;
    double ratio[HS_LANES];
    int32_t accept[HS_LANES];

    hs_tile_tick(x);
    HS_TRY(hs_tile_evaluate(x, m, &x->at, HS_U));
    s->units->draw(m, &x->at, t->beta, &x->rng, s->odds);
    hs_tile_count(x, HS_U);
    if (s->is_free && hs_tilt_form_of(t) == HS_TILT_FLAT)
        draw_units(s, m, x);
    else
        draw_states(s, m, t, x);
    HS_TRY(hs_tile_evaluate(x, m, &s->y, HS_U));
    log_ratio(s, m, t, x, ratio);
    hs_tile_decide(x, ratio, accept);
    hs_tile_move(x, m, &s->y, accept);
    hs_kernel_count(k, x, accept);
    return HISS_OK;
}

static hs_traits hidden_traits(const hs_kernel *k)
{
    (void)k;
    return (hs_traits){
        .exact = true, .reversible = true, .homogeneous = true, .period = 1};
}

static const hs_option hidden_options[] = {{0}};

const hs_kernel_type hs_kernel_hidden = {
    .name = "hidden",
    .summary = "all coordinates at once, given hidden units drawn anew",
    .size = sizeof(struct hidden),
    .options = hidden_options,
    .setup = hidden_setup,
    .step = hidden_step,
    .clear = hidden_clear,
    .traits = hidden_traits,
};
