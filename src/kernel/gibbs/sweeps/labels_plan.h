/* labels_plan.h - prepares labels with equal couplings for
 * lanes/gibbs/labels.c. */
#ifndef HS_KERNEL_GIBBS_SWEEPS_LABELS_PLAN_H
#define HS_KERNEL_GIBBS_SWEEPS_LABELS_PLAN_H

#include <stdbool.h>

#include <hiss/status.h>

#include "lanes/shapes.h"
#include "model/model.h"

/* Whether the model has such labels. */
bool hs_labels_apply(const hs_model *m);

/* has_groups: for a scan in m->order.  Clear it also on failure. */
hiss_status hs_labels_init(hs_labels *g, const hs_model *m, bool has_groups,
                           hiss_error *err);
void hs_labels_clear(hs_labels *g);

#endif
