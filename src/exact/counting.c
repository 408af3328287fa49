/* counting.c - counting guided by an order of elimination.
 *
 * Coordinates that are eliminated last separate the others.  The search chooses
 * them first, so parts of small width are counted in about as many steps as
 * elimination takes. */
#include "exact/counting.h"

#include <math.h>

#include "base/alloc.h"
#include "base/error.h"
#include "exact/ordering.h"
#include "exact/tree.h"

#define ORDER_WORK 3e7    /* of the search for an order: a tenth of a second */
#define ORDER_MOST 0x1p60 /* entries: a wider order does not guide */

bool hs_counting_applies(const hs_factors *f)
{
    return hs_factors_have_zeros(f);
}

/* Computes the relative depth of every coordinate in the tree of an order. */
static hiss_status measure_depth(double *depth, const hs_factors *f,
                                 const int *order, hiss_error *err)
{
    double most = 1.0;
    hs_tree t;

    HS_TRY(hs_tree_init(&t, f, order, err));
    for (int b = t.count - 1; b >= 0; b--) {
        int parent = t.bucket[b].parent;

        depth[order[b]] = parent < 0 ? 0.0 : depth[order[parent]] + 1.0;
        most = fmax(most, depth[order[b]]);
    }
    for (int i = 0; i < f->dim; i++)
        depth[i] /= most;
    hs_tree_clear(&t);
    return HISS_OK;
}

/* limits->depth stays NULL if no order is narrow enough. */
static hiss_status guide(hs_count_limits *limits, double *depth, int *order,
                         const hs_factors *f, hiss_error *err)
{
    hs_order_limits most = {ORDER_MOST, ORDER_WORK, limits->poll};
    hs_cost cost = {.entries = HUGE_VAL};
    hs_graph g;
    hiss_status rc;

    HS_TRY(hs_graph_init(&g, f, err));
    rc = hs_order_simulate(order, &cost, &g, f->states, HS_MIN_FILL, 0, &most,
                           err);
    hs_graph_clear(&g);
    if (rc != HISS_OK || cost.entries == HUGE_VAL)
        return rc;
    limits->depth = depth;
    limits->width = log2(cost.largest);
    return measure_depth(depth, f, order, err);
}

hiss_status hs_counting(hs_count **out, const hs_factors *f,
                        const bool *is_shown, hs_count_limits limits,
                        hiss_error *err)
{
    int *order = hs_alloc_array((size_t)f->dim, sizeof *order);
    double *depth = hs_alloc_array((size_t)f->dim, sizeof *depth);
    hiss_status rc = order && depth ? HISS_OK : hs_fail_memory(err);

    *out = NULL;
    if (rc == HISS_OK)
        rc = guide(&limits, depth, order, f, err);
    hs_free(order);
    if (rc == HISS_OK)
        rc = hs_count_create(out, f, is_shown, &limits, err);
    hs_free(depth);
    return rc;
}
