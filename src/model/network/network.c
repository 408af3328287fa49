/* network.c - binary networks: two matrix products per evaluation.
 *
 * The weights of four chains are one matrix, [inputs + 1][unit][chain].  Its
 * product with the cases gives the hidden units of these networks, and another
 * product gives the gradient of all first-layer weights.  Only chains in use
 * are evaluated, always four at a time, so the numbers of a chain do not depend
 * on how many there are.  Units are padded to whole rows of sixteen with
 * weights of 0.  Cases pass in blocks whose hidden units (BLOCK_BYTES) stay in
 * the cache between the products.
 *
 * The cache of a point has o of every fitted case, and the a of one hidden
 * unit.  With them the difference of a single weight costs O(cases with a
 * nonzero input).  The scan order goes unit by unit, so a unit's a are computed
 * once per sweep, O(cases inputs). */
#include "model/network/network.h"

#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "lanes/lanes.h"
#include "model/gemm.h"

#define BLOCK_BYTES ((size_t)1 << 20)
#define PARTS       (HS_LANES / HS_CHAINS) /* parts of a tile */

struct network {
    hs_model base;
    hs_dataset data;   /* owned */
    int hidden, width; /* width: inputs + 1 */
    int rows;          /* rows of sixteen for the hidden units of a part */
    int block;         /* cases */
    double scale, lambda;
    hs_network_form form; /* borrows from data */
};

/* A point's cache: rows of 16 words. */
struct cache {
    hs_float_row *unit;   /* [1]: number of the cached unit, or -1 */
    hs_float_row *column; /* [cases]: a of that unit */
    hs_float_row *out;    /* [cases]: o */
};

/* The data of one part of a tile, in rows of four units. */
struct part {
    hs_float_row *weight, *slope;        /* [width * rows]: s, dU/ds */
    hs_float_row *output, *output_slope; /* [rows] */
    float bias[HS_CHAINS], bias_slope[HS_CHAINS];
    hs_float_row *hidden; /* [block * rows] */
};

/* The scratch of a point. */
struct scratch {
    struct part part[PARTS];
    hs_float_row *slope; /* [block] */
    /* cases that a single weight affects, [cases] each */
    hs_float_row *a, *moved, *o, *changed;
    float *target;
    int *which;
};

static struct cache cache_of(const struct network *m, const hs_point *p)
{
    hs_float_row *rows = p->cache;

    return (struct cache){rows, rows + 1, rows + 1 + m->data.part[0].count};
}

static size_t part_rows(const struct network *m)
{
    return (size_t)m->rows * (2 * (size_t)m->width + 2 + (size_t)m->block);
}

static struct scratch scratch_of(const struct network *m, const hs_point *p)
{
    int cases = m->data.part[HS_FITTED].count, first = m->width * m->rows;
    hs_float_row *at = p->scratch;
    struct scratch s = {0};

    for (int k = 0; k < PARTS; k++, at += part_rows(m))
        s.part[k] = (struct part){.weight = at,
                                  .slope = at + first,
                                  .output = at + 2 * first,
                                  .output_slope = at + 2 * first + m->rows,
                                  .hidden = at + 2 * first + 2 * m->rows};
    s.slope = at;
    s.a = s.slope + m->block;
    s.moved = s.a + cases;
    s.o = s.moved + cases;
    s.changed = s.o + cases;
    s.target = s.changed[cases];
    s.which = (int *)(s.target + cases);
    return s;
}

static size_t scratch_bytes(const struct network *m)
{
    size_t cases = (size_t)m->data.part[HS_FITTED].count;
    size_t rows = PARTS * part_rows(m) + (size_t)m->block + 4 * cases;

    return rows * sizeof(hs_float_row) + cases * (sizeof(float) + sizeof(int));
}

/* Number of parts with a chain in use. */
static int parts_of(const hs_point *p)
{
    return p->lanes ? (p->lanes + HS_CHAINS - 1) / HS_CHAINS : PARTS;
}

/* Index of the output layer's rows: w, then b. */
static int output_row(const struct network *m)
{
    return m->width * m->hidden;
}

/* Returns the entry of unit j of chain c in a part. */
static float *entry(hs_float_row *rows, int j, int c)
{
    int at = j * HS_CHAINS + c;

    return &rows[at / HS_LANES][at % HS_LANES];
}

static void to_weights(const struct network *m, const hs_point *p, int chain,
                       struct part *part)
{
    const hs_index_row *x = (const hs_index_row *)p->x;
    int last = output_row(m);

    for (int i = 0; i <= m->width; i++) { /* the last is the output layer */
        hs_float_row *to =
            i < m->width ? part->weight + i * m->rows : part->output;

        memset(to, 0, (size_t)m->rows * sizeof *to);
        for (int j = 0; j < m->hidden; j++, x++)
            for (int c = 0; c < HS_CHAINS; c++)
                *entry(to, j, c) = (float)(2 * (*x)[chain + c] - 1);
    }
    for (int c = 0; c < HS_CHAINS; c++)
        part->bias[c] = (float)(2 * p->x[last + m->hidden][chain + c] - 1);
}

/* Computes a, tanh a and o of some cases. */
static void forward(const struct network *m, const struct part *part,
                    const float *input, int cases, int chain, hs_float_row *out)
{
    hs_gemm_wide(cases, m->rows * HS_LANES, m->width, input, part->weight[0],
                 part->hidden[0]);
    hs_lanes()->network_forward(cases, m->rows,
                                (const hs_float_row *)part->output, part->bias,
                                part->hidden, out, chain);
}

static void backward(const struct network *m, struct part *part,
                     const hs_float_row *slope, const float *input, int cases,
                     int chain)
{
    hs_lanes()->network_backward(
        cases, m->rows, (const hs_float_row *)part->output, slope, chain,
        part->hidden, part->output_slope, part->bias_slope);
    hs_gemm_wide_transposed_add(m->width, m->rows * HS_LANES, cases, input,
                                part->hidden[0], part->slope[0]);
}

static void clear_slopes(const struct network *m, struct part *part)
{
    size_t rows = (size_t)m->rows;

    memset(part->slope, 0, (size_t)m->width * rows * sizeof *part->slope);
    memset(part->output_slope, 0, rows * sizeof *part->output_slope);
    memset(part->bias_slope, 0, sizeof part->bias_slope);
}

/* Computes the gradient of a part, including the prior. */
static void to_gradient(const struct network *m, struct part *part, int chain,
                        hs_float_row *grad)
{
    float prior = (float)-m->lambda;

    for (int i = 0; i <= m->width; i++) {
        hs_float_row *from =
            i < m->width ? part->slope + i * m->rows : part->output_slope;

        for (int j = 0; j < m->hidden; j++, grad++)
            for (int c = 0; c < HS_CHAINS; c++)
                (*grad)[chain + c] = prior + *entry(from, j, c);
    }
    for (int c = 0; c < HS_CHAINS; c++)
        (*grad)[chain + c] = prior + part->bias_slope[c];
}

/* Computes U from the loss. */
static void finish(const struct network *m, hs_point *p, const double *loss)
{
    int32_t on[HS_LANES] = {0};

    for (int i = 0; m->lambda != 0.0 && i < m->base.domain.dim; i++)
        for (int l = 0; l < HS_LANES; l++)
            on[l] += p->x[i][l];
    for (int l = 0; l < HS_LANES; l++)
        p->u[l] = -m->scale * loss[l] - m->lambda * (double)on[l];
}

static hiss_status network_evaluate(const hs_model *base, hs_point *p,
                                    unsigned want)
{
    const struct network *m = (const struct network *)base;
    const hs_cases *cases = &m->data.part[HS_FITTED];
    const hs_lane_table *lanes = hs_lanes();
    struct cache c = cache_of(m, p);
    struct scratch s = scratch_of(m, p);
    bool has_slope = want & HS_GRAD;
    int parts = parts_of(p);
    double loss[HS_LANES] = {0};

    for (int k = 0; k < parts; k++) {
        to_weights(m, p, k * HS_CHAINS, &s.part[k]);
        if (has_slope)
            clear_slopes(m, &s.part[k]);
    }
    if (parts < PARTS)
        memset(c.out, 0, (size_t)cases->count * sizeof *c.out);
    for (int n = 0; n < cases->count; n += m->block) {
        int count = cases->count - n < m->block ? cases->count - n : m->block;
        const float *input = cases->input + (size_t)n * (size_t)m->width;

        for (int k = 0; k < parts; k++)
            forward(m, &s.part[k], input, count, k * HS_CHAINS, c.out + n);
        /* dU/dx = 2 dU/ds, and a factor 2 from the square */
        lanes->network_loss(count, cases->target + n,
                            (const hs_float_row *)c.out + n,
                            (float)(-4.0 * m->scale), s.slope, loss);
        for (int k = 0; has_slope && k < parts; k++)
            backward(m, &s.part[k], (const hs_float_row *)s.slope, input, count,
                     k * HS_CHAINS);
    }
    for (int k = 0; has_slope && k < parts; k++)
        to_gradient(m, &s.part[k], k * HS_CHAINS, p->grad);
    for (int l = 0; l < HS_LANES; l++)
        c.unit[0][l] = -1.0f;
    finish(m, p, loss);
    p->have |= HS_U;
    return HISS_OK;
}

/* --- one weight ---------------------------------------------------------- */

/* Hidden unit of a coordinate, -1 for the output's bias. */
static int unit_of(const struct network *m, int i)
{
    return i < m->base.domain.dim - 1 ? i % m->hidden : -1;
}

/* Fills the column for unit j in every lane.  The cache is the point's memory;
 * the state that it describes does not change, so p can be const. */
static void hold_unit(const struct network *m, const hs_point *p, int j)
{
    struct cache c = cache_of(m, p);
    hs_float_row *weight = scratch_of(m, p).part[0].weight;
    bool is_held = true;

    for (int l = 0; l < HS_LANES; l++)
        is_held &= c.unit[0][l] == (float)j;
    if (is_held)
        return;
    for (int i = 0; i < m->width; i++)
        for (int l = 0; l < HS_LANES; l++)
            weight[i][l] = (float)(2 * p->x[i * m->hidden + j][l] - 1);
    hs_gemm(m->data.part[HS_FITTED].count, m->width,
            m->data.part[HS_FITTED].input, (const hs_float_row *)weight,
            c.column);
    for (int l = 0; l < HS_LANES; l++)
        c.unit[0][l] = (float)j;
}

/* Input of coordinate i in a case; 1 for biases and the output layer. */
static float input_of(const struct network *m, int i, int n)
{
    const float *input =
        m->data.part[HS_FITTED].input + (size_t)n * (size_t)m->width;

    return i < output_row(m) ? input[i / m->hidden] : 1.0f;
}

/* Lists the cases that x_i = to affects, with o before and after; returns their
 * number.  A case with input 0 does not change, which makes one-hot inputs
 * cheap. */
static int replace(const struct network *m, const hs_point *p, int i,
                   const int16_t *to, struct scratch *s)
{
    const hs_cases *cases = &m->data.part[HS_FITTED];
    struct cache c = cache_of(m, p);
    int j = unit_of(m, i), last = output_row(m), count = 0;
    hs_float_row weight = {0}, other = {0}, step;

    if (j >= 0)
        hold_unit(m, p, j);
    for (int l = 0; l < HS_LANES; l++)
        step[l] = (float)(2 * (to[l] - p->x[i][l]));
    for (int l = 0; l < HS_LANES && j >= 0; l++) {
        weight[l] = other[l] = (float)(2 * p->x[last + j][l] - 1);
        other[l] += i >= last ? step[l] : 0.0f;
    }
    for (int n = 0; n < cases->count; n++) {
        float by = input_of(m, i, n);

        if (by == 0.0f)
            continue;
        s->which[count] = n;
        s->target[count] = cases->target[n];
        memcpy(s->a[count], c.column[n], sizeof *s->a);
        memcpy(s->o[count], c.out[n], sizeof *s->o);
        for (int l = 0; l < HS_LANES; l++)
            s->moved[count][l] =
                c.column[n][l] + (i < last ? by * step[l] : 0.0f);
        count++;
    }
    hs_lanes()->network_replace(count, (const hs_float_row *)s->a,
                                (const hs_float_row *)s->moved, weight, other,
                                (const hs_float_row *)s->o, s->changed);
    for (int n = 0; n < count && j < 0; n++)
        for (int l = 0; l < HS_LANES; l++)
            s->changed[n][l] += step[l];
    return count;
}

static void network_differences(const hs_model *base, const hs_point *p, int i,
                                hs_float_row *out)
{
    const struct network *m = (const struct network *)base;
    struct scratch s = scratch_of(m, p);
    double here[HS_LANES] = {0}, there[HS_LANES] = {0};
    int16_t to[HS_LANES];
    int count;

    for (int l = 0; l < HS_LANES; l++)
        to[l] = (int16_t)(1 - p->x[i][l]);
    count = replace(m, p, i, to, &s);
    hs_lanes()->network_loss(count, s.target, (const hs_float_row *)s.o, 0.0f,
                             NULL, here);
    hs_lanes()->network_loss(count, s.target, (const hs_float_row *)s.changed,
                             0.0f, NULL, there);
    for (int l = 0; l < HS_LANES; l++) {
        out[p->x[i][l]][l] = 0.0f;
        out[to[l]][l] = (float)(m->scale * (here[l] - there[l]) -
                                m->lambda * (to[l] - p->x[i][l]));
    }
}

static void network_move(const hs_model *base, hs_point *p, int i,
                         const int16_t *to, const float *change)
{
    const struct network *m = (const struct network *)base;
    struct cache c = cache_of(m, p);
    struct scratch s = scratch_of(m, p);
    int count = replace(m, p, i, to, &s);

    for (int n = 0; n < count; n++) {
        memcpy(c.out[s.which[n]], s.changed[n], sizeof *c.out);
        memcpy(c.column[s.which[n]], s.moved[n], sizeof *c.column);
    }
    for (int l = 0; l < HS_LANES; l++) {
        p->x[i][l] = to[l];
        p->u[l] += (double)change[l];
    }
    p->have &= ~(unsigned)HS_GRAD;
}

/* --- life ---------------------------------------------------------------- */

static void network_destroy(hs_model *base)
{
    struct network *m = (struct network *)base;

    hs_dataset_clear(&m->data);
}

static const void *network_structure(const hs_model *base, hs_structure kind)
{
    const struct network *m = (const struct network *)base;

    return kind == HS_STRUCTURE_NETWORK ? &m->form : NULL;
}

static hs_model_work network_work(const hs_model *base)
{
    const struct network *m = (const struct network *)base;

    return (hs_model_work){.family = "network",
                           .terms = (double)m->form.cases * base->domain.dim};
}

static const hs_model_ops network_ops = {
    .evaluate = network_evaluate,
    .destroy = network_destroy,
    .differences = network_differences,
    .move = network_move,
    .structure = network_structure,
    .work = network_work,
};

/* Goes unit by unit, so that the a of a unit are computed once. */
static hiss_status set_order(struct network *m, hiss_error *err)
{
    int dim = m->base.domain.dim, at = 0;

    m->base.order = hs_alloc_array((size_t)dim, sizeof *m->base.order);
    if (!m->base.order)
        return hs_fail_memory(err);
    for (int j = 0; j < m->hidden; j++)
        for (int i = j; i < dim - 1; i += m->hidden)
            m->base.order[at++] = i;
    m->base.order[at] = dim - 1;
    return HISS_OK;
}

static hiss_status set_sizes(struct network *m, hiss_error *err)
{
    int64_t dim = ((int64_t)m->width + 1) * m->hidden + 1;
    size_t count = (size_t)m->data.part[HS_FITTED].count;

    if (dim > HS_NETWORK_DIM_MAX)
        return hs_fail(err, HISS_ELIMIT,
                       "model bnn: %lld weights, at most %d are possible",
                       (long long)dim, HS_NETWORK_DIM_MAX);
    HS_TRY(hs_domain_init(&m->base.domain, HISS_BINARY, (int)dim, 2, err));
    m->rows = (m->hidden * HS_CHAINS + HS_LANES - 1) / HS_LANES;
    m->block = (int)(BLOCK_BYTES / sizeof(hs_float_row)) / (PARTS * m->rows);
    m->block = m->block < 16 ? 16 : m->block;
    m->block = m->block > (int)count ? (int)count : m->block;
    m->base.cache_bytes = (2 * count + 1) * sizeof(hs_float_row);
    m->base.scratch_bytes = scratch_bytes(m);
    return set_order(m, err);
}

hiss_status hs_network_create(hs_model **out, hs_dataset *data,
                              const hs_network_options *options,
                              hiss_error *err)
{
    struct network *m = hs_alloc_array(1, sizeof *m);
    hiss_status rc;

    *out = NULL;
    if (!m) {
        hs_dataset_clear(data);
        return hs_fail_memory(err);
    }
    m->base.ops = &network_ops;
    m->base.uses_blas = hs_gemm_is_blas();
    m->data = *data;
    *data = (hs_dataset){0};
    m->base.note = m->data.note;
    m->data.note = NULL;
    m->hidden = options->hidden;
    m->width = m->data.inputs + 1;
    m->scale = options->scale;
    m->lambda = options->lambda;
    m->form = (hs_network_form){.cases = m->data.part[HS_FITTED].count,
                                .inputs = m->data.inputs,
                                .hidden = m->hidden,
                                .input = m->data.part[HS_FITTED].input,
                                .target = m->data.part[HS_FITTED].target,
                                .scale = m->scale,
                                .lambda = m->lambda};
    rc = set_sizes(m, err);
    if (rc != HISS_OK) {
        hs_model_destroy(&m->base);
        return rc;
    }
    *out = &m->base;
    return HISS_OK;
}

/* --- what it says of other cases ----------------------------------------- */

const hs_dataset *hs_network_data(const hs_model *m)
{
    return m->ops == &network_ops ? &((const struct network *)m)->data : NULL;
}

int hs_network_hidden(const hs_model *m)
{
    return m->ops == &network_ops ? ((const struct network *)m)->hidden : 0;
}

void hs_network_predict(const hs_model *base, hs_point *p, hs_dataset_part part,
                        float (*out)[HS_LANES])
{
    const struct network *m = (const struct network *)base;
    const hs_cases *cases = &m->data.part[part];
    struct scratch s = scratch_of(m, p);

    for (int k = 0; k < PARTS; k++) {
        to_weights(m, p, k * HS_CHAINS, &s.part[k]);
        for (int n = 0; n < cases->count; n += m->block) {
            int rest = cases->count - n;

            forward(m, &s.part[k], cases->input + (size_t)n * (size_t)m->width,
                    rest < m->block ? rest : m->block, k * HS_CHAINS, out + n);
        }
    }
    for (int n = 0; n < cases->count; n++) {
        hs_float_row minus;

        for (int l = 0; l < HS_LANES; l++)
            minus[l] = -out[n][l];
        hs_lanes()->exp(minus, minus);
        for (int l = 0; l < HS_LANES; l++)
            out[n][l] = 1.0f / (1.0f + minus[l]);
    }
}
