/* weigh.h - whether modes have the shares of the draws that they should. */
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
    int steps, seen; /* of chains from a mode, and draws of its law */
} hs_weighing;

/* The share that is furthest from what it should be. */
typedef struct hs_misweighed {
    int modes; /* that could be weighed, of at least two; 0: none */
    int worst; /* counted from 1 */
    bool is_so;
    double share, should; /* of the draws in these modes */
    double sigmas, limit;
} hs_misweighed;

/* By a local estimate of each mode's part of Z; a share that is off is weighed
 * again. */
hiss_status hs_weigh_modes(hs_misweighed *out, const hs_weighing *w,
                           hiss_error *err);
/* Unless another sampler agrees with the run, shares of modes included. */
bool hs_weigh_is_needed(const hiss_diagnosis *d);
/* As a finding; a share that is right says nothing. */
void hs_weigh_tell(hiss_diagnosis *d, const hs_misweighed *off);

#endif
