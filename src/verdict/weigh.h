/* weigh.h - tests whether modes have the right shares of the draws. */
#ifndef HS_VERDICT_WEIGH_H
#define HS_VERDICT_WEIGH_H

#include "run/atlas/basin.h"
#include "verdict/verdict.h"

typedef struct hs_weighing {
    const hs_evidence *e;
    const hs_sampler *local; /* borrowed */
    hs_pilot_account *account;
    uint32_t first_chain;
    /* draws of the run, evenly spaced, chain by chain */
    const int16_t *draw; /* borrowed, [draws][dim]: indices */
    const double *u;     /* borrowed, [draws] */
    int64_t draws;
    int steps, seen; /* steps of chains from a mode, and draws of its
                        distribution */
} hs_weighing;

/* The share that differs most from the correct one. */
typedef struct hs_misweighed {
    int modes; /* number of modes that could be weighed, at least two; 0 if
                  none */
    int worst; /* counted from 1 */
    bool is_so;
    double share, should; /* found and expected share of the draws in these
                             modes */
    double sigmas, limit;
} hs_misweighed;

/* Uses a local estimate of each mode's part of Z; weighs a wrong share
 * again. */
hiss_status hs_weigh_modes(hs_misweighed *out, const hs_weighing *w,
                           hiss_error *err);
/* True unless another sampler agrees with the run, including the shares of
 * modes. */
bool hs_weigh_is_needed(const hiss_diagnosis *d);
/* Adds a finding; a correct share gives none. */
void hs_weigh_tell(hiss_diagnosis *d, const hs_misweighed *off);

#endif
