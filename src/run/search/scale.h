/* scale.h - the temperatures between which a model freezes.
 *
 * Hot: single-site changes with a loss, from random states, have a mean
 * acceptance exp(-hot loss) of 1/2. Cold: at local optima, changes at the
 * COLD_SHARE quantile of the losses are accepted once in COLD_ODDS tries.  Both
 * are measured on sixteen pilot states, so they depend on (model, seed)
 * alone. */
#ifndef HS_RUN_SEARCH_SCALE_H
#define HS_RUN_SEARCH_SCALE_H

#include <stdbool.h>
#include <stdint.h>

#include <hiss/status.h>

#include "kernel/sampler.h"
#include "model/model.h"

typedef struct hs_scale {
    double hot, cold;     /* beta at the start and at the end of an anneal */
    double step_evals;    /* evaluations of one step of the kernel */
    double climb_evals;   /* evaluations of a climb to a local optimum, about */
    double spent;         /* evaluations of the measurement */
    bool is_mirrored;     /* two-valued, and U(x) = U(1 - x) */
    bool has_differences; /* single-site changes are cheap, so climbs are */
} hs_scale;

/* With exact differences a change costs 1/dim of an evaluation. */
bool hs_scale_is_cheap(const hs_model *m);

hiss_status hs_scale_measure(hs_scale *out, const hs_model *m,
                             const hs_sampler *kernel, uint64_t seed,
                             hiss_error *err);

#endif
