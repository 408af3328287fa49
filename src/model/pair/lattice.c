/* lattice.c - the bonds of a periodic square or cubic lattice, written row by
 * row without other memory. */
#include "model/pair/lattice.h"

#include "base/alloc.h"
#include "base/error.h"
#include "model/sparse.h"

hiss_status hs_lattice_sites(int *sites, int side, int dims, hiss_error *err)
{
    int64_t count = 1;

    *sites = 0;
    for (int d = 0; d < dims; d++) {
        count *= side;
        if (count > HS_LATTICE_SITES_MAX)
            return hs_fail(err, HISS_ELIMIT,
                           "side %d in %d dimensions is more than %d sites",
                           side, dims, HS_LATTICE_SITES_MAX);
    }
    *sites = (int)count;
    return HISS_OK;
}

/* Inserts a column; the row stays ascending. */
static void insert(int *column, int count, int value)
{
    while (count > 0 && column[count - 1] > value) {
        column[count] = column[count - 1];
        count--;
    }
    column[count] = value;
}

/* Lists the neighbors of site i in both directions of each axis; returns how
 * many. */
static int neighbors(int i, int side, int sites, int *column)
{
    int count = 0;

    for (int stride = 1; stride < sites; stride *= side) {
        int at = i / stride % side;
        int next = at + 1 < side ? i + stride : i - at * stride;
        int last = at > 0 ? i - stride : i + (side - 1) * stride;

        insert(column, count++, next);
        if (last != next)
            insert(column, count++, last);
    }
    return count;
}

hiss_status hs_lattice_init(hs_sparse *j, int side, int dims, double value,
                            bool has_values, hiss_error *err)
{
    double given = side == 2 ? 2.0 * value : value;
    float coupling = (float)given;
    int degree = side == 2 ? dims : 2 * dims;
    int64_t edges;
    int sites;

    *j = (hs_sparse){0};
    HS_TRY(hs_lattice_sites(&sites, side, dims, err));
    edges = coupling != 0.0f ? (int64_t)degree * sites : 0;
    j->dim = sites;
    j->uniform = coupling;
    j->start = hs_alloc_array((size_t)sites + 1, sizeof *j->start);
    j->column = hs_alloc_array((size_t)edges, sizeof *j->column);
    has_values |= coupling == 0.0f; /* different values need an array */
    if (has_values)
        j->value = hs_alloc_array((size_t)edges, sizeof *j->value);
    j->given = given;
    if (!j->start || !j->column || (has_values && !j->value)) {
        hs_sparse_clear(j);
        return hs_fail_memory(err);
    }
    for (int i = 0; edges > 0 && i < sites; i++) {
        int *column = j->column + j->start[i];

        j->start[i + 1] = j->start[i] + neighbors(i, side, sites, column);
    }
    for (int64_t e = 0; has_values && e < edges; e++)
        j->value[e] = coupling;
    return HISS_OK;
}
