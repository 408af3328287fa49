/* joints.h - statistics of several coordinates at once.
 *
 * Where a symmetry of the model fixes every marginal, what the draws say is in
 * pairs: are two spins alike?  A *term* is one of the model's own tables over
 * two coordinates or more, from 0 at its smallest finite entry to 1 at its
 * largest, so that the mean over all terms is U but for scale.  A model that
 * is not a sum of tables has made-up ones: whether two coordinates have the
 * same value, or the product of two ordinal ones. */
#ifndef HS_VERDICT_JOINTS_H
#define HS_VERDICT_JOINTS_H

#include <stdint.h>

#include <hiss/status.h>

#include "model/factors.h"
#include "model/model.h"
#include "run/chain/store.h"

#define HS_JOINTS_MAX 128 /* evenly spaced ones of more */

typedef struct hs_joints {
    hs_factors f;    /* owned */
    int64_t *number; /* owned, [count]: of the factor */
    double *low;     /* owned, [count]: its smallest finite entry */
    double *span;    /* owned, [count]: from there to the largest, > 0 */
    int count;
    bool is_own; /* the model's factors, numbers and all */
} hs_joints;

/* No terms for tours, whose coordinates are positions. */
hiss_status hs_joints_init(hs_joints *t, const hs_model *m, hiss_error *err);
void hs_joints_clear(hs_joints *t);

/* Term k of a lane of x, in [0, 1]. */
double hs_joints_at(const hs_joints *t, int k, const hs_index_row *x, int lane);

/* Term k of every draw, [chain][n]; room: as many numbers. */
void hs_joints_column(const hs_joints *t, int k, const hs_store *store,
                      int64_t n, const hs_domain *d, double *room, double *out);

/* The mean of a term from that of its factor. */
double hs_joints_scaled(const hs_joints *t, int k, double mean);

#endif
