/* tsp.c - the distribution of closed tours: short ones are likely.
 *
 *     U(x) = -(sum_i d(x_i, x_i+1) + d(x_last, x_0)) / temperature,
 * x_i the city at position i.  As a permutation a state is a tour, and only
 * kernels that move tours can be used.  In the one-hot form, that of the paper,
 * positions are categorical coordinates and U is -infinity unless every city
 * comes once; its gradient is that of the multilinear relaxation, dU/d(i, c) =
 * -(d(x_i-1, c) + d(c, x_i+1)) / temperature, which ignores this condition. */
#include <math.h>
#include <stddef.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/state/tour.h"
#include "lanes/lanes.h"
#include "model/tour/cities.h"

#define ONEHOT_MAX 1024 /* cities: a point has a row for each pair */

struct tsp {
    hs_model base;
    double *edge;  /* owned, [n * n]: -d / temperature */
    int16_t *near; /* owned, for tours: their near cities, or NULL */
};

struct tsp_options {
    char *file;
    hs_tour_law law;
};

#define AT(field) offsetof(struct tsp_options, field)
static const hs_option tsp_options[] = {
    {"file", HS_FILE, AT(file), NULL, NULL, "TSPLIB file of the cities"},
    {"rounded", HS_BOOL, AT(law.rounded), "no", NULL,
     "distances as TSPLIB rounds them; no: real ones"},
    {"temperature", HS_REAL, AT(law.temperature), "1", "(0,1e300]",
     "U is the length over this, negative"},
    {"form", HS_CHOICE, AT(law.form), "permutation", "permutation|onehot",
     "onehot: a categorical coordinate per position, U = -infinity unless "
     "every city comes once"},
    {0},
};

static const struct tsp *tsp_of(const hs_model *m)
{
    return (const struct tsp *)m;
}

static void energies(const hs_model *base, hs_point *p)
{
    int n = base->domain.dim;

    for (int l = 0; l < HS_LANES; l++)
        p->u[l] =
            hs_tour_is_whole(&p->x[0][l], HS_LANES, n)
                ? hs_tour_sum(&p->x[0][l], HS_LANES, n, tsp_of(base)->edge)
                : -HUGE_VAL;
}

/* A tour has no gradient; kernels that need one refuse it. */
static hiss_status tour_evaluate(const hs_model *base, hs_point *p,
                                 unsigned want)
{
    if (want & HS_U)
        energies(base, p);
    if (want & HS_GRAD)
        memset(p->grad, 0, (size_t)base->domain.rows * sizeof *p->grad);
    return HISS_OK;
}

static hiss_status onehot_evaluate(const hs_model *base, hs_point *p,
                                   unsigned want)
{
    const double *edge = tsp_of(base)->edge;
    int n = base->domain.dim;

    if (want & HS_U)
        energies(base, p);
    for (int i = 0; (want & HS_GRAD) && i < n; i++) {
        const int16_t *before = p->x[(i + n - 1) % n];
        const int16_t *behind = p->x[(i + 1) % n];

        for (int c = 0; c < n; c++)
            for (int l = 0; l < HS_LANES; l++)
                p->grad[i * n + c][l] =
                    (float)(edge[before[l] * n + c] + edge[behind[l] * n + c]);
    }
    return HISS_OK;
}

/* Draws a random tour in every lane (Fisher-Yates). */
static hiss_status tsp_start(const hs_model *base, hs_point *p,
                             const hs_rng *rng, int lanes, hiss_error *err)
{
    int n = base->domain.dim;
    uint32_t words[4][HS_LANES];

    (void)lanes;
    (void)err;
    for (int i = 0; i < n; i++) {
        if (i % 4 == 0)
            hs_lanes()->philox(rng, HS_DRAW_INIT, (uint32_t)i / 4, 1, words);
        for (int l = 0; l < HS_LANES; l++) {
            int j = hs_below(words[i % 4][l], i + 1);

            p->x[i][l] = p->x[j][l];
            p->x[j][l] = (int16_t)i;
        }
    }
    return HISS_OK;
}

static void tsp_destroy(hs_model *base)
{
    hs_free(((struct tsp *)base)->edge);
    hs_free(((struct tsp *)base)->near);
}

static hs_model_work tsp_work(const hs_model *base)
{
    double dim = base->domain.dim;

    return (hs_model_work){.family = base->domain.is_tour ? "tour" : "one_hot",
                           .terms = dim * dim};
}

static const hs_model_ops tour_ops = {
    .evaluate = tour_evaluate,
    .destroy = tsp_destroy,
    .start = tsp_start,
    .work = tsp_work,
};

static const hs_model_ops onehot_ops = {
    .evaluate = onehot_evaluate,
    .destroy = tsp_destroy,
    .start = tsp_start,
    .work = tsp_work,
};

static hiss_status fill(struct tsp *m, const hs_cities *c,
                        const hs_tour_law *law, hiss_error *err)
{
    size_t n = (size_t)c->count;

    m->edge = hs_alloc_array(n * n, sizeof *m->edge);
    if (!m->edge)
        return hs_fail_memory(err);
    for (int i = 0; i < c->count; i++)
        for (int j = 0; j < c->count; j++) {
            double d = hs_cities_distance(c, i, j, law->rounded);

            m->edge[i * c->count + j] = i == j ? 0.0 : -d / law->temperature;
            if (!isfinite(m->edge[i * c->count + j]))
                return hs_fail(err, HISS_EARG,
                               "from city %d to %d it is %g; with temperature "
                               "%g U is not finite",
                               i + 1, j + 1, d, law->temperature);
        }
    if (law->form == HS_TOUR_PERMUTATION) {
        m->near = hs_alloc_array(n * (size_t)hs_tour_nears(c->count),
                                 sizeof *m->near);
        if (!m->near)
            return hs_fail_memory(err);
        hs_tour_near(m->edge, c->count, m->near);
        m->base.edge = m->edge;
        m->base.near = m->near;
    }
    m->base.objective = hs_strdup("tour length");
    m->base.objective_scale = -law->temperature;
    return m->base.objective ? HISS_OK : hs_fail_memory(err);
}

hiss_status hs_build_tours(hs_model **out, const char *name,
                           const hs_cities *cities, const hs_tour_law *law,
                           hiss_error *err)
{
    bool is_tour = law->form == HS_TOUR_PERMUTATION;
    struct tsp *m = hs_alloc_array(1, sizeof *m);
    hiss_status rc;

    *out = NULL;
    if (!m)
        return hs_fail_memory(err);
    if (!is_tour && cities->count > ONEHOT_MAX) {
        hs_free(m);
        return hs_fail(err, HISS_ELIMIT,
                       "the one-hot form goes to %d cities, not %d", ONEHOT_MAX,
                       cities->count);
    }
    m->base.ops = is_tour ? &tour_ops : &onehot_ops;
    rc = hs_domain_init(&m->base.domain,
                        is_tour ? HISS_PERMUTATION : HISS_CATEGORICAL,
                        cities->count, cities->count, err);
    if (rc == HISS_OK)
        rc = fill(m, cities, law, err);
    if (rc == HISS_OK && name) {
        m->base.name = hs_strdup(name);
        if (!m->base.name)
            rc = hs_fail_memory(err);
    }
    if (rc != HISS_OK) {
        hs_model_destroy(&m->base);
        return rc;
    }
    *out = &m->base;
    return HISS_OK;
}

static hiss_status tsp_create(hs_model **out, const void *options,
                              hiss_error *err)
{
    const struct tsp_options *o = options;
    hs_cities cities;
    hs_reader *in;
    hiss_status rc;

    *out = NULL;
    HS_TRY(hs_reader_open(&in, o->file, err));
    rc = hs_tsplib_read(&cities, in, err);
    hs_reader_close(in);
    HS_TRY(rc);
    rc = hs_build_tours(out, NULL, &cities, &o->law, err);
    hs_cities_clear(&cities);
    return rc;
}

const hs_model_type hs_model_tsp = {
    .name = "tsp",
    .summary = "closed tours through the cities of a TSPLIB file "
               "(permutation, or categorical)",
    .size = sizeof(struct tsp_options),
    .options = tsp_options,
    .create = tsp_create,
};
