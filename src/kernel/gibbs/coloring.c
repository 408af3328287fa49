/* coloring.c - a color for each coordinate, given or computed. */
#include "kernel/gibbs/coloring.h"

#include <math.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/read/reader.h"
#include "exact/graph.h"
#include "model/factors.h"

/* --- found ---------------------------------------------------------------- */

/* The smallest color that no neighbor has; -1 means none yet.  used[] has marks
 * of earlier vertices; `mark` is a new one. */
static int least_color(const hs_graph *g, int v, const int *color, int *used,
                       int mark)
{
    const int *near = hs_graph_neighbors(g, v);
    int least = 0;

    for (int k = 0; k < g->degree[v]; k++)
        if (color[near[k]] >= 0)
            used[color[near[k]]] = mark;
    while (used[least] == mark)
        least++;
    return least;
}

/* Sorts vertices by degree, largest first, ties in order. */
static void sort_by_degree(const hs_graph *g, int *count, int *sorted)
{
    int at = 0;

    for (int v = 0; v < g->count; v++)
        count[g->degree[v]]++;
    for (int d = g->count - 1; d >= 0; d--) {
        int here = count[d];

        count[d] = at;
        at += here;
    }
    for (int v = 0; v < g->count; v++)
        sorted[count[g->degree[v]]++] = v;
}

/* Colors greedily, the most coupled first [Welsh & Powell 1967]: two colors on
 * an even lattice, never more than one above the largest degree. */
static hiss_status find_colors(hs_coloring *c, const hs_graph *g,
                               hiss_error *err)
{
    size_t dim = (size_t)g->count;
    int *sorted = hs_alloc_array(dim, sizeof *sorted);
    int *used = hs_alloc_array(dim + 1, sizeof *used); /* zeros */
    hiss_status rc = sorted && used ? HISS_OK : hs_fail_memory(err);

    if (rc == HISS_OK) {
        sort_by_degree(g, used, sorted);
        for (int n = 0; n <= g->count; n++)
            used[n] = 0;
        for (int v = 0; v < g->count; v++)
            c->color[v] = -1;
        for (int n = 0; n < g->count; n++)
            c->color[sorted[n]] =
                least_color(g, sorted[n], c->color, used, n + 1);
    }
    hs_free(sorted);
    hs_free(used);
    return rc;
}

/* --- given ---------------------------------------------------------------- */

static hiss_status read_colors(hs_coloring *c, int dim, const char *path,
                               hiss_error *err)
{
    hs_reader *in;
    hiss_status rc = hs_reader_open(&in, path, err);

    if (rc == HISS_OK)
        hs_reader_comments(in, NULL, "#");
    for (int i = 0; rc == HISS_OK && i < dim; i++)
        rc = hs_reader_int(in, 0, dim - 1, &c->color[i], err);
    if (rc == HISS_OK)
        rc = hs_reader_expect_end(in, err);
    hs_reader_close(in);
    return rc;
}

/* Whether coordinate v is in factor n, and the stride of its values in the
 * table. */
static bool find_stride(const hs_factors *f, int64_t n, int v, int64_t *stride)
{
    *stride = 1;
    for (int64_t k = f->scope_at[n + 1] - 1; k >= f->scope_at[n]; k--) {
        if (f->scope[k] == v)
            return true;
        *stride *= f->states[f->scope[k]];
    }
    return false;
}

/* The largest gain of a change of both beyond the sum of single gains, in one
 * table: 4 |J| for two spins.  Infinite if some entry is impossible. */
static double coupling_in(const hs_factors *f, int64_t n, int a, int b)
{
    const double *t = f->table + f->table_at[n];
    int64_t entries = f->table_at[n + 1] - f->table_at[n], sa, sb;
    double most = 0.0;

    if (!find_stride(f, n, a, &sa) || !find_stride(f, n, b, &sb))
        return 0.0;
    for (int64_t e = 0; e < entries; e++) {
        int64_t va = e / sa % f->states[a], vb = e / sb % f->states[b];
        double change =
            t[e] - t[e - va * sa] - t[e - vb * sb] + t[e - va * sa - vb * sb];

        change = isnan(change) ? HUGE_VAL : fabs(change);
        most = change > most ? change : most;
    }
    return most;
}

static hiss_status refuse(const hs_factors *f, int a, int b, int color,
                          hiss_error *err)
{
    double most = 0.0;

    for (int64_t n = 0; n < f->count; n++)
        most = fmax(most, coupling_in(f, n, a, b));
    if (most == HUGE_VAL)
        return hs_fail(err, HISS_EARG,
                       "sampler chromatic: coordinates %d and %d, counted from "
                       "1, both have color %d, but a hard constraint couples "
                       "them",
                       a + 1, b + 1, color);
    return hs_fail(err, HISS_EARG,
                   "sampler chromatic: coordinates %d and %d, counted from 1, "
                   "both have color %d, but are coupled: U changes by up to "
                   "%.6g more with both than with each alone",
                   a + 1, b + 1, color, most);
}

static hiss_status check_colors(const hs_coloring *c, const hs_graph *g,
                                const hs_factors *f, hiss_error *err)
{
    for (int v = 0; v < g->count; v++) {
        const int *near = hs_graph_neighbors(g, v);

        for (int k = 0; k < g->degree[v]; k++)
            if (c->color[near[k]] == c->color[v])
                return refuse(f, v, near[k], c->color[v], err);
    }
    return HISS_OK;
}

/* --- both ----------------------------------------------------------------- */

/* Removes unused numbers from the sequence. */
static void sort_colors(hs_coloring *c, int dim, int *count)
{
    int at = 0;

    for (int i = 0; i < dim; i++)
        count[c->color[i]]++;
    for (int n = 0; n < dim; n++) {
        int here = count[n];

        if (here == 0)
            continue;
        c->start[c->colors] = at;
        count[n] = c->colors++;
        c->largest = here > c->largest ? here : c->largest;
        at += here;
    }
    c->start[c->colors] = dim;
    for (int i = 0; i < dim; i++)
        c->color[i] = count[c->color[i]];
    for (int n = 0; n < c->colors; n++)
        count[n] = c->start[n];
    for (int i = 0; i < dim; i++)
        c->order[count[c->color[i]]++] = i;
}

static hiss_status color(hs_coloring *c, const hs_factors *f, const char *path,
                         hiss_error *err)
{
    hs_graph g = {0};
    int *count = NULL;
    hiss_status rc = hs_graph_init(&g, f, err);

    if (rc == HISS_OK)
        rc = path ? read_colors(c, f->dim, path, err) : find_colors(c, &g, err);
    if (rc == HISS_OK)
        rc = check_colors(c, &g, f, err);
    hs_graph_clear(&g);
    if (rc == HISS_OK) {
        count = hs_alloc_array((size_t)f->dim, sizeof *count);
        rc = count ? HISS_OK : hs_fail_memory(err);
    }
    if (rc == HISS_OK)
        sort_colors(c, f->dim, count);
    hs_free(count);
    return rc;
}

hiss_status hs_coloring_init(hs_coloring *c, const hs_model *m,
                             const char *path, hiss_error *err)
{
    size_t dim = (size_t)m->domain.dim;
    hs_factors f = {0};
    hiss_status rc;

    *c = (hs_coloring){0};
    if (!m->ops->factors)
        return hs_fail(err, HISS_EUNSUP,
                       "sampler chromatic: model %s is not a sum of small "
                       "tables, so that nothing says which coordinates are "
                       "coupled",
                       m->name);
    c->color = hs_alloc_array(dim, sizeof *c->color);
    c->order = hs_alloc_array(dim, sizeof *c->order);
    c->start = hs_alloc_array(dim + 1, sizeof *c->start);
    if (!c->color || !c->order || !c->start)
        return hs_fail_memory(err);
    HS_TRY(m->ops->factors(m, &f, err));
    rc = color(c, &f, path, err);
    hs_factors_clear(&f);
    return rc;
}

void hs_coloring_clear(hs_coloring *c)
{
    hs_free(c->color);
    hs_free(c->order);
    hs_free(c->start);
    *c = (hs_coloring){0};
}
