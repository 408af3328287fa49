/* invariance.h - which marginals a symmetry of the model fixes.
 *
 * If U does not change when all two-valued coordinates of a part of the model
 * are flipped, their marginals are 1/2.  If it does not change when all labels
 * of a part are renamed cyclically, they have equal shares.  Such a marginal
 * proves nothing: chains that never leave a valley and its mirror image have it
 * right.  A part is the set of all coordinates or, if the model is a sum of
 * tables, a connected component.
 *
 * The symmetry is tested, not proved: on sixteen random states and sixteen
 * draws U must be the same up to rounding. */
#ifndef HS_RUN_ATLAS_INVARIANCE_H
#define HS_RUN_ATLAS_INVARIANCE_H

#include <stdbool.h>
#include <stdint.h>

#include <hiss/status.h>

#include "model/factors.h"
#include "model/model.h"
#include "run/chain/store.h"

typedef struct hs_invariance {
    bool *is_fixed; /* owned, [dim] */
    int fixed;      /* coordinates whose marginal is */
    int open;       /* coordinates with a choice whose marginal is not */
    bool flips;     /* by flips */
    bool renames;   /* by renaming labels */
} hs_invariance;

/* f: the model as a sum of tables, or NULL. */
hiss_status hs_invariance_init(hs_invariance *v, const hs_model *m,
                               const hs_factors *f, const hs_store *store,
                               int64_t samples, hiss_error *err);
void hs_invariance_clear(hs_invariance *v);

#endif
