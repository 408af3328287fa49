/* independent.c - what a draw of all coordinates at once would cost. */
#include "run/pilot/independent.h"

#include <math.h>

#include "base/alloc.h"
#include "base/error.h"
#include "exact/cutset.h"
#include "exact/graph.h"
#include "model/factors.h"

#define DIM_MAX   20000 /* above, it is not looked into */
#define TABLE_MAX 65536.0
#define TABLES    4.0 /* that are added up in a cluster, about */

bool hs_independent_has_constraints(const hs_model *m)
{
    return m->ops->start && m->ops->factors;
}

/* All entries, and the largest table. */
static double entries_of(const hs_cutset *c, const int *states, double *largest)
{
    double sum = 0.0;

    *largest = 1.0;
    for (int b = 0; b < c->count; b++) {
        double entries = 1.0;

        for (int64_t k = c->cluster_at[b]; k < c->cluster_at[b + 1]; k++)
            entries *= states[c->cluster[k]];
        sum += entries;
        *largest = fmax(*largest, entries);
    }
    return sum;
}

static hiss_status weigh(const hs_factors *f, double limit, double *cost,
                         int *table, hiss_error *err)
{
    int *drawn = hs_alloc_array((size_t)f->dim, sizeof *drawn);
    double sweep = hs_factors_sweep(f), entries, largest;
    hs_graph g = {0};
    hs_cutset c = {0};
    hiss_status rc = drawn ? HISS_OK : hs_fail_memory(err);

    if (rc == HISS_OK)
        rc = hs_graph_init(&g, f, err);
    if (rc == HISS_OK)
        rc = hs_cutset_init(&c, &g, f->states, TABLE_MAX,
                            limit * sweep / TABLES, drawn, 1, err);
    if (rc == HISS_OK && c.count == f->dim) {
        entries = entries_of(&c, f->states, &largest);
        if (TABLES * entries <= limit * sweep) {
            *cost = fmax(1.0, TABLES * entries / sweep);
            *table = (int)largest;
        }
    }
    hs_cutset_clear(&c);
    hs_graph_clear(&g);
    hs_free(drawn);
    return rc;
}

hiss_status hs_independent_cost(const hs_model *m, double limit, double *cost,
                                int *table, hiss_error *err)
{
    hs_factors f;
    hiss_status rc;

    *cost = HUGE_VAL;
    *table = 0;
    if (!m->ops->factors || m->is_dense || m->domain.dim > DIM_MAX)
        return HISS_OK;
    HS_TRY(m->ops->factors(m, &f, err));
    rc = weigh(&f, limit, cost, table, err);
    hs_factors_clear(&f);
    return rc;
}
