/* mixture.c - a mixture of product distributions: modes of known mass.
 *
 *     a_k(s) = ln w_k + sum_i [h_ki s_i - ln 2 cosh h_ki],   s = +-1
 *     U(s) = ln sum_k exp a_k(s)
 * so Z = 1 and w_k is the mass of component k; weights are normalized.  Signs
 * of h are random, strengths uniform between strength_low and strength_high,
 * times the scale of the component: field i of component k is entry i of part k
 * (draw.h).  A component of large scale is narrow, one of small scale wide.
 *
 * The a_k are cached with the point, as two floats each (sum and remainder), so
 * moves and differences cost O(k) for any d. The gradient dU/ds_i = sum_k r_k
 * h_ki, r = softmax a, is that of the relaxation and not exact. */
#include <math.h>
#include <stddef.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "lanes/lanes.h"
#include "model/draw.h"
#include "model/hidden.h"
#include "model/model.h"
#include "model/scatter.h"

struct mixture {
    hs_model base;
    int components;
    float *field;     /* owned, [dim * components] */
    double *constant; /* owned, [components]: a_k without its fields */
};

struct mixture_options {
    int k, d;
    uint64_t seed;
    hs_reals weights;
    double strength_low, strength_high;
    hs_reals scales;
    bool symmetric;
};

#define AT(field) offsetof(struct mixture_options, field)
static const hs_option mixture_options[] = {
    {"k", HS_INTEGER, AT(k), NULL, "[1,4096]", "components"},
    {"d", HS_INTEGER, AT(d), NULL, "[1,1000000]", "coordinates"},
    {"seed", HS_SEED, AT(seed), "1", NULL, "of the random fields"},
    {"weights", HS_REALS, AT(weights), "", "(0,1e30)",
     "mass of each component, normalized; default equal"},
    {"strength_low", HS_REAL, AT(strength_low), "0.3", "[0,1000]",
     "weakest field"},
    {"strength_high", HS_REAL, AT(strength_high), "1.7", "[0,1000]",
     "strongest field"},
    {"scales", HS_REALS, AT(scales), "", "[0,1000]",
     "factor on the fields of each component; default 1"},
    {"symmetric", HS_BOOL, AT(symmetric), "no", NULL,
     "two components with opposite fields"},
    {0},
};

static const float *fields_of(const struct mixture *m, int i)
{
    return m->field + (size_t)i * (size_t)m->components;
}

static double activation(const struct mixture *m, const hs_point *p, int k,
                         int l)
{
    const hs_float_row *a = p->cache;

    return (double)a[k][l] + (double)a[m->components + k][l];
}

static void store_activation(const struct mixture *m, hs_point *p, int k, int l,
                             double value)
{
    hs_float_row *a = p->cache;

    a[k][l] = (float)value;
    a[m->components + k][l] = (float)(value - (double)a[k][l]);
}

static void activate(const struct mixture *m, hs_point *p)
{
    double(*a)[HS_LANES] = p->scratch;

    for (int k = 0; k < m->components; k++)
        for (int l = 0; l < HS_LANES; l++)
            a[k][l] = m->constant[k];
    hs_lanes()->mixture_sums(m->base.domain.dim, m->components, m->field,
                             (const hs_index_row *)p->x,
                             p->lanes > 0 ? p->lanes : HS_LANES, a);
    for (int k = 0; k < m->components; k++)
        for (int l = 0; l < HS_LANES; l++)
            store_activation(m, p, k, l, a[k][l]);
}

static double larger(double a, double b)
{
    return a > b ? a : b;
}

/* Computes ln sum_k exp(a_k + h_k step), and the terms of the sum relative to
 * the largest (weight may be NULL, then sum too). */
static void log_sum(const struct mixture *m, const hs_point *p, const float *h,
                    const double *step, double *u, hs_float_row *weight,
                    float *sum)
{
    double max[HS_LANES];
    hs_float_row total = {0}, term, root;

    for (int l = 0; l < HS_LANES; l++)
        max[l] = -HUGE_VAL;
    for (int k = 0; k < m->components; k++)
        for (int l = 0; l < HS_LANES; l++)
            max[l] =
                larger(max[l], activation(m, p, k, l) + (double)h[k] * step[l]);
    for (int k = 0; k < m->components; k++) {
        for (int l = 0; l < HS_LANES; l++)
            term[l] = (float)(activation(m, p, k, l) + (double)h[k] * step[l] -
                              max[l]);
        hs_lanes()->exp(term, term);
        for (int l = 0; l < HS_LANES; l++)
            total[l] += term[l];
        if (weight)
            memcpy(weight[k], term, sizeof term);
    }
    hs_lanes()->log(total, root);
    for (int l = 0; l < HS_LANES; l++)
        u[l] = max[l] + (double)root[l];
    if (sum)
        memcpy(sum, total, sizeof total);
}

static hiss_status mixture_evaluate(const hs_model *base, hs_point *p,
                                    unsigned want)
{
    const struct mixture *m = (const struct mixture *)base;
    static const double still[HS_LANES] = {0};
    hs_float_row *weight = p->scratch;
    hs_float_row sum;
    double u[HS_LANES];

    if (!(p->have & HS_U))
        activate(m, p);
    log_sum(m, p, m->field, still, u, weight, sum);
    if (!(p->have & HS_U))
        memcpy(p->u, u, sizeof u);
    p->have |= HS_U;
    if (!(want & HS_GRAD))
        return HISS_OK;
    for (int k = 0; k < m->components; k++)
        for (int l = 0; l < HS_LANES; l++)
            weight[k][l] /= sum[l];
    hs_lanes()->mixture_gradient(base->domain.dim, m->components, m->field,
                                 (const hs_float_row *)weight, p->grad);
    return HISS_OK;
}

static void mixture_differences(const hs_model *base, const hs_point *p, int i,
                                hs_float_row *out)
{
    const struct mixture *m = (const struct mixture *)base;
    const float *h = fields_of(m, i);
    double step[HS_LANES], there[HS_LANES];

    for (int l = 0; l < HS_LANES; l++)
        step[l] = p->x[i][l] ? -2.0 : 2.0;
    log_sum(m, p, h, step, there, NULL, NULL);
    for (int l = 0; l < HS_LANES; l++) {
        out[p->x[i][l]][l] = 0.0f;
        out[1 - p->x[i][l]][l] = (float)(there[l] - p->u[l]);
    }
}

static void mixture_move(const hs_model *base, hs_point *p, int i,
                         const int16_t *to, const float *change)
{
    const struct mixture *m = (const struct mixture *)base;
    const float *h = fields_of(m, i);
    double step[HS_LANES];

    for (int l = 0; l < HS_LANES; l++) {
        step[l] = 2 * (to[l] - p->x[i][l]);
        p->x[i][l] = to[l];
        p->u[l] += (double)change[l];
    }
    for (int k = 0; k < m->components; k++)
        for (int l = 0; l < HS_LANES; l++)
            store_activation(m, p, k, l,
                             activation(m, p, k, l) + (double)h[k] * step[l]);
    p->have &= ~(unsigned)HS_GRAD;
}

/* The hidden unit is the component: E(s,k) = a_k(s). */
static void mixture_draw(const hs_model *base, hs_point *p, const float *beta,
                         const hs_rng *rng, hs_float_row *odds)
{
    const struct mixture *m = (const struct mixture *)base;
    hs_float_row *logit = p->scratch, *upto = logit + m->components;
    uint32_t words[4][HS_LANES];
    int16_t component[HS_LANES];
    hs_float_row factor;

    for (int k = 0; k < m->components; k++)
        for (int l = 0; l < HS_LANES; l++)
            logit[k][l] =
                (float)((double)beta[l] * (activation(m, p, k, l) - p->u[l]));
    hs_lanes()->philox(rng, HS_DRAW_NOISE, 0, 1, words);
    hs_lanes()->draw_value((const hs_float_row *)logit, m->components, words[0],
                           words[1], upto, component);
    for (int l = 0; l < HS_LANES; l++)
        factor[l] = 2.0f * beta[l];
    hs_lanes()->mixture_odds(base->domain.dim, m->components, m->field,
                             component, factor, odds);
}

/* ln sum_k e^(beta a_k) - beta U, with the largest term taken out. */
static void mixture_excess(const hs_model *base, const hs_point *p,
                           const float *beta, double *out)
{
    const struct mixture *m = (const struct mixture *)base;
    hs_float_row scaled = {0}, plain = {0}, term;
    double max[HS_LANES];

    for (int l = 0; l < HS_LANES; l++)
        max[l] = -HUGE_VAL;
    for (int k = 0; k < m->components; k++)
        for (int l = 0; l < HS_LANES; l++)
            max[l] = larger(max[l], activation(m, p, k, l));
    for (int k = 0; k < m->components; k++) {
        hs_float_row down;

        for (int l = 0; l < HS_LANES; l++) {
            down[l] = (float)(activation(m, p, k, l) - max[l]);
            term[l] = beta[l] * down[l];
        }
        hs_lanes()->exp(term, term);
        hs_lanes()->exp(down, down);
        for (int l = 0; l < HS_LANES; l++) {
            scaled[l] += term[l];
            plain[l] += down[l];
        }
    }
    hs_lanes()->log(scaled, scaled);
    hs_lanes()->log(plain, plain);
    for (int l = 0; l < HS_LANES; l++)
        out[l] = (double)scaled[l] - (double)beta[l] * (double)plain[l];
}

static const void *mixture_structure(const hs_model *base, hs_structure kind)
{
    static const hs_hidden hidden = {.draw = mixture_draw,
                                     .excess = mixture_excess};

    (void)base;
    return kind == HS_STRUCTURE_HIDDEN ? &hidden : NULL;
}

/* Draws from a component chosen uniformly, where ln p(s_i = 1) / p(s_i = -1) is
 * 2 h_ki. */
static hiss_status mixture_scatter(const hs_model *base, hs_point *p,
                                   const hs_rng *rng, int lanes)
{
    const struct mixture *m = (const struct mixture *)base;
    uint32_t words[4][HS_LANES];
    int component[HS_LANES];

    (void)lanes;
    hs_lanes()->philox(rng, HS_DRAW_SCATTER, HS_SCATTER_HIDDEN, 1, words);
    for (int l = 0; l < HS_LANES; l++)
        component[l] = hs_below(words[0][l], m->components);
    for (int i = 0; i < base->domain.dim; i++)
        for (int l = 0; l < HS_LANES; l++)
            p->grad[i][l] = 2.0f * fields_of(m, i)[component[l]];
    p->have = 0;
    hs_scatter_coins(rng, base->domain.dim, p->grad, p->x);
    return HISS_OK;
}

static void mixture_destroy(hs_model *base)
{
    struct mixture *m = (struct mixture *)base;

    hs_free(m->field);
    hs_free(m->constant);
}

static hs_model_work mixture_work(const hs_model *base)
{
    const struct mixture *m = (const struct mixture *)base;

    return (hs_model_work){.family = "mixture",
                           .terms = (double)m->components * base->domain.dim};
}

static const hs_model_ops mixture_ops = {
    .evaluate = mixture_evaluate,
    .destroy = mixture_destroy,
    .differences = mixture_differences,
    .move = mixture_move,
    .scatter = mixture_scatter,
    .structure = mixture_structure,
    .work = mixture_work,
};

static void draw_component(struct mixture *m, const struct mixture_options *o,
                           int k)
{
    bool is_mirror = o->symmetric && k == 1;
    double range = o->strength_high - o->strength_low;
    double scale = o->scales.count ? o->scales.at[k] : 1.0;

    for (int i = 0; i < o->d; i++) {
        float *h = &m->field[(size_t)i * (size_t)o->k + (size_t)k];
        double sign, uniform, size;

        hs_draw_sign(o->seed, is_mirror ? 0 : k, i, &sign, &uniform);
        *h = (float)(scale * sign * (o->strength_low + range * uniform));
        if (is_mirror)
            *h = -*h;
        size = fabs((double)*h);
        m->constant[k] -= size + log1p(exp(-2.0 * size)); /* ln 2 cosh */
    }
}

static hiss_status check_options(const struct mixture_options *o,
                                 hiss_error *err)
{
    if (o->symmetric && o->k != 2)
        return hs_fail(err, HISS_EARG,
                       "model mixture: k is %d, expected 2 with symmetric=yes",
                       o->k);
    if (o->strength_low > o->strength_high)
        return hs_fail(err, HISS_EARG,
                       "model mixture: strength_low is %g, expected at most "
                       "strength_high = %g",
                       o->strength_low, o->strength_high);
    if (o->weights.count != 0 && o->weights.count != o->k)
        return hs_fail(err, HISS_EARG,
                       "model mixture: %d weights, expected k = %d",
                       o->weights.count, o->k);
    if (o->scales.count != 0 && o->scales.count != o->k)
        return hs_fail(err, HISS_EARG,
                       "model mixture: %d scales, expected k = %d",
                       o->scales.count, o->k);
    return HISS_OK;
}

static hiss_status mixture_fill(struct mixture *m,
                                const struct mixture_options *o,
                                hiss_error *err)
{
    double total = 0.0;

    m->field = hs_alloc_array((size_t)o->d, (size_t)o->k * sizeof *m->field);
    m->constant = hs_alloc_array((size_t)o->k, sizeof *m->constant);
    if (!m->field || !m->constant)
        return hs_fail_memory(err);
    for (int k = 0; k < o->weights.count; k++)
        total += o->weights.at[k];
    for (int k = 0; k < o->k; k++) {
        m->constant[k] = o->weights.count ? log(o->weights.at[k] / total)
                                          : -log((double)o->k);
        draw_component(m, o, k);
    }
    return hs_domain_init(&m->base.domain, HISS_SPIN, o->d, 2, err);
}

static hiss_status mixture_create(hs_model **out, const void *options,
                                  hiss_error *err)
{
    const struct mixture_options *o = options;
    struct mixture *m;
    hiss_status rc;

    HS_TRY(check_options(o, err));
    m = hs_alloc_array(1, sizeof *m);
    if (!m)
        return hs_fail_memory(err);
    m->base.ops = &mixture_ops;
    m->base.cache_bytes = 2 * (size_t)o->k * sizeof(hs_float_row);
    m->base.scratch_bytes = (size_t)o->k * sizeof(double[HS_LANES]);
    m->components = o->k;
    rc = mixture_fill(m, o, err);
    if (rc != HISS_OK) {
        hs_model_destroy(&m->base);
        return rc;
    }
    *out = &m->base;
    return HISS_OK;
}

const hs_model_type hs_model_mixture = {
    .name = "mixture",
    .summary = "mixture of product laws with known masses (spin)",
    .size = sizeof(struct mixture_options),
    .options = mixture_options,
    .create = mixture_create,
};
