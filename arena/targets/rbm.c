/* rbm.c - a restricted Boltzmann machine that was trained on prototypes.
 *
 * STEPS steps of contrastive divergence (one sweep) on random prototypes with
 * NOISE of their bits turned over, the first ones more frequent than the last;
 * these find the modes and get their masses wrong by orders of magnitude, so
 * that POLISH steps along the exact gradient follow.  With HIDDEN hidden units
 * the law of these is known by enumeration,
 *     p(h) ~ exp(c'h) prod_i (1 + exp(b_i + W_i h)),
 * and every h belongs to the prototype that is nearest to E[v | h].  A class is
 * the probability of these h given v: its mean is the mass of its h exactly. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "arena/targets/families.h"

#define VISIBLE    200
#define HIDDEN     12
#define PATTERNS   (1 << HIDDEN)
#define PROTOTYPES 6
#define NOISE      0.05
#define STEPS      400
#define BATCH      64
#define RATE       0.1
#define POLISH     100
#define POLISHED   256 /* examples of each of these steps */
#define FINE_RATE  0.01
#define SELDOM     1e-6 /* p(h) that the gradient leaves out */
#define LOOKS      2048 /* draws that measure how sharp classes are */

typedef struct trained {
    double weight[VISIBLE][HIDDEN], b[VISIBLE], c[HIDDEN];
    int prototype[PROTOTYPES][VISIBLE];
    double law[PATTERNS]; /* p(h) */
    double log_z;
    double mean[VISIBLE]; /* P(v_i = 1) */
    int class[PATTERNS];
} trained;

static double sigmoid(double x)
{
    return 1.0 / (1.0 + exp(-x));
}

/* P(h_j = 1 | v). */
static void upward(const trained *m, const double *v, double *p)
{
    memcpy(p, m->c, sizeof m->c);
    for (int i = 0; i < VISIBLE; i++)
        for (int j = 0; j < HIDDEN; j++)
            p[j] += v[i] * m->weight[i][j];
    for (int j = 0; j < HIDDEN; j++)
        p[j] = sigmoid(p[j]);
}

/* What v_i sees of h. */
static double downward(const trained *m, const double *h, int i)
{
    double sum = m->b[i];

    for (int j = 0; j < HIDDEN; j++)
        sum += m->weight[i][j] * h[j];
    return sum;
}

static void round_off(double *p, int count, uint64_t *seed)
{
    for (int i = 0; i < count; i++)
        p[i] = family_uniform(seed) < p[i];
}

/* A prototype with noise; number k is drawn with a weight of PROTOTYPES + 2 -
 * k. */
static void example(const trained *m, uint64_t *seed, double *v)
{
    int left = family_below(seed, PROTOTYPES * (PROTOTYPES + 5) / 2), k = 0;

    while ((left -= PROTOTYPES + 2 - k) >= 0)
        k++;
    for (int i = 0; i < VISIBLE; i++)
        v[i] = m->prototype[k][i] != (family_uniform(seed) < NOISE);
}

/* Adds rate * v h' and the like. */
static void pull(trained *m, const double *v, const double *h, double rate)
{
    for (int i = 0; i < VISIBLE; i++) {
        m->b[i] += rate * v[i];
        for (int j = 0; j < HIDDEN; j++)
            m->weight[i][j] += rate * v[i] * h[j];
    }
    for (int j = 0; j < HIDDEN; j++)
        m->c[j] += rate * h[j];
}

/* Adds rate * (v p(h|v)' at the data - the same after one sweep). */
static void learn(trained *m, const trained *old, double rate, uint64_t *seed)
{
    double v[VISIBLE], p[HIDDEN], h[HIDDEN], w[VISIBLE], q[HIDDEN];

    example(old, seed, v);
    upward(old, v, p);
    memcpy(h, p, sizeof h);
    round_off(h, HIDDEN, seed);
    for (int i = 0; i < VISIBLE; i++)
        w[i] = sigmoid(downward(old, h, i));
    round_off(w, VISIBLE, seed);
    upward(old, w, q);
    pull(m, v, p, rate);
    pull(m, w, q, -rate);
}

static void bits_of(int pattern, double *h)
{
    for (int j = 0; j < HIDDEN; j++)
        h[j] = pattern >> j & 1;
}

/* The law of h. */
static void enumerate(trained *m)
{
    double h[HIDDEN], most = -HUGE_VAL, sum = 0.0;

    for (int n = 0; n < PATTERNS; n++) {
        double u = 0.0;

        bits_of(n, h);
        for (int j = 0; j < HIDDEN; j++)
            u += m->c[j] * h[j];
        for (int i = 0; i < VISIBLE; i++) {
            double field = downward(m, h, i);

            u += field > 0.0 ? field + log1p(exp(-field)) : log1p(exp(field));
        }
        m->law[n] = u;
        most = fmax(most, u);
    }
    for (int n = 0; n < PATTERNS; n++)
        sum += m->law[n] = exp(m->law[n] - most);
    for (int n = 0; n < PATTERNS; n++)
        m->law[n] /= sum;
    m->log_z = most + log(sum);
}

/* A step along the gradient of the likelihood, of the model's part exactly. */
static void polish(trained *m, trained *old, uint64_t *seed)
{
    double v[VISIBLE], h[HIDDEN];

    enumerate(m);
    *old = *m;
    for (int n = 0; n < POLISHED; n++) {
        example(old, seed, v);
        upward(old, v, h);
        pull(m, v, h, FINE_RATE / POLISHED);
    }
    for (int n = 0; n < PATTERNS; n++) {
        if (old->law[n] < SELDOM)
            continue;
        bits_of(n, h);
        for (int i = 0; i < VISIBLE; i++)
            v[i] = sigmoid(downward(old, h, i));
        pull(m, v, h, -FINE_RATE * old->law[n]);
    }
}

static int train(trained *m, uint64_t *seed)
{
    trained *old = malloc(sizeof *old);

    for (int k = 0; k < PROTOTYPES; k++)
        for (int i = 0; i < VISIBLE; i++)
            m->prototype[k][i] = family_below(seed, 2);
    for (int i = 0; i < VISIBLE; i++)
        for (int j = 0; j < HIDDEN; j++)
            m->weight[i][j] = 0.1 * family_normal(seed);
    for (int step = 0; old && step < STEPS; step++) {
        *old = *m;
        for (int n = 0; n < BATCH; n++)
            learn(m, old, RATE / BATCH, seed);
    }
    for (int step = 0; old && step < POLISH; step++)
        polish(m, old, seed);
    free(old);
    return old != NULL;
}

/* The prototype that agrees best with the mean of v given h. */
static int nearest(const trained *m, const double *mean)
{
    double best = -HUGE_VAL;
    int at = 0;

    for (int k = 0; k < PROTOTYPES; k++) {
        double sum = 0.0;

        for (int i = 0; i < VISIBLE; i++)
            sum += m->prototype[k][i] ? mean[i] : -mean[i];
        if (sum > best) {
            best = sum;
            at = k;
        }
    }
    return at;
}

/* The classes of all h, and their masses. */
static void divide(trained *m, double *mass)
{
    double h[HIDDEN], mean[VISIBLE];

    enumerate(m);
    for (int n = 0; n < PATTERNS; n++) {
        bits_of(n, h);
        for (int i = 0; i < VISIBLE; i++)
            mean[i] = 2.0 * sigmoid(downward(m, h, i)) - 1.0;
        m->class[n] = nearest(m, mean);
        mass[m->class[n]] += m->law[n];
        for (int i = 0; i < VISIBLE; i++)
            m->mean[i] += m->law[n] * 0.5 * (1.0 + mean[i]);
    }
}

/* The law of all h given v by doubling, unit by unit. */
static void classify(const instance *at, const double *v, double *out)
{
    const trained *m = at->own;
    double p[HIDDEN], law[PATTERNS];

    upward(m, v, p);
    law[0] = 1.0;
    for (int j = 0; j < HIDDEN; j++)
        for (int n = 0; n < 1 << j; n++) {
            law[n | 1 << j] = law[n] * p[j];
            law[n] *= 1.0 - p[j];
        }
    for (int k = 0; k < PROTOTYPES; k++)
        out[k] = 0.0;
    for (int n = 0; n < PATTERNS; n++)
        out[m->class[n]] += law[n];
}

static void marginal(const instance *at, int i, double *out)
{
    const trained *m = at->own;

    out[1] = m->mean[i];
    out[0] = 1.0 - m->mean[i];
}

/* Of a share r: w (1 - w) - E r (1 - r), the last from exact draws. */
static void variances(instance *at, const trained *m)
{
    double h[HIDDEN], v[VISIBLE], r[PROTOTYPES], u[LOOKS];
    uint64_t seed = 1;

    family_indicators(at);
    for (int look = 0; look < LOOKS; look++) {
        double left = family_uniform(&seed);
        int n = 0;

        while (n < PATTERNS - 1 && (left -= m->law[n]) > 0.0)
            n++;
        bits_of(n, h);
        for (int i = 0; i < VISIBLE; i++)
            v[i] = sigmoid(downward(m, h, i));
        round_off(v, VISIBLE, &seed);
        classify(at, v, r);
        hiss_model_energy(at->model, v, &u[look], NULL);
        for (int k = 0; k < PROTOTYPES; k++)
            at->variance[k] -= r[k] * (1.0 - r[k]) / LOOKS;
    }
    family_energies(at, u, LOOKS);
}

static int machine(instance *at)
{
    uint64_t seed = family_seed(at);
    trained *m = calloc(1, sizeof *m);

    at->own = m;
    at->clear = free;
    if (!m || !train(m, &seed))
        return 0;
    at->classes = PROTOTYPES;
    at->classify = classify;
    divide(m, at->mean);
    at->marginal = marginal;
    at->log_z = m->log_z;
    if (hiss_model_rbm(&at->model, VISIBLE, HIDDEN, &m->weight[0][0], m->b,
                       m->c, NULL) != HISS_OK)
        return 0;
    variances(at, m);
    return 1;
}

static const peer peers_hidden[] = {
    {"pt", "pt(base=gibbs,levels=auto)"},
    {"jumps", "sequence(gibbs,bridge)"},
    {"hidden", "pt(base=hidden,levels=auto)"},
    {"hidden_j", "sequence(hidden,bridge)"},
    {0},
};

const target targets_rbm[] = {
    {"rbm200", machine, .peers = peers_hidden, .is_disjoint = 1},
    {0},
};
