/* flatten.h - weights w(U) for multicanonical sampling, learned by a pilot.
 *
 * Chains with reserved numbers are cooled from uniform states past the target
 * and heated back to it. If cooling and heating take different paths, the
 * target lies between two phases. The first slope of w at U is the beta at
 * which cooling has this mean, at most 1.  Then Wang and Landau's rule makes
 * the histogram of U even: every step lowers w where its chain stands, by an
 * amount that is halved when chains have crossed the range in both directions
 * often enough.  The learned weights are frozen: they determine the speed of
 * the run but not its distribution. */
#ifndef HS_RUN_FLAT_FLATTEN_H
#define HS_RUN_FLAT_FLATTEN_H

#include <hiss/status.h>

#include "kernel/sampler.h"
#include "run/account/pilot_account.h"

#define HS_FLATTEN_LANES 64 /* capacity: chains that learn */

typedef struct hs_flattening {
    int cells;        /* 0 if nothing was learned */
    double range[2];  /* U at the two ends of w */
    double *slope;    /* owned, [cells] */
    bool has_phases;  /* the target has two maxima */
    double phase[2];  /* U there, the lower one first */
    double barrier;   /* ln of how much less likely than them the valley is */
    double crossings; /* crossings of the range in the last stage, */
    double evals;     /* and the evaluations of this stage */
    int halvings;
    int16_t *state; /* owned, [HS_FLATTEN_LANES][dim]: final states of the
                       chains, spread evenly over U */
} hs_flattening;

/* Evaluations that learning may take, fewer of large models. */
double hs_flatten_evals(int dim);

/* base: of the replicas, borrowed.  needs_gap: nothing is learned where heating
 * comes back to the target as cooling left it.  Without enough evaluations or
 * time nothing, or less, is learned, which account->is_late says. */
hiss_status hs_flatten(hs_flattening *f, const hs_model *m,
                       const hs_sampler *base, bool needs_gap,
                       hs_pilot_account *account, hiss_error *err);
void hs_flattening_clear(hs_flattening *f);

#endif
