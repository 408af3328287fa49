/* ab.c - the any-scale balanced sampler [Sun, Dai, Sutton, Schuurmans & Dai
 * 2023]: Langevin proposals of any size, by a quadratic approximation of U.
 *
 * With W = B B^T of low rank minus the diagonal that makes W_ii = 0
 * (curvature.h), a normal variable z ~ N(B^T x, 1) takes the couplings of W out
 * of
 *     U(y) ~ U(x) + grad U (y - x) + (y - x)^T W (y - x) / 2:
 * given z = B^T x + xi, all coordinates are independent,
 *     logit(v) = a [(grad U + B xi)_i (v - x_i) - |B_i|^2 (v - x_i)^2 / 2]
 *                - (v - x_i)^2 / 2 sigma,
 * [Martens & Sutskever 2010: the Gaussian integral trick].  y is accepted given
 * z, and the reverse move has xi' = xi + B^T (x - y):
 *     min(1, p(y) e^(-xi'^2 / 2) q(x|y,xi') / p(x) e^(-xi^2 / 2) q(y|x,xi)).
 * For labels, v - x_i is the difference of two unit vectors.
 *
 * a = 1/2 is right for small steps, where W hardly matters, and a = 1 for steps
 * without limit. In between, a product of weak fields is always accepted, to
 * first order, for
 *     a = (1 + e^-s) / 2,   s = gap^2 / 2 sigma,
 * which balance=auto takes.  sigma=auto is tuned by a pilot to an acceptance of
 * 0.574.  Under beta, B is sqrt(beta) B. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/number.h"
#include "kernel/adapt.h"
#include "kernel/baselines/curvature.h"
#include "kernel/kernel.h"
#include "kernel/langevin/paths/paths.h"
#include "lanes/lanes.h"

#define TARGET 0.574
#define RANKS  64

enum {
    ADAPT = HS_OWN_COLUMNS,
    COLUMNS = ADAPT + HS_ADAPT_COLUMNS
};

struct ab {
    double sigma;   /* NaN: auto */
    double balance; /* NaN: auto */
    int rank;

    hs_curvature curvature; /* owned */
    double gap2;            /* distance to the nearest value, squared */
    hs_point y;             /* owned */
    hs_float_row *buffer;   /* owned: rows of a local gradient */
    hs_float_row *rows;     /* owned: the same with B xi */
    hs_float_row *scratch;  /* owned, [2 * states_max] */
    hs_float_row xi[RANKS];
    float *bend;               /* owned, [rows]: |B_r|^2 */
    float factor[HS_LANES];    /* sqrt(beta) */
    float inverse[HS_LANES];   /* 1 / factor, or 0 */
    float stiffness[HS_LANES]; /* 1 / 2 sigma */
    float slant[HS_LANES];     /* a */
};

static hiss_status ab_setup(hs_kernel *k, const hs_model *m, hiss_error *err)
{
    struct ab *s = k->state;
    const hs_domain *d = &m->domain;
    double gap = hs_domain_gap(d);

    s->gap2 = gap * gap;
    hs_adapt_start(hs_adapt_columns(k->lane + ADAPT),
                   isnan(s->sigma) ? 0.5 * s->gap2 : s->sigma);
    HS_TRY(hs_curvature_init(&s->curvature, m, s->rank, err));
    k->setup_energies = s->curvature.energies;
    k->setup_gradients = s->curvature.gradients;
    HS_TRY(hs_point_init(&s->y, m, err));
    s->bend = hs_alloc_array((size_t)d->rows, sizeof *s->bend);
    s->buffer = hs_path_buffer(d);
    s->rows = hs_path_buffer(d);
    s->scratch = hs_alloc_array(2 * (size_t)d->states_max, sizeof *s->scratch);
    if (!s->bend || !s->buffer || !s->rows || !s->scratch)
        return hs_fail_memory(err);
    for (int r = 0; r < d->rows; r++)
        for (int n = 0; n < s->curvature.rank; n++) {
            float b = s->curvature.b[r * s->curvature.most + n];

            s->bend[r] += b * b;
        }
    return HISS_OK;
}

static void ab_clear(hs_kernel *k)
{
    struct ab *s = k->state;

    hs_curvature_clear(&s->curvature);
    hs_point_clear(&s->y);
    hs_free(s->bend);
    hs_free(s->buffer);
    hs_free(s->rows);
    hs_free(s->scratch);
}

/* Sets sigma, a and sqrt(beta) of every lane. */
static void set_scales(hs_kernel *k, const hs_tilt *t)
{
    struct ab *s = k->state;
    float sigma[HS_LANES], less[HS_LANES], kept[HS_LANES];

    hs_adapt_values(hs_adapt_columns(k->lane + ADAPT), sigma);
    for (int l = 0; l < HS_LANES; l++) {
        /* use a given value exactly, not through e^ln */
        float now = isnan(s->sigma) ? sigma[l] : (float)s->sigma;

        s->stiffness[l] = 0.5f / now;
        less[l] = -s->stiffness[l] * (float)s->gap2;
        s->factor[l] = sqrtf(t->beta[l]);
        s->inverse[l] = s->factor[l] > 0.0f ? 1.0f / s->factor[l] : 0.0f;
    }
    hs_lanes()->exp(less, kept);
    for (int l = 0; l < HS_LANES; l++)
        s->slant[l] =
            isnan(s->balance) ? 0.5f * (1.0f + kept[l]) : (float)s->balance;
}

static void draw_noise(struct ab *s, const hs_tile *x)
{
    uint32_t words[4][HS_LANES];

    for (int k = 0; k < s->curvature.rank; k++) {
        if (k % 4 == 0)
            hs_lanes()->philox(&x->rng, HS_DRAW_NOISE, (uint32_t)k / 4, 1,
                               words);
        for (int l = 0; l < HS_LANES; l++)
            s->xi[k][l] = (float)(words[k % 4][l] >> 8) * 0x1p-24f + 0x1p-25f;
        hs_lanes()->normal_quantile(s->xi[k], s->xi[k]);
    }
}

/* Adds (B xi)_r / sqrt(beta); times beta this is the gain of the gradient. */
static void add_noise(const struct ab *s, int r, float *row)
{
    const float *b = s->curvature.b + (size_t)r * (size_t)s->curvature.most;
    hs_float_row sum = {0}, now; /* copies, so that the loops become vector
                                    code */

    for (int k = 0; k < s->curvature.rank; k++)
        for (int l = 0; l < HS_LANES; l++)
            sum[l] += b[k] * s->xi[k][l];
    memcpy(now, row, sizeof now);
    for (int l = 0; l < HS_LANES; l++)
        now[l] += sum[l] * s->inverse[l];
    memcpy(row, now, sizeof now);
}

/* Returns |B_r - B_p|^2. */
static float apart(const struct ab *s, int r, int p)
{
    const hs_curvature *c = &s->curvature;
    float sum = 0.0f;

    for (int k = 0; k < c->rank; k++) {
        float b = c->b[r * c->most + k] - c->b[p * c->most + k];

        sum += b * b;
    }
    return sum;
}

/* Subtracts the coordinate's own part of W as a slope, which is possible for
 * two-valued numbers and labels; for others W_ii remains. */
static void add_bend(const struct ab *s, const hs_domain *d, int i,
                     const int16_t *x, hs_float_row *rows)
{
    int r = d->row[i], n = d->states[i];

    if (d->kind[i] == HISS_CATEGORICAL) {
        for (int v = 0; v < n; v++)
            for (int l = 0; l < HS_LANES; l++)
                rows[v][l] -= 0.5f * apart(s, r + v, r + x[l]);
    } else if (n == 2) {
        const float *value = d->values + d->value[i];
        float half = 0.5f * s->bend[r] * (value[1] - value[0]);

        for (int l = 0; l < HS_LANES; l++)
            rows[0][l] -= x[l] == 0 ? half : -half;
    }
}

/* Returns rows of coordinates first <= i < last at p, with B xi. */
static const hs_float_row *slopes(struct ab *s, const hs_model *m,
                                  const hs_point *p, int first, int last)
{
    const hs_domain *d = &m->domain;
    int base = d->row[first];
    const hs_float_row *rows =
        hs_model_rows(m, p, first, last, s->buffer, NULL);

    memcpy(s->rows, rows, (size_t)(d->row[last] - base) * sizeof *rows);
    for (int i = first; s->curvature.rank > 0 && i < last; i++) {
        for (int r = d->row[i]; r < d->row[i + 1]; r++)
            add_noise(s, r, s->rows[r - base]);
        add_bend(s, d, i, p->x[i], s->rows + (d->row[i] - base));
    }
    return (const hs_float_row *)s->rows;
}

/* Adds B^T (x - y) of coordinate i to sum; labels lane by lane. */
static void add_step(const struct ab *s, const hs_domain *d, int i,
                     const int16_t *x, const int16_t *y,
                     double (*sum)[HS_LANES])
{
    const hs_curvature *c = &s->curvature;
    const float *b = c->b + (size_t)d->row[i] * (size_t)c->most;
    const float *value = d->values + d->value[i];
    float step[HS_LANES];

    if (memcmp(x, y, sizeof(hs_index_row)) == 0)
        return;
    if (d->kind[i] == HISS_CATEGORICAL) {
        for (int k = 0; k < c->rank; k++)
            for (int l = 0; l < HS_LANES; l++)
                sum[k][l] += (double)b[x[l] * c->most + k] -
                             (double)b[y[l] * c->most + k];
        return;
    }
    for (int l = 0; l < HS_LANES; l++)
        step[l] = value[x[l]] - value[y[l]];
    for (int k = 0; k < c->rank; k++)
        for (int l = 0; l < HS_LANES; l++)
            sum[k][l] += (double)(b[k] * step[l]);
}

/* Computes xi' = xi + sqrt(beta) B^T (x - y) and (|xi|^2 - |xi'|^2) / 2. */
static void look_back(struct ab *s, const hs_domain *d, const hs_point *x,
                      double *log_noise)
{
    double sum[RANKS][HS_LANES] = {{0}};

    memset(log_noise, 0, HS_LANES * sizeof *log_noise);
    for (int i = 0; s->curvature.rank > 0 && i < d->dim; i++)
        add_step(s, d, i, x->x[i], s->y.x[i], sum);
    for (int k = 0; k < s->curvature.rank; k++)
        for (int l = 0; l < HS_LANES; l++) {
            double before = (double)s->xi[k][l];
            double after = before + (double)s->factor[l] * sum[k][l];

            s->xi[k][l] = (float)after;
            log_noise[l] += 0.5 * (before * before - after * after);
        }
}

static hs_dlp proposal(const struct ab *s, const hs_model *m, const hs_tilt *t,
                       const hs_tile *x)
{
    return (hs_dlp){.domain = &m->domain,
                    .rng = &x->rng,
                    .beta = t->beta,
                    .balance = s->slant,
                    .stiffness = s->stiffness,
                    .phi = (const hs_float_row *)t->phi,
                    .slope = (const hs_float_row *)t->slope,
                    .scratch = s->scratch};
}

/* Draws y; ratio becomes -ln q(y|x). */
static void go_there(struct ab *s, const hs_model *m, const hs_dlp *d,
                     const hs_tile *x, double *ratio)
{
    double forward[HS_LANES] = {0};
    int dim = m->domain.dim;

    for (int first = 0; first < dim; first += HS_PATH_BLOCK) {
        int last = dim - first < HS_PATH_BLOCK ? dim : first + HS_PATH_BLOCK;

        hs_lanes()->dlp_propose(d, first, last,
                                slopes(s, m, &x->at, first, last),
                                (const hs_index_row *)x->at.x, s->y.x, forward);
    }
    s->y.have = 0;
    for (int l = 0; l < HS_LANES; l++)
        ratio[l] = -forward[l];
}

static void go_back(struct ab *s, const hs_model *m, const hs_dlp *d,
                    const hs_tile *x, double *reverse)
{
    int dim = m->domain.dim;

    memset(reverse, 0, HS_LANES * sizeof *reverse);
    for (int first = 0; first < dim; first += HS_PATH_BLOCK) {
        int last = dim - first < HS_PATH_BLOCK ? dim : first + HS_PATH_BLOCK;

        hs_lanes()->dlp_log_q(d, first, last, slopes(s, m, &s->y, first, last),
                              (const hs_index_row *)s->y.x,
                              (const hs_index_row *)x->at.x, reverse);
    }
}

static void tune(hs_kernel *k, const double *ratio)
{
    const struct ab *s = k->state;
    float acceptance[HS_LANES];

    hs_tile_acceptance(ratio, acceptance);
    hs_adapt_update(hs_adapt_columns(k->lane + ADAPT), acceptance, TARGET,
                    log(s->gap2));
}

static hiss_status ab_step(hs_kernel *k, const hs_model *m, const hs_tilt *t,
                           hs_tile *x)
{
    struct ab *s = k->state;
    double ratio[HS_LANES], gain[HS_LANES], noise[HS_LANES], reverse[HS_LANES];
    int32_t accept[HS_LANES];
    hs_dlp d;

    hs_tile_tick(x);
    if (k->steps == 0) {
        x->energy_evals += k->setup_energies / x->lanes;
        x->gradient_evals += k->setup_gradients / x->lanes;
    }
    HS_TRY(hs_tile_evaluate(x, m, &x->at, HS_U | HS_GRAD));
    set_scales(k, t);
    draw_noise(s, x);
    d = proposal(s, m, t, x);
    go_there(s, m, &d, x, ratio);
    HS_TRY(hs_tile_evaluate(x, m, &s->y, HS_U | HS_GRAD));
    look_back(s, &m->domain, &x->at, noise);
    go_back(s, m, &d, x, reverse);
    hs_tile_log_ratio(m, t, &x->at, &s->y, gain);
    for (int l = 0; l < HS_LANES; l++)
        ratio[l] = gain[l] == -HUGE_VAL
                       ? -HUGE_VAL
                       : ratio[l] + gain[l] + noise[l] + reverse[l];
    hs_tile_decide(x, ratio, accept);
    hs_tile_move(x, m, &s->y, accept);
    hs_kernel_count(k, x, accept);
    if (x->is_tuning && isnan(s->sigma))
        tune(k, ratio);
    return HISS_OK;
}

static void ab_freeze(hs_kernel *k)
{
    hs_adapt_freeze(hs_adapt_columns(k->lane + ADAPT));
}

static hs_traits ab_traits(const hs_kernel *k)
{
    (void)k;
    return (hs_traits){.exact = true,
                       .reversible = true,
                       .homogeneous = true,
                       .gradient = true,
                       .period = 1};
}

static int ab_describe(const hs_kernel *k, int lane, char *text, size_t size)
{
    const struct ab *s = k->state;

    if (!isnan(s->sigma))
        return 0;
    return hs_adapt_describe("sigma", k->lane[ADAPT][lane], log(s->gap2), text,
                             size);
}

static const hs_option ab_options[] = {
    {"sigma", HS_AUTO, offsetof(struct ab, sigma), "auto", "(0,inf)",
     "scale of steps; auto: tuned by a pilot to an acceptance of 0.574"},
    {"balance", HS_AUTO, offsetof(struct ab, balance), "auto", "[0,1]",
     "weight of the gain, 1/2 for small steps to 1; auto: by sigma"},
    {"rank", HS_INTEGER, offsetof(struct ab, rank), "4", "[0,64]",
     "directions of W, where U bends most; 0: no W"},
    {0},
};

const hs_kernel_type hs_kernel_ab = {
    .name = "ab",
    .summary = "any-scale balanced: Langevin by a quadratic approximation",
    .is_baseline = true,
    .size = sizeof(struct ab),
    .options = ab_options,
    .columns = COLUMNS,
    .setup = ab_setup,
    .step = ab_step,
    .clear = ab_clear,
    .traits = ab_traits,
    .freeze = ab_freeze,
    .describe = ab_describe,
};
