/* ess_stop.c - a run that ends when its smallest ESS is large enough. */
#include "run/sampling/ess_stop.h"

#include <math.h>
#include <stdatomic.h>

#include "base/alloc.h"
#include "base/error.h"
#include "diag/chains/column.h"
#include "diag/chains/ess.h"

#define COORDINATES_MAX 1000
#define COORDINATES_MIN 16
/* numbers checked, unless that leaves too few columns */
#define VALUES_MAX 4e6
#define ROOM       4 /* kept draws per effective one, at least */

struct look {
    const hs_store *store;
    int64_t n;
    double wanted;
    int columns;         /* columns of coordinates */
    double *ess;         /* owned, [columns + 1]: the last is that of U;
                            infinite for constant columns */
    atomic_bool is_over; /* some ESS is too small, or memory is short */
    atomic_bool is_broken;
};

int64_t hs_ess_stop_next(int64_t step, int64_t warmup, int64_t thin)
{
    int64_t after = HS_ESS_STOP_FIRST * thin;

    while (warmup + after <= step)
        after *= 2;
    return warmup + after;
}

int64_t hs_ess_stop_draws(double ess, int chains)
{
    double each = ROOM * ess / chains;

    return each > 1e12 ? (int64_t)1e12 : (int64_t)each + 1;
}

bool hs_ess_stop_is_hopeless(double smallest, double ess, int64_t steps,
                             int64_t thin)
{
    double n = (double)steps / (double)thin;

    return n >= HS_ESS_STOP_LEAST && n * ess > HS_ESS_STOP_MOST * smallest;
}

static double ess_of(struct look *look, const double *column)
{
    int chains = look->store->chains;
    hs_column c = hs_column_inspect(column, chains, look->n);
    double ess = 0.0;

    if (c.state == HS_COLUMN_CONSTANT)
        return HUGE_VAL;
    if (c.state == HS_COLUMN_VARIES &&
        hs_ess_bulk(column, chains, look->n, &ess, NULL) != HISS_OK)
        atomic_store(&look->is_broken, true);
    return ess;
}

/* Column number `columns` is U. */
static void fill(const struct look *look, int index, double *out)
{
    const hs_store *s = look->store;

    if (index < look->columns) {
        hs_store_column(s, look->n,
                        (int)((int64_t)index * s->dim / look->columns), out);
        return;
    }
    for (int c = 0; c < s->chains; c++)
        for (int64_t n = 0; n < look->n; n++)
            *out++ = s->lp[(int64_t)c * s->capacity + n];
}

static void look_at(void *context, int index)
{
    struct look *look = context;
    size_t draws = (size_t)look->store->chains * (size_t)look->n;
    double *column;

    look->ess[index] = HUGE_VAL;
    if (atomic_load(&look->is_over))
        return;
    column = hs_alloc_array(draws, sizeof *column);
    if (!column) {
        atomic_store(&look->is_broken, true);
        return;
    }
    fill(look, index, column);
    look->ess[index] = ess_of(look, column);
    hs_free(column);
    if (look->ess[index] < look->wanted || atomic_load(&look->is_broken))
        atomic_store(&look->is_over, true);
}

hiss_status hs_ess_stop_smallest(const hs_store *s, int64_t n, double ess,
                                 hs_pool *pool, double *smallest,
                                 hiss_error *err)
{
    struct look look = {.store = s, .n = n, .wanted = ess};
    double draws = (double)s->chains * (double)n, most = VALUES_MAX / draws;

    most = most > COORDINATES_MAX   ? COORDINATES_MAX
           : most < COORDINATES_MIN ? COORDINATES_MIN
                                    : most;
    look.columns = s->dim < most ? s->dim : (int)most;
    look.ess = hs_alloc_array((size_t)look.columns + 1, sizeof *look.ess);
    if (!look.ess)
        return hs_fail_memory(err);
    atomic_init(&look.is_over, false);
    atomic_init(&look.is_broken, false);
    look_at(&look, look.columns); /* U is seldom the last to reach the limit */
    hs_pool_run(pool, look_at, &look, look.columns);
    *smallest = HUGE_VAL;
    for (int c = 0; c <= look.columns; c++)
        *smallest = look.ess[c] < *smallest ? look.ess[c] : *smallest;
    if (*smallest == HUGE_VAL)
        *smallest = draws;
    hs_free(look.ess);
    return atomic_load(&look.is_broken) ? hs_fail_memory(err) : HISS_OK;
}
