/* potts.c - Potts glasses: each bond of a size[0] x size[1] lattice with open
 * ends adds beta J to the pairs of equal labels, J normal, and small random
 * fields break the symmetry of the labels.  Marginals by elimination. */
#include <stdlib.h>

#include "arena/targets/tables.h"

#define FIELD 0.1

static void add_bond(tables *m, const target *t, int i, int j, uint64_t *seed)
{
    int scope[2] = {i, j}, labels = t->size[2];
    double coupling = t->beta * family_normal(seed);
    double *u = tables_add(m, 2, scope, labels * labels);

    for (int v = 0; v < labels * labels; v++)
        u[v] = v / labels == v % labels ? coupling : 0.0;
}

static int glass(instance *at)
{
    const target *t = at->of;
    int width = t->size[0], dim = width * t->size[1];
    uint64_t seed = family_seed(at);
    tables *m = calloc(1, sizeof *m);

    for (int i = 0; m && i < dim; i++) {
        double *u = tables_add(m, 1, &i, t->size[2]);

        for (int v = 0; v < t->size[2]; v++)
            u[v] = t->beta * FIELD * family_normal(&seed);
        if (i % width < width - 1)
            add_bond(m, t, i, i + 1, &seed);
        if (i + width < dim)
            add_bond(m, t, i, i + width, &seed);
    }
    if (m)
        tables_use(at, m, dim, HISS_CATEGORICAL, t->size[2]);
    free(m);
    return at->model && family_labels(at);
}

const target targets_potts[] = {
    {"potts3", glass, .peers = peers_tables, .size = {8, 8, 3}, .beta = 2,
     .has_tables = 1},
    {"potts4g", glass, .peers = peers_tables, .size = {7, 7, 4}, .beta = 3,
     .has_tables = 1},
    {0},
};
