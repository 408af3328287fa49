/* collection_scale.c - proposals given a normal variable, which is integrated
 * out by trapezoids. */
#include "conformance/support/collection.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "kernel/baselines/curvature.h"

#define NODES 161
#define FAR   6.0

const hs_model *collection_model;

struct scale {
    const space *s;
    double sigma, a;
    double b[SPACE_DIM][SPACE_VALUES]; /* of numbers: the first, for all */
};

/* What B is makes no difference to the law: a setting, as sigma is. */
static void find_b(struct scale *c)
{
    const hs_domain *d = &collection_model->domain;
    hs_curvature w;

    assert_int_equal(hs_curvature_init(&w, collection_model, 1, NULL), HISS_OK);
    for (int i = 0; i < d->dim; i++)
        for (int v = 0; v < d->states[i]; v++)
            c->b[i][v] =
                w.rank < 1
                    ? 0.0
                    : (double)w.b[(d->row[i] + (c->s->is_labels[i] ? v : 0)) *
                                  w.most];
    hs_curvature_clear(&w);
}

/* B^T (e_v - e_w) of coordinate i. */
static double along(const struct scale *c, int i, int v, int w)
{
    const double *value = c->s->value[i];

    return c->s->is_labels[i] ? c->b[i][v] - c->b[i][w]
                              : c->b[i][0] * (value[v] - value[w]);
}

static double logit(const struct scale *c, double sigma, int x, double xi,
                    int i, int v)
{
    const space *s = c->s;
    int at = space_index(s, x, i);
    double step = s->value[i][v] - s->value[i][at], e = along(c, i, v, at);
    double far = s->is_labels[i] ? (v == at ? 0.0 : 2.0) : step * step;
    double gain = space_gain(s, x, i, v) + e * xi;

    if (s->is_labels[i] || s->states[i] == 2)
        gain -= 0.5 * e * e;
    return c->a * gain - far / (2.0 * sigma);
}

/* ln q of every value of every coordinate. */
static void fill(const struct scale *c, double sigma, int x, double xi,
                 double q[SPACE_DIM][SPACE_VALUES])
{
    for (int i = 0; i < c->s->dim; i++) {
        double sum = 0.0;

        for (int v = 0; v < c->s->states[i]; v++)
            sum += exp(q[i][v] = logit(c, sigma, x, xi, i, v));
        for (int v = 0; v < c->s->states[i]; v++)
            q[i][v] -= log(sum);
    }
}

static double move(const struct scale *c, collection_fault fault, int x, int y,
                   double xi, double forward[SPACE_DIM][SPACE_VALUES])
{
    const space *s = c->s;
    double back[SPACE_DIM][SPACE_VALUES], to = 0.0, from = 0.0, other = xi;
    double ratio = s->u[y] - s->u[x];

    for (int i = 0; i < s->dim; i++)
        other += along(c, i, space_index(s, x, i), space_index(s, y, i));
    fill(c, fault == ITS_OWN ? 0.2 * c->sigma : c->sigma, y, other, back);
    for (int i = 0; i < s->dim; i++) {
        to += forward[i][space_index(s, y, i)];
        from += back[i][space_index(s, x, i)];
    }
    if (fault == WRONG_SIGN)
        ratio = -ratio;
    if (fault != NO_REVERSE)
        ratio += 0.5 * (xi * xi - other * other) + from - to;
    return exp(to + fmin(0.0, ratio));
}

void matrix_scale(const space *s, const void *rule, collection_fault fault,
                  matrix p)
{
    struct scale c = {.s = s, .sigma = *(const double *)rule};
    double gap = hs_domain_gap(&collection_model->domain);
    double h = 2.0 * FAR / (NODES - 1);

    c.a = 0.5 * (1.0 + exp(-gap * gap / (2.0 * c.sigma)));
    find_b(&c);
    memset(p, 0, sizeof(matrix));
    for (int x = 0; x < s->n; x++) {
        double stay = 1.0;

        for (int k = 0; k < NODES; k++) {
            double xi = h * k - FAR, forward[SPACE_DIM][SPACE_VALUES];
            double weight = h * exp(-0.5 * xi * xi) / sqrt(2.0 * acos(-1.0));

            fill(&c, c.sigma, x, xi, forward);
            for (int y = 0; y < s->n; y++)
                if (y != x)
                    p[x][y] += weight * move(&c, fault, x, y, xi, forward);
        }
        for (int y = 0; y < s->n; y++)
            stay -= p[x][y];
        p[x][x] = stay;
    }
}
