/* langevin.h - one step of the discrete Langevin proposal, adjusted or not:
 * what DMALA, DULA and ACS share. */
#ifndef HS_KERNEL_LANGEVIN_H
#define HS_KERNEL_LANGEVIN_H

#include <stdbool.h>

#include "kernel/tile.h"
#include "kernel/tilt.h"
#include "model/model.h"

/* The odds of every flip (lanes/odds.c), kept with x from step to step: those
 * of an accepted proposal are the next step's. */
typedef struct hs_odds {
    hs_float_row *x, *y;       /* owned, [dim] */
    double spread_x[HS_LANES]; /* sum_i ln(1 + e^z_i) */
    double spread_y[HS_LANES];
    bool is_known;  /* for what follows: */
    uint64_t clock; /* after the step that left them */
    float beta[HS_LANES], stiffness[HS_LANES];
} hs_odds;

typedef struct hs_langevin {
    hs_point y;            /* owned: the proposal */
    hs_float_row *buffer;  /* owned: rows of a local gradient */
    hs_float_row *scratch; /* owned: logits of a general domain */
    hs_odds *odds;         /* owned, or NULL: U is not quadratic on pairs */
    float balance[HS_LANES];
    float stiffness[HS_LANES]; /* 1 / (2 alpha) */
    double log_ratio[HS_LANES];
    int32_t accept[HS_LANES]; /* of the last step */
} hs_langevin;

hiss_status hs_langevin_init(hs_langevin *s, const hs_model *m,
                             hiss_error *err);
void hs_langevin_clear(hs_langevin *s);

/* y ~ q(.|x); accept with min(1, p(y) q(x|y) / p(x) q(y|x)); or, not adjusted,
 * move to any y of positive probability.  One evaluation, of y. */
hiss_status hs_langevin_step(hs_langevin *s, const hs_model *m,
                             const hs_tilt *t, hs_tile *x, bool adjust);

/* e^min(0, log_ratio) per lane: the acceptance probability of the last
 * step. */
void hs_acceptance(const double *log_ratio, float *probability);

/* ln p(y) - ln p(x) under the tilt; -infinity where y is impossible. */
void hs_log_ratio(const hs_model *m, const hs_tilt *t, const hs_point *x,
                  const hs_point *y, double *log_ratio);

#endif
