/* broken.c - kernels that are wrong on purpose. */
#include "conformance/support/broken.h"

#include <math.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "kernel/langevin/langevin.h"
#include "lanes/lanes.h"

#define ANY_FAULT "none|sign|reverse|half|tilt|eta|ratio|untempered"

enum fault {
    NONE,
    SIGN,
    REVERSE,
    HALF,
    TILT,
    ETA,
    RATIO,
    UNTEMPERED,
};

static hs_traits pretend(const hs_kernel *k)
{
    (void)k;
    return (hs_traits){.exact = true,
                       .reversible = true,
                       .homogeneous = true,
                       .gradient = true,
                       .period = 1};
}

/* --- proposals by gradient ---------------------------------------------- */

struct guided {
    double alpha;
    int fault;

    hs_point y;            /* owned */
    hs_float_row *buffer;  /* owned, [rows] */
    hs_float_row *scratch; /* owned, [2 * states_max + value_count] */
};

static hiss_status guided_setup(hs_kernel *k, const hs_model *m,
                                hiss_error *err)
{
    struct guided *s = k->state;
    const hs_domain *d = &m->domain;

    HS_TRY(hs_point_init(&s->y, m, err));
    s->buffer = hs_alloc_array((size_t)d->rows, sizeof *s->buffer);
    s->scratch = hs_alloc_array((size_t)(2 * d->states_max + d->value_count),
                                sizeof *s->scratch);
    return s->buffer && s->scratch ? HISS_OK : hs_fail_memory(err);
}

static void guided_clear(hs_kernel *k)
{
    struct guided *s = k->state;

    hs_point_clear(&s->y);
    hs_free(s->buffer);
    hs_free(s->scratch);
}

/* Accepts y or not, with the fault; forward and reverse are ln q. */
static void guided_accept(hs_kernel *k, const hs_model *m, const hs_tilt *t,
                          hs_tile *x, const double *forward,
                          const double *reverse)
{
    struct guided *s = k->state;
    hs_tilt flat = {0};
    double ratio[HS_LANES];
    int32_t accept[HS_LANES];

    memcpy(flat.beta, t->beta, sizeof flat.beta);
    hs_tile_log_ratio(m, s->fault == TILT ? &flat : t, &x->at, &s->y, ratio);
    for (int l = 0; l < HS_LANES; l++) {
        if (ratio[l] == -HUGE_VAL)
            continue;
        if (s->fault == SIGN)
            ratio[l] = -ratio[l];
        if (s->fault != REVERSE)
            ratio[l] += reverse[l] - forward[l];
    }
    hs_tile_decide(x, ratio, accept);
    hs_tile_move(x, m, &s->y, accept);
    hs_kernel_count(k, x, accept);
}

static hiss_status dmala_step(hs_kernel *k, const hs_model *m, const hs_tilt *t,
                              hs_tile *x)
{
    struct guided *s = k->state;
    double forward[HS_LANES] = {0}, reverse[HS_LANES] = {0};
    float balance[HS_LANES], stiffness[HS_LANES];
    hs_dlp d = {.domain = &m->domain,
                .rng = &x->rng,
                .beta = t->beta,
                .balance = balance,
                .stiffness = stiffness,
                .phi = (const hs_float_row *)t->phi,
                .slope = (const hs_float_row *)t->slope,
                .scratch = s->scratch};
    int dim = m->domain.dim;

    for (int l = 0; l < HS_LANES; l++) {
        balance[l] = s->fault == HALF ? 1.0f : 0.5f;
        stiffness[l] = (float)(0.5 / s->alpha);
    }
    hs_tile_tick(x);
    HS_TRY(hs_tile_evaluate(x, m, &x->at, HS_U | HS_GRAD));
    hs_lanes()->dlp_propose(&d, 0, dim,
                            hs_model_rows(m, &x->at, 0, dim, s->buffer, NULL),
                            (const hs_index_row *)x->at.x, s->y.x, forward);
    s->y.have = 0;
    HS_TRY(hs_tile_evaluate(x, m, &s->y, HS_U | HS_GRAD));
    for (int l = 0; l < HS_LANES; l++)
        balance[l] = 0.5f;
    hs_lanes()->dlp_log_q(
        &d, 0, dim, hs_model_rows(m, &s->y, 0, dim, s->buffer, NULL),
        (const hs_index_row *)s->y.x, (const hs_index_row *)x->at.x, reverse);
    guided_accept(k, m, t, x, forward, reverse);
    return HISS_OK;
}

/* ln of the probability of every single-site change, by value. */
static void gwg_log_q(struct guided *s, const hs_model *m, const hs_tilt *t,
                      const hs_point *p, int l, double *log_q)
{
    const hs_domain *d = &m->domain;
    const hs_float_row *rows = hs_model_rows(m, p, 0, d->dim, s->buffer, NULL);
    hs_float_row *phi = s->scratch;
    double sum = 0.0;

    for (int i = 0; i < d->dim; i++) {
        const float *value = d->values + d->value[i];
        int now = p->x[i][l];

        memset(phi, 0, (size_t)d->states[i] * sizeof *phi);
        hs_tilt_add_values(t, d, i, p->x[i], phi);
        for (int v = 0; v < d->states[i]; v++) {
            const float *row = rows[d->row[i]];
            double g = d->kind[i] == HISS_CATEGORICAL
                           ? (double)rows[d->row[i] + v][l] -
                                 (double)rows[d->row[i] + now][l]
                           : (double)row[l] * (double)(value[v] - value[now]);
            double logit = 0.5 * ((double)t->beta[l] * g + (double)phi[v][l]);

            log_q[d->value[i] + v] = v == now ? -HUGE_VAL : logit;
            sum += v == now ? 0.0 : exp(logit);
        }
    }
    for (int r = 0; r < d->value_count; r++)
        log_q[r] -= log(sum);
}

static hiss_status gwg_step(hs_kernel *k, const hs_model *m, const hs_tilt *t,
                            hs_tile *x)
{
    enum {
        VALUES_MAX = 64
    };
    struct guided *s = k->state;
    const hs_domain *d = &m->domain;
    double forward[HS_LANES] = {0}, reverse[HS_LANES] = {0};
    double log_q[VALUES_MAX];
    int back[HS_LANES];

    hs_tile_tick(x);
    HS_TRY(hs_tile_evaluate(x, m, &x->at, HS_U | HS_GRAD));
    memcpy(s->y.x, x->at.x, (size_t)d->dim * sizeof *s->y.x);
    for (int l = 0; l < HS_LANES; l++) {
        double left = hs_uniform(hs_rng_word(x->rng.seed, x->rng.chain[l],
                                             x->rng.replica[l], x->rng.clock,
                                             HS_DRAW_PROPOSE, 0));
        int pick = 0, i = 0;

        gwg_log_q(s, m, t, &x->at, l, log_q);
        while (pick < d->value_count - 1 && left >= exp(log_q[pick]))
            left -= exp(log_q[pick++]);
        while (d->value[i + 1] <= pick)
            i++;
        forward[l] = log_q[pick];
        back[l] = d->value[i] + x->at.x[i][l];
        s->y.x[i][l] = (int16_t)(pick - d->value[i]);
    }
    s->y.have = 0;
    HS_TRY(hs_tile_evaluate(x, m, &s->y, HS_U | HS_GRAD));
    for (int l = 0; l < HS_LANES; l++) {
        gwg_log_q(s, m, t, &s->y, l, log_q);
        reverse[l] = log_q[back[l]];
    }
    guided_accept(k, m, t, x, forward, reverse);
    return HISS_OK;
}

static const hs_option guided_options[] = {
    {"alpha", HS_REAL, offsetof(struct guided, alpha), "2", "(0,inf)", ""},
    {"fault", HS_CHOICE, offsetof(struct guided, fault), "none", ANY_FAULT, ""},
    {0},
};

static const hs_kernel_type bad_dmala = {
    .name = "bad_dmala",
    .summary = "",
    .size = sizeof(struct guided),
    .options = guided_options,
    .setup = guided_setup,
    .step = dmala_step,
    .clear = guided_clear,
    .traits = pretend,
};

static const hs_kernel_type bad_gwg = {
    .name = "bad_gwg",
    .summary = "",
    .size = sizeof(struct guided),
    .options = guided_options,
    .setup = guided_setup,
    .step = gwg_step,
    .clear = guided_clear,
    .traits = pretend,
};

/* --- noise, denoise, jump, refine --------------------------------------- */

struct noisy {
    double eta;
    int steps;
    int fault;
    hs_spec *inner;

    hs_tilt tilt; /* owned: refinement */
    hs_point y;   /* owned */
};

static hiss_status noisy_setup(hs_kernel *k, const hs_model *m, hiss_error *err)
{
    struct noisy *s = k->state;

    HS_TRY(hs_tilt_init(&s->tilt, &m->domain, false, err));
    return hs_point_init(&s->y, m, err);
}

static void noisy_clear(hs_kernel *k)
{
    struct noisy *s = k->state;

    hs_tilt_clear(&s->tilt);
    hs_point_clear(&s->y);
}

/* -2 ln cosh(z) */
static double log_sech2(double z)
{
    return -2.0 * (fabs(z) + log1p(exp(-2.0 * fabs(z))) - log(2.0));
}

static double draw(const hs_tile *x, int l, hs_purpose purpose, int i)
{
    return hs_uniform(hs_rng_word(x->rng.seed, x->rng.chain[l],
                                  x->rng.replica[l], x->rng.clock, purpose,
                                  (uint32_t)i));
}

/* phi of all values of coordinate i: right, and as the fault has it. */
static void noisy_phi(const struct noisy *s, const hs_domain *d,
                      const hs_tile *x, int i, int l, double *right,
                      double *wrong)
{
    const float *value = d->values + d->value[i];
    bool is_labels = d->kind[i] == HISS_CATEGORICAL;
    double scale = 0.5 / s->eta;
    double bad = s->fault == ETA ? 0.5 * s->eta : scale;
    double a = 0.0;

    for (int v = 0; v < d->states[i]; v++) {
        int row = d->value[i] + v;

        if (is_labels || v == 0) {
            double u = draw(x, l, HS_DRAW_NOISE, row);
            int now = x->at.x[i][l];

            a = is_labels ? now == v : (double)value[now];
            a += s->eta * log(u / (1.0 - u));
        }
        if (is_labels) {
            right[v] = log_sech2((a - 1.0) * scale) - log_sech2(a * scale);
            wrong[v] = log_sech2((a - 1.0) * bad) - log_sech2(a * bad);
        } else {
            right[v] = log_sech2((a - (double)value[v]) * scale);
            wrong[v] = log_sech2((a - (double)value[v]) * bad);
        }
    }
}

/* Writes y and the tilt of one coordinate; adds what the fault adds to the
 * ratio of the jump. */
static void noisy_coordinate(struct noisy *s, const hs_domain *d, hs_tile *x,
                             int i, int l, double *extra)
{
    enum {
        STATES_MAX = 16
    };
    double right[STATES_MAX], wrong[STATES_MAX], sum = 0.0, left;
    int states = d->states[i], pick = 0, now = x->at.x[i][l];

    noisy_phi(s, d, x, i, l, right, wrong);
    for (int v = 0; v < states; v++)
        sum += exp(right[v]);
    left = sum * draw(x, l, HS_DRAW_DENOISE, i);
    while (pick < states - 1 && left >= exp(right[pick]))
        left -= exp(right[pick++]);
    s->y.x[i][l] = (int16_t)pick;
    extra[l] += s->fault == RATIO ? 2.0 * (right[pick] - right[now]) : 0.0;
    if (d->is_pair)
        s->tilt.phi[i][l] = (float)(wrong[1] - wrong[0]);
    for (int v = 0; !d->is_pair && v < states; v++)
        s->tilt.phi[d->value[i] + v][l] = (float)wrong[v];
}

static hiss_status noisy_step(hs_kernel *k, const hs_model *m, const hs_tilt *t,
                              hs_tile *x)
{
    struct noisy *s = k->state;
    double ratio[HS_LANES], extra[HS_LANES] = {0};
    int32_t accept[HS_LANES];

    hs_tile_tick(x);
    memcpy(s->tilt.beta, t->beta, sizeof s->tilt.beta);
    for (int i = 0; i < m->domain.dim; i++)
        for (int l = 0; l < HS_LANES; l++)
            noisy_coordinate(s, &m->domain, x, i, l, extra);
    s->y.have = 0;
    HS_TRY(hs_tile_evaluate(x, m, &x->at, HS_U));
    HS_TRY(hs_tile_evaluate(x, m, &s->y, HS_U));
    hs_tile_log_ratio(m, t, &x->at, &s->y, ratio);
    for (int l = 0; l < HS_LANES; l++)
        if (ratio[l] != -HUGE_VAL)
            ratio[l] = (s->fault == SIGN ? -ratio[l] : ratio[l]) + extra[l];
    hs_tile_decide(x, ratio, accept);
    hs_tile_move(x, m, &s->y, accept);
    hs_kernel_count(k, x, accept);
    for (int i = 0; i < s->steps; i++)
        HS_TRY(hs_kernel_step(k->child[0], m, &s->tilt, x));
    return HISS_OK;
}

static hs_traits noisy_traits(const hs_kernel *k)
{
    hs_traits own = pretend(k);

    own.reversible = false;
    return own;
}

static const hs_option noisy_options[] = {
    {"eta", HS_REAL, offsetof(struct noisy, eta), "1", "(0,inf)", ""},
    {"steps", HS_INTEGER, offsetof(struct noisy, steps), "1", "[0,100]", ""},
    {"fault", HS_CHOICE, offsetof(struct noisy, fault), "none", ANY_FAULT, ""},
    {"inner", HS_CHILD, offsetof(struct noisy, inner), "dmala", NULL, ""},
    {0},
};

static const hs_kernel_type bad_hiss = {
    .name = "bad_hiss",
    .summary = "",
    .size = sizeof(struct noisy),
    .options = noisy_options,
    .setup = noisy_setup,
    .step = noisy_step,
    .clear = noisy_clear,
    .traits = noisy_traits,
};

/* --- tempering ---------------------------------------------------------- */

#define LEVELS 3

struct tempered {
    int fault;
    double factor; /* between neighboring temperatures */
    hs_spec *base;
};

static int tempered_replicas(const hs_kernel *k)
{
    (void)k;
    return LEVELS;
}

static void tempered_place(hs_kernel *k, hs_group *g)
{
    const struct tempered *s = k->state;

    for (int i = 0; i < g->chains * LEVELS; i++) {
        hs_tile *t = &g->tile[i / HS_LANES];

        t->level[i % HS_LANES] = i % LEVELS;
        t->tilt.beta[i % HS_LANES] =
            powf((float)s->factor, -(float)(i % LEVELS));
    }
}

static hiss_status tempered_step(hs_kernel *k, const hs_model *m,
                                 const hs_tilt *t, hs_tile *x)
{
    struct tempered *s = k->state;
    hs_tilt own = *t; /* borrowed arrays */

    for (int l = 0; s->fault == UNTEMPERED && l < HS_LANES; l++)
        own.beta[l] = 1.0f;
    HS_TRY(hs_kernel_step(k->child[0], m, &own, x));
    return hs_tile_evaluate(x, m, &x->at, HS_U);
}

static void tempered_couple(hs_kernel *k, hs_group *g)
{
    const struct tempered *s = k->state;
    int j = (int)(k->steps % 2);

    for (int i = 0; i < g->tiles; i++)
        hs_tile_tick(&g->tile[i]);
    for (int c = 0; c < g->chains; c++) {
        hs_tile *tile[LEVELS];
        int lane[LEVELS];
        double ratio;
        float beta;

        for (int r = 0; r < LEVELS; r++) {
            int i = c * LEVELS + r;
            int level = g->tile[i / HS_LANES].level[i % HS_LANES];

            tile[level] = &g->tile[i / HS_LANES];
            lane[level] = i % HS_LANES;
        }
        beta = tile[j]->tilt.beta[lane[j]];
        ratio = ((double)beta - (double)tile[j + 1]->tilt.beta[lane[j + 1]]) *
                (tile[j + 1]->at.u[lane[j + 1]] - tile[j]->at.u[lane[j]]);
        if (s->fault == SIGN)
            ratio = -ratio;
        if (log(draw(tile[0], lane[0], HS_DRAW_SWAP, j)) >= ratio)
            continue;
        tile[j]->level[lane[j]] = j + 1;
        tile[j + 1]->level[lane[j + 1]] = j;
        tile[j]->tilt.beta[lane[j]] = tile[j + 1]->tilt.beta[lane[j + 1]];
        tile[j + 1]->tilt.beta[lane[j + 1]] = beta;
        hs_kernel_exchange(g->kernel[tile[j] - g->tile], lane[j],
                           g->kernel[tile[j + 1] - g->tile], lane[j + 1]);
    }
}

static hs_traits tempered_traits(const hs_kernel *k)
{
    hs_traits own = noisy_traits(k);

    own.period = 2;
    return own;
}

static const hs_option tempered_options[] = {
    {"fault", HS_CHOICE, offsetof(struct tempered, fault), "none", ANY_FAULT,
     ""},
    {"factor", HS_REAL, offsetof(struct tempered, factor), "3", "(1,inf)", ""},
    {"base", HS_CHILD, offsetof(struct tempered, base), "dmala", NULL, ""},
    {0},
};

static const hs_kernel_type bad_pt = {
    .name = "bad_pt",
    .summary = "",
    .is_outermost = true,
    .size = sizeof(struct tempered),
    .options = tempered_options,
    .step = tempered_step,
    .traits = tempered_traits,
    .replicas = tempered_replicas,
    .place = tempered_place,
    .couple = tempered_couple,
};

/* --- a slightly different model ----------------------------------------- */

struct cooled {
    double scale;
    hs_spec *base;
};

static hiss_status cooled_step(hs_kernel *k, const hs_model *m,
                               const hs_tilt *t, hs_tile *x)
{
    const struct cooled *s = k->state;
    hs_tilt own = *t; /* borrowed arrays */

    for (int l = 0; l < HS_LANES; l++)
        own.beta[l] *= (float)s->scale;
    return hs_kernel_step(k->child[0], m, &own, x);
}

static hs_traits cooled_traits(const hs_kernel *k)
{
    return hs_kernel_traits(k->child[0]);
}

static const hs_option cooled_options[] = {
    {"scale", HS_REAL, offsetof(struct cooled, scale), "1", "(0,inf)", ""},
    {"base", HS_CHILD, offsetof(struct cooled, base), "gibbs", NULL, ""},
    {0},
};

static const hs_kernel_type bad_cool = {
    .name = "bad_cool",
    .summary = "",
    .size = sizeof(struct cooled),
    .options = cooled_options,
    .step = cooled_step,
    .traits = cooled_traits,
};

/* --- none ---------------------------------------------------------------- */

static hiss_status still_step(hs_kernel *k, const hs_model *m, const hs_tilt *t,
                              hs_tile *x)
{
    (void)k, (void)m, (void)t;
    hs_tile_tick(x);
    return HISS_OK;
}

static const hs_option no_options[] = {{0}};

static const hs_kernel_type bad_still = {
    .name = "bad_still",
    .summary = "",
    .options = no_options,
    .step = still_step,
    .traits = pretend,
};

const hs_kernel_type *const broken_kernels[] = {
    &bad_dmala,       &bad_gwg,  &bad_hiss,  &bad_pt, &broken_replicas,
    &broken_houdayer, &bad_cool, &bad_still, NULL,
};
