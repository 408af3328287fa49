/* logistic.c - logistic regression as a distribution over sets of variables.
 *
 * The response is 1 at its larger value.  With eta = a + X_G b, the intercept a
 * flat and b ~ N(0, P^-1), the log marginal likelihood of the set G is that of
 * Laplace's approximation at the mode of a and b,
 *     sum_r [y eta - ln(1 + e^eta)] - 1/2 b'P b + 1/2 ln det P
 *         - 1/2 ln det H,   H = -(second derivatives), a included,
 * minus the same of the empty set.  Its error falls as 1 / rows.  The mode
 * follows from Newton's method, from the same start for every state, so that
 * log p is a function of the state.  With is_bic, log p is the first sum. */
#include <math.h>
#include <stddef.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/exponential.h"
#include "base/logarithm.h"
#include "lanes/lanes.h"
#include "model/regress/gram.h"
#include "model/regress/logistic_build.h"

#define STEPS_MAX 100   /* Newton's method takes about six */
#define CLOSE     1e-20 /* expected gain of a step; then log p is exact */
#define ROUNDING  1e-15 /* rounding error of log p, relative */
#define DEPENDENT 1e-10 /* pivot of a column that depends on the others */
/* Approximate number of variables of a start, if there are many. */
#define START_VARIABLES 10

typedef struct logistic {
    hs_model base;
    hs_logistic_law law;
    hs_design design; /* columns of deviation 1; y is 0 or 1 */
    double ones;      /* number of cases with y = 1 */
    double empty;     /* log likelihood of the empty model, by Laplace */
} logistic;

/* A chain visits few models again and again, so log p of the last ones is kept
 * under two numbers of 64 bits that are sums over the variables. */
typedef struct known {
    uint64_t key, check; /* check is 0 for an unused entry */
    double u;
} known;

#define KNOWN 4096 /* a power of 2 */

/* Working memory in a point's scratch, zero at first. */
struct work {
    int count, room; /* variables; room has the intercept as well */
    int *active;     /* [room] */
    double *prior;   /* [room * room]: P, without the intercept */
    double *hessian; /* [room * room]: H, then its Cholesky factor */
    double *factor;  /* [room * room]: Cholesky factor of P */
    double *at, *before, *gradient, *step; /* [room] */
    /* [stride]: of rows; ones is 1, all are 0 in the padding */
    double *mean, *weight, *ones, *product;
    double log_prior; /* ln det P */
    known *memory;    /* [KNOWN] */
};

static const logistic *logistic_of(const hs_model *m)
{
    return (const logistic *)m;
}

static size_t padded(size_t bytes)
{
    return (bytes + 63) / 64 * 64;
}

static size_t work_bytes(const logistic *m)
{
    size_t room = (size_t)m->law.most + 2, stride = (size_t)m->design.stride;

    return padded(room * sizeof(int)) +
           padded((3 * room * room + 4 * room + 4 * stride) * sizeof(double)) +
           KNOWN * sizeof(known);
}

static void place(struct work *w, const logistic *m, void *scratch)
{
    size_t room = (size_t)m->law.most + 2;
    double *next = (double *)((char *)scratch + padded(room * sizeof(int)));

    *w = (struct work){.room = (int)room, .active = scratch};
    w->prior = next;
    w->hessian = w->prior + room * room;
    w->factor = w->hessian + room * room;
    w->at = w->factor + room * room;
    w->before = w->at + room;
    w->gradient = w->before + room;
    w->step = w->gradient + room;
    w->mean = w->step + room;
    w->weight = w->mean + m->design.stride;
    w->ones = w->weight + m->design.stride;
    w->product = w->ones + m->design.stride;
    w->memory = (known *)((char *)scratch + work_bytes(m)) - KNOWN;
    for (int r = 0; r < m->design.rows; r++)
        w->ones[r] = 1.0;
}

/* --- algebra of one model ------------------------------------------------- */

/* Replaces the lower triangle of a by its Cholesky factor; returns ln det, or
 * -infinity if a pivot is below `least` times the diagonal. */
static double decompose(double *a, int n, int room, double least)
{
    double sum = 0.0;

    for (int i = 0; i < n; i++) {
        double *own = a + (size_t)i * (size_t)room, pivot = own[i];

        for (int j = 0; j < i; j++) {
            const double *row = a + (size_t)j * (size_t)room;
            double value = own[j];

            for (int k = 0; k < j; k++)
                value -= own[k] * row[k];
            own[j] = value / row[j];
            pivot -= own[j] * own[j];
        }
        if (!(pivot > least * own[i]))
            return -HUGE_VAL;
        own[i] = sqrt(pivot);
        sum += hs_logarithm(pivot);
    }
    return sum;
}

/* v := (L L')^-1 v */
static void solve(const double *l, int n, int room, double *v)
{
    for (int i = 0; i < n; i++) {
        const double *row = l + (size_t)i * (size_t)room;

        for (int j = 0; j < i; j++)
            v[i] -= row[j] * v[j];
        v[i] /= row[i];
    }
    for (int i = n - 1; i >= 0; i--) {
        const double *row = l + (size_t)i * (size_t)room;

        v[i] /= row[i];
        for (int j = 0; j < i; j++)
            v[j] -= row[j] * v[i];
    }
}

/* Appends a variable to P and its factor; false if it depends on the others or
 * there is no room. */
static bool append(const logistic *m, struct work *w, int variable)
{
    const hs_design *d = &m->design;
    int k = w->count;
    double *own = w->prior + (size_t)k * (size_t)w->room;
    double *factor = w->factor + (size_t)k * (size_t)w->room, pivot, least;

    if (k >= m->law.most)
        return false;
    for (int j = 0; j <= k; j++) {
        int other = j < k ? w->active[j] : variable;

        own[j] = m->law.alike / d->rows *
                 hs_gram_dot(hs_design_column(d, variable),
                             hs_design_column(d, other), d->stride);
        factor[j] = own[j];
    }
    own[k] += m->law.ridge;
    pivot = factor[k] = own[k];
    for (int j = 0; j < k; j++) {
        const double *row = w->factor + (size_t)j * (size_t)w->room;

        for (int c = 0; c < j; c++)
            factor[j] -= factor[c] * row[c];
        factor[j] /= row[j];
        pivot -= factor[j] * factor[j];
    }
    least = DEPENDENT * own[k];
    if (!(pivot > least))
        return false;
    factor[k] = sqrt(pivot);
    w->log_prior += hs_logarithm(pivot);
    w->active[w->count++] = variable;
    return true;
}

/* Computes residuals and weights at w->at; returns the log likelihood. */
static double likelihood(const logistic *m, struct work *w)
{
    const hs_design *d = &m->design;
    double sum = 0.0;

    for (int r = 0; r < d->stride; r++)
        w->mean[r] = w->at[0];
    for (int k = 0; k < w->count; k++) {
        const double *x = hs_design_column(d, w->active[k]);

        for (int r = 0; r < d->stride; r++)
            w->mean[r] += w->at[k + 1] * x[r];
    }
    for (int first = 0; first < d->rows; first += HS_LANES) {
        int count = d->rows - first < HS_LANES ? d->rows - first : HS_LANES;
        double low[HS_LANES] = {0}, e[HS_LANES], product = 1.0;

        for (int n = 0; n < count; n++)
            low[n] = -fabs(w->mean[first + n]);
        hs_exponentials(low, e);
        for (int n = 0; n < count; n++) {
            int r = first + n;
            double eta = w->mean[r];

            product *= 1.0 + e[n]; /* at most 2^16 */
            sum += d->y[r] * eta - fmax(eta, 0.0);
            w->mean[r] = d->y[r] - (eta > 0.0 ? 1.0 : e[n]) / (1.0 + e[n]);
            w->weight[r] = e[n] / ((1.0 + e[n]) * (1.0 + e[n]));
        }
        sum -= hs_logarithm(product);
    }
    for (int r = d->rows; r < d->stride; r++)
        w->mean[r] = w->weight[r] = 0.0;
    return sum;
}

/* 1/2 b'P b, and P b into the gradient. */
static double prior_of(struct work *w)
{
    double sum = 0.0;

    w->gradient[0] = 0.0;
    for (int i = 0; i < w->count; i++) {
        double own = 0.0;

        for (int j = 0; j < w->count; j++) {
            int low = i < j ? i : j, high = i < j ? j : i;

            own += w->prior[(size_t)high * (size_t)w->room + (size_t)low] *
                   w->at[j + 1];
        }
        w->gradient[i + 1] = -own;
        sum += 0.5 * own * w->at[i + 1];
    }
    return sum;
}

static const double *column_of(const logistic *m, const struct work *w, int k)
{
    return k ? hs_design_column(&m->design, w->active[k - 1]) : w->ones;
}

/* Adds the data's part to the gradient and makes H. */
static void differentiate(const logistic *m, struct work *w)
{
    const hs_design *d = &m->design;

    for (int i = 0; i <= w->count; i++) {
        const double *own = column_of(m, w, i);
        double *row = w->hessian + (size_t)i * (size_t)w->room;

        w->gradient[i] += hs_gram_dot(own, w->mean, d->stride);
        for (int r = 0; r < d->stride; r++)
            w->product[r] = w->weight[r] * own[r];
        for (int j = 0; j <= i; j++) {
            row[j] = hs_gram_dot(w->product, column_of(m, w, j), d->stride);
            if (j > 0)
                row[j] +=
                    w->prior[(size_t)(i - 1) * (size_t)w->room + (size_t)j - 1];
        }
    }
}

/* Returns the log marginal likelihood of the variables in w. */
static double fit(const logistic *m, struct work *w)
{
    int n = w->count + 1;
    double best = -HUGE_VAL, fitted = 0.0, determinant = 0.0;

    memset(w->at, 0, (size_t)n * sizeof *w->at);
    w->at[0] = hs_logarithm(m->ones / (m->design.rows - m->ones));
    for (int step = 0; step < STEPS_MAX; step++) {
        double data = likelihood(m, w), value = data - prior_of(w), gain = 0.0;

        bool is_last = fabs(best - value) < ROUNDING * (1.0 + fabs(value));

        if (value < best && !is_last) { /* too far: half the way */
            for (int i = 0; i < n; i++)
                w->at[i] = 0.5 * (w->at[i] + w->before[i]);
            continue;
        }
        best = value;
        fitted = data;
        differentiate(m, w);
        determinant = decompose(w->hessian, n, w->room, 0.0);
        if (isinf(determinant))
            return -HUGE_VAL;
        memcpy(w->step, w->gradient, (size_t)n * sizeof *w->step);
        solve(w->hessian, n, w->room, w->step);
        for (int i = 0; i < n; i++)
            gain += w->step[i] * w->gradient[i];
        if (is_last || gain < CLOSE)
            break;
        memcpy(w->before, w->at, (size_t)n * sizeof *w->at);
        for (int i = 0; i < n; i++)
            w->at[i] += w->step[i];
    }
    return m->law.is_bic ? fitted
                         : best + 0.5 * w->log_prior - 0.5 * determinant;
}

/* --- the model ------------------------------------------------------------ */

static double log_p_anew(const logistic *m, const hs_point *p, int lane,
                         int flipped, struct work *w)
{
    w->count = 0;
    w->log_prior = 0.0;
    for (int i = 0; i < m->design.terms; i++)
        if ((p->x[i][lane] != 0) != (i == flipped) && !append(m, w, i))
            return -HUGE_VAL;
    return m->law.penalty[w->count] + fit(m, w) - m->empty;
}

/* The finalizer of splitmix64. */
static uint64_t scrambled(uint64_t z)
{
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return z ^ z >> 31;
}

/* log p of a lane with variable `flipped` changed, if it is not negative. */
static double log_p(const logistic *m, const hs_point *p, int lane, int flipped,
                    struct work *w)
{
    uint64_t key = 1, check = 1;
    known *at;

    for (int i = 0; i < m->design.terms; i++)
        if ((p->x[i][lane] != 0) != (i == flipped)) {
            uint64_t word = (uint64_t)i * UINT64_C(0x9e3779b97f4a7c15);

            key += scrambled(word + 1);
            check += scrambled(word + UINT64_C(0xd1b54a32d192ed03));
        }
    at = &w->memory[key % KNOWN];
    if (at->check == 0 || at->key != key || at->check != check)
        *at = (known){key, check, log_p_anew(m, p, lane, flipped, w)};
    return at->u;
}

static int lanes_of(const hs_point *p)
{
    return p->lanes ? p->lanes : HS_LANES;
}

static hiss_status logistic_evaluate(const hs_model *base, hs_point *p,
                                     unsigned want)
{
    const logistic *m = logistic_of(base);
    struct work w;

    place(&w, m, p->scratch);
    if (!(p->have & HS_U))
        for (int l = 0; l < lanes_of(p); l++)
            p->u[l] = log_p(m, p, l, -1, &w);
    p->have |= HS_U;
    if (!(want & HS_GRAD))
        return HISS_OK;
    for (int i = 0; i < m->design.terms; i++)
        for (int l = 0; l < lanes_of(p); l++) {
            double here = p->u[l], there = log_p(m, p, l, i, &w);

            if (isinf(here) && isinf(there))
                p->grad[i][l] = 0.0f;
            else
                p->grad[i][l] =
                    (float)(p->x[i][l] ? here - there : there - here);
        }
    return HISS_OK;
}

/* Draws random models of about half the variables, or of a few if there are
 * many, without variables that depend on others. */
static void scatter(const logistic *m, hs_point *p, const hs_rng *rng,
                    hs_purpose purpose)
{
    int terms = m->design.terms;
    double share = terms > 2 * START_VARIABLES
                       ? fmin(0.5, (double)START_VARIABLES / terms)
                       : 0.5;
    uint32_t limit = (uint32_t)(share * 4294967296.0), words[4][HS_LANES];
    struct work w;

    place(&w, m, p->scratch);
    for (int i = 0; i < terms; i++) {
        if (i % 4 == 0)
            hs_lanes()->philox(rng, purpose, (uint32_t)i / 4, 1, words);
        for (int l = 0; l < HS_LANES; l++)
            p->x[i][l] = words[i % 4][l] < limit;
    }
    for (int l = 0; l < HS_LANES; l++) {
        w.count = 0;
        for (int i = 0; i < terms; i++)
            if (p->x[i][l] && !append(m, &w, i))
                p->x[i][l] = 0;
    }
    p->have = 0;
}

static hiss_status logistic_start(const hs_model *base, hs_point *p,
                                  const hs_rng *rng, int lanes, hiss_error *err)
{
    (void)lanes;
    (void)err;
    scatter(logistic_of(base), p, rng, HS_DRAW_INIT);
    return HISS_OK;
}

static hiss_status logistic_scatter(const hs_model *base, hs_point *p,
                                    const hs_rng *rng, int lanes)
{
    (void)lanes;
    scatter(logistic_of(base), p, rng, HS_DRAW_SCATTER);
    return HISS_OK;
}

static void logistic_destroy(hs_model *base)
{
    logistic *m = (logistic *)base;

    hs_free(m->law.penalty);
    hs_design_clear(&m->design);
}

static const hs_model_ops logistic_ops = {
    .evaluate = logistic_evaluate,
    .destroy = logistic_destroy,
    .start = logistic_start,
    .scatter = logistic_scatter,
};

bool hs_logistic_fits(const hs_design *design)
{
    double low = HUGE_VAL, high = -HUGE_VAL;
    bool fits = true;

    for (int r = 0; r < design->rows; r++) {
        low = fmin(low, design->y[r]);
        high = fmax(high, design->y[r]);
    }
    for (int r = 0; r < design->rows; r++)
        fits = fits && (design->y[r] == low || design->y[r] == high);
    return fits;
}

/* Columns of squared length 1 get deviation 1; the response becomes 0 or 1. */
static hiss_status fill(logistic *m, hiss_error *err)
{
    hs_design *d = &m->design;
    size_t bytes = work_bytes(m);
    void *scratch = hs_alloc_array(bytes, 1);
    struct work w;

    if (!scratch)
        return hs_fail_memory(err);
    for (int r = 0; r < d->rows; r++)
        m->ones += d->y[r] = d->y[r] > 0.0 ? 1.0 : 0.0;
    for (int i = 0; i < d->terms; i++)
        for (int r = 0; r < d->rows; r++)
            hs_design_column(d, i)[r] *= sqrt((double)d->rows);
    place(&w, m, scratch);
    m->empty = fit(m, &w);
    hs_free(scratch);
    m->base.scratch_bytes = bytes;
    m->base.gradient_states = d->terms;
    HS_TRY(hs_domain_init(&m->base.domain, HISS_BINARY, d->terms, 2, err));
    m->base.domain.names = d->name;
    d->name = NULL;
    return HISS_OK;
}

hiss_status hs_logistic_build(hs_model **out, hs_design *design,
                              hs_logistic_law *law, hiss_error *err)
{
    logistic *m = hs_alloc_array(1, sizeof *m);
    hiss_status rc;

    *out = NULL;
    if (!m)
        return hs_fail_memory(err);
    m->base.ops = &logistic_ops;
    m->law = *law;
    m->design = *design;
    *law = (hs_logistic_law){0};
    *design = (hs_design){0};
    rc = fill(m, err);
    if (rc != HISS_OK) {
        hs_model_destroy(&m->base);
        return rc;
    }
    *out = &m->base;
    return HISS_OK;
}
