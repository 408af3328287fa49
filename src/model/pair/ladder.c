/* ladder.c - an ordinal chain whose neighbors attract like springs.
 *
 * U(x) = -beta sum_{i=0}^{d-2} (x_i - x_{i+1})^2, x_i in 0..levels-1, with free
 * ends.  U is quadratic in each coordinate, so the gradient is not exact, but
 * differences are. */
#include <stddef.h>

#include "base/alloc.h"
#include "base/error.h"
#include "model/factors.h"
#include "model/model.h"

struct ladder {
    hs_model base;
    double beta;
};

struct ladder_options {
    int d, levels;
    double beta;
};

#define AT(field) offsetof(struct ladder_options, field)
static const hs_option ladder_options[] = {
    {"d", HS_INTEGER, AT(d), NULL, "[1,16777216]", "coordinates"},
    {"levels", HS_INTEGER, AT(levels), NULL, "[2,32767]", "values 0, 1, ..."},
    {"beta", HS_REAL, AT(beta), NULL, "[-1e6,1e6]", "stiffness of a bond"},
    {0},
};

/* Gradient -2 beta sum_n (x_i - x_n); the bond (i, i+1) belongs to i. */
static void ladder_rows(const hs_model *base, const hs_point *p, int first,
                        int last, hs_float_row *out, double *u)
{
    const struct ladder *m = (const struct ladder *)base;
    int dim = base->domain.dim;

    for (int i = first; i < last; i++) {
        const int16_t *x = p->x[i];
        const int16_t *below = i > 0 ? p->x[i - 1] : x;
        const int16_t *above = i + 1 < dim ? p->x[i + 1] : x;

        for (int l = 0; out && l < HS_LANES; l++) {
            int strain = 2 * x[l] - below[l] - above[l];

            out[i - first][l] = -2.0f * (float)m->beta * (float)strain;
        }
        for (int l = 0; u && l < HS_LANES; l++) {
            double step = x[l] - above[l];

            u[l] -= m->beta * (step * step);
        }
    }
}

/* -beta [(v - n)^2 - (x - n)^2] = -beta (v - x) (v + x - 2n), exact in
 * double; summed over the neighbors n. */
static void ladder_differences(const hs_model *base, const hs_point *p, int i,
                               hs_float_row *out)
{
    const struct ladder *m = (const struct ladder *)base;
    int dim = base->domain.dim;

    for (int v = 0; v < base->domain.states[i]; v++)
        for (int l = 0; l < HS_LANES; l++) {
            int x = p->x[i][l];
            double sum = 0.0;

            if (i > 0)
                sum += v + x - 2 * p->x[i - 1][l];
            if (i + 1 < dim)
                sum += v + x - 2 * p->x[i + 1][l];
            out[v][l] = (float)(-m->beta * (v - x) * sum);
        }
}

/* Adds a table per bond. */
static hiss_status ladder_factors(const hs_model *base, hs_factors *out,
                                  hiss_error *err)
{
    const struct ladder *m = (const struct ladder *)base;
    int dim = base->domain.dim, levels = base->domain.states[0];
    hiss_status rc = HISS_OK;

    if ((double)dim * levels * levels > (double)HS_FACTOR_MAX)
        return hs_fail(err, HISS_ELIMIT,
                       "the tables of all bonds have more than 2^30 entries");
    HS_TRY(hs_factors_init(out, dim, base->domain.states, err));
    for (int i = 0; i + 1 < dim && rc == HISS_OK; i++) {
        int scope[2] = {i, i + 1};
        double *t;

        rc = hs_factors_add(out, 2, scope, NULL, &t, err);
        for (int64_t n = 0; rc == HISS_OK && n < (int64_t)levels * levels;
             n++) {
            double step = (double)(n / levels - n % levels);

            t[n] = -m->beta * (step * step);
        }
    }
    if (rc != HISS_OK)
        hs_factors_clear(out);
    return rc;
}

static hs_model_work ladder_work(const hs_model *base)
{
    return (hs_model_work){.family = "ladder", .terms = 2.0 * base->domain.dim};
}

static const hs_model_ops ladder_ops = {
    .rows = ladder_rows,
    .differences = ladder_differences,
    .factors = ladder_factors,
    .work = ladder_work,
};

/* A bond, and a change of two of them, is beta times a whole number.  beta is
 * rounded to a float if that changes nothing. */
static hiss_status choose_precision(struct ladder *m,
                                    const struct ladder_options *o,
                                    hiss_error *err)
{
    double most = (double)(o->levels - 1) * (double)(o->levels - 1);
    hs_gauge g;

    HS_TRY(hs_gauge_init(&g, 1, err));
    hs_gauge_see(&g, o->beta);
    hs_gauge_add(&g, 0, 2.0 * o->beta * most);
    m->base.precision = hs_gauge_read(&g, 1.0);
    hs_gauge_clear(&g);
    m->beta = hs_model_is_wide(&m->base) ? o->beta : (double)(float)o->beta;
    return HISS_OK;
}

static hiss_status ladder_create(hs_model **out, const void *options,
                                 hiss_error *err)
{
    const struct ladder_options *o = options;
    struct ladder *m = hs_alloc_array(1, sizeof *m);
    hiss_status rc;
    int at = 0;

    if (!m)
        return hs_fail_memory(err);
    m->base.ops = &ladder_ops;
    rc = choose_precision(m, o, err);
    if (rc == HISS_OK)
        rc =
            hs_domain_init(&m->base.domain, HISS_ORDINAL, o->d, o->levels, err);
    if (rc == HISS_OK) {
        m->base.order = hs_alloc_array((size_t)o->d, sizeof *m->base.order);
        if (!m->base.order)
            rc = hs_fail_memory(err);
    }
    if (rc != HISS_OK) {
        hs_model_destroy(&m->base);
        return rc;
    }
    for (int parity = 0; parity < 2; parity++)
        for (int i = parity; i < o->d; i += 2)
            m->base.order[at++] = i;
    *out = &m->base;
    return HISS_OK;
}

const hs_model_type hs_model_ladder = {
    .name = "ladder",
    .summary = "a chain of springs between ordered levels (ordinal)",
    .size = sizeof(struct ladder_options),
    .options = ladder_options,
    .create = ladder_create,
};
