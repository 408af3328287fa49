/* edlp.c - the entropic discrete Langevin proposal [Mohanty, Bhattacharya &
 * Zhang 2025], with Gibbs-like updates of its auxiliary variable.
 *
 * The joint distribution of the state and a continuous copy a of it,
 *     p(x, a) ~ p(x) e^(-|x - a|^2 / 2 eta),
 * has p as its marginal: the Gaussian integrates to the same number at every
 * x.  One step:
 *     a ~ N(x, eta)                 its conditional, exactly
 *     x: `steps` steps of the inner kernel on p(x | a), the model tilted by
 *        phi_i(v) = -(a_i - v)^2 / 2 eta
 * (labels: the same on their one-hot vectors).  The law of a is p smoothed over
 * neighborhoods of size eta, which is high on flat modes; x itself keeps p.
 *
 * p(x) k(a|x) P_a(x, y) = m(a) p(x|a) P_a(x, y) is symmetric in x and y where
 * the inner kernel is reversible, so then the step is. */
#include <math.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "kernel/kernel.h"
#include "lanes/lanes.h"

struct edlp {
    double eta; /* the variance */
    hs_spec *inner;
    int steps;

    hs_tilt tilt;           /* owned: p(x | a) */
    hs_index_row *denoised; /* owned, [dim]: drawn from phi alone, not used */
    hs_float_row *scratch;  /* owned */
};

static hiss_status edlp_setup(hs_kernel *k, const hs_model *m, hiss_error *err)
{
    struct edlp *s = k->state;
    const hs_domain *d = &m->domain;

    HS_TRY(hs_tilt_init(&s->tilt, d, false, err));
    s->denoised = hs_alloc_array((size_t)d->dim, sizeof *s->denoised);
    s->scratch = hs_alloc_array((size_t)d->states_max, sizeof *s->scratch);
    return s->denoised && s->scratch ? HISS_OK : hs_fail_memory(err);
}

static void edlp_clear(hs_kernel *k)
{
    struct edlp *s = k->state;

    hs_tilt_clear(&s->tilt);
    hs_free(s->denoised);
    hs_free(s->scratch);
}

static void draw_copy(struct edlp *s, const hs_model *m, const hs_tilt *t,
                      hs_tile *x)
{
    float scale[HS_LANES];
    hs_noise n = {.domain = &m->domain,
                  .rng = &x->rng,
                  .eta = scale,
                  .x = (const hs_index_row *)x->at.x,
                  .y = s->denoised,
                  .phi = s->tilt.phi,
                  .scratch = s->scratch,
                  .shape = HS_GAUSSIAN};
    int rows = hs_tilt_rows(&m->domain);

    for (int l = 0; l < HS_LANES; l++)
        scale[l] = (float)sqrt(s->eta);
    memcpy(s->tilt.beta, t->beta, sizeof s->tilt.beta);
    hs_tile_tick(x);
    hs_lanes()->noise(&n);
    for (int row = 0; t->phi && row < rows; row++)
        for (int l = 0; l < HS_LANES; l++)
            s->tilt.phi[row][l] += t->phi[row][l];
}

static hiss_status edlp_step(hs_kernel *k, const hs_model *m, const hs_tilt *t,
                             hs_tile *x)
{
    struct edlp *s = k->state;

    draw_copy(s, m, t, x);
    for (int i = 0; i < s->steps; i++)
        HS_TRY(hs_kernel_step(k->child[0], m, &s->tilt, x));
    return HISS_OK;
}

static void edlp_begin(hs_kernel *k, int64_t steps)
{
    const struct edlp *s = k->state;

    hs_kernel_begin(k->child[0], steps * s->steps);
}

static hs_tilt_form edlp_tilts(const hs_kernel *k)
{
    (void)k;
    return HS_TILT_PHI;
}

static double edlp_visits(const hs_kernel *k, int child)
{
    const struct edlp *s = k->state;

    (void)child;
    return s->steps;
}

static hs_traits edlp_traits(const hs_kernel *k)
{
    hs_traits own = hs_kernel_traits(k->child[0]);

    own.reversible = own.reversible && own.homogeneous;
    return own;
}

static const hs_option edlp_options[] = {
    {"eta", HS_REAL, offsetof(struct edlp, eta), "1", "(0,inf)",
     "variance of the copy, in the squared units of the coordinates"},
    {"inner", HS_CHILD, offsetof(struct edlp, inner), "dmala", NULL,
     "kernel that moves the state at a fixed copy"},
    {"steps", HS_INTEGER, offsetof(struct edlp, steps), "1", "[1,1000000]",
     "inner steps per copy"},
    {0},
};

const hs_kernel_type hs_kernel_edlp = {
    .name = "edlp",
    .summary = "entropic discrete Langevin: moves near a Gaussian copy",
    .is_baseline = true,
    .size = sizeof(struct edlp),
    .options = edlp_options,
    .setup = edlp_setup,
    .step = edlp_step,
    .clear = edlp_clear,
    .begin = edlp_begin,
    .traits = edlp_traits,
    .tilts = edlp_tilts,
    .visits = edlp_visits,
};
