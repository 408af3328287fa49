/* matrix.c - transition matrices from the definitions, in double. */
#include "conformance/support/matrix.h"
#include "conformance/support/suite.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "diag/tests/chi2.h"

int space_index(const space *s, int x, int i)
{
    for (int j = s->dim - 1; j > i; j--)
        x /= s->states[j];
    return x % s->states[i];
}

int space_changed(const space *s, int x, int i, int v)
{
    int stride = 1;

    for (int j = s->dim - 1; j > i; j--)
        stride *= s->states[j];
    return x + (v - space_index(s, x, i)) * stride;
}

void space_init(space *s, const hs_model *m)
{
    const hs_domain *d = &m->domain;

    *s = (space){.dim = d->dim, .n = (int)hs_domain_size(d)};
    assert_true(s->dim <= SPACE_DIM && s->n <= SPACE_STATES);
    for (int i = 0; i < s->dim; i++) {
        s->states[i] = d->states[i];
        s->is_labels[i] = d->kind[i] == HISS_CATEGORICAL;
        assert_true(s->states[i] <= SPACE_VALUES);
        for (int v = 0; v < s->states[i]; v++)
            s->value[i][v] = (double)d->values[d->value[i] + v];
    }
    for (int x = 0; x < s->n; x++) {
        int16_t state[SPACE_DIM];

        for (int i = 0; i < s->dim; i++)
            state[i] = (int16_t)space_index(s, x, i);
        assert_int_equal(hs_model_energy(m, state, &s->u[x], NULL), HISS_OK);
    }
}

/* dU/dx_i: through both values, through x and its two neighbors (Lagrange),
 * or through x and its only neighbor. */
static double slope(const space *s, int x, int i)
{
    const double *v = s->value[i];
    int at = space_index(s, x, i), last = s->states[i] - 1;
    int a = at > 0 ? at - 1 : 0, b = at, c = at < last ? at + 1 : last;
    double fa = s->u[space_changed(s, x, i, a)], fb = s->u[x];
    double fc = s->u[space_changed(s, x, i, c)];

    if (last == 1 || at == 0 || at == last)
        return (fc - fa) / (v[c] - v[a]);
    return fa * (v[b] - v[c]) / ((v[a] - v[b]) * (v[a] - v[c])) +
           fb * (2 * v[b] - v[a] - v[c]) / ((v[b] - v[a]) * (v[b] - v[c])) +
           fc * (v[b] - v[a]) / ((v[c] - v[a]) * (v[c] - v[b]));
}

double space_gain(const space *s, int x, int i, int v)
{
    int at = space_index(s, x, i);

    if (s->is_labels[i])
        return s->u[space_changed(s, x, i, v)] - s->u[x];
    return slope(s, x, i) * (s->value[i][v] - s->value[i][at]);
}

static double distance(const space *s, int i, int v, int w)
{
    double step = s->value[i][v] - s->value[i][w];

    return s->is_labels[i] ? (v == w ? 0.0 : 2.0) : step * step;
}

void matrix_adjust(int n, const double *u, matrix q, matrix p)
{
    for (int x = 0; x < n; x++) {
        double stay = 1.0;

        for (int y = 0; y < n; y++) {
            double to = q[x][y] * exp(u[x]), back = q[y][x] * exp(u[y]);

            if (x == y)
                continue;
            p[x][y] = (to < back ? to : back) / exp(u[x]);
            stay -= p[x][y];
        }
        p[x][x] = stay;
    }
}

static double phi(noise_shape shape, double eta, double t)
{
    double z = fabs(t) / eta;

    if (shape == GAUSSIAN)
        return -0.5 * z * z;
    return -2.0 * (0.5 * z + log1p(exp(-z)) - log(2.0));
}

static double phi_slope(noise_shape shape, double eta, double t)
{
    return shape == GAUSSIAN ? t / (eta * eta) : tanh(t / (2.0 * eta)) / eta;
}

/* Nodes z and weights of the standard noise. */
#define NODES 4000
struct grid {
    int n;
    double z[NODES], weight[NODES];
};

static void grid_init(struct grid *g, noise_shape shape, int n)
{
    g->n = n;
    for (int k = 0; k < n; k++) {
        double u = (k + 0.5) / n;

        if (shape == LOGISTIC) { /* midpoints in the distribution function */
            g->z[k] = log(u / (1.0 - u));
            g->weight[k] = 1.0 / n;
        } else { /* trapezoids from -8 to 8 */
            g->z[k] = 16.0 * u - 8.0;
            g->weight[k] = 16.0 / n * exp(-0.5 * g->z[k] * g->z[k]) /
                           sqrt(2.0 * acos(-1.0));
        }
    }
}

static void numeric_noise(const space *s, int i, noise_shape shape, double eta,
                          double out[SPACE_VALUES][SPACE_VALUES])
{
    struct grid g;

    grid_init(&g, shape, NODES);
    for (int v = 0; v < s->states[i]; v++)
        for (int k = 0; k < g.n; k++) {
            double a = s->value[i][v] + eta * g.z[k];
            double weight[SPACE_VALUES], sum = 0.0;

            for (int w = 0; w < s->states[i]; w++)
                sum += weight[w] = exp(phi(shape, eta, a - s->value[i][w]));
            for (int w = 0; w < s->states[i]; w++)
                out[v][w] += g.weight[k] * weight[w] / sum;
        }
}

/* P(stay) = E [e^l_0 / sum_c e^l_c], where entry 0 was 1 and the others 0, and
 * l = phi(a - 1) - phi(a); all other labels are alike. */
static void label_noise(int labels, noise_shape shape, double eta,
                        double out[SPACE_VALUES][SPACE_VALUES])
{
    struct grid g;
    double own[NODES], other[NODES], stay = 0.0;

    grid_init(&g, shape, labels == 3 ? 150 : 60);
    for (int k = 0; k < g.n; k++) {
        double a = 1.0 + eta * g.z[k], b = eta * g.z[k];

        own[k] = exp(phi(shape, eta, a - 1.0) - phi(shape, eta, a));
        other[k] = exp(phi(shape, eta, b - 1.0) - phi(shape, eta, b));
    }
    assert_true(labels == 3 || labels == 4);
    for (int a = 0; a < g.n; a++)
        for (int b = 0; b < g.n; b++)
            for (int c = 0; c < g.n; c++) {
                double weight = g.weight[a] * g.weight[b] * g.weight[c];
                double sum = own[a] + other[b] + other[c];

                if (labels == 3)
                    stay += weight * own[a] / sum;
                for (int d = 0; labels == 4 && d < g.n; d++)
                    stay += weight * g.weight[d] * own[a] / (sum + other[d]);
            }
    for (int v = 0; v < labels; v++)
        for (int w = 0; w < labels; w++)
            out[v][w] = v == w ? stay : (1.0 - stay) / (labels - 1);
}

void matrix_noise(const space *s, int i, noise_shape shape, double eta,
                  double out[SPACE_VALUES][SPACE_VALUES])
{
    memset(out, 0, sizeof(double[SPACE_VALUES][SPACE_VALUES]));
    if (s->is_labels[i])
        label_noise(s->states[i], shape, eta, out);
    else
        numeric_noise(s, i, shape, eta, out);
}

void matrix_jump(const space *s, noise_shape shape, double eta, matrix p)
{
    static matrix q;
    double flip[SPACE_DIM][SPACE_VALUES][SPACE_VALUES];

    for (int i = 0; i < s->dim; i++)
        matrix_noise(s, i, shape, eta, flip[i]);
    for (int x = 0; x < s->n; x++)
        for (int y = 0; y < s->n; y++) {
            q[x][y] = 1.0;
            for (int i = 0; i < s->dim; i++)
                q[x][y] *= flip[i][space_index(s, x, i)][space_index(s, y, i)];
        }
    matrix_adjust(s->n, s->u, q, p);
}

/* Proposals of DMALA under phi [dim][value], where given. */
static void langevin(const space *s, double alpha, double (*tilt)[SPACE_VALUES],
                     double (*linear)[SPACE_VALUES], matrix q)
{
    for (int x = 0; x < s->n; x++) {
        double prob[SPACE_DIM][SPACE_VALUES];

        for (int i = 0; i < s->dim; i++) {
            int at = space_index(s, x, i);
            double sum = 0.0;

            for (int v = 0; v < s->states[i]; v++) {
                double g = space_gain(s, x, i, v);

                if (linear)
                    g += linear[i][at] * (s->value[i][v] - s->value[i][at]);
                else if (tilt)
                    g += tilt[i][v] - tilt[i][at];
                sum += prob[i][v] =
                    exp(0.5 * g - distance(s, i, v, at) / (2.0 * alpha));
            }
            for (int v = 0; v < s->states[i]; v++)
                prob[i][v] /= sum;
        }
        for (int y = 0; y < s->n; y++) {
            q[x][y] = 1.0;
            for (int i = 0; i < s->dim; i++)
                q[x][y] *= prob[i][space_index(s, y, i)];
        }
    }
}

void matrix_dmala(const space *s, double alpha, matrix p)
{
    static matrix q;

    langevin(s, alpha, NULL, NULL, q);
    matrix_adjust(s->n, s->u, q, p);
}

void matrix_gwg(const space *s, matrix p)
{
    static matrix q;

    memset(q, 0, sizeof q);
    for (int x = 0; x < s->n; x++) {
        double sum = 0.0;

        for (int i = 0; i < s->dim; i++)
            for (int v = 0; v < s->states[i]; v++)
                if (v != space_index(s, x, i))
                    sum += q[x][space_changed(s, x, i, v)] =
                        exp(0.5 * space_gain(s, x, i, v));
        for (int y = 0; y < s->n; y++)
            q[x][y] /= sum;
    }
    matrix_adjust(s->n, s->u, q, p);
}

void matrix_metropolis(const space *s, matrix p)
{
    static matrix q;

    memset(q, 0, sizeof q);
    for (int x = 0; x < s->n; x++)
        for (int i = 0; i < s->dim; i++)
            for (int v = 0; v < s->states[i]; v++)
                if (v != space_index(s, x, i))
                    q[x][space_changed(s, x, i, v)] =
                        1.0 / s->dim / (s->states[i] - 1);
    matrix_adjust(s->n, s->u, q, p);
}

void matrix_metropolis_scan(const space *s, const int *order, matrix p)
{
    static matrix site, before;

    memset(p, 0, sizeof(matrix));
    for (int x = 0; x < s->n; x++)
        p[x][x] = 1.0;
    for (int n = 0; n < s->dim; n++) {
        int i = order ? order[n] : n;

        memset(site, 0, sizeof site);
        for (int x = 0; x < s->n; x++) {
            site[x][x] = 1.0;
            for (int v = 0; v < s->states[i]; v++) {
                int y = space_changed(s, x, i, v);
                double accept = 0.9375 * fmin(1.0, exp(s->u[y] - s->u[x]));

                if (v == space_index(s, x, i))
                    continue;
                site[x][y] = accept / (s->states[i] - 1);
                site[x][x] -= site[x][y];
            }
        }
        memcpy(before, p, sizeof before);
        matrix_multiply(s->n, before, site, p);
    }
}

void matrix_gibbs(const space *s, matrix p)
{
    memset(p, 0, sizeof(matrix));
    for (int x = 0; x < s->n; x++)
        for (int i = 0; i < s->dim; i++) {
            double sum = 0.0;

            for (int v = 0; v < s->states[i]; v++)
                sum += exp(s->u[space_changed(s, x, i, v)]);
            for (int v = 0; v < s->states[i]; v++) {
                int y = space_changed(s, x, i, v);

                p[x][y] += exp(s->u[y]) / sum / s->dim;
            }
        }
}

void matrix_multiply(int n, matrix p, matrix q, matrix r)
{
    for (int x = 0; x < n; x++)
        for (int y = 0; y < n; y++) {
            r[x][y] = 0.0;
            for (int z = 0; z < n; z++)
                r[x][y] += p[x][z] * q[z][y];
        }
}

/* row = row p */
static void apply(int n, double *row, matrix p)
{
    double next[SPACE_STATES];

    for (int y = 0; y < n; y++) {
        next[y] = 0.0;
        for (int x = 0; x < n; x++)
            next[y] += row[x] * p[x][y];
    }
    memcpy(row, next, (size_t)n * sizeof *next);
}

/* The sweep from x given its noisy copy a, to row. */
static void sweep_at(const space *s, const sweep *w, int x, const double *a,
                     double *row)
{
    static matrix q, refine, jump;
    double tilt[SPACE_DIM][SPACE_VALUES], linear[SPACE_DIM][SPACE_VALUES];
    double u[SPACE_STATES], weight[SPACE_STATES], sum = 0.0;

    for (int i = 0; i < s->dim; i++)
        for (int v = 0; v < s->states[i]; v++) {
            double t = a[i] - s->value[i][v];

            tilt[i][v] = phi(w->shape, w->eta, t);
            linear[i][v] = phi_slope(w->shape, w->eta, t);
        }
    for (int y = 0; y < s->n; y++) {
        double all = 0.0;

        for (int i = 0; i < s->dim; i++)
            all += tilt[i][space_index(s, y, i)];
        u[y] = s->u[y] + all;
        sum += weight[y] = exp(all);
    }
    for (int y = 0; y < s->n; y++) /* drawn from a alone, whatever x is */
        for (int z = 0; z < s->n; z++)
            q[y][z] = weight[z] / sum;
    matrix_adjust(s->n, u, q, jump);
    langevin(s, w->alpha, tilt, w->is_linear ? linear : NULL, q);
    matrix_adjust(s->n, u, q, refine);
    for (int y = 0; y < s->n; y++)
        row[y] = y == x;
    for (int k = 0; w->is_palindrome && k < w->steps; k++)
        apply(s->n, row, refine);
    if (!w->is_still)
        apply(s->n, row, jump);
    for (int k = 0; k < w->steps; k++)
        apply(s->n, row, refine);
}

void matrix_sweep(const space *s, const sweep *w, matrix p)
{
    struct grid g;

    assert_int_equal(s->dim, 2);
    grid_init(&g, w->shape, 300);
    memset(p, 0, sizeof(matrix));
    for (int x = 0; x < s->n; x++)
        for (int k = 0; k < g.n; k++)
            for (int l = 0; l < g.n; l++) {
                double a[2] = {
                    s->value[0][space_index(s, x, 0)] + w->eta * g.z[k],
                    s->value[1][space_index(s, x, 1)] + w->eta * g.z[l]};
                double row[SPACE_STATES];

                sweep_at(s, w, x, a, row);
                for (int y = 0; y < s->n; y++)
                    p[x][y] += g.weight[k] * g.weight[l] * row[y];
            }
}

double matrix_p_value(int n, matrix p, const hs_verdict *v)
{
    hs_chi2 all = {0};
    int64_t i = 0;

    for (int x = 0; x < n; x++) {
        int64_t seen[SPACE_STATES] = {0};
        double expected[SPACE_STATES], total = 0.0;
        hiss_error err = {0};
        hs_chi2 row;

        for (; i < v->pairs && v->pair[i].from == (uint32_t)x; i++) {
            seen[v->pair[i].to] = v->pair[i].count;
            total += (double)v->pair[i].count;
        }
        for (int y = 0; y < n; y++) /* rounding may leave -1e-17 */
            expected[y] = fmax(0.0, total * p[x][y]);
        if (hs_chi2_pooled(expected, seen, n, &row, &err) != HISS_OK)
            fail_msg("%s", err.message);
        all.statistic += row.statistic;
        all.df += row.df;
    }
    hs_chi2_finish(&all);
    return all.p;
}

int matrix_complaints(const char *name, const hs_model *m, const space *s,
                      const char *sampler, matrix p, int64_t n, uint64_t seed)
{
    double chance = 0.0;

    for (int attempt = 0; attempt < 2; attempt++) {
        hs_verdict v;

        suite_verify(&v, m, sampler, n, suite_seed(seed));
        chance = matrix_p_value(s->n, p, &v);
        hs_verdict_clear(&v);
        printf("%s  %-11s %-62s p = %.3g\n", chance > 1e-5 ? "ok   " : "WRONG",
               name, sampler, chance);
        if (chance > 1e-5 || chance <= 1e-8)
            break;
        n *= 10;
        seed += 1000003;
    }
    return chance <= 1e-5;
}
