/* scan.c - lists of neighbours in the order of a sweep. */
#include "model/scan.h"

#include <string.h>

#include "base/alloc.h"
#include "base/error.h"

#define GROUP 8 /* visits that may be made at a time */

static int64_t degree_of(const hs_sparse *j, int i)
{
    return j->start[i + 1] - j->start[i];
}

/* Entries of the list of site i, filled up. */
static int64_t entries_of(const hs_sparse *j, int i)
{
    return (degree_of(j, i) + HS_SCAN_STEP - 1) / HS_SCAN_STEP * HS_SCAN_STEP;
}

bool hs_scan_fits(const hs_sparse *j)
{
    for (int i = 0; i < j->dim; i++)
        if (degree_of(j, i) > UINT8_MAX)
            return false;
    return j->uniform != 0.0f;
}

hiss_status hs_scan_init(hs_scan *g, const hs_sparse *j, const int *order,
                         float low, float gap, float step, hiss_error *err)
{
    size_t dim = (size_t)j->dim;
    int64_t entries = 0, at = 0;

    for (int i = 0; i < j->dim; i++)
        entries += entries_of(j, i);
    *g = (hs_scan){.dim = j->dim,
                   .start = hs_alloc_array(dim + 1, sizeof *g->start),
                   .column = hs_alloc_array((size_t)entries, sizeof *g->column),
                   .base = hs_alloc_array(dim, sizeof *g->base),
                   .field = j->field,
                   .gap = gap,
                   .coupling = j->uniform,
                   .step = step};
    if (!g->start || !g->column || !g->base) {
        hs_scan_clear(g);
        return hs_fail_memory(err);
    }
    for (int n = 0; n < j->dim; n++) {
        int i = order[n];
        int64_t degree = degree_of(j, i);

        memcpy(g->column + at, j->column + j->start[i],
               (size_t)degree * sizeof *g->column);
        g->base[n] = low * (float)degree;
        g->start[n + 1] = g->start[n] + entries_of(j, i);
        for (at += degree; at < g->start[n + 1]; at++)
            g->column[at] = j->dim;
    }
    return HISS_OK;
}

void hs_scan_clear(hs_scan *g)
{
    hs_free(g->start);
    hs_free(g->column);
    hs_free(g->base);
    *g = (hs_scan){0};
}

static bool are_coupled(const hs_sparse *j, int a, int b)
{
    for (int64_t e = j->start[a]; e < j->start[a + 1]; e++)
        if (j->column[e] == b)
            return true;
    return false;
}

static bool are_apart(const hs_sparse *j, const int *site)
{
    for (int a = 0; a < GROUP; a++)
        for (int b = 0; b < a; b++)
            if (are_coupled(j, site[a], site[b]))
                return false;
    return true;
}

hiss_status hs_scan_apart(uint8_t **apart, const hs_sparse *j, const int *order,
                          hiss_error *err)
{
    *apart = hs_alloc_array((size_t)j->dim / GROUP + 1, 1);
    if (!*apart)
        return hs_fail_memory(err);
    for (int n = 0; n + GROUP <= j->dim; n += GROUP)
        (*apart)[n / GROUP] = are_apart(j, order + n);
    return HISS_OK;
}
