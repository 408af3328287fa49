/* broken_tours.c - moves of tours that are wrong on purpose. */
#include "conformance/support/broken_tours.h"

#include <math.h>
#include <string.h>

#include "base/error.h"

enum {
    NONE,
    SIGN,
    HALF,
    PRIOR,
    SHARED
};

#define DIM_MAX 16

struct bad {
    int fault;
    double eta;
    hs_point y; /* owned */
};

static double draw(const hs_tile *x, int lane, hs_purpose purpose, int i)
{
    return hs_uniform(hs_rng_word(x->rng.seed, x->rng.chain[lane],
                                  x->rng.replica[lane], x->rng.clock, purpose,
                                  (uint32_t)i));
}

static hs_traits pretend(const hs_kernel *k)
{
    (void)k;
    return (hs_traits){
        .exact = true, .reversible = true, .homogeneous = true, .period = 1};
}

static hiss_status bad_setup(hs_kernel *k, const hs_model *m, hiss_error *err)
{
    return hs_point_init(&((struct bad *)k->state)->y, m, err);
}

static void bad_clear(hs_kernel *k)
{
    hs_point_clear(&((struct bad *)k->state)->y);
}

/* Takes y with probability min(1, exp(sign * change + more)). */
static hiss_status decide(hs_kernel *k, const hs_model *m, const hs_tilt *t,
                          hs_tile *x, double sign, const double *more)
{
    struct bad *s = k->state;
    double ratio[HS_LANES];
    int32_t accept[HS_LANES];

    HS_TRY(hs_tile_evaluate(x, m, &x->at, HS_U));
    s->y.have = 0;
    HS_TRY(hs_tile_evaluate(x, m, &s->y, HS_U));
    for (int l = 0; l < HS_LANES; l++)
        ratio[l] =
            sign * (double)t->beta[l] * (s->y.u[l] - x->at.u[l]) + more[l];
    hs_tile_decide(x, ratio, accept);
    hs_tile_move(x, m, &s->y, accept);
    return HISS_OK;
}

/* --- a part reversed ------------------------------------------------------ */

static hiss_status bad_tour_step(hs_kernel *k, const hs_model *m,
                                 const hs_tilt *t, hs_tile *x)
{
    struct bad *s = k->state;
    int n = m->domain.dim;
    const double weight[] = {1.0, -1.0, 0.5, 1.0, 1.0};
    double none[HS_LANES] = {0};

    hs_tile_tick(x);
    memcpy(s->y.x, x->at.x, (size_t)n * sizeof *s->y.x);
    for (int l = 0; l < HS_LANES; l++) {
        int a = (int)(draw(x, l, HS_DRAW_PROPOSE, 0) * n);
        int b = (int)(draw(x, l, HS_DRAW_PROPOSE, 1) * n);

        for (int i = 0; i < n; i++)
            if ((i >= a && i <= b) || (i >= b && i <= a))
                s->y.x[i][l] = x->at.x[a + b - i][l];
    }
    return decide(k, m, t, x, weight[s->fault], none);
}

/* --- keys ----------------------------------------------------------------- */

static double log_density(double key)
{
    return -fabs(key) - 2.0 * log1p(exp(-fabs(key)));
}

static double logistic(double u)
{
    return log(u) - log1p(-u);
}

static hiss_status bad_keys_step(hs_kernel *k, const hs_model *m,
                                 const hs_tilt *t, hs_tile *x)
{
    struct bad *s = k->state;
    int n = m->domain.dim;
    double prior[HS_LANES];

    hs_tile_tick(x);
    for (int l = 0; l < HS_LANES; l++) {
        double key[DIM_MAX], before;
        int at = (int)(draw(x, l, HS_DRAW_BLOCK, 0) * n), to = 0;

        if (s->fault == SHARED)
            at = hs_below(hs_rng_shared(&x->rng, HS_DRAW_BLOCK, 0), n);
        for (int i = 0; i < n; i++) { /* sorted as they come */
            double fresh = logistic(draw(x, l, HS_DRAW_NOISE, i));
            int j = i;

            for (; j > 0 && key[j - 1] > fresh; j--)
                key[j] = key[j - 1];
            key[j] = fresh;
        }
        before = key[at];
        key[at] += s->eta * logistic(draw(x, l, HS_DRAW_DENOISE, 0));
        prior[l] = s->fault == PRIOR
                       ? 0.0
                       : log_density(key[at]) - log_density(before);
        for (int i = 0; i < n; i++)
            to += i != at && key[i] < key[at];
        for (int i = 0, j = 0; i < n; i++) { /* the others keep their order */
            if (i == at)
                continue;
            j += j == to;
            s->y.x[j++][l] = x->at.x[i][l];
        }
        s->y.x[to][l] = x->at.x[at][l];
    }
    return decide(k, m, t, x, 1.0, prior);
}

static const hs_option bad_options[] = {
    {"fault", HS_CHOICE, offsetof(struct bad, fault), "none",
     "none|sign|half|prior|shared", "what is wrong"},
    {"eta", HS_REAL, offsetof(struct bad, eta), "2", "(0,inf)", "of keys"},
    {0},
};

static const hs_kernel_type bad_tour = {
    .name = "bad_tour",
    .summary = "reverses a part of the tour",
    .moves_tours = true,
    .size = sizeof(struct bad),
    .options = bad_options,
    .setup = bad_setup,
    .step = bad_tour_step,
    .clear = bad_clear,
    .traits = pretend,
};

static const hs_kernel_type bad_keys = {
    .name = "bad_keys",
    .summary = "noises one key",
    .moves_tours = true,
    .size = sizeof(struct bad),
    .options = bad_options,
    .setup = bad_setup,
    .step = bad_keys_step,
    .clear = bad_clear,
    .traits = pretend,
};

const hs_kernel_type *const broken_tours[] = {&bad_tour, &bad_keys, NULL};
