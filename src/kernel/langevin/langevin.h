/* langevin.h - one step of the discrete Langevin proposal, adjusted or not, for
 * DMALA, DULA and ACS.
 *
 * The way to make it is chosen at setup, for each form of tilt, from the table
 * of paths (paths/paths.h). */
#ifndef HS_KERNEL_LANGEVIN_LANGEVIN_H
#define HS_KERNEL_LANGEVIN_LANGEVIN_H

#include <stdbool.h>

#include "kernel/kernel.h"
#include "kernel/langevin/paths/paths.h"
#include "kernel/tile.h"
#include "kernel/tilt.h"
#include "model/model.h"

typedef struct hs_langevin {
    hs_point y;     /* owned: the proposal */
    hs_paths paths; /* owned */
    float balance[HS_LANES];
    float stiffness[HS_LANES]; /* 1 / (2 alpha) */
    /* jumps at rates instead of both, if the kernel has them (hs_dlp) */
    bool has_rates, is_euler;
    hs_balance rate;
    float log_time[HS_LANES];
    double log_ratio[HS_LANES];
    int32_t accept[HS_LANES]; /* accepted in the last step */
} hs_langevin;

/* is_half: balance is 1/2 in every lane and step.  It must not depend on tuned
 * values of lanes, because one lane would affect the draws of others.  Clear it
 * also on failure. */
hiss_status hs_langevin_init(hs_langevin *s, const hs_model *m, bool is_half,
                             hiss_error *err);
void hs_langevin_clear(hs_langevin *s);

/* Draws y ~ q(.|x) and accepts it with min(1, p(y) q(x|y) / p(x) q(y|x));
 * without adjustment, moves to any y of positive probability.  Takes one
 * evaluation, of y. */
hiss_status hs_langevin_step(hs_langevin *s, const hs_model *m,
                             const hs_tilt *t, hs_tile *x, bool adjust);

/* Describes such a step for a GPU (device/plan.h), without step sizes; and
 * records steps that a GPU has made, on a path that counts states or not. */
bool hs_langevin_plan(const hs_langevin *s, hs_tilt_form form, bool adjust,
                      hs_device_sampler *out);
bool hs_langevin_counts(const hs_langevin *s, hs_tilt_form form);
void hs_langevin_made(hs_kernel *k, hs_tile *x, bool counts, int64_t steps);

#endif
