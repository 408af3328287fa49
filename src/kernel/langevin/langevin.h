/* langevin.h - one step of the discrete Langevin proposal, adjusted or not:
 * what DMALA, DULA and ACS share. */
#ifndef HS_KERNEL_LANGEVIN_LANGEVIN_H
#define HS_KERNEL_LANGEVIN_LANGEVIN_H

#include <stdbool.h>

#include "kernel/tile.h"
#include "kernel/tilt.h"
#include "model/model.h"

/* The odds of every flip (lanes/langevin/odds.c), kept with x from step to step: those
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
    hs_byte_row *bytes;    /* owned: y on a regular graph, or NULL */
    hs_byte_row *own;      /* owned: x, kept like the odds; or NULL */
    bool is_half;          /* balance 1/2 in every lane and step */
    float balance[HS_LANES];
    float stiffness[HS_LANES]; /* 1 / (2 alpha) */
    double log_ratio[HS_LANES];
    int32_t accept[HS_LANES]; /* of the last step */
} hs_langevin;

/* Whether steps under a tilt of factors can be made (balance 1/2 assumed):
 * on regular graphs that are even in the spins. */
bool hs_langevin_takes_factors(const hs_model *m);

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

/* langevin_regular.c, for m->regular under a flat tilt with balance 1/2: the
 * spread at x, and x as bytes in s->own; y in s->bytes, with its spread and U.
 * move, under factors, too: takes y in the lanes that accept; under the tile's
 * own tilt the states are counted on the way (tile.h). */
void hs_regular_spread(hs_langevin *s, const hs_model *m, const hs_dlp *dlp,
                       const hs_point *x);
void hs_regular_propose(hs_langevin *s, const hs_model *m, const hs_dlp *dlp);
void hs_regular_move(hs_langevin *s, const hs_model *m, hs_tile *t,
                     bool has_own_tilt);

#endif
