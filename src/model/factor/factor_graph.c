/* factor_graph.c - U as a sum of tables over a few coordinates each.
 *
 *     U(x) = constant + sum_f table_f(x_scope(f))
 * The rows are exact single-site differences: for two values U(high) - U(low)
 * over their gap, for labels U with each of them (up to what does not depend on
 * the coordinate), for more than two levels the parabola of slope.h.  A
 * coordinate reads the entries that it touches, and U reads one entry per
 * factor. Entries may be -infinity.  Every table is added to U once, with its
 * last coordinate, so nothing is subtracted and no infinity cancels. In a
 * possible state a row is finite, or an infinity that points away from an
 * impossible value. It is 0 between two impossible values.
 *
 * Tables over one or two coordinates with at most two values and without
 * -infinity are a quadratic form in the indices,
 *     T(x, y) = T00 + (T10 - T00) x + (T01 - T00) y
 *               + (T11 - T10 - T01 + T00) x y,
 * whose rows lanes/rows/ising.c computes without table lookups. If all tables
 * have this form, U comes from it too, in double; otherwise it comes from the
 * tables.
 *
 * Not here: the search for a possible state (feasible.c), states to begin a
 * search for modes from (ancestral.c). */
#include "model/factor/factor_graph.h"

#include <math.h>

#include "base/alloc.h"
#include "base/error.h"
#include "lanes/lanes.h"
#include "model/factor/ancestral.h"
#include "model/factor/factor_tables.h"
#include "model/factor/feasible.h"
#include "model/slope.h"
#include "model/sparse.h"

typedef double double_row[HS_LANES];

struct graph {
    hs_model base;
    hs_factors factors;
    hs_tables once; /* for U */
    hs_tables all;  /* for rows; without the tables in pairs */
    bool has_pairs; /* rows are one per coordinate and start from pairs */
    hs_sparse pairs;
    float gap; /* gap of two-valued coordinates, if has_pairs */
    /* if all tables are in pairs: U with all indices 0, without the offset; and
     * the other terms of U, owned: by entry of pairs, by coordinate */
    double low;
    double *coupling, *field;
    hs_pair_form form;    /* all of U as pairs; set if it has that form */
    hs_table_form tables; /* borrows from the fields above */
};

static void level_row(const hs_domain *d, const hs_point *p, int i,
                      const double_row *sum, hs_float_row *out)
{
    int states = d->states[i];

    for (int l = 0; l < HS_LANES; l++) {
        int x = p->x[i][l];

        (*out)[l] = hs_slope_level(d->values + d->value[i], states, x,
                                   x > 0 ? sum[x - 1][l] : 0.0, sum[x][l],
                                   x + 1 < states ? sum[x + 1][l] : 0.0);
    }
}

/* Computes the rows of one coordinate from the sums of its tables. */
static void coordinate_rows(const struct graph *m, const hs_point *p, int i,
                            const double_row *sum, hs_float_row *out)
{
    const hs_domain *d = &m->base.domain;
    const float *value = d->values + d->value[i];
    int states = d->states[i];

    if (d->kind[i] == HISS_CATEGORICAL && hs_model_is_wide(&m->base)) {
        hs_slope_labels(states, p->x[i], sum, out);
    } else if (d->kind[i] == HISS_CATEGORICAL) {
        for (int v = 0; v < states; v++)
            for (int l = 0; l < HS_LANES; l++)
                out[v][l] = (float)sum[v][l];
    } else if (states == 2) {
        for (int l = 0; l < HS_LANES; l++)
            (*out)[l] =
                hs_slope_pair(sum[0][l], sum[1][l], value[1] - value[0]);
    } else {
        level_row(d, p, i, sum, out);
    }
}

/* Adds the other tables of two-valued coordinate i to its row. */
static void add_row(const struct graph *m, const hs_point *p, int i,
                    hs_float_row *row)
{
    double_row *sum = p->scratch;

    hs_lanes()->factor_sums(&m->all, i, 2, (const hs_index_row *)p->x, sum);
    for (int l = 0; l < HS_LANES; l++) {
        bool is_impossible = isinf(sum[0][l]) && isinf(sum[1][l]);

        (*row)[l] =
            is_impossible
                ? 0.0f
                : (*row)[l] + hs_slope_pair(sum[0][l], sum[1][l], m->gap);
    }
}

static void pair_rows(const struct graph *m, const hs_point *p, int first,
                      int last, hs_float_row *out)
{
    hs_lanes()->ising_rows(&m->pairs, 0.0f, 1.0f, first, last,
                           (const hs_index_row *)p->x, out, NULL);
    for (int i = first; i < last; i++)
        if (m->all.start[i] < m->all.start[i + 1])
            add_row(m, p, i, out + (i - first));
}

/* Adds the quadratic form to U. */
static void pair_energy(const struct graph *m, const hs_point *p, int first,
                        int last, double *u)
{
    hs_lanes()->index_energy(&m->pairs, m->coupling, m->field, first, last,
                             (const hs_index_row *)p->x, u);
    for (int l = 0; first == 0 && l < HS_LANES; l++)
        u[l] += m->low;
}

static void graph_rows(const hs_model *base, const hs_point *p, int first,
                       int last, hs_float_row *out, double *u)
{
    const struct graph *m = (const struct graph *)base;
    const hs_domain *d = &base->domain;
    const hs_index_row *x = (const hs_index_row *)p->x;
    double_row *sum = p->scratch;

    if (u && m->coupling)
        pair_energy(m, p, first, last, u);
    else if (u)
        hs_lanes()->factor_energy(&m->once, first, last, x, u);
    if (!out)
        return;
    if (m->has_pairs) {
        pair_rows(m, p, first, last, out);
        return;
    }
    for (int i = first; i < last; i++) {
        hs_lanes()->factor_sums(&m->all, i, d->states[i], x, sum);
        coordinate_rows(m, p, i, (const double_row *)sum,
                        out + (d->row[i] - d->row[first]));
    }
}

static void pair_differences(const struct graph *m, const hs_point *p, int i,
                             hs_float_row *out)
{
    hs_float_row row;

    pair_rows(m, p, i, i + 1, &row);
    for (int l = 0; l < HS_LANES; l++) {
        int x = p->x[i][l];
        float step = x ? -m->gap : m->gap;

        out[x][l] = 0.0f;
        if (m->base.domain.states[i] == 2)
            out[1 - x][l] = step * row[l];
    }
}

static void graph_differences(const hs_model *base, const hs_point *p, int i,
                              hs_float_row *out)
{
    const struct graph *m = (const struct graph *)base;
    double_row *sum = p->scratch;
    int states = base->domain.states[i];

    if (m->has_pairs) {
        pair_differences(m, p, i, out);
        return;
    }
    hs_lanes()->factor_sums(&m->all, i, states, (const hs_index_row *)p->x,
                            sum);
    for (int v = 0; v < states; v++)
        for (int l = 0; l < HS_LANES; l++) {
            double here = sum[p->x[i][l]][l], there = sum[v][l];

            out[v][l] =
                isinf(here) && isinf(there) ? 0.0f : (float)(there - here);
        }
}

static hiss_status graph_start(const hs_model *base, hs_point *p,
                               const hs_rng *rng, int lanes, hiss_error *err)
{
    const struct graph *m = (const struct graph *)base;

    p->have = 0;
    return hs_feasible_states(&m->factors, rng, lanes, p->x, err);
}

static hiss_status graph_scatter(const hs_model *base, hs_point *p,
                                 const hs_rng *rng, int lanes)
{
    const struct graph *m = (const struct graph *)base;

    (void)lanes;
    p->have = 0;
    return hs_ancestral_states(&m->factors, rng, p->x);
}

static const void *graph_structure(const hs_model *base, hs_structure kind)
{
    const struct graph *m = (const struct graph *)base;

    return kind == HS_STRUCTURE_TABLES ? &m->tables : NULL;
}

static const void *quadratic_structure(const hs_model *base, hs_structure kind)
{
    const struct graph *m = (const struct graph *)base;

    return kind == HS_STRUCTURE_PAIRS ? &m->form : graph_structure(base, kind);
}

static hiss_status graph_factors(const hs_model *base, hs_factors *out,
                                 hiss_error *err)
{
    const struct graph *m = (const struct graph *)base;

    return hs_factors_slice(out, &m->factors, NULL, err);
}

static void graph_destroy(hs_model *base)
{
    struct graph *m = (struct graph *)base;

    hs_tables_clear(&m->once);
    hs_tables_clear(&m->all);
    hs_sparse_clear(&m->pairs);
    hs_factors_clear(&m->factors);
    hs_free(m->coupling);
    hs_free(m->field);
}

static hs_model_work graph_work(const hs_model *base)
{
    const struct graph *m = (const struct graph *)base;
    const hs_tables *all = &m->all;
    double pairs = m->has_pairs ? (double)m->pairs.start[m->pairs.dim] : 0.0;
    double terms = pairs;

    if (base->ops->structure(base, HS_STRUCTURE_PAIRS))
        return (hs_model_work){.family = "pairs", .terms = pairs};
    for (int i = 0; i < base->domain.dim; i++)
        terms += (double)base->domain.states[i] *
                 (double)(all->start[i + 1] - all->start[i]);
    return (hs_model_work){.family = "tables", .terms = terms};
}

static const hs_model_ops graph_ops = {
    .rows = graph_rows,
    .destroy = graph_destroy,
    .differences = graph_differences,
    .scatter = graph_scatter,
    .factors = graph_factors,
    .structure = graph_structure,
    .work = graph_work,
};

/* Models with entries of -infinity. */
static const hs_model_ops constrained_ops = {
    .rows = graph_rows,
    .destroy = graph_destroy,
    .differences = graph_differences,
    .start = graph_start,
    .scatter = graph_scatter,
    .factors = graph_factors,
    .structure = graph_structure,
    .work = graph_work,
};

/* Quadratic forms over a pair domain. */
static const hs_model_ops quadratic_ops = {
    .rows = graph_rows,
    .destroy = graph_destroy,
    .differences = graph_differences,
    .scatter = graph_scatter,
    .factors = graph_factors,
    .structure = quadratic_structure,
    .work = graph_work,
};

/* Whether rows are one per coordinate and all pairs of values have the same
 * gap, which is stored in *gap. */
static bool has_pair_rows(const hs_domain *d, float *gap)
{
    *gap = 0.0f;
    for (int i = 0; i < d->dim; i++) {
        const float *value = d->values + d->value[i];

        if (d->states[i] > 2 || d->row[i + 1] - d->row[i] != 1)
            return false;
        if (d->states[i] == 1)
            continue;
        if (*gap != 0.0f && value[1] - value[0] != *gap)
            return false;
        *gap = value[1] - value[0];
    }
    if (*gap == 0.0f)
        *gap = 1.0f; /* all coordinates have one value */
    return true;
}

static bool is_quadratic(const hs_factors *f, int64_t n)
{
    if (f->scope_at[n + 1] - f->scope_at[n] > 2)
        return false;
    for (int64_t e = f->table_at[n]; e < f->table_at[n + 1]; e++)
        if (isinf(f->table[e]))
            return false;
    return true;
}

static bool are_quadratic(const hs_factors *f)
{
    for (int64_t n = 0; n < f->count; n++)
        if (!is_quadratic(f, n))
            return false;
    return true;
}

/* Adds the quadratic forms of tables that have one, divided by the gap, and
 * marks these tables.  Returns how many. */
static int64_t add_pairs(const hs_factors *f, double gap, hs_bond *bond,
                         int64_t *bonds, double *field, bool *marked)
{
    int64_t found = 0;

    for (int64_t n = 0; n < f->count; n++) {
        const int *scope = f->scope + f->scope_at[n];
        const double *t = f->table + f->table_at[n];

        marked[n] = is_quadratic(f, n);
        if (!marked[n])
            continue;
        found++;
        if (f->scope_at[n + 1] - f->scope_at[n] == 1) {
            field[scope[0]] += (t[1] - t[0]) / gap;
            continue;
        }
        field[scope[0]] += (t[2] - t[0]) / gap;
        field[scope[1]] += (t[1] - t[0]) / gap;
        bond[(*bonds)++] = (hs_bond){scope[0], scope[1],
                                     ((t[3] - t[2]) - (t[1] - t[0])) / gap};
    }
    return found;
}

static hiss_status set_pairs(struct graph *m, const hs_bond *bond,
                             int64_t bonds, const double *field,
                             hiss_error *err)
{
    int dim = m->factors.dim;

    HS_TRY(hs_sparse_init(&m->pairs, dim, bond, bonds, NULL, err));
    HS_TRY(hs_sparse_set_field(&m->pairs, field, dim, err));
    return hs_model_is_wide(&m->base) ? hs_sparse_widen(&m->pairs, err)
                                      : HISS_OK;
}

static double size_of(const hs_factors *f, int64_t n)
{
    double most = 0.0;

    for (int64_t e = f->table_at[n]; e < f->table_at[n + 1]; e++)
        if (isfinite(f->table[e]))
            most = fmax(most, fabs(f->table[e]));
    return most;
}

/* Sums the largest entries of the tables of each coordinate, divided by the gap
 * for rows of pairs. */
static hiss_status choose_precision(struct graph *m, hiss_error *err)
{
    const hs_factors *f = &m->factors;
    double gap = m->has_pairs ? (double)m->gap : 1.0;
    hs_gauge g;

    HS_TRY(hs_gauge_init(&g, f->dim, err));
    for (int64_t n = 0; n < f->count; n++) {
        double most = size_of(f, n);

        for (int64_t e = f->table_at[n]; e < f->table_at[n + 1]; e++)
            hs_gauge_see(&g, f->table[e] / gap);
        for (int64_t k = f->scope_at[n]; k < f->scope_at[n + 1]; k++)
            hs_gauge_add(&g, f->scope[k], most / gap);
    }
    m->base.precision = hs_gauge_read(&g, gap);
    hs_gauge_clear(&g);
    /* a row of floats and one of doubles would not add up correctly */
    if (hs_model_is_wide(&m->base) && !are_quadratic(f))
        m->has_pairs = false;
    return HISS_OK;
}

/* Prepares the computation of U; field: divided by the gap, in double. */
static hiss_status set_energy(struct graph *m, const double *field,
                              hiss_error *err)
{
    const hs_factors *f = &m->factors;
    int64_t entries = m->pairs.start[f->dim];
    double gap = (double)m->gap;

    m->coupling = hs_alloc_array((size_t)entries, sizeof *m->coupling);
    m->field = hs_alloc_array((size_t)f->dim, sizeof *m->field);
    if (!m->coupling || !m->field)
        return hs_fail_memory(err);
    for (int64_t e = 0; e < entries; e++)
        m->coupling[e] = gap * hs_sparse_value(&m->pairs, e);
    for (int i = 0; i < f->dim; i++)
        m->field[i] = gap * field[i];
    for (int64_t n = 0; n < f->count; n++)
        m->low += f->table[f->table_at[n]];
    return HISS_OK;
}

/* Moves quadratic tables to m->pairs if rows allow it, the others to m->all. */
static hiss_status divide(struct graph *m, hiss_error *err)
{
    const hs_factors *f = &m->factors;
    int64_t bonds = 0, found = 0;
    hs_bond *bond = hs_alloc_array((size_t)f->count, sizeof *bond);
    double *field = hs_alloc_array((size_t)f->dim, sizeof *field);
    bool *marked = hs_alloc_array((size_t)f->count, sizeof *marked);
    hiss_status rc = HISS_OK;

    if (!bond || !field || !marked)
        rc = hs_fail_memory(err);
    if (rc == HISS_OK && m->has_pairs) {
        found = add_pairs(f, (double)m->gap, bond, &bonds, field, marked);
        rc = set_pairs(m, bond, bonds, field, err);
    }
    if (rc == HISS_OK)
        rc = hs_tables_init_all(&m->all, f, marked, err);
    m->base.ops = hs_factors_have_zeros(f) ? &constrained_ops
                  : m->has_pairs && found == f->count && m->base.domain.is_pair
                      ? &quadratic_ops
                      : &graph_ops;
    m->form = (hs_pair_form){
        .j = &m->pairs, .gap = 1.0f, .step = m->gap, .scale = 1.0f / m->gap};
    m->base.is_quadratic =
        m->base.ops == &quadratic_ops && !hs_model_is_wide(&m->base);
    if (rc == HISS_OK && m->base.ops == &quadratic_ops)
        rc = set_energy(m, field, err);
    hs_free(bond);
    hs_free(field);
    hs_free(marked);
    return rc;
}

static bool are_levels(const hs_domain *d)
{
    for (int i = 0; i < d->dim; i++)
        if (d->kind[i] == HISS_ORDINAL && d->states[i] > 2)
            return true;
    return false;
}

/* Removes constants and coordinates with one value from the scopes. */
static hiss_status tidy(hs_factors *f, hiss_error *err)
{
    hs_factors tidied;
    bool is_tidy = true;

    for (int64_t n = 0; n < f->count; n++)
        is_tidy = is_tidy && f->scope_at[n + 1] > f->scope_at[n];
    for (int64_t k = 0; k < f->scope_at[f->count]; k++)
        is_tidy = is_tidy && f->states[f->scope[k]] > 1;
    if (is_tidy)
        return HISS_OK;
    HS_TRY(hs_factors_slice(&tidied, f, NULL, err));
    hs_factors_clear(f);
    *f = tidied;
    return HISS_OK;
}

hiss_status hs_factor_graph_create_over(hs_model **out, const char *name,
                                        hs_domain *domain, hs_factors *factors,
                                        hiss_error *err)
{
    struct graph *m = hs_alloc_array(1, sizeof *m);
    hiss_status rc;

    *out = NULL;
    if (!m) {
        hs_domain_clear(domain);
        hs_factors_clear(factors);
        return hs_fail_memory(err);
    }
    m->base.ops = &graph_ops;
    m->base.domain = *domain;
    *domain = (hs_domain){0};
    m->factors = *factors;
    *factors = (hs_factors){0};
    m->base.exact_rows = !are_levels(&m->base.domain);
    m->base.scratch_bytes =
        (size_t)m->base.domain.states_max * sizeof(double_row);
    m->base.name = hs_strdup(name);
    rc = m->base.name ? tidy(&m->factors, err) : hs_fail_memory(err);
    m->base.offset = m->factors.constant;
    m->has_pairs = has_pair_rows(&m->base.domain, &m->gap);
    if (rc == HISS_OK)
        rc = choose_precision(m, err);
    if (rc == HISS_OK)
        rc = divide(m, err);
    if (rc == HISS_OK)
        rc = hs_tables_init_once(&m->once, &m->factors, err);
    m->tables =
        (hs_table_form){.once = &m->once,
                        .all = &m->all,
                        .pairs = m->has_pairs ? &m->pairs : NULL,
                        .gap = m->gap,
                        .entries = m->factors.table_at[m->factors.count]};
    if (rc == HISS_OK)
        rc = hs_factors_order(&m->base.order, &m->factors, err);
    if (rc == HISS_OK && m->coupling && m->base.order)
        rc = hs_sparse_apart(&m->base.apart, &m->pairs, m->base.order, err);
    if (rc != HISS_OK) {
        hs_model_destroy(&m->base);
        return rc;
    }
    *out = &m->base;
    return HISS_OK;
}

hiss_status hs_factor_graph_create(hs_model **out, const char *name,
                                   hs_factors *factors, hiss_error *err)
{
    hs_domain domain = {0};
    hiss_kind *kind = hs_alloc_array((size_t)factors->dim, sizeof *kind);
    hiss_status rc;

    *out = NULL;
    if (!kind) {
        rc = hs_fail_memory(err);
    } else {
        for (int i = 0; i < factors->dim; i++)
            kind[i] = factors->states[i] == 2 ? HISS_BINARY : HISS_CATEGORICAL;
        rc = hs_domain_init_mixed(&domain, factors->dim, kind, factors->states,
                                  NULL, err);
    }
    hs_free(kind);
    if (rc != HISS_OK) {
        hs_factors_clear(factors);
        return rc;
    }
    return hs_factor_graph_create_over(out, name, &domain, factors, err);
}
