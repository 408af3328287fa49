/* examine.c - the columns that a verdict checks. */
#include "verdict/examine.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/number.h"
#include "diag/observe/components.h"

#define VALUES_MAX     1e8   /* draws times columns: takes some seconds */
#define COLUMNS_MIN    64    /* columns checked at any cost */
#define PLAIN_VALUES   4e6   /* the same in a quick check, about a second; */
#define PLAIN_MIN      16    /* but at least this many coordinates */
#define PLAIN_MAX      1000  /* and at most this many */
#define LABELS_MAX     32    /* most indicators of one coordinate */
#define CLUSTER_MASS   0.01  /* smaller clusters are not checked */
#define TURNED_MAX     2.5e8 /* bytes of a copy by columns */
#define BLOCK          64    /* columns between two polls of the caller */
#define COMPONENTS     2
#define COMPONENT_ROWS 2000
#define COMPONENT_WORK 2e7

/* --- draws of a column -------------------------------------------------- */

static void cluster_draws(const hs_modes *modes, int cluster, double *out)
{
    for (int64_t n = 0; n < modes->chains * modes->looked; n++)
        out[n] = modes->cluster[modes->at[n]] == cluster;
}

int64_t hs_column_draws(const hs_columns *c, const hs_examined *e,
                        const hs_store *store, int64_t samples,
                        const hs_domain *d, const hs_modes *modes,
                        double *spare, double *room)
{
    int64_t total = store->chains * samples;

    switch (e->of) {
    case HS_OF_ENERGY:
        memcpy(room, store->lp, (size_t)total * sizeof *room);
        break;
    case HS_OF_CLUSTER:
        cluster_draws(modes, e->index, room);
        return modes->looked;
    case HS_OF_COMPONENT:
        memcpy(room, c->score + e->index * total, (size_t)total * sizeof *room);
        break;
    case HS_OF_TERM:
        hs_joints_column(c->terms, e->index, store, samples, d, spare, room);
        break;
    case HS_OF_COORDINATE:
    case HS_OF_LABEL:
        hs_store_column(store, samples, e->index, room);
        break;
    }
    if (e->of == HS_OF_LABEL) {
        double label = (double)d->values[d->value[e->index] + e->label];

        for (int64_t n = 0; n < total; n++)
            room[n] = room[n] == label;
    }
    return samples;
}

static void term_name(const hs_joints *t, int k, char text[HS_COLUMN_TEXT])
{
    const hs_factors *f = &t->f;
    int64_t n = t->number[k], size = f->scope_at[n + 1] - f->scope_at[n];
    const int *scope = f->scope + f->scope_at[n];

    snprintf(text, HS_COLUMN_TEXT, "the term of x.%d, x.%d%s", scope[0] + 1,
             scope[1] + 1, size > 2 ? ", ..." : "");
}

void hs_column_name(const hs_columns *c, const hs_examined *e,
                    const hs_domain *d, char text[HS_COLUMN_TEXT])
{
    char name[HS_NAME_MAX + 1], value[HS_NAME_MAX + 1];

    switch (e->of) {
    case HS_OF_ENERGY:
        snprintf(text, HS_COLUMN_TEXT, "log p");
        return;
    case HS_OF_COORDINATE:
        hs_snprintf(text, HS_COLUMN_TEXT, "%.40s",
                    hs_domain_coordinate(d, e->index, name));
        return;
    case HS_OF_LABEL:
        hs_snprintf(text, HS_COLUMN_TEXT, "%.22s = %.22s",
                    hs_domain_coordinate(d, e->index, name),
                    hs_domain_state(d, e->index, e->label, value));
        return;
    case HS_OF_TERM:
        term_name(c->terms, e->index, text);
        return;
    case HS_OF_CLUSTER:
        snprintf(text, HS_COLUMN_TEXT, "membership of mode %d", e->index + 1);
        return;
    case HS_OF_COMPONENT:
        snprintf(text, HS_COLUMN_TEXT, "principal component %d", e->index + 1);
        return;
    }
}

/* --- which columns there are -------------------------------------------- */

static int labels_of(const hs_domain *d, int i)
{
    int states = d->states[i] < LABELS_MAX ? d->states[i] : LABELS_MAX;

    if (d->states[i] == 1)
        return 0; /* fixed */
    return hs_kind_is_label(d->kind[i]) && d->states[i] > 2 ? states : 1;
}

static double cluster_mass(const hs_modes *modes, int cluster)
{
    double mass = 0.0;

    for (int64_t i = 0; i < modes->table.used; i++)
        if (modes->cluster[i] == cluster)
            mass += modes->table.mode[i].mass;
    return mass;
}

static void add(hs_columns *c, hs_column_of of, int index, int label)
{
    c->at[c->count++] = (hs_examined){.of = of, .index = index, .label = label};
}

/* The more draws, the fewer terms and coordinates. */
static int term_step(int terms, double most)
{
    return 1 + (int)(terms / most);
}

static hiss_status list_columns(hs_columns *c, const hs_store *store,
                                int64_t samples, const hs_domain *d,
                                const hs_modes *modes, hiss_error *err)
{
    int64_t wanted = 0;
    double most = VALUES_MAX / ((double)store->chains * (double)samples);
    int step = 1;

    for (int i = 0; i < d->dim; i++)
        wanted += labels_of(d, i);
    most = most < COLUMNS_MIN ? COLUMNS_MIN : most;
    while ((double)wanted / step > most)
        step++;
    c->at = hs_alloc_array((size_t)wanted + 1 + HS_JOINTS_MAX +
                               HS_CLUSTERS_MAX + COMPONENTS,
                           sizeof *c->at);
    if (!c->at)
        return hs_fail_memory(err);
    add(c, HS_OF_ENERGY, 0, 0);
    for (int i = 0; i < d->dim; i += step) {
        int labels = labels_of(d, i);

        for (int v = 0; v < labels; v++)
            add(c, labels > 1 ? HS_OF_LABEL : HS_OF_COORDINATE, i, v);
    }
    for (int k = 0; c->terms && k < c->terms->count; k++)
        if (k % term_step(c->terms->count, most) == 0)
            add(c, HS_OF_TERM, k, 0);
    for (int k = 0; modes && k < modes->clusters; k++) {
        double mass = cluster_mass(modes, k);

        if (mass >= CLUSTER_MASS && mass <= 1.0 - CLUSTER_MASS)
            add(c, HS_OF_CLUSTER, k, 0);
    }
    for (int k = 0; k < c->components; k++)
        add(c, HS_OF_COMPONENT, k, 0);
    return HISS_OK;
}

/* Lists U and evenly spaced coordinates. */
static hiss_status list_plain(hs_columns *c, const hs_store *store,
                              int64_t samples, const hs_domain *d, int wanted,
                              hiss_error *err)
{
    double draws = (double)store->chains * (double)samples;
    double most = PLAIN_VALUES / (draws > 1.0 ? draws : 1.0);
    int count = most > PLAIN_MAX   ? PLAIN_MAX
                : most < PLAIN_MIN ? PLAIN_MIN
                                   : (int)most;

    count = wanted > 0 ? wanted : count;
    count = count < d->dim ? count : d->dim;
    c->at = hs_alloc_array((size_t)count + 1, sizeof *c->at);
    if (!c->at)
        return hs_fail_memory(err);
    add(c, HS_OF_ENERGY, 0, 0);
    for (int n = 0; n < count; n++)
        add(c, HS_OF_COORDINATE, (int)((int64_t)n * d->dim / count), 0);
    return HISS_OK;
}

/* --- principal components ----------------------------------------------- */

/* Computes sum_i weight_i x_i of every draw; values: room for a column. */
static void score(const hs_store *store, int64_t samples, const double *weight,
                  double *values, double *out)
{
    int64_t total = store->chains * samples;

    for (int i = 0; i < store->dim; i++) {
        hs_store_column(store, samples, i, values);
        for (int k = 0; k < COMPONENTS; k++)
            for (int64_t n = 0; n < total; n++)
                out[k * total + n] += weight[k * store->dim + i] * values[n];
    }
}

/* Omitted if they would cost too much, and for labels, which have no order. */
static bool has_components(const hs_store *store, int64_t samples,
                           const hs_domain *d)
{
    double total = (double)store->chains * (double)samples;

    if (d->dim < 3 || samples < 8 || total * d->dim > 50.0 * COMPONENT_WORK ||
        (double)COMPONENT_ROWS / 16.0 * d->dim > COMPONENT_WORK)
        return false;
    for (int i = 0; i < d->dim; i++)
        if (hs_kind_is_label(d->kind[i]) && d->states[i] > 2)
            return false;
    return true;
}

static hiss_status make_components(hs_columns *c, const hs_store *store,
                                   int64_t samples, hiss_error *err)
{
    size_t dim = (size_t)store->dim;
    int64_t total = store->chains * samples, rows = COMPONENT_ROWS;
    double *x, *weight, *values;
    hiss_status rc = HISS_OK;

    while (rows > 16 && (double)rows * (double)dim > COMPONENT_WORK)
        rows /= 2;
    rows = rows < total ? rows : total;
    x = hs_alloc_array((size_t)rows * dim, sizeof *x);
    weight = hs_alloc_array(COMPONENTS * dim, sizeof *weight);
    values = hs_alloc_array((size_t)total, sizeof *values);
    c->score = hs_alloc_array(COMPONENTS * (size_t)total, sizeof *c->score);
    if (!x || !weight || !values || !c->score)
        rc = hs_fail_memory(err);
    for (int64_t r = 0; rc == HISS_OK && r < rows; r++) {
        int64_t n = r * total / rows;

        hs_store_draw(store, (int)(n / samples), n % samples,
                      x + (size_t)r * dim);
    }
    if (rc == HISS_OK)
        rc = hs_components(x, rows, store->dim, COMPONENTS, weight, err);
    if (rc == HISS_OK)
        score(store, samples, weight, values, c->score);
    if (rc == HISS_OK)
        c->components = COMPONENTS;
    hs_free(x);
    hs_free(weight);
    hs_free(values);
    return rc;
}

/* --- examining ---------------------------------------------------------- */

/* Shared by the threads; each writes its own column only. */
struct work {
    hs_columns *columns;
    const hs_store *store;
    const hs_domain *domain;
    const hs_modes *modes;
    int64_t samples;
    int first;           /* first column of the present block */
    hiss_status *status; /* owned */
};

static double minority_of(const hs_examined *e, const double *x, int64_t total)
{
    double first = x[0];
    int64_t same = 0;

    if (e->of == HS_OF_ENERGY || e->of == HS_OF_COMPONENT)
        return NAN;
    for (int64_t n = 0; n < total; n++)
        same += x[n] == first;
    /* with more than two values the first value does not suffice */
    return 2 * same > total ? 1.0 - (double)same / (double)total
                            : (double)same / (double)total;
}

static void examine(void *context, int index)
{
    struct work *w = context;
    hs_examined *e = &w->columns->at[index];
    int64_t total = w->store->chains * w->samples, n;
    double *x = hs_alloc_array((size_t)total, sizeof *x);
    double *spare = hs_alloc_array((size_t)total, sizeof *spare);
    hiss_status rc = HISS_ENOMEM;

    if (x && spare) {
        n = hs_column_draws(w->columns, e, w->store, w->samples, w->domain,
                            w->modes, spare, x);
        e->minority = minority_of(e, x, w->store->chains * n);
        rc = hs_measure(x, w->store->chains, n, &e->column, &e->agree, NULL);
    }
    hs_free(x);
    hs_free(spare);
    w->status[index] = rc;
}

static void examine_next(void *context, int index)
{
    struct work *w = context;

    examine(w, w->first + index);
}

/* Works block by block; at least one block is always done. */
static hiss_status examine_all(struct work *w, const hs_columns_bounds *b,
                               hs_pool *pool, hiss_error *err)
{
    hs_columns *c = w->columns;

    for (int count; w->first < c->count; w->first += count) {
        count = c->count - w->first < BLOCK ? c->count - w->first : BLOCK;
        if (b && b->stops && b->stops(b->context))
            return hs_fail(err, HISS_ESTOP, "stopped on request");
        if (w->first > 0 && b && b->is_over && b->is_over(b->context)) {
            c->left_out = c->count - w->first;
            c->count = w->first;
            break;
        }
        hs_pool_run(pool, examine_next, w, count);
    }
    return HISS_OK;
}

static hiss_status columns_of(hs_columns *c, const hs_store *store,
                              int64_t samples, const hs_domain *d,
                              const hs_modes *modes,
                              const hs_columns_bounds *bounds, hs_pool *pool,
                              hiss_error *err)
{
    struct work w = {c, store, d, modes, samples, 0, NULL};
    hiss_status rc = HISS_OK;
    bool is_plain = bounds && bounds->is_plain;

    if (!is_plain && has_components(store, samples, d))
        rc = make_components(c, store, samples, err);
    if (rc == HISS_OK)
        rc = is_plain ? list_plain(c, store, samples, d, bounds->most, err)
                      : list_columns(c, store, samples, d, modes, err);
    if (rc == HISS_OK) {
        w.status = hs_alloc_array((size_t)c->count, sizeof *w.status);
        rc = w.status ? HISS_OK : hs_fail_memory(err);
    }
    if (rc == HISS_OK)
        rc = examine_all(&w, bounds, pool, err);
    for (int n = 0; rc == HISS_OK && n < c->count; n++)
        if (w.status[n] != HISS_OK)
            rc = hs_fail_memory(err); /* the only possible failure */
    hs_free(w.status);
    return rc;
}

hiss_status hs_columns_init(hs_columns *c, const hs_store *store,
                            int64_t samples, const hs_domain *d,
                            const hs_modes *modes, const hs_joints *terms,
                            const hs_columns_bounds *bounds, hs_pool *pool,
                            hiss_error *err)
{
    bool is_plain = bounds && bounds->is_plain;
    hs_store view;
    hiss_status rc;

    *c = (hs_columns){.terms = terms};
    HS_TRY(
        hs_store_turn(&view, store, samples, is_plain ? 0.0 : TURNED_MAX, err));
    rc = columns_of(c, &view, samples, d, modes, bounds, pool, err);
    hs_store_unturn(&view);
    if (rc != HISS_OK)
        hs_columns_clear(c);
    return rc;
}

void hs_columns_clear(hs_columns *c)
{
    hs_free(c->at);
    hs_free(c->score);
    *c = (hs_columns){0};
}
