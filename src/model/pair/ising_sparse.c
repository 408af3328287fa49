/* ising_sparse.c - sparse pair models; the work is in lanes/rows/ising.c.
 *
 * The primitive gives dU/ds.  Where s = 2x - 1 over 0/1 coordinates the rows
 * must be dU/dx = 2 dU/ds: J and h are stored doubled, and the doubled U is
 * halved again, both without rounding. */
#include "model/pair/ising_sparse.h"

#include <math.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "lanes/lanes.h"
#include "model/builders.h"
#include "model/factors.h"
#include "model/pair/scan.h"
#include "model/sparse.h"

struct ising {
    hs_model base;
    hs_sparse j;        /* couplings and fields times scale */
    float low, gap;     /* s = low + gap index */
    float scale;        /* ds/dx */
    float *diagonal;    /* owned, [dim], times scale; or NULL */
    hs_regular graph;   /* borrows from j and from: */
    int *blocks;        /* owned, or NULL if the graph is not regular */
    uint8_t *level;     /* owned, [dim / 4] of graph */
    hs_scan scan;       /* empty if couplings differ or the graph is regular */
    hs_pair_form pairs; /* borrows from j */
    double *full;       /* owned, [dim * dim], or NULL: couplings of wide models
                           in which most pairs are coupled; rows then come from
                           here */
    hs_dense_wide wide; /* borrows from full */
};

static void values_of(const struct ising *m, const hs_point *p,
                      double (*s)[HS_LANES])
{
    for (int i = 0; i < m->j.dim; i++)
        for (int l = 0; l < HS_LANES; l++)
            s[i][l] = (double)(m->low + m->gap * (float)p->x[i][l]);
}

static void ising_exact_rows(const struct ising *m, const hs_point *p,
                             int first, int last, hs_float_row *out, double *u)
{
    const hs_index_row *x = (const hs_index_row *)p->x;
    double scaled[HS_LANES] = {0};
    double weight = 1.0 / (double)m->scale;

    if (m->full) {
        values_of(m, p, p->scratch);
        hs_lanes()->dense_rows_wide(&m->wide, first, last, p->scratch, out,
                                    u ? scaled : NULL);
    } else if (!out && m->blocks && !m->j.field) {
        hs_lanes()->regular_energy(&m->graph, first, last, x, scaled);
        weight = 1.0; /* it is already U */
    } else {
        hs_lanes()->ising_rows(&m->j, m->low, m->gap, first, last, x, out,
                               u ? scaled : NULL);
    }
    for (int l = 0; u && l < HS_LANES; l++)
        u[l] += weight * scaled[l];
}

static void ising_rows(const hs_model *base, const hs_point *p, int first,
                       int last, hs_float_row *out, double *u)
{
    const struct ising *m = (const struct ising *)base;

    ising_exact_rows(m, p, first, last, out, u);
    if (m->diagonal && out)
        hs_lanes()->ising_diagonal(m->diagonal, m->low, m->gap, first, last,
                                   (const hs_index_row *)p->x, out);
}

/* Rows without the diagonal are exact. */
static void ising_differences(const hs_model *base, const hs_point *p, int i,
                              hs_float_row *out)
{
    const struct ising *m = (const struct ising *)base;
    hs_float_row row;

    ising_exact_rows(m, p, i, i + 1, &row, NULL);
    for (int l = 0; l < HS_LANES; l++) {
        int x = p->x[i][l];
        float step = x ? -base->domain.gap : base->domain.gap;

        out[x][l] = 0.0f;
        out[1 - x][l] = step * row[l];
    }
}

/* Whether U is exactly offset + J/2 times a whole number: that number is below
 * 2^29, J has 24 bits, and the offset is a multiple of J's last bit. */
static bool is_whole(const struct ising *m)
{
    double coupling =
        (double)(m->scan.column ? m->scan.coupling : m->j.uniform);
    double half = 0.5 * coupling / (double)m->scale, count;
    int exponent;

    if (coupling == 0.0 || m->j.field || m->j.start[m->j.dim] >= 1 << 28 ||
        (m->scan.middle && !hs_scan_is_exact(&m->j)))
        return false;
    frexp(half, &exponent);
    count = ldexp(m->base.offset, 24 - exponent);
    return count == rint(count) && fabs(count) < 0x1p51;
}

/* Adds a table per coupling and per field. */
static hiss_status add_factors(const struct ising *m, hs_factors *out,
                               hiss_error *err)
{
    double s[2] = {(double)m->low, (double)m->low + (double)m->gap};

    for (int i = 0; i < m->j.dim; i++) {
        double h = hs_sparse_field(&m->j, i) / (double)m->scale;
        double field[2] = {h * s[0], h * s[1]};

        if (h != 0.0)
            HS_TRY(hs_factors_add(out, 1, &i, field, NULL, err));
        for (int64_t e = m->j.start[i]; e < m->j.start[i + 1]; e++) {
            int scope[2] = {i, m->j.column[e]};
            double v = hs_sparse_value(&m->j, e) / (double)m->scale;
            double table[4] = {v * s[0] * s[0], v * s[0] * s[1],
                               v * s[1] * s[0], v * s[1] * s[1]};

            if (scope[1] > i)
                HS_TRY(hs_factors_add(out, 2, scope, table, NULL, err));
        }
    }
    return HISS_OK;
}

static hiss_status ising_factors(const hs_model *base, hs_factors *out,
                                 hiss_error *err)
{
    const struct ising *m = (const struct ising *)base;
    hiss_status rc;

    HS_TRY(hs_factors_init(out, m->j.dim, base->domain.states, err));
    out->constant = base->offset;
    rc = add_factors(m, out, err);
    if (rc != HISS_OK)
        hs_factors_clear(out);
    return rc;
}

static const void *ising_structure(const hs_model *base, hs_structure kind)
{
    const struct ising *m = (const struct ising *)base;

    switch (kind) {
    case HS_STRUCTURE_PAIRS:
        return &m->pairs;
    case HS_STRUCTURE_REGULAR:
        return m->blocks && !m->diagonal ? &m->graph : NULL;
    case HS_STRUCTURE_SIGNED:
        return m->scan.column ? &m->scan : NULL;
    case HS_STRUCTURE_DENSE_WIDE:
        return m->full ? &m->wide : NULL;
    default:
        return NULL;
    }
}

static void ising_destroy(hs_model *base)
{
    struct ising *m = (struct ising *)base;

    hs_sparse_clear(&m->j);
    hs_scan_clear(&m->scan);
    hs_free(m->diagonal);
    hs_free(m->blocks);
    hs_free(m->level);
    hs_free(m->full);
}

static hs_model_work ising_work(const hs_model *base)
{
    const struct ising *m = (const struct ising *)base;
    double terms = (double)m->j.start[m->j.dim];

    if (m->full)
        return (hs_model_work){.family = "dense_wide",
                               .terms = (double)m->j.dim * m->j.dim};
    return (hs_model_work){.family = m->j.is_wide     ? "sparse_wide"
                                     : m->blocks      ? "lattice"
                                     : m->scan.column ? "signed"
                                                      : "sparse",
                           .terms = terms};
}

/* Halves what was doubled, so that it can be doubled again. */
static hiss_status ising_scaled(hs_model **out, const hs_model *base,
                                double factor, hiss_error *err)
{
    const struct ising *m = (const struct ising *)base;
    size_t dim = (size_t)m->j.dim;
    double scale = (double)m->scale;
    hs_ising options = {.kind = base->domain.kind[0],
                        .has_spins = m->scale != 1.0f,
                        .offset = factor * base->offset};
    float *diagonal = hs_alloc_array(m->diagonal ? dim : 0, sizeof *diagonal);
    hs_sparse j;
    hiss_status rc;

    *out = NULL;
    if (!diagonal)
        return hs_fail_memory(err);
    for (size_t i = 0; m->diagonal && i < dim; i++) {
        diagonal[i] = (float)(factor * (double)m->diagonal[i] / scale);
        /* hs_ising_create adds half of each */
        options.offset -= 0.5 * (double)diagonal[i];
    }
    options.diagonal = m->diagonal ? diagonal : NULL;
    rc = hs_sparse_scale(&j, &m->j, factor / scale, m->j.dim, err);
    if (rc == HISS_OK)
        rc = hs_ising_create(out, &options, &j, err);
    hs_free(diagonal);
    return rc;
}

static const hs_model_ops ising_ops = {
    .rows = ising_rows,
    .destroy = ising_destroy,
    .differences = ising_differences,
    .factors = ising_factors,
    .structure = ising_structure,
    .work = ising_work,
    .scaled = ising_scaled,
};

static bool is_regular(const hs_sparse *j)
{
    int64_t degree = j->dim > 0 ? j->start[1] : 0;

    if (j->uniform == 0.0f || degree < 1 || degree > HS_DEGREE_MAX)
        return false;
    for (int i = 0; i < j->dim; i++)
        if (j->start[i + 1] != degree * (i + 1) ||
            (j->field && j->field[i] != j->field[0]))
            return false;
    return true;
}

/* Orders blocks of sites by the last block that they read, if that pays: blocks
 * that read the very last one (around a periodic lattice) come last. */
static void order_blocks(const hs_sparse *j, int blocks, int *last, int *order,
                         int *after)
{
    int placed = 0;

    for (int b = 0; b < blocks; b++) {
        int64_t end = (int64_t)(b + 1) * HS_REGULAR_BLOCK;
        int64_t stop = j->start[end < j->dim ? end : j->dim];

        last[b] = b;
        for (int64_t e = j->start[(int64_t)b * HS_REGULAR_BLOCK]; e < stop; e++)
            if (j->column[e] / HS_REGULAR_BLOCK > last[b])
                last[b] = j->column[e] / HS_REGULAR_BLOCK;
    }
    for (int b = 0; b < blocks; b++)
        if (last[b] < blocks - 1) {
            order[placed] = b;
            after[placed++] = last[b];
        }
    for (int b = 0; b < blocks; b++)
        if (last[b] == blocks - 1) {
            order[placed] = b;
            after[placed++] = last[b];
        }
}

/* Whether the neighbors of site first + b are b sites after those of first. */
static bool is_level(const hs_sparse *j, int first)
{
    const int *column = j->column + j->start[first];
    int64_t degree = j->start[1];

    for (int b = 1; b < 4; b++)
        for (int64_t k = 0; k < degree; k++)
            if (column[b * degree + k] != column[k] + b)
                return false;
    return true;
}

/* Fills m->graph if every site has the same number of neighbors, the same
 * couplings and the same field. */
static hiss_status find_regular(struct ising *m, hiss_error *err)
{
    const hs_sparse *j = &m->j;
    int blocks = (j->dim + HS_REGULAR_BLOCK - 1) / HS_REGULAR_BLOCK;

    if (!is_regular(j))
        return HISS_OK;
    m->blocks = hs_alloc_array((size_t)blocks, 3 * sizeof *m->blocks);
    m->level = hs_alloc_array((size_t)j->dim / 4 + 1, 1);
    if (!m->blocks || !m->level)
        return hs_fail_memory(err);
    for (int n = 0; n < j->dim / 4; n++)
        m->level[n] = is_level(j, 4 * n);
    order_blocks(j, blocks, m->blocks + 2 * (size_t)blocks, m->blocks,
                 m->blocks + blocks);
    m->graph = (hs_regular){.dim = j->dim,
                            .degree = (int)j->start[1],
                            .column = j->column,
                            .low = m->low,
                            .gap = m->gap,
                            .coupling = j->uniform,
                            .field = j->field ? j->field[0] : 0.0f,
                            .step = m->base.domain.gap,
                            .scale = m->scale,
                            .blocks = blocks,
                            .block = m->blocks,
                            .after = m->blocks + blocks,
                            .level = m->level};
    return HISS_OK;
}

static hiss_status find_order(struct ising *m, hiss_error *err)
{
    bool scans = !m->blocks && !m->j.is_wide && hs_scan_fits(&m->j);

    HS_TRY(hs_sparse_order(&m->base.order, &m->j, scans, err));
    HS_TRY(hs_sparse_apart(&m->base.apart, &m->j, m->base.order, err));
    if (!scans)
        return HISS_OK;
    return hs_scan_init(&m->scan, &m->j, m->base.order, m->low, m->gap,
                        m->base.domain.gap, err);
}

/* Doubling J, h and the diagonal is exact. */
static hiss_status apply_scale(struct ising *m, const float *diagonal,
                               hiss_error *err)
{
    int dim = m->j.dim;
    double constant = 0.0;

    for (int64_t e = 0; m->j.value && e < m->j.start[dim]; e++)
        m->j.value[e] *= m->scale;
    for (int64_t e = 0; m->j.exact && e < m->j.start[dim]; e++)
        m->j.exact[e] *= (double)m->scale;
    for (int i = 0; m->j.field && i < dim; i++)
        m->j.field[i] *= m->scale;
    for (int i = 0; m->j.exact_field && i < dim; i++)
        m->j.exact_field[i] *= (double)m->scale;
    m->j.uniform *= m->scale;
    m->j.given *= (double)m->scale;
    if (!diagonal)
        return HISS_OK;
    m->diagonal = hs_alloc_array((size_t)dim, sizeof *m->diagonal);
    if (!m->diagonal)
        return hs_fail_memory(err);
    for (int i = 0; i < dim; i++) {
        m->diagonal[i] = m->scale * diagonal[i];
        constant += 0.5 * (double)diagonal[i];
    }
    m->base.offset += constant;
    return HISS_OK;
}

/* Fills m->full if a quarter of all pairs is coupled, as for a dense model. */
static hiss_status fill_up(struct ising *m, hiss_error *err)
{
    size_t dim = (size_t)m->j.dim;

    if (m->j.dim < HS_DENSE_DIM ||
        m->j.start[m->j.dim] < (int64_t)m->j.dim * m->j.dim / 4)
        return HISS_OK;
    m->full = hs_alloc_array(dim, dim * sizeof *m->full);
    if (!m->full)
        return hs_fail_memory(err);
    for (size_t i = 0; i < dim; i++)
        for (int64_t e = m->j.start[i]; e < m->j.start[i + 1]; e++)
            m->full[i * dim + (size_t)m->j.column[e]] = m->j.exact[e];
    m->wide = (hs_dense_wide){.dim = m->j.dim,
                              .j = m->full,
                              .h = m->j.exact_field,
                              .low = m->low,
                              .gap = m->gap,
                              .step = m->base.domain.gap,
                              .scale = m->scale};
    m->base.scratch_bytes = dim * sizeof(double[HS_LANES]);
    return HISS_OK;
}

/* The stored odds of a point would be those of rounded rows, and U would no
 * longer follow from them.  So a wide model is not treated as quadratic. */
static hiss_status choose_precision(struct ising *m, hiss_error *err)
{
    hs_model *base = &m->base;

    HS_TRY(hs_sparse_gauge(&m->j, (double)base->domain.gap, &base->precision,
                           err));
    base->is_quadratic = base->precision.kind != HS_PRECISION_DOUBLE;
    if (base->is_quadratic)
        return HISS_OK;
    HS_TRY(hs_sparse_widen(&m->j, err));
    return fill_up(m, err);
}

hiss_status hs_ising_create(hs_model **out, const hs_ising *options,
                            hs_sparse *j, hiss_error *err)
{
    struct ising *m = hs_alloc_array(1, sizeof *m);
    hiss_status rc;

    *out = NULL;
    if (!m) {
        hs_sparse_clear(j);
        return hs_fail_memory(err);
    }
    m->base.ops = &ising_ops;
    m->base.offset = options->offset;
    m->base.exact_rows = options->diagonal == NULL;
    m->j = *j;
    memset(j, 0, sizeof *j);
    rc = hs_domain_init(&m->base.domain, options->kind, m->j.dim, 2, err);
    if (rc == HISS_OK) {
        m->low = options->has_spins ? -1.0f : m->base.domain.low;
        m->gap = options->has_spins ? 2.0f : m->base.domain.gap;
        m->scale = m->gap / m->base.domain.gap;
        rc = apply_scale(m, options->diagonal, err);
    }
    if (rc == HISS_OK)
        rc = choose_precision(m, err);
    if (rc == HISS_OK)
        rc = find_regular(m, err);
    if (rc == HISS_OK)
        rc = find_order(m, err);
    if (rc != HISS_OK) {
        hs_model_destroy(&m->base);
        return rc;
    }
    m->pairs = (hs_pair_form){.j = &m->j,
                              .low = m->low,
                              .gap = m->gap,
                              .step = m->base.domain.gap,
                              .scale = m->scale,
                              .is_whole = is_whole(m),
                              .diagonal = m->diagonal};
    *out = &m->base;
    return HISS_OK;
}
