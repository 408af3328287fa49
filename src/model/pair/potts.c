/* potts.c - the periodic Potts lattice in two or three dimensions.
 *
 *     U(x) = beta sum_<ij> [x_i = x_j] + field sum_i [x_i = 0],
 * each periodic bond once, so that side 2 has them doubled. U is linear in each
 * one-hot coordinate, so the rows are exact.  With two states and no field it
 * is the Ising lattice at beta / 2, up to a constant. */
#include <stddef.h>

#include "base/alloc.h"
#include "base/error.h"
#include "lanes/lanes.h"
#include "model/factors.h"
#include "model/model.h"
#include "model/pair/lattice.h"
#include "model/slope.h"
#include "model/sparse.h"

struct potts {
    hs_model base;
    hs_sparse j;
    int states;
    hs_label_form labels; /* borrows from j */
};

struct potts_options {
    int side, states;
    double beta, field;
    int dims;
};

#define AT(field) offsetof(struct potts_options, field)
static const hs_option potts_options[] = {
    {"side", HS_INTEGER, AT(side), NULL, "[2,32767]", "sites along an edge"},
    {"states", HS_INTEGER, AT(states), NULL, "[2,32767]", "labels of a site"},
    {"beta", HS_REAL, AT(beta), NULL, "[-1e6,1e6]", "coupling of a bond"},
    {"field", HS_REAL, AT(field), "0", "[-1e6,1e6]", "field on label 0"},
    {"dims", HS_INTEGER, AT(dims), "2", "[2,3]", "dimensions"},
    {0},
};

/* Computes h_ic + sum_j J_ij [x_j = c] of one site and label, in double. */
static void wide_sum(const struct potts *m, const hs_point *p, int i, int c,
                     double *sum)
{
    double field = hs_sparse_field(&m->j, (int64_t)i * m->states + c);

    for (int l = 0; l < HS_LANES; l++)
        sum[l] = field;
    for (int64_t e = m->j.start[i]; e < m->j.start[i + 1]; e++) {
        const int16_t *x = p->x[m->j.column[e]];
        double value = hs_sparse_value(&m->j, e);

        for (int l = 0; l < HS_LANES; l++)
            sum[l] += x[l] == c ? value : 0.0;
    }
}

/* Adds h_i(x_i) + 1/2 sum_j J_ij [x_j = x_i] of one site to u. */
static void wide_energy(const struct potts *m, const hs_point *p, int i,
                        double *u)
{
    const int16_t *own = p->x[i];

    for (int l = 0; l < HS_LANES; l++)
        u[l] += hs_sparse_field(&m->j, (int64_t)i * m->states + own[l]);
    for (int64_t e = m->j.start[i]; e < m->j.start[i + 1]; e++) {
        const int16_t *x = p->x[m->j.column[e]];
        double half = 0.5 * hs_sparse_value(&m->j, e);

        for (int l = 0; l < HS_LANES; l++)
            u[l] += x[l] == own[l] ? half : 0.0;
    }
}

static void wide_rows(const struct potts *m, const hs_point *p, int first,
                      int last, hs_float_row *out, double *u)
{
    double(*sum)[HS_LANES] = p->scratch;

    for (int i = first; i < last; i++) {
        for (int c = 0; out && c < m->states; c++)
            wide_sum(m, p, i, c, sum[c]);
        if (out)
            hs_slope_labels(m->states, p->x[i], (const double(*)[HS_LANES])sum,
                            out + (int64_t)(i - first) * m->states);
        if (u)
            wide_energy(m, p, i, u);
    }
}

static void potts_rows(const hs_model *base, const hs_point *p, int first,
                       int last, hs_float_row *out, double *u)
{
    const struct potts *m = (const struct potts *)base;

    if (hs_model_is_wide(base)) {
        wide_rows(m, p, first, last, out, u);
        return;
    }

    hs_lanes()->potts_rows(&m->j, m->states, first, last,
                           (const hs_index_row *)p->x, out, u);
}

/* Adds a table per bond and per field. */
static hiss_status add_factors(const struct potts *m, hs_factors *out,
                               hiss_error *err)
{
    double *t;

    for (int i = 0; i < m->j.dim; i++) {
        if (m->j.field) {
            HS_TRY(hs_factors_add(out, 1, &i, NULL, &t, err));
            for (int c = 0; c < m->states; c++)
                t[c] = hs_sparse_field(&m->j, (int64_t)i * m->states + c);
        }
        for (int64_t e = m->j.start[i]; e < m->j.start[i + 1]; e++) {
            int scope[2] = {i, m->j.column[e]};

            if (scope[1] < i)
                continue;
            HS_TRY(hs_factors_add(out, 2, scope, NULL, &t, err));
            for (int64_t c = 0; c < m->states; c++)
                t[c * m->states + c] = hs_sparse_value(&m->j, e);
        }
    }
    return HISS_OK;
}

static hiss_status potts_factors(const hs_model *base, hs_factors *out,
                                 hiss_error *err)
{
    const struct potts *m = (const struct potts *)base;
    double entries = 0.5 * (double)m->j.start[m->j.dim] * m->states * m->states;
    hiss_status rc;

    if (entries > (double)HS_FACTOR_MAX)
        return hs_fail(err, HISS_ELIMIT,
                       "the tables of all bonds have more than 2^30 entries");
    HS_TRY(hs_factors_init(out, m->j.dim, base->domain.states, err));
    rc = add_factors(m, out, err);
    if (rc != HISS_OK)
        hs_factors_clear(out);
    return rc;
}

static const void *potts_structure(const hs_model *base, hs_structure kind)
{
    const struct potts *m = (const struct potts *)base;

    return kind == HS_STRUCTURE_LABELS && !hs_model_is_wide(base) ? &m->labels
                                                                  : NULL;
}

static void potts_destroy(hs_model *base)
{
    hs_sparse_clear(&((struct potts *)base)->j);
}

static hs_model_work potts_work(const hs_model *base)
{
    const struct potts *m = (const struct potts *)base;

    return (hs_model_work){.family = hs_model_is_wide(base) ? "labels_wide"
                                                            : "labels",
                           .terms = (double)m->j.start[m->j.dim]};
}

static hiss_status potts_scaled(hs_model **out, const hs_model *base,
                                double factor, hiss_error *err);

static const hs_model_ops potts_ops = {
    .rows = potts_rows,
    .destroy = potts_destroy,
    .factors = potts_factors,
    .structure = potts_structure,
    .work = potts_work,
    .scaled = potts_scaled,
};

static hiss_status set_field(hs_sparse *j, int states, double field,
                             hiss_error *err)
{
    int64_t count = (int64_t)j->dim * states;
    double *all;
    hiss_status rc;

    if (field == 0.0)
        return HISS_OK;
    all = hs_alloc_array((size_t)count, sizeof *all);
    for (int i = 0; all && i < j->dim; i++)
        all[(size_t)i * (size_t)states] = field;
    rc = all ? hs_sparse_set_field(j, all, count, err) : hs_fail_memory(err);
    hs_free(all);
    return rc;
}

/* Without a field changes of U are multiples of beta, as in hs_sparse_gauge. */
static hiss_status choose_precision(struct potts *m, double field,
                                    hiss_error *err)
{
    hs_precision *p = &m->base.precision;
    hs_gauge g;

    HS_TRY(hs_gauge_init(&g, 1, err));
    for (int64_t e = m->j.start[0]; e < m->j.start[1]; e++)
        hs_gauge_add(&g, 0, hs_sparse_value(&m->j, e));
    hs_gauge_add(&g, 0, field);
    *p = hs_gauge_read(&g, 1.0);
    hs_gauge_clear(&g);
    if (p->kind == HS_PRECISION_DOUBLE && field == 0.0)
        p->kind = HS_PRECISION_UNIFORM;
    if (p->kind == HS_PRECISION_DOUBLE)
        m->base.scratch_bytes = (size_t)m->states * sizeof(double[HS_LANES]);
    return HISS_OK;
}

/* Takes ownership of couplings and fields, also on failure. */
static hiss_status potts_build(hs_model **out, int states, double field,
                               hs_sparse *j, hiss_error *err)
{
    struct potts *m = hs_alloc_array(1, sizeof *m);
    hiss_status rc;

    *out = NULL;
    if (!m) {
        hs_sparse_clear(j);
        return hs_fail_memory(err);
    }
    m->base.ops = &potts_ops;
    m->base.exact_rows = true;
    m->states = states;
    m->j = *j;
    m->labels = (hs_label_form){.j = &m->j, .states = states};
    rc = hs_domain_init(&m->base.domain, HISS_CATEGORICAL, m->j.dim, states,
                        err);
    if (rc == HISS_OK)
        rc = choose_precision(m, field, err);
    if (rc == HISS_OK)
        rc = hs_sparse_order(&m->base.order, &m->j, false, err);
    if (rc != HISS_OK) {
        hs_model_destroy(&m->base);
        return rc;
    }
    *out = &m->base;
    return HISS_OK;
}

static hiss_status potts_scaled(hs_model **out, const hs_model *base,
                                double factor, hiss_error *err)
{
    const struct potts *m = (const struct potts *)base;
    hs_sparse j;

    *out = NULL;
    HS_TRY(
        hs_sparse_scale(&j, &m->j, factor, (int64_t)m->j.dim * m->states, err));
    return potts_build(out, m->states, hs_sparse_field(&j, 0), &j, err);
}

static hiss_status potts_create(hs_model **out, const void *options,
                                hiss_error *err)
{
    const struct potts_options *o = options;
    hs_domain domain;
    hs_sparse j;
    hiss_status rc;
    int sites;

    HS_TRY(hs_lattice_sites(&sites, o->side, o->dims, err));
    /* fails on too many values before anything is built */
    HS_TRY(hs_domain_init(&domain, HISS_CATEGORICAL, sites, o->states, err));
    hs_domain_clear(&domain);
    HS_TRY(hs_lattice_init(&j, o->side, o->dims, o->beta, true, err));
    rc = set_field(&j, o->states, o->field, err);
    if (rc == HISS_OK)
        return potts_build(out, o->states, o->field, &j, err);
    hs_sparse_clear(&j);
    return rc;
}

const hs_model_type hs_model_potts = {
    .name = "potts",
    .summary = "periodic Potts lattice, 2 or 3 dimensions (categorical)",
    .size = sizeof(struct potts_options),
    .options = potts_options,
    .create = potts_create,
};
