/* discs.c - the synthetic laws of DISCS [Goshvadi et al. 2023], small enough
 * for exact answers.
 *
 * bernoulli  independent bits, logits normal of deviation spread
 * ising      size[0] x size[0] spins with open ends; DISCS adds lambda s s'
 *            once from either end of a bond, so that beta = 2 lambda; fields
 *            -(sigma (2 u - 1) + mu), u uniform, mu negative outside a disc of
 *            half the area
 * potts      the same with size[1] labels: beta for equal ones, a field on
 *            every label
 * fhmm       size[1] hidden chains of size[0] bits, and one number y_l that
 *            their sum makes at every time, with noise of deviation spread:
 *                p(x_0k = 1) = ALPHA, p(x_lk = x_l-1,k) = STAY,
 *                y_l = b + sum_k w_k x_lk + noise
 *            given y all of it is a sum over pairs of bits, whose elimination
 *            needs tables of 2^(size[1] + 1) entries.
 * DISCS' own sizes are 10000 bits, 50 x 50, 30 x 30 and 200 x 50. */
#include <math.h>
#include <stdlib.h>

#include "arena/targets/tables.h"
#include "arena/targets/uai.h"

#define SIGMA 1.5
#define MU    0.5
#define ALPHA 0.1
#define STAY  0.8
#define SPANS 100000 /* entries of an fhmm, at most */

static int bernoulli(instance *at)
{
    int dim = at->of->size[0];
    uint64_t seed = family_seed(at);
    double *logit = malloc(sizeof *logit * (size_t)dim);

    for (int i = 0; logit && i < dim; i++)
        logit[i] = at->of->spread * family_normal(&seed);
    if (logit) {
        at->uai = uai_of_pairs(dim, 0, 0, NULL, NULL, NULL, logit);
        hiss_model_qubo_sparse(&at->model, dim, 0, NULL, NULL, NULL, logit,
                               NULL);
    }
    free(logit);
    return at->model && family_marginals(at);
}

/* 1 inside a disc of half the area of the square, else -1. */
static double side_of(int i, int side)
{
    double a = (double)(i / side) / side - 0.5;
    double b = (double)(i % side) / side - 0.5;

    return a * a + b * b < 0.5 / 3.14159265358979323846 ? 1.0 : -1.0;
}

static double field_at(int i, int side, uint64_t *seed)
{
    return -(SIGMA * (2.0 * family_uniform(seed) - 1.0) +
             MU * side_of(i, side));
}

static int ising(instance *at)
{
    const target *t = at->of;
    int side = t->size[0], dim = side * side, entries = 0;
    uint64_t seed = family_seed(at);
    int *row = malloc(sizeof *row * 2 * (size_t)dim);
    int *column = malloc(sizeof *column * 2 * (size_t)dim);
    double *value = malloc(sizeof *value * 2 * (size_t)dim);
    double *field = malloc(sizeof *field * (size_t)dim);
    int is_made = row && column && value && field;

    for (int i = 0; is_made && i < dim; i++) {
        field[i] = field_at(i, side, &seed);
        for (int step = 1; step <= side; step += side - 1) {
            if (step == 1 ? i % side == side - 1 : i + side >= dim)
                continue;
            row[entries] = i;
            column[entries] = i + step;
            value[entries++] = t->beta;
        }
    }
    if (is_made) {
        at->uai = uai_of_pairs(dim, 1, entries, row, column, value, field);
        hiss_model_ising_sparse(&at->model, dim, entries, row, column, value,
                                field, NULL);
    }
    free(row);
    free(column);
    free(value);
    free(field);
    return at->model && family_marginals(at);
}

static void add_bond(tables *m, const target *t, int i, int j)
{
    int scope[2] = {i, j}, labels = t->size[1];
    double *u = tables_add(m, 2, scope, labels * labels);

    for (int v = 0; v < labels * labels; v++)
        u[v] = v / labels == v % labels ? t->beta : 0.0;
}

static int potts(instance *at)
{
    const target *t = at->of;
    int side = t->size[0], dim = side * side;
    uint64_t seed = family_seed(at);
    tables *m = calloc(1, sizeof *m);

    for (int i = 0; m && i < dim; i++) {
        double *u = tables_add(m, 1, &i, t->size[1]);

        for (int v = 0; v < t->size[1]; v++)
            u[v] = field_at(i, side, &seed);
        if (i % side < side - 1)
            add_bond(m, t, i, i + 1);
        if (i + side < dim)
            add_bond(m, t, i, i + side);
    }
    if (m)
        tables_use(at, m, dim, HISS_CATEGORICAL, t->size[1]);
    free(m);
    return at->model && family_labels(at);
}

/* Entries of x'Qx, and what is linear. */
struct form {
    int *row, *column;
    double *value, *linear;
    int entries;
};

static void add_pair(struct form *q, int i, int j, double value)
{
    q->row[q->entries] = i;
    q->column[q->entries] = j;
    q->value[q->entries++] = value;
}

/* ln p(x_l | x_l-1) for one chain: c when equal, -c more when not, as
 * c (2 x y - x - y + const). */
static void add_chain(struct form *q, const target *t, int k)
{
    double c = log(STAY / (1.0 - STAY));

    q->linear[k] += log(ALPHA / (1.0 - ALPHA));
    for (int l = 1; l < t->size[0]; l++) {
        int i = (l - 1) * t->size[1] + k, j = i + t->size[1];

        add_pair(q, i, j, 2.0 * c);
        q->linear[i] -= c;
        q->linear[j] -= c;
    }
}

/* -(y - b - w'x)^2 / (2 spread^2) at one time. */
static void add_look(struct form *q, const target *t, int l, double y,
                     const double *w)
{
    double scale = 1.0 / (2.0 * t->spread * t->spread);
    int first = l * t->size[1];

    for (int k = 0; k < t->size[1]; k++) {
        q->linear[first + k] += scale * w[k] * (2.0 * y - w[k]);
        for (int j = k + 1; j < t->size[1]; j++)
            add_pair(q, first + k, first + j, -2.0 * scale * w[k] * w[j]);
    }
}

/* y - b of every time, from hidden chains that are drawn and forgotten. */
static void fill(struct form *q, const target *t, uint64_t *seed)
{
    double w[64];
    int x[64] = {0};

    for (int k = 0; k < t->size[1]; k++) {
        w[k] = family_normal(seed);
        add_chain(q, t, k);
    }
    for (int l = 0; l < t->size[0]; l++) {
        double y = t->spread * family_normal(seed);

        for (int k = 0; k < t->size[1]; k++) {
            double p = l == 0 ? ALPHA : x[k] ? STAY : 1.0 - STAY;

            x[k] = family_uniform(seed) < p;
            y += x[k] * w[k];
        }
        add_look(q, t, l, y, w);
    }
}

static int fhmm(instance *at)
{
    const target *t = at->of;
    int dim = t->size[0] * t->size[1];
    uint64_t seed = family_seed(at);
    struct form q = {malloc(sizeof *q.row * SPANS),
                     malloc(sizeof *q.column * SPANS),
                     malloc(sizeof *q.value * SPANS),
                     calloc((size_t)dim, sizeof *q.linear), 0};

    if (q.row && q.column && q.value && q.linear) {
        fill(&q, t, &seed);
        at->uai =
            uai_of_pairs(dim, 0, q.entries, q.row, q.column, q.value, q.linear);
        hiss_model_qubo_sparse(&at->model, dim, q.entries, q.row, q.column,
                               q.value, q.linear, NULL);
    }
    free(q.row);
    free(q.column);
    free(q.value);
    free(q.linear);
    return at->model && family_marginals(at);
}

#define TABLES .peers = peers_tables, .has_tables = 2

const target targets_discs[] = {
    {"discs_bernoulli", bernoulli, .size = {1000}, .spread = 0.5, TABLES},
    {"discs_ising_high", ising, .size = {16}, .beta = 0.2, TABLES},
    {"discs_ising_low", ising, .size = {16}, .beta = 1.0, TABLES},
    {"discs_potts", potts, .size = {8, 4}, .beta = 2.0, TABLES},
    {"discs_fhmm", fhmm, .size = {50, 10}, .spread = 2.0, TABLES},
    {"discs_fhmm_sharp", fhmm, .size = {50, 10}, .spread = 0.5, TABLES},
    {0},
};
