/* model_fixture.c - small instances of every built-in model. */
#include "model_fixture.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/random/rng.h"
#include "xorshift.h"

static char table_path[64];

const char *fixture_table(void)
{
    static char spec[96];
    uint64_t seed = 7;
    FILE *f;
    int descriptor;

    if (!table_path[0]) {
        strcpy(table_path, "hiss_table_XXXXXX");
        descriptor = mkstemp(table_path);
        assert_true(descriptor >= 0);
        f = fdopen(descriptor, "w");
        assert_non_null(f);
        fprintf(f, "binary categorical:4 ordinal:0,1,3 spin\n");
        for (int n = 0; n < 2 * 4 * 3 * 2; n++)
            fprintf(f, "%d %d %s %d %.17g\n", n / 24, n / 6 % 4,
                    n / 2 % 3 == 0   ? "0"
                    : n / 2 % 3 == 1 ? "1"
                                     : "3",
                    n % 2 ? 1 : -1,
                    n == 17 ? 0.0 : 1.0 + xorshift_below(&seed, 100));
        fclose(f);
    }
    snprintf(spec, sizeof spec, "table(%s)", table_path);
    return spec;
}

void fixture_remove(void)
{
    if (table_path[0])
        remove(table_path);
}

hs_model *fixture_model(const char *spec)
{
    hiss_error err = {0};
    hs_model *m;

    if (strcmp(spec, "table") == 0)
        spec = fixture_table();
    if (hs_model_create(&m, spec, &err) != HISS_OK)
        fail_msg("%s: %s", spec, err.message);
    return m;
}

void fixture_scatter(const hs_model *m, hs_point *p, uint64_t *seed)
{
    for (int i = 0; i < m->domain.dim; i++)
        for (int l = 0; l < HS_LANES; l++)
            p->x[i][l] = (int16_t)xorshift_below(seed, m->domain.states[i]);
    p->have = 0;
}

void fixture_rows(const hs_model *m, const hs_point *p, int l, double *rows)
{
    const hs_domain *d = &m->domain;

    for (int i = 0; i < d->dim; i++) {
        if (d->kind[i] != HISS_CATEGORICAL) {
            rows[d->row[i]] = (double)d->values[d->value[i] + p->x[i][l]];
            continue;
        }
        for (int v = 0; v < d->states[i]; v++)
            rows[d->row[i] + v] = v == p->x[i][l];
    }
}

static double bernoulli4(const double *x)
{
    double u = 0.0;

    for (int n = 0; n < 16; n++) {
        double p = n == 0    ? 0.588204
                   : n == 14 ? 0.294102
                   : n == 15 ? 0.117641
                             : 5.882e-6;
        double weight = 1.0;

        for (int i = 0; i < 4; i++)
            weight *= n >> (3 - i) & 1 ? x[i] : 1.0 - x[i];
        u += weight * log(p);
    }
    return u;
}

/* sum over the bonds of a periodic lattice of sum_c x_ic x_jc */
static double bonds(const double *x, int side, int dims, int states)
{
    int sites = dims == 2 ? side * side : side * side * side;
    double sum = 0.0;

    for (int i = 0; i < sites; i++) {
        int at[3] = {i % side, i / side % side, i / side / side};

        for (int k = 0; k < dims; k++) {
            int to[3] = {at[0], at[1], at[2]}, j;

            to[k] = (at[k] + 1) % side;
            j = to[0] + side * (to[1] + side * to[2]);
            for (int c = 0; c < states; c++)
                sum += x[i * states + c] * x[j * states + c];
        }
    }
    return sum;
}

static double total(const double *x, int count, int stride)
{
    double sum = 0.0;

    for (int i = 0; i < count; i++)
        sum += x[i * stride];
    return sum;
}

static double ising3(const double *s)
{
    return 0.3 * bonds(s, 3, 2, 1) + 0.2 * total(s, 9, 1);
}

static double ising4(const double *s)
{
    return -0.5 * bonds(s, 4, 2, 1);
}

static double ising_cube(const double *s)
{
    return 0.4 * bonds(s, 2, 3, 1);
}

static double potts3(const double *x)
{
    return 0.7 * bonds(x, 3, 2, 4) - 0.2 * total(x, 9, 4);
}

static double potts_cube(const double *x)
{
    return 0.3 * bonds(x, 2, 3, 3);
}

static double cross_kept(const double *x)
{
    double u = 0.0;

    for (int i = 0; i < 9; i++) {
        double s = 2.0 * x[i] - 1.0, t = 2.0 * x[8 - i] - 1.0;

        u += 5.0 * s * s + (i == 4 ? 0.0 : 5.0 * s * t) + 0.1 * s;
    }
    return u;
}

static double cross_dropped(const double *x)
{
    double u = cross_kept(x) + 45.0;

    for (int i = 0; i < 9; i++)
        u -= 5.0 * (2.0 * x[i] - 1.0) * (2.0 * x[i] - 1.0);
    return u;
}

static double pairs6(const double *x)
{
    double u = 0.0;

    for (int i = 0; i < 6; i += 2) {
        double s = 2.0 * x[i] - 1.0, t = 2.0 * x[i + 1] - 1.0;

        u += 2.0 * s * t + 0.3 * (s + t);
    }
    return u;
}

static double ladder5(const double *x)
{
    double u = 0.0;

    for (int i = 0; i < 4; i++)
        u -= 0.3 * (x[i] - x[i + 1]) * (x[i] - x[i + 1]);
    return u;
}

void fixture_draw(uint64_t seed, int part, int entry, double *sign, double *u)
{
    uint32_t word[4];

    hs_rng_block(seed, HS_SHARED_CHAIN, 0, (uint64_t)part, (hs_purpose)63,
                 (uint32_t)entry, word);
    *sign = word[0] >= 0x80000000u ? 1.0 : -1.0;
    *u = ((double)word[1] + 0.5) / 4294967296.0;
}

static double mixture(const double *s, int k, int d, const double *weight,
                      uint64_t seed, bool is_symmetric)
{
    double sum = 0.0;

    for (int c = 0; c < k; c++) {
        double p = weight[c];

        for (int i = 0; i < d; i++) {
            double sign, u, h;

            fixture_draw(seed, is_symmetric ? 0 : c, i, &sign, &u);
            h = sign * (0.3 + 1.4 * u) * (is_symmetric && c ? -1.0 : 1.0);
            p *= exp(h * s[i]) / (2.0 * cosh(h));
        }
        sum += p;
    }
    return log(sum);
}

static double mixture3(const double *s)
{
    return mixture(s, 3, 7, (double[]){1.0 / 6, 2.0 / 6, 3.0 / 6}, 5, false);
}

static double mixture2(const double *s)
{
    return mixture(s, 2, 5, (double[]){0.5, 0.5}, 1, true);
}

/* Two planted units of strength 2, three free ones of scale 1. */
static double rbm6(const double *v)
{
    double u = 0.0;

    for (int j = 0; j < 5; j++) {
        double a = j < 2 ? -2.0 / 3.0 * 6 * log(cosh(1.0)) : 0.0;

        for (int i = 0; i < 6; i++) {
            double sign, r, w;

            fixture_draw(3, j, i, &sign, &r);
            w = j < 2 ? 2.0 * sign : (r - 0.5) * sqrt(12.0 / 6);
            a += w * (v[i] - 0.5);
            u -= j < 2 ? 0.0 : 0.5 * w * v[i];
        }
        u += log1p(exp(a));
    }
    return u;
}

/* Two inputs, as they are, and two hidden units on the rows of tiny.csv. */
static double bnn2(const double *x)
{
    static const double rows[12][3] = {
        {0.095, 1.250, 1},   {-0.931, 0.992, 0},  {-0.259, -0.262, 1},
        {1.900, 0.158, 1},   {-0.043, 0.729, 0},  {1.127, -0.031, 0},
        {0.588, -0.974, 0},  {-0.367, -0.438, 1}, {-1.332, -1.509, 1},
        {-1.627, -0.239, 1}, {-0.172, -0.320, 1}, {0.069, -1.336, 0}};
    double s[9], u = 0.0;

    for (int i = 0; i < 9; i++) {
        s[i] = 2.0 * x[i] - 1.0;
        u -= 0.25 * x[i];
    }
    for (int n = 0; n < 12; n++) {
        double o = s[8], f;

        for (int j = 0; j < 2; j++)
            o += s[6 + j] *
                 tanh(s[j] * rows[n][0] + s[2 + j] * rows[n][1] + s[4 + j]);
        f = 1.0 / (1.0 + exp(-o));
        u -= (f - rows[n][2]) * (f - rows[n][2]);
    }
    return u;
}

/* U of a set of the columns of tiny.csv, by normal equations: Zellner's prior
 * with g = 14 and equally likely sizes. */
static double regression_of(int set)
{
    static const double rows[14][5] = {
        {1.46, 0.09, 1.25, -0.93, 0.57},   {1.18, -0.26, 1.9, 0.16, -0.23},
        {1.41, 1.13, -0.03, 0.59, 0.42},   {1.34, -0.44, -1.33, -1.51, -1.17},
        {0.75, -0.17, -0.32, 0.07, -0.8},  {0.32, 0.24, 0.75, -0.85, -0.01},
        {-0.14, -0.5, -2.2, -1.42, 0.15},  {2.28, 0.8, 0.33, -0.31, 0.87},
        {1.61, 1.05, -0.23, -0.59, 0.54},  {-0.44, -0.04, -0.79, 1.07, -0.97},
        {-1.19, -0.95, -2.09, 1.9, -1.96}, {1.21, -0.53, 1.66, -1.99, 0.11},
        {0.42, -0.16, -0.67, 0.64, -0.7},  {3.42, 0.35, 1.84, -2.41, 1.04}};
    double a[5][6] = {{0}}, mean[5] = {0}, total = 0.0, rss = 0.0, choose = 1.0;
    int at[4], k = 0;

    for (int n = 0; n < 14; n++)
        for (int c = 0; c < 5; c++)
            mean[c] += rows[n][c] / 14.0;
    for (int c = 0; c < 4; c++)
        if (set >> c & 1)
            at[k++] = c + 1;
    for (int n = 0; n < 14; n++) {
        double y = rows[n][0] - mean[0];

        total += y * y;
        for (int i = 0; i < k; i++) {
            double x = rows[n][at[i]] - mean[at[i]];

            a[i][k] += x * y;
            for (int j = 0; j < k; j++)
                a[i][j] += x * (rows[n][at[j]] - mean[at[j]]);
        }
    }
    rss = total;
    for (int i = 0; i < k; i++) { /* elimination lowers rss step by step */
        rss -= a[i][k] * a[i][k] / a[i][i];
        for (int j = i + 1; j < k; j++) {
            double ratio = a[j][i] / a[i][i];

            for (int c = i; c <= k; c++)
                a[j][c] -= ratio * a[i][c];
        }
        choose *= (4.0 - i) / (i + 1.0);
    }
    return -6.5 * log((1.0 + 14.0 * rss / total) / 15.0) - 0.5 * k * log(15.0) -
           log(5.0 * choose);
}

/* Linear in each coordinate, as single-site differences are. */
static double regression4(const double *x)
{
    double u = 0.0;

    for (int set = 0; set < 16; set++) {
        double weight = 1.0;

        for (int i = 0; i < 4; i++)
            weight *= set >> i & 1 ? x[i] : 1.0 - x[i];
        if (weight != 0.0)
            u += weight * regression_of(set);
    }
    return u;
}

static double ring7(const double *s)
{
    double u = 0.0;

    for (int i = 0; i < 7; i++)
        u += 0.8 * s[i] * s[(i + 1) % 7] * s[(i + 2) % 7] + 0.1 * s[i];
    return u;
}

const instance instances[] = {
    {"bernoulli4", bernoulli4},
    {"table", NULL},
    {"ising(side=3,beta=0.3,field=0.2)", ising3},
    {"ising(side=4,beta=-0.5)", ising4},
    {"ising(side=2,beta=0.4,dims=3)", ising_cube},
    {"cross(side=3)", cross_kept},
    {"cross(diagonal=dropped)", cross_dropped},
    {"pairs(d=6,coupling=2,bias=0.3)", pairs6},
    {"potts(side=3,states=4,beta=0.7,field=-0.2)", potts3},
    {"potts(2,3,0.3,dims=3)", potts_cube},
    {"ladder(d=5,levels=4,beta=0.3)", ladder5},
    {"mixture(k=3,d=7,seed=5,weights=[1,2,3])", mixture3},
    {"mixture(2,5,symmetric=yes)", mixture2},
    {"rbm(visible=6,hidden=5,seed=3,modes=2,strength=2)", rbm6},
    {"bnn(" HISS_TEST_DATA "/bnn/tiny.csv,y,hidden=2,lambda=0.25,inputs=raw)",
     bnn2},
    {"tsp(" HISS_TEST_DATA "/tsp/five.tsp)", NULL},
    {"tsp(" HISS_TEST_DATA "/tsp/five.tsp,form=onehot)", NULL},
    {"regression(" HISS_TEST_DATA "/regress/tiny.csv,\"yield ~ .\")",
     regression4},
    {"sbm(" HISS_TEST_DATA "/community/small.gml,groups=3)", NULL},
    {"decode(" HISS_TEST_DATA "/decode/repetition.dem,detections=D1)", NULL},
    {"plugin(" HISS_TEST_PLUGINS "/ring.so,arguments=\"7 0.8 0.1\")", ring7},
    {NULL, NULL},
};
