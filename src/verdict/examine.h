/* examine.h - the columns that a verdict checks.
 *
 * These are the energy; each coordinate, categorical ones as indicators of
 * their labels; terms of several coordinates; membership of the heavier
 * clusters of modes; and the first principal components.  Of very many
 * coordinates evenly spaced ones are used. */
#ifndef HS_VERDICT_EXAMINE_H
#define HS_VERDICT_EXAMINE_H

#include <hiss/diagnose.h>
#include <hiss/status.h>

#include "base/pool.h"
#include "base/state/domain.h"
#include "diag/tests/agree.h"
#include "run/atlas/modes.h"
#include "run/chain/store.h"
#include "verdict/joints.h"

#define HS_COLUMN_TEXT 48

typedef enum hs_column_of {
    HS_OF_ENERGY,
    HS_OF_COORDINATE,
    HS_OF_LABEL,
    HS_OF_TERM,
    HS_OF_CLUSTER,
    HS_OF_COMPONENT,
} hs_column_of;

typedef struct hs_examined {
    hs_column_of of;
    int index; /* coordinate, term, cluster or component, from 0 */
    int label; /* index of the value */
    hiss_column column;
    hs_agreement agree;
    double minority; /* share of the draws that are not at the most frequent
                        value; NaN for energy and components */
} hs_examined;

typedef struct hs_columns {
    hs_examined *at; /* owned, [count] */
    int count;
    int left_out;           /* columns omitted for lack of time */
    const hs_joints *terms; /* borrowed, or NULL */
    double *score;          /* owned, [components][chain][draw] */
    int components;
} hs_columns;

/* Limits of the check. */
typedef struct hs_columns_bounds {
    bool is_plain; /* check only U and the values of coordinates: about a
                      second */
    int most;      /* number of coordinates; 0 if only that limits them */
    int (*stops)(void *context); /* polled now and then; nonzero: HISS_ESTOP */
    /* The same; nonzero: the remaining columns are omitted.  May be NULL. */
    int (*is_over)(void *context);
    void *context; /* borrowed */
} hs_columns_bounds;

/* modes, terms and bounds may be NULL; the terms must outlive the columns. */
hiss_status hs_columns_init(hs_columns *c, const hs_store *store,
                            int64_t samples, const hs_domain *d,
                            const hs_modes *modes, const hs_joints *terms,
                            const hs_columns_bounds *bounds, hs_pool *pool,
                            hiss_error *err);
void hs_columns_clear(hs_columns *c);

/* Writes the draws of a column as [chain][n]; returns n.  modes: only for
 * clusters; room, spare: chains * samples numbers each. */
int64_t hs_column_draws(const hs_columns *c, const hs_examined *e,
                        const hs_store *store, int64_t samples,
                        const hs_domain *d, const hs_modes *modes,
                        double *spare, double *room);

/* "log p", "x.3", "x.3 = 2", "the term of x.1, x.2", "mode 1" */
void hs_column_name(const hs_columns *c, const hs_examined *e,
                    const hs_domain *d, char text[HS_COLUMN_TEXT]);

/* Whether the run itself found its shares or components. */
static inline bool hs_column_is_derived(const hs_examined *e)
{
    return e->of == HS_OF_CLUSTER || e->of == HS_OF_COMPONENT;
}

#endif
