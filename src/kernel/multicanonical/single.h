/* single.h - sweeps of single sites under w. */
#ifndef HS_KERNEL_MULTICANONICAL_SINGLE_H
#define HS_KERNEL_MULTICANONICAL_SINGLE_H

#include "kernel/gibbs/sweeps/site.h"
#include "kernel/multicanonical/windows.h"
#include "kernel/sampler.h"
#include "lanes/shapes.h"

typedef struct hs_single {
    bool is_metropolis, is_random;
    int updates;
    const hs_label_form *labels;   /* borrowed, or NULL; for the fast path */
    hs_site site;                  /* owned */
    hs_tilt tilt;                  /* flat: beta of the windows */
    uint32_t (*correct)[HS_LANES]; /* owned, [4] */
    double changed[HS_LANES];      /* visits that changed a value */
} hs_single;

/* Made from a base that is gibbs or metropolis. */
hiss_status hs_single_init(hs_single *s, const hs_model *m,
                           const hs_sampler *base, hiss_error *err);
void hs_single_clear(hs_single *s);

/* Makes the visits of one step.  U must be known before, and is known after. */
hiss_status hs_single_sweep(hs_single *s, const hs_model *m,
                            const hs_windows *windows, hs_tile *x,
                            uint64_t steps);

#endif
