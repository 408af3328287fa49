/* broken_flat.c - multicanonical sampling that is wrong on purpose. */
#include "conformance/support/broken_flat.h"

#include <math.h>

#include "base/alloc.h"
#include "base/error.h"

#define STATES 16

enum {
    NONE,
    WEIGHTS,
    WINDOW,
    CHOICE
};

struct flat {
    int fault;
    hs_reals range, slopes;
    hs_point spare;
    const hs_model *model;
};

static int cell_of(const struct flat *s, double u)
{
    double low = s->range.at[0], high = s->range.at[1];
    double at = (u - low) / (high - low) * s->slopes.count;

    return at < 0.0 ? 0 : at >= s->slopes.count ? s->slopes.count - 1 : (int)at;
}

/* w(U): the integral of its slope. */
static double weight_of(const struct flat *s, double u)
{
    double width = (s->range.at[1] - s->range.at[0]) / s->slopes.count;
    int c = cell_of(s, u);
    double w = s->slopes.at[c] * (u - s->range.at[0] - width * c);

    for (int n = 0; n < c; n++)
        w += s->slopes.at[n] * width;
    return w;
}

static double uniform(const hs_tile *x, int lane, uint32_t number)
{
    return hs_uniform(hs_rng_word(x->rng.seed, x->rng.chain[lane],
                                  x->rng.replica[lane], x->rng.clock,
                                  HS_DRAW_PROPOSE, number));
}

/* A value of site i by heat bath under exp(beta U); what U gains to *gain. */
static int draw(const hs_float_row *change, int states, int lane, double beta,
                double u, double *gain)
{
    double sum = 0.0, upto = 0.0;
    int v;

    for (v = 0; v < states; v++)
        sum += exp(beta * (double)change[v][lane]);
    for (v = 0; v < states - 1; v++) {
        upto += exp(beta * (double)change[v][lane]);
        if (u * sum < upto)
            break;
    }
    *gain = (double)change[v][lane];
    return v;
}

static int visit(const struct flat *s, const hs_tile *x, int i, int l,
                 double beta, double v, double half, const hs_float_row *change,
                 int states)
{
    double gain, u = x->at.u[l], log_ratio;
    int to = draw(change, states, l, beta, uniform(x, l, 2 * (uint32_t)i + 2),
                  &gain);

    if (x->level[l] == 0 || s->fault == WEIGHTS)
        return to;
    if (s->fault != WINDOW && fabs(u + gain - v) > half)
        return x->at.x[i][l];
    log_ratio = weight_of(s, u + gain) - weight_of(s, u) - beta * gain;
    return log(uniform(x, l, 2 * (uint32_t)i + 3)) < log_ratio ? to
                                                               : x->at.x[i][l];
}

static hiss_status flat_step(hs_kernel *k, const hs_model *m, const hs_tilt *t,
                             hs_tile *x)
{
    struct flat *s = k->state;
    double half = (s->range.at[1] - s->range.at[0]) / 8.0;
    double beta[HS_LANES], v[HS_LANES];
    hs_float_row change[STATES];

    (void)t;
    hs_tile_tick(x);
    HS_TRY(hs_tile_evaluate(x, m, &x->at, HS_U));
    for (int l = 0; l < HS_LANES; l++) {
        v[l] = x->at.u[l] + half * (2.0 * uniform(x, l, 0) - 1.0);
        beta[l] = x->level[l] == 0 ? 1.0 : s->slopes.at[cell_of(s, v[l])];
    }
    for (int i = 0; i < m->domain.dim; i++) {
        int16_t to[HS_LANES];
        float gain[HS_LANES];

        HS_TRY(hs_model_differences(m, &x->at, i, change, &s->spare));
        for (int l = 0; l < HS_LANES; l++) {
            to[l] = (int16_t)visit(s, x, i, l, beta[l], v[l], half, change,
                                   m->domain.states[i]);
            gain[l] = to[l] == x->at.x[i][l] ? 0.0f : change[to[l]][l];
        }
        hs_model_move(m, &x->at, i, to, gain);
    }
    x->at.have = 0;
    return hs_tile_evaluate(x, m, &x->at, HS_U);
}

static int flat_replicas(const hs_kernel *k)
{
    (void)k;
    return 2;
}

static void flat_place(hs_kernel *k, hs_group *g)
{
    (void)k;
    for (int i = 0; i < 2 * g->chains; i++)
        g->tile[i / HS_LANES].level[i % HS_LANES] = i % 2;
}

static void flat_couple(hs_kernel *k, hs_group *g)
{
    const struct flat *s = k->state;

    for (int i = 0; i < g->tiles; i++)
        hs_tile_tick(&g->tile[i]);
    for (int c = 0; c < g->chains; c++) {
        hs_tile *t = &g->tile[2 * c / HS_LANES];
        int a = 2 * c % HS_LANES, b = a + 1;
        double f[2];

        for (int n = 0; n < 2; n++) {
            double u = t->at.u[a + n];

            f[n] = s->fault == CHOICE ? u : u - weight_of(s, u);
        }
        t->level[a] = uniform(t, a, 0) < 1.0 / (1.0 + exp(f[1] - f[0])) ? 0 : 1;
        t->level[b] = 1 - t->level[a];
    }
}

static double flat_bias(const hs_kernel *k, const hs_domain *d, int level,
                        const int16_t *state)
{
    const struct flat *s = k->state;
    double u;

    (void)d;
    if (level == 0 || hs_model_energy(s->model, state, &u, NULL) != HISS_OK)
        return 0.0;
    return weight_of(s, u) - u;
}

static hiss_status flat_setup(hs_kernel *k, const hs_model *m, hiss_error *err)
{
    struct flat *s = k->state;

    HS_ASSERT(m->domain.states_max <= STATES);
    s->model = m;
    return hs_point_init(&s->spare, m, err);
}

static void flat_clear(hs_kernel *k)
{
    struct flat *s = k->state;

    hs_point_clear(&s->spare);
}

static hs_traits flat_traits(const hs_kernel *k)
{
    (void)k;
    return (hs_traits){.exact = true, .homogeneous = true, .period = 1};
}

static const hs_option flat_options[] = {
    {"fault", HS_CHOICE, offsetof(struct flat, fault), "none",
     "none|weights|window|choice", ""},
    {"range", HS_REALS, offsetof(struct flat, range), NULL, NULL, ""},
    {"slopes", HS_REALS, offsetof(struct flat, slopes), NULL, NULL, ""},
    {0},
};

static const hs_kernel_type bad_flat = {
    .name = "bad_flat",
    .summary = "",
    .is_outermost = true,
    .size = sizeof(struct flat),
    .options = flat_options,
    .setup = flat_setup,
    .clear = flat_clear,
    .step = flat_step,
    .traits = flat_traits,
    .replicas = flat_replicas,
    .place = flat_place,
    .couple = flat_couple,
    .bias = flat_bias,
};

const hs_kernel_type *const broken_flat[] = {&bad_flat, NULL};
