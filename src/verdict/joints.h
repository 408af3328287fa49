/* joints.h - statistics of several coordinates at once.
 *
 * If a symmetry of the model fixes every marginal, the information is in pairs:
 * whether two spins agree.  A *term* is one of the model's tables over at least
 * two coordinates, scaled from 0 at its smallest finite entry to 1 at its
 * largest, so that the sum of all terms is U up to scale.  For a model that is
 * not a sum of tables, terms are constructed: whether two coordinates have the
 * same value, or the product of two ordinal ones. */
#ifndef HS_VERDICT_JOINTS_H
#define HS_VERDICT_JOINTS_H

#include <stdint.h>

#include <hiss/status.h>

#include "model/factors.h"
#include "model/model.h"
#include "run/chain/store.h"

#define HS_JOINTS_MAX 128 /* of more terms, evenly spaced ones are used */

typedef struct hs_joints {
    hs_factors f;    /* owned */
    int64_t *number; /* owned, [count]: number of the factor */
    double *low;     /* owned, [count]: its smallest finite entry */
    double *span;    /* owned, [count]: largest entry minus that, > 0 */
    int count;
    bool is_own; /* terms are the model's own factors */
} hs_joints;

/* Tours have no terms, because their coordinates are positions. */
hiss_status hs_joints_init(hs_joints *t, const hs_model *m, hiss_error *err);
void hs_joints_clear(hs_joints *t);

/* Computes term k of a lane of x, in [0, 1]. */
double hs_joints_at(const hs_joints *t, int k, const hs_index_row *x, int lane);

/* Computes term k of every draw, [chain][n]; room: as many numbers. */
void hs_joints_column(const hs_joints *t, int k, const hs_store *store,
                      int64_t n, const hs_domain *d, double *room, double *out);

/* Computes the mean of a term from that of its factor. */
double hs_joints_scaled(const hs_joints *t, int k, double mean);

#endif
