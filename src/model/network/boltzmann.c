/* boltzmann.c - restricted Boltzmann machines, hidden units summed out.
 *
 *     a_j = c_j + sum_i W_ij v_i
 *     U(v) = b.v + sum_j softplus(a_j),    softplus(a) = ln(1 + e^a)
 *     dU/dv_i = b_i + sum_j W_ij sigma(a_j)
 * The activations a, sigma(a) and sigma(-a) are cached with the point: a move
 * of v_i changes them by a row of W, and a difference costs O(hidden) products
 * (lanes/rows/hidden.c).  U is not linear in v_i, so differences do not follow
 * from the gradient. */
#include <math.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "lanes/lanes.h"
#include "model/builders.h"
#include "model/gemm.h"
#include "model/hidden.h"
#include "model/scatter.h"

struct rbm {
    hs_model base;
    int hidden;
    float *weight;      /* owned, [visible * hidden] */
    float *b;           /* owned, [visible] */
    float *c;           /* owned, [hidden] */
    hs_units_form form; /* borrows from these */
};

static const float *weights_of(const struct rbm *m, int i)
{
    return m->weight + (size_t)i * (size_t)m->hidden;
}

/* e = exp(-|a|), which gives softplus without overflow. */
static void decay(const float *a, float *e)
{
    hs_float_row minus;

    for (int l = 0; l < HS_LANES; l++)
        minus[l] = -fabsf(a[l]);
    hs_lanes()->exp(minus, e);
}

/* out is not a. */
static void softplus(const float *a, float *out)
{
    hs_float_row e;

    decay(a, e);
    for (int l = 0; l < HS_LANES; l++)
        e[l] += 1.0f;
    hs_lanes()->log(e, out);
    for (int l = 0; l < HS_LANES; l++)
        out[l] += a[l] > 0.0f ? a[l] : 0.0f;
}

/* Cache of a point, [hidden] each: a, and the probabilities of a unit to be on
 * and off. */
struct units {
    hs_float_row *a, *on, *off;
};

static struct units units_of(const struct rbm *m, const hs_point *p)
{
    hs_float_row *a = p->cache;

    return (struct units){a, a + m->hidden, a + 2 * m->hidden};
}

/* Sums over v, and sums below over h, are those of units that are on or off
 * (lanes/rows/units.c).  This is faster than a BLAS, which would pack the
 * weights again for sixteen columns, and gives the same bits everywhere. */
static void visit(const struct rbm *m, hs_point *p)
{
    struct units u = units_of(m, p);
    hs_float_row *v = p->scratch;
    int visible = m->base.domain.dim;

    memset(p->u, 0, sizeof p->u);
    for (int i = 0; i < visible; i++)
        for (int l = 0; l < HS_LANES; l++) {
            v[i][l] = (float)p->x[i][l];
            p->u[l] += (double)(v[i][l] * m->b[i]);
        }
    hs_lanes()->units_sum_transposed(m->hidden, visible, m->weight, m->c,
                                     (const hs_float_row *)v, u.a);
    hs_lanes()->units_energy(m->hidden, (const hs_float_row *)u.a, p->u);
    hs_lanes()->hidden_odds(m->hidden, (const hs_float_row *)u.a, u.on, u.off);
    p->have = HS_U;
}

static hiss_status rbm_evaluate(const hs_model *base, hs_point *p,
                                unsigned want)
{
    const struct rbm *m = (const struct rbm *)base;

    if (!(p->have & HS_U))
        visit(m, p);
    if (!(want & HS_GRAD))
        return HISS_OK;
    hs_gemm(base->domain.dim, m->hidden, m->weight,
            (const hs_float_row *)units_of(m, p).on, p->grad);
    for (int i = 0; i < base->domain.dim; i++)
        for (int l = 0; l < HS_LANES; l++)
            p->grad[i][l] += m->b[i];
    return HISS_OK;
}

/* sum_j softplus(a_j + W_ij step) - softplus(a_j), and b_i step */
static void rbm_differences(const hs_model *base, const hs_point *p, int i,
                            hs_float_row *out)
{
    const struct rbm *m = (const struct rbm *)base;
    struct units u = units_of(m, p);
    double sum[HS_LANES];

    for (int l = 0; l < HS_LANES; l++)
        sum[l] = (double)(p->x[i][l] ? -m->b[i] : m->b[i]);
    hs_lanes()->hidden_change(
        m->hidden, weights_of(m, i), p->x[i], (const hs_float_row *)u.a,
        (const hs_float_row *)u.on, (const hs_float_row *)u.off, sum);
    for (int l = 0; l < HS_LANES; l++) {
        out[p->x[i][l]][l] = 0.0f;
        out[1 - p->x[i][l]][l] = (float)sum[l];
    }
}

static void rbm_move(const hs_model *base, hs_point *p, int i,
                     const int16_t *to, const float *change)
{
    const struct rbm *m = (const struct rbm *)base;
    struct units u = units_of(m, p);
    hs_float_row step;
    bool is_moved = false;

    for (int l = 0; l < HS_LANES; l++) {
        step[l] = (float)(to[l] - p->x[i][l]);
        is_moved |= to[l] != p->x[i][l];
        p->x[i][l] = to[l];
        p->u[l] += (double)change[l];
    }
    if (is_moved)
        hs_lanes()->hidden_move(m->hidden, weights_of(m, i), step, u.a, u.on,
                                u.off);
    p->have &= ~(unsigned)HS_GRAD;
}

/* b_i + sum_j W_ij h_j: the log odds of v_i given hidden units. */
static void odds_given(const struct rbm *m, const hs_float_row *h,
                       hs_float_row *odds)
{
    int visible = m->base.domain.dim;

    hs_gemm(visible, m->hidden, m->weight, h, odds);
    for (int i = 0; i < visible; i++)
        for (int l = 0; l < HS_LANES; l++)
            odds[i][l] += m->b[i];
}

static void rbm_draw(const hs_model *base, hs_point *p, const float *beta,
                     const hs_rng *rng, hs_float_row *odds)
{
    const struct rbm *m = (const struct rbm *)base;
    const hs_float_row *a = p->cache;
    hs_float_row *h = p->scratch;

    for (int j = 0; j < m->hidden; j++)
        for (int l = 0; l < HS_LANES; l++)
            h[j][l] = beta[l] * a[j][l];
    hs_hidden_units(rng, HS_DRAW_NOISE, m->hidden, h);
    hs_lanes()->units_sum(base->domain.dim, m->hidden, m->weight, m->b,
                          (const hs_float_row *)h, odds);
    for (int i = 0; i < base->domain.dim; i++)
        for (int l = 0; l < HS_LANES; l++)
            odds[i][l] *= beta[l];
}

/* sum_j softplus(beta a_j) - beta softplus(a_j) */
static void rbm_excess(const hs_model *base, const hs_point *p,
                       const float *beta, double *out)
{
    const struct rbm *m = (const struct rbm *)base;
    const hs_float_row *a = p->cache;
    hs_float_row scaled, bent, plain;

    memset(out, 0, HS_LANES * sizeof *out);
    for (int j = 0; j < m->hidden; j++) {
        for (int l = 0; l < HS_LANES; l++)
            scaled[l] = beta[l] * a[j][l];
        softplus(scaled, bent);
        softplus(a[j], plain);
        for (int l = 0; l < HS_LANES; l++)
            out[l] += (double)bent[l] - (double)beta[l] * (double)plain[l];
    }
}

static const void *rbm_structure(const hs_model *base, hs_structure kind)
{
    static const hs_hidden hidden = {.draw = rbm_draw, .excess = rbm_excess};
    const struct rbm *m = (const struct rbm *)base;

    return kind == HS_STRUCTURE_HIDDEN  ? (const void *)&hidden
           : kind == HS_STRUCTURE_UNITS ? (const void *)&m->form
                                        : NULL;
}

/* Draws v given random hidden units. */
static hiss_status rbm_scatter(const hs_model *base, hs_point *p,
                               const hs_rng *rng, int lanes)
{
    const struct rbm *m = (const struct rbm *)base;
    hs_float_row *h = p->scratch;

    (void)lanes;
    p->have = 0;
    hs_scatter_units(rng, m->hidden, h);
    odds_given(m, (const hs_float_row *)h, p->grad);
    hs_scatter_coins(rng, base->domain.dim, p->grad, p->x);
    return HISS_OK;
}

static void rbm_destroy(hs_model *base)
{
    struct rbm *m = (struct rbm *)base;

    hs_free(m->weight);
    hs_free(m->b);
    hs_free(m->c);
}

static hs_model_work rbm_work(const hs_model *base)
{
    const struct rbm *m = (const struct rbm *)base;

    return (hs_model_work){.family = "machine",
                           .terms = (double)base->domain.dim * m->hidden};
}

static const hs_model_ops rbm_ops = {
    .evaluate = rbm_evaluate,
    .destroy = rbm_destroy,
    .differences = rbm_differences,
    .move = rbm_move,
    .scatter = rbm_scatter,
    .structure = rbm_structure,
    .work = rbm_work,
};

static float *copy(const float *from, size_t count)
{
    float *to = hs_alloc_array(count, sizeof *to);

    if (to)
        memcpy(to, from, count * sizeof *to);
    return to;
}

hiss_status hs_build_rbm_of(hs_model **out, const char *name, int visible,
                            int hidden, float *weight, float *b, float *c,
                            hiss_error *err)
{
    struct rbm *m = hs_alloc_array(1, sizeof *m);
    int most = visible > hidden ? visible : hidden;
    hiss_status rc;

    *out = NULL;
    if (!m) {
        hs_free(weight);
        hs_free(b);
        hs_free(c);
        return hs_fail_memory(err);
    }
    m->base.ops = &rbm_ops;
    m->base.uses_blas = hs_gemm_is_blas();
    m->base.cache_bytes = 3 * (size_t)hidden * sizeof(hs_float_row);
    m->base.scratch_bytes = (size_t)most * sizeof(hs_float_row);
    m->hidden = hidden;
    m->weight = weight;
    m->b = b;
    m->c = c;
    m->form = (hs_units_form){.visible = visible,
                              .hidden = hidden,
                              .weight = m->weight,
                              .b = m->b,
                              .c = m->c};
    m->base.name = name ? hs_strdup(name) : NULL;
    if (m->weight && m->b && m->c && (m->base.name || !name))
        rc = hs_domain_init(&m->base.domain, HISS_BINARY, visible, 2, err);
    else
        rc = hs_fail_memory(err);
    if (rc != HISS_OK) {
        hs_model_destroy(&m->base);
        return rc;
    }
    *out = &m->base;
    return HISS_OK;
}

hiss_status hs_build_rbm(hs_model **out, const char *name, int visible,
                         int hidden, const float *weight, const float *b,
                         const float *c, hiss_error *err)
{
    return hs_build_rbm_of(out, name, visible, hidden,
                           copy(weight, (size_t)visible * (size_t)hidden),
                           copy(b, (size_t)visible), copy(c, (size_t)hidden),
                           err);
}
