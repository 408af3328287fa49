/* boltzmann_wide.c - restricted Boltzmann machines given in double.
 *
 * If the sums of |weights| are moderate, they are converted to floats
 * (boltzmann.c).  Otherwise, as with penalties among the weights, all numbers
 * are double except ln(1 + e^-|a|) and sigma(a), which are at most 1:
 * softplus(a) = max(a, 0) + ln(1 + e^-|a|).  The activations are cached with
 * the point as two floats each, sum and remainder.  U is summed afresh after
 * every move, O(visible + hidden). */
#include <math.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "lanes/lanes.h"
#include "model/builders.h"
#include "model/hidden.h"
#include "model/scatter.h"

/* Largest sum of an activation in float, whose rounding error is then 1e-5.
 * Hidden units saturate, so this limit is larger than elsewhere. */
#define SINGLE_MOST 1024.0
#define PARTS       8 /* independent partial sums */

typedef double double_row[HS_LANES];

struct machine {
    hs_model base;
    int hidden;
    double *weight; /* owned, [visible * hidden] */
    double *b;      /* owned, [visible] */
    double *c;      /* owned, [hidden] */
};

static void load(const struct machine *m, const hs_point *p, int j, double *a)
{
    const hs_float_row *cache = p->cache;

    for (int l = 0; l < HS_LANES; l++)
        a[l] = (double)cache[j][l] + (double)cache[m->hidden + j][l];
}

static void store(const struct machine *m, hs_point *p, int j, const double *a)
{
    hs_float_row *cache = p->cache;

    for (int l = 0; l < HS_LANES; l++) {
        cache[j][l] = (float)a[l];
        cache[m->hidden + j][l] = (float)(a[l] - (double)cache[j][l]);
    }
}

/* e^-|a| */
static void decay(const double *a, float *e)
{
    for (int l = 0; l < HS_LANES; l++)
        e[l] = (float)-fabs(a[l]);
    hs_lanes()->exp(e, e);
}

/* adds sign * softplus(a) to sum */
static void add_softplus(const double *a, double sign, double *sum)
{
    hs_float_row e;

    decay(a, e);
    for (int l = 0; l < HS_LANES; l++)
        e[l] += 1.0f;
    hs_lanes()->log(e, e);
    for (int l = 0; l < HS_LANES; l++)
        sum[l] += sign * ((a[l] > 0.0 ? a[l] : 0.0) + (double)e[l]);
}

static void activate(const struct machine *m, hs_point *p)
{
    double_row *a = p->scratch;

    for (int j = 0; j < m->hidden; j++)
        for (int l = 0; l < HS_LANES; l++)
            a[j][l] = m->c[j];
    for (int i = 0; i < m->base.domain.dim; i++) {
        const double *w = m->weight + (size_t)i * (size_t)m->hidden;

        for (int j = 0; j < m->hidden; j++)
            for (int l = 0; l < HS_LANES; l++)
                a[j][l] += p->x[i][l] ? w[j] : 0.0;
    }
    for (int j = 0; j < m->hidden; j++)
        store(m, p, j, a[j]);
}

static void energy(const struct machine *m, hs_point *p)
{
    double_row a;

    memset(p->u, 0, sizeof p->u);
    for (int i = 0; i < m->base.domain.dim; i++)
        for (int l = 0; l < HS_LANES; l++)
            p->u[l] += p->x[i][l] ? m->b[i] : 0.0;
    for (int j = 0; j < m->hidden; j++) {
        load(m, p, j, a);
        add_softplus(a, 1.0, p->u);
    }
}

static void gradient(const struct machine *m, hs_point *p)
{
    double_row *sigma = p->scratch;

    for (int j = 0; j < m->hidden; j++) {
        double_row a;
        hs_float_row e;

        load(m, p, j, a);
        decay(a, e);
        for (int l = 0; l < HS_LANES; l++)
            sigma[j][l] = (double)((a[l] > 0.0 ? 1.0f : e[l]) / (1.0f + e[l]));
    }
    for (int i = 0; i < m->base.domain.dim; i++) {
        const double *w = m->weight + (size_t)i * (size_t)m->hidden;
        double_row sum;

        for (int l = 0; l < HS_LANES; l++)
            sum[l] = m->b[i];
        for (int j = 0; j < m->hidden; j++)
            for (int l = 0; l < HS_LANES; l++)
                sum[l] += w[j] * sigma[j][l];
        for (int l = 0; l < HS_LANES; l++)
            p->grad[i][l] = (float)sum[l];
    }
}

static hiss_status machine_evaluate(const hs_model *base, hs_point *p,
                                    unsigned want)
{
    const struct machine *m = (const struct machine *)base;

    if (!(p->have & HS_U)) {
        activate(m, p);
        energy(m, p);
        p->have |= HS_U;
    }
    if (want & HS_GRAD)
        gradient(m, p);
    return HISS_OK;
}

static void machine_differences(const hs_model *base, const hs_point *p, int i,
                                hs_float_row *out)
{
    const struct machine *m = (const struct machine *)base;
    const double *w = m->weight + (size_t)i * (size_t)m->hidden;
    double_row sum, step, a;

    for (int l = 0; l < HS_LANES; l++) {
        step[l] = p->x[i][l] ? -1.0 : 1.0;
        sum[l] = step[l] * m->b[i];
    }
    for (int j = 0; j < m->hidden; j++) {
        load(m, p, j, a);
        add_softplus(a, -1.0, sum);
        for (int l = 0; l < HS_LANES; l++)
            a[l] += w[j] * step[l];
        add_softplus(a, 1.0, sum);
    }
    for (int l = 0; l < HS_LANES; l++) {
        out[p->x[i][l]][l] = 0.0f;
        out[1 - p->x[i][l]][l] = (float)sum[l];
    }
}

static void machine_move(const hs_model *base, hs_point *p, int i,
                         const int16_t *to, const float *change)
{
    const struct machine *m = (const struct machine *)base;
    const double *w = m->weight + (size_t)i * (size_t)m->hidden;
    double_row step, a;

    (void)change; /* a float */
    for (int l = 0; l < HS_LANES; l++) {
        step[l] = to[l] - p->x[i][l];
        p->x[i][l] = to[l];
    }
    for (int j = 0; j < m->hidden; j++) {
        load(m, p, j, a);
        for (int l = 0; l < HS_LANES; l++)
            a[l] += w[j] * step[l];
        store(m, p, j, a);
    }
    energy(m, p);
    p->have &= ~(unsigned)HS_GRAD;
}

/* Computes beta times the log odds of v_i given hidden units, b_i + sum_j W_ij
 * h_j. */
static void odds_given(const struct machine *m, const hs_float_row *h,
                       const float *beta, hs_float_row *odds)
{
    for (int i = 0; i < m->base.domain.dim; i++) {
        const double *w = m->weight + (size_t)i * (size_t)m->hidden;
        double_row sum;

        for (int l = 0; l < HS_LANES; l++)
            sum[l] = m->b[i];
        for (int j = 0; j < m->hidden; j++)
            for (int l = 0; l < HS_LANES; l++)
                sum[l] += h[j][l] != 0.0f ? w[j] : 0.0;
        for (int l = 0; l < HS_LANES; l++)
            odds[i][l] = (float)((double)beta[l] * sum[l]);
    }
}

static void machine_draw(const hs_model *base, hs_point *p, const float *beta,
                         const hs_rng *rng, hs_float_row *odds)
{
    const struct machine *m = (const struct machine *)base;
    hs_float_row *h = p->scratch;
    double_row a;

    for (int j = 0; j < m->hidden; j++) {
        load(m, p, j, a);
        for (int l = 0; l < HS_LANES; l++)
            h[j][l] = (float)((double)beta[l] * a[l]);
    }
    hs_hidden_units(rng, HS_DRAW_NOISE, m->hidden, h);
    odds_given(m, (const hs_float_row *)h, beta, odds);
}

/* sum_j softplus(beta a_j) - beta softplus(a_j) */
static void machine_excess(const hs_model *base, const hs_point *p,
                           const float *beta, double *out)
{
    const struct machine *m = (const struct machine *)base;

    memset(out, 0, HS_LANES * sizeof *out);
    for (int j = 0; j < m->hidden; j++) {
        double_row a, plain = {0}, scaled = {0};

        load(m, p, j, a);
        add_softplus(a, 1.0, plain);
        for (int l = 0; l < HS_LANES; l++)
            a[l] *= (double)beta[l];
        add_softplus(a, 1.0, scaled);
        for (int l = 0; l < HS_LANES; l++)
            out[l] += scaled[l] - (double)beta[l] * plain[l];
    }
}

static const void *machine_structure(const hs_model *base, hs_structure kind)
{
    static const hs_hidden hidden = {.draw = machine_draw,
                                     .excess = machine_excess};

    (void)base;
    return kind == HS_STRUCTURE_HIDDEN ? &hidden : NULL;
}

static hiss_status machine_scatter(const hs_model *base, hs_point *p,
                                   const hs_rng *rng, int lanes)
{
    static const float plain[HS_LANES] = {1, 1, 1, 1, 1, 1, 1, 1,
                                          1, 1, 1, 1, 1, 1, 1, 1};
    const struct machine *m = (const struct machine *)base;
    hs_float_row *h = p->scratch;

    (void)lanes;
    p->have = 0;
    hs_scatter_units(rng, m->hidden, h);
    odds_given(m, (const hs_float_row *)h, plain, p->grad);
    hs_scatter_coins(rng, base->domain.dim, p->grad, p->x);
    return HISS_OK;
}

static void machine_destroy(hs_model *base)
{
    struct machine *m = (struct machine *)base;

    hs_free(m->weight);
    hs_free(m->b);
    hs_free(m->c);
}

static hs_model_work machine_work(const hs_model *base)
{
    const struct machine *m = (const struct machine *)base;

    return (hs_model_work){.family = "machine_wide",
                           .terms = (double)base->domain.dim * m->hidden};
}

static const hs_model_ops machine_ops = {
    .evaluate = machine_evaluate,
    .destroy = machine_destroy,
    .differences = machine_differences,
    .move = machine_move,
    .scatter = machine_scatter,
    .structure = machine_structure,
    .work = machine_work,
};

/* Copies; NULL gives zeros. */
static double *copy(const double *from, size_t count)
{
    double *to = hs_alloc_array(count, sizeof *to);

    if (to && from)
        memcpy(to, from, count * sizeof *to);
    return to;
}

static hiss_status build_wide(hs_model **out, const char *name,
                              const hs_machine *from, hiss_error *err)
{
    struct machine *m = hs_alloc_array(1, sizeof *m);
    size_t visible = (size_t)from->visible, hidden = (size_t)from->hidden;
    hiss_status rc;

    if (!m)
        return hs_fail_memory(err);
    m->base.ops = &machine_ops;
    m->base.cache_bytes = 2 * hidden * sizeof(hs_float_row);
    m->base.scratch_bytes = hidden * sizeof(double_row);
    m->hidden = from->hidden;
    m->weight = copy(from->weight, visible * hidden);
    m->b = copy(from->b, visible);
    m->c = copy(from->c, hidden);
    m->base.name = hs_strdup(name);
    if (m->weight && m->b && m->c && m->base.name)
        rc =
            hs_domain_init(&m->base.domain, HISS_BINARY, from->visible, 2, err);
    else
        rc = hs_fail_memory(err);
    if (rc != HISS_OK) {
        hs_model_destroy(&m->base);
        return rc;
    }
    *out = &m->base;
    return HISS_OK;
}

/* Copies as floats; NULL gives zeros. */
static float *rounded(const double *from, size_t count)
{
    float *to = hs_alloc_array(count, sizeof *to);

    for (size_t n = 0; to && from && n < count; n++)
        to[n] = (float)from[n];
    return to;
}

static hiss_status build_single(hs_model **out, const char *name,
                                const hs_machine *from, hiss_error *err)
{
    size_t visible = (size_t)from->visible, hidden = (size_t)from->hidden;

    return hs_build_rbm_of(out, name, from->visible, from->hidden,
                           rounded(from->weight, visible * hidden),
                           rounded(from->b, visible), rounded(from->c, hidden),
                           err);
}

/* Adds the weights of visible unit i to its sum and to those of the hidden
 * units, PARTS sums at a time, because training makes the model anew at every
 * step. */
static void gauge_row(hs_gauge *g, int i, int hidden, const double *row,
                      double bias)
{
    double part[PARTS] = {0}, *column = g->sum + (g->dim - hidden);
    int j = 0;

    for (; j + PARTS <= hidden; j += PARTS)
        for (int k = 0; k < PARTS; k++) {
            part[k] += fabs(row[j + k]);
            column[j + k] += fabs(row[j + k]);
        }
    for (; j < hidden; j++) {
        part[0] += fabs(row[j]);
        column[j] += fabs(row[j]);
    }
    g->sum[i] = fabs(bias);
    for (int k = 0; k < PARTS; k++)
        g->sum[i] += part[k];
}

/* Finds the sums of units of both layers.  It does not look for a common power
 * of two. */
static void read_gauge(hs_gauge *g, hs_precision *out)
{
    *out = hs_gauge_read(g, 1.0);
    out->kind =
        out->most < SINGLE_MOST ? HS_PRECISION_ROUNDED : HS_PRECISION_DOUBLE;
    hs_gauge_clear(g);
}

static hiss_status gauge(const hs_machine *from, hs_precision *out,
                         hiss_error *err)
{
    int visible = from->visible, hidden = from->hidden;
    hs_gauge g;

    HS_TRY(hs_gauge_init(&g, visible + hidden, err));
    for (int i = 0; i < visible; i++)
        gauge_row(&g, i, hidden, from->weight + (size_t)i * (size_t)hidden,
                  from->b ? from->b[i] : 0.0);
    for (int j = 0; j < hidden; j++)
        g.sum[visible + j] += from->c ? fabs(from->c[j]) : 0.0;
    read_gauge(&g, out);
    return HISS_OK;
}

hiss_status hs_build_machine(hs_model **out, const char *name,
                             const hs_machine *from, hiss_error *err)
{
    hs_precision precision;

    *out = NULL;
    HS_TRY(gauge(from, &precision, err));
    HS_TRY(precision.kind == HS_PRECISION_DOUBLE
               ? build_wide(out, name, from, err)
               : build_single(out, name, from, err));
    (*out)->precision = precision;
    return HISS_OK;
}

/* --- given in single precision ------------------------------------------ */

static void widen(const float *from, int count, double *to)
{
    for (int n = 0; n < count; n++)
        to[n] = (double)from[n];
}

static hiss_status gauge_floats(const hs_machine_floats *from,
                                hs_precision *out, hiss_error *err)
{
    int visible = from->visible, hidden = from->hidden;
    double *row = hs_alloc_array((size_t)hidden, sizeof *row);
    hs_gauge g;
    hiss_status rc = HISS_OK;

    rc = row ? hs_gauge_init(&g, visible + hidden, err) : hs_fail_memory(err);
    for (int i = 0; rc == HISS_OK && i < visible; i++) {
        widen(from->weight + (size_t)i * (size_t)hidden, hidden, row);
        gauge_row(&g, i, hidden, row, from->b ? (double)from->b[i] : 0.0);
    }
    for (int j = 0; rc == HISS_OK && j < hidden; j++)
        g.sum[visible + j] += from->c ? fabs((double)from->c[j]) : 0.0;
    if (rc == HISS_OK)
        read_gauge(&g, out);
    hs_free(row);
    return rc;
}

/* Copies; NULL gives zeros. */
static float *copy_floats(const float *from, size_t count)
{
    float *to = hs_alloc_array(count, sizeof *to);

    if (to && from)
        memcpy(to, from, count * sizeof *to);
    return to;
}

/* Row by row, because visible * hidden may exceed an int. */
static hiss_status widen_machine(hs_model **out, const char *name,
                                 const hs_machine_floats *from, hiss_error *err)
{
    size_t visible = (size_t)from->visible, hidden = (size_t)from->hidden;
    double *weight = hs_alloc_array(visible * hidden, sizeof *weight);
    double *b = hs_alloc_array(visible, sizeof *b);
    double *c = hs_alloc_array(hidden, sizeof *c);
    hs_machine wide = {from->visible, from->hidden, weight, b, c};
    hiss_status rc = weight && b && c ? HISS_OK : hs_fail_memory(err);

    for (size_t i = 0; rc == HISS_OK && i < visible; i++)
        widen(from->weight + i * hidden, from->hidden, weight + i * hidden);
    if (rc == HISS_OK && from->b)
        widen(from->b, from->visible, b);
    if (rc == HISS_OK && from->c)
        widen(from->c, from->hidden, c);
    if (rc == HISS_OK)
        rc = build_wide(out, name, &wide, err);
    hs_free(weight);
    hs_free(b);
    hs_free(c);
    return rc;
}

hiss_status hs_build_machine_floats(hs_model **out, const char *name,
                                    const hs_machine_floats *from,
                                    hiss_error *err)
{
    size_t visible = (size_t)from->visible, hidden = (size_t)from->hidden;
    hs_precision precision;

    *out = NULL;
    HS_TRY(gauge_floats(from, &precision, err));
    HS_TRY(precision.kind == HS_PRECISION_DOUBLE
               ? widen_machine(out, name, from, err)
               : hs_build_rbm_of(out, name, from->visible, from->hidden,
                                 copy_floats(from->weight, visible * hidden),
                                 copy_floats(from->b, visible),
                                 copy_floats(from->c, hidden), err));
    (*out)->precision = precision;
    return HISS_OK;
}
