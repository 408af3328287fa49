/* langevin.h - one step of the discrete Langevin proposal, adjusted or not:
 * what DMALA, DULA and ACS share.  How it is made is chosen when a kernel is
 * set up, for each form of tilt, from the table of paths (paths/paths.h). */
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
    /* jumps at rates in place of both, if it has them (hs_dlp) */
    bool has_rates, is_euler;
    hs_balance rate;
    float log_time[HS_LANES];
    double log_ratio[HS_LANES];
    int32_t accept[HS_LANES]; /* of the last step */
} hs_langevin;

/* is_half: balance is 1/2 in every lane and step.  Never by what lanes have
 * tuned: one would decide how others draw.  On failure clear is still due. */
hiss_status hs_langevin_init(hs_langevin *s, const hs_model *m, bool is_half,
                             hiss_error *err);
void hs_langevin_clear(hs_langevin *s);

/* y ~ q(.|x); accept with min(1, p(y) q(x|y) / p(x) q(y|x)); or, not adjusted,
 * move to any y of positive probability.  One evaluation, of y. */
hiss_status hs_langevin_step(hs_langevin *s, const hs_model *m,
                             const hs_tilt *t, hs_tile *x, bool adjust);

/* What a GPU is told of such a step (device/plan.h), but for step sizes; and
 * steps that it has made, on a path that counts states or not. */
bool hs_langevin_plan(const hs_langevin *s, hs_tilt_form form, bool adjust,
                      hs_device_sampler *out);
bool hs_langevin_counts(const hs_langevin *s, hs_tilt_form form);
void hs_langevin_made(hs_kernel *k, hs_tile *x, bool counts, int64_t steps);

#endif
