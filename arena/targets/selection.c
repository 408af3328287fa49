/* selection.c - Bayesian variable selection with near-collinear pairs.
 *
 * y ~ N(X_g beta, I), beta ~ N(0, SLAB I) for the predictors g that are in the
 * model, each in with odds ODDS.  With A = X'X and b = X'y, beta summed out,
 *     U(g) = |g| ln ODDS - 1/2 ln det(I + SLAB A_gg)
 *            + 1/2 b_g' (A_gg + I / SLAB)^-1 b_g,
 * which is computed as for any A, by a Cholesky factor of the chosen part; the
 * gradient is the exact difference of U for every predictor, by the rank-one
 * formulas.
 *
 * A has blocks: size[0] pairs of predictors with correlation CORRELATION, of
 * which one is wanted and either will do, and size[1] predictors that are
 * noise, a few of them nearly strong enough.  Blocks are orthogonal, so that U
 * is a sum over them, and P(first of the pair) follows from four terms. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "arena/targets/families.h"

#define ROWS        1000.0 /* of X: the square of the length of a column */
#define SLAB        100.0
#define ODDS        1e-3
#define CORRELATION 0.99
#define SIGNAL      35.0 /* nats that the right one of a pair explains */
#define DIM_MAX     128

typedef struct selection {
    int dim, pairs;
    double a[DIM_MAX][DIM_MAX]; /* X'X */
    double b[DIM_MAX];          /* X'y */
} selection;

/* The part of A + I / SLAB that is chosen, as its Cholesky factor, and what
 * follows from it. */
struct fit {
    int count, chosen[DIM_MAX];
    double factor[DIM_MAX][DIM_MAX]; /* lower triangle */
    double solved[DIM_MAX];          /* factor^-1 b_g */
};

/* y = factor^-1 y. */
static void solve(const struct fit *f, double *y)
{
    for (int r = 0; r < f->count; r++) {
        for (int c = 0; c < r; c++)
            y[r] -= f->factor[r][c] * y[c];
        y[r] /= f->factor[r][r];
    }
}

/* U of a choice; x[i * stride] says whether i is in. */
static double fit(const selection *s, const int16_t *x, int stride,
                  struct fit *f)
{
    double u = 0.0;

    f->count = 0;
    for (int i = 0; i < s->dim; i++)
        if (x[i * stride])
            f->chosen[f->count++] = i;
    for (int r = 0; r < f->count; r++)
        for (int c = 0; c <= r; c++) {
            double sum = s->a[f->chosen[r]][f->chosen[c]];

            for (int k = 0; k < c; k++)
                sum -= f->factor[r][k] * f->factor[c][k];
            if (r == c)
                f->factor[r][c] = sqrt(sum + 1.0 / SLAB);
            else
                f->factor[r][c] = sum / f->factor[c][c];
        }
    for (int r = 0; r < f->count; r++)
        f->solved[r] = s->b[f->chosen[r]];
    solve(f, f->solved);
    for (int r = 0; r < f->count; r++)
        u += 0.5 * f->solved[r] * f->solved[r] - log(f->factor[r][r]);
    return u + f->count * (log(ODDS) - 0.5 * log(SLAB));
}

/* U(g with i) - U(g without i).  With V the covariance of y, p = SLAB x_i'
 * V^-1 x_i and q = x_i' V^-1 y, where i is not in V,
 *     -1/2 ln(1 + p) + 1/2 SLAB q^2 / (1 + p);
 * with i in V it is the same with -ln(1 - p) and 1 / (1 - p). */
static double difference(const selection *s, const struct fit *f, int i,
                         int is_in)
{
    double column[DIM_MAX], p = s->a[i][i], q = s->b[i], scale;

    for (int r = 0; r < f->count; r++)
        column[r] = s->a[i][f->chosen[r]];
    solve(f, column);
    for (int r = 0; r < f->count; r++) {
        p -= column[r] * column[r];
        q -= column[r] * f->solved[r];
    }
    scale = is_in ? 1.0 / (1.0 - SLAB * p) : 1.0 + SLAB * p;
    return log(ODDS) - 0.5 * log(scale) +
           0.5 * SLAB * q * q * (is_in ? scale : 1.0 / scale);
}

static int evaluate(const void *context, const int16_t *x, int lanes, double *u,
                    float *gradient)
{
    const selection *s = context;
    struct fit f;

    for (int l = 0; l < lanes; l++) {
        u[l] = fit(s, x + l, lanes, &f);
        for (int i = 0; gradient && i < s->dim; i++)
            gradient[i * lanes + l] =
                (float)difference(s, &f, i, x[i * lanes + l]);
    }
    return 0;
}

static void classify(const instance *at, const double *x, double *out)
{
    for (int k = 0; k < at->classes; k++)
        out[k] = x[2 * k];
}

/* Columns of length sqrt(ROWS); b so that either of a pair explains SIGNAL,
 * one of them up to 1.5 nats less, and a noise column z^2 / 2 nats. */
static void design(selection *s, const target *t, uint64_t *seed)
{
    double entry = -log(ODDS) + 0.5 * log(SLAB * ROWS);

    s->pairs = t->size[0];
    s->dim = 2 * s->pairs + t->size[1];
    for (int i = 0; i < s->dim; i++)
        s->a[i][i] = ROWS;
    for (int k = 0; k < s->pairs; k++) {
        int worse = family_below(seed, 2);
        double less = 1.5 * family_uniform(seed);
        double sign = family_uniform(seed) < 0.5 ? -1.0 : 1.0;

        s->a[2 * k][2 * k + 1] = s->a[2 * k + 1][2 * k] = CORRELATION * ROWS;
        s->b[2 * k + worse] = sign * sqrt(2.0 * ROWS * (SIGNAL - less));
        s->b[2 * k + 1 - worse] = sign * sqrt(2.0 * ROWS * SIGNAL);
    }
    for (int i = 2 * s->pairs; i < s->dim; i++) {
        double z = family_normal(seed);

        if (i % 5 == 0) /* in with a probability of some tenths */
            z = sqrt(2.0 * (entry - 2.0 + 2.5 * family_uniform(seed)));
        s->b[i] = z * sqrt(ROWS);
    }
}

/* P(first of the pair is in), over the four choices of the pair, all others
 * out. */
static double pair_mean(const selection *s, int pair)
{
    double weight[4], sum = 0.0;
    int16_t x[DIM_MAX] = {0};
    struct fit f;

    for (int v = 0; v < 4; v++) {
        x[2 * pair] = v & 1;
        x[2 * pair + 1] = (int16_t)(v >> 1);
        weight[v] = exp(fit(s, x, 1, &f) - SIGNAL);
        sum += weight[v];
    }
    return (weight[1] + weight[3]) / sum;
}

static int variables(instance *at)
{
    hiss_domain domain = HISS_INIT(hiss_domain);
    hiss_callback callback = HISS_INIT(hiss_callback);
    uint64_t seed = family_seed(at);
    selection *s = calloc(1, sizeof *s);

    at->own = s;
    at->clear = free;
    if (!s)
        return 0;
    design(s, at->of, &seed);
    at->classes = s->pairs;
    at->classify = classify;
    for (int k = 0; k < s->pairs; k++)
        at->mean[k] = pair_mean(s, k);
    family_indicators(at);
    domain.dim = s->dim;
    callback.name = at->of->name;
    callback.domain = &domain;
    callback.evaluate = evaluate;
    callback.context = s;
    callback.has_gradient = 1;
    return hiss_model_callback(&at->model, &callback, NULL) == HISS_OK;
}

static const peer peers_selection[] = {
    {"pt", "pt(base=dmala,levels=auto)"},
    {"pt_swap", "pt(base=sequence(dmala,bridge(swap=1)),levels=auto)"},
    {"swap", "sequence(dmala,bridge(swap=1))"},
    {"pieces", "sequence(dmala,bridge(components=0.5))"},
    {0},
};

const target targets_selection[] = {
    {"select5", variables, .peers = peers_selection, .size = {5, 30}},
    {"select10", variables, .peers = peers_selection, .size = {10, 30}},
    {"select20", variables, .peers = peers_selection, .size = {20, 40}},
    {0},
};
