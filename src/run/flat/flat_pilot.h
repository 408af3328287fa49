/* flat_pilot.h - the pilot of multicanonical sampling: learns its weights. */
#ifndef HS_RUN_FLAT_FLAT_PILOT_H
#define HS_RUN_FLAT_FLAT_PILOT_H

#include "kernel/sampler.h"
#include "run/account/pilot_account.h"

#define HS_FLAT_STARTS 64

/* Weights that were learned. */
typedef struct hs_flat_learned {
    hs_sampler *sampler; /* kept: with weights; NULL: nothing was learned */
    int16_t *start;      /* owned, [HS_FLAT_STARTS][dim] */
    char *text;          /* owned: a report, one line per finding */
    bool has_phases;
    double barrier;   /* between them */
    double crossings; /* crossings of the range of log p in the last stage, */
    double rate;      /* a quarter of the crossings per evaluation */
} hs_flat_learned;

/* full: a sampler that is multicanonical, with every default; needs_gap as for
 * hs_flatten.  Takes its own share of the run's evaluations and time. */
hiss_status hs_flat_learn(hs_flat_learned *out, const hs_model *m,
                          const hs_sampler *full, bool needs_gap,
                          hs_pilot_account *account, hiss_error *err);
void hs_flat_learned_clear(hs_flat_learned *l);

/* Replaces a multicanonical sampler without weights by one with learned
 * weights, and reports the findings, one per line; changes nothing for other
 * samplers. sampler: kept.  start: owned, [HS_FLAT_STARTS][dim], start states.
 * full: the sampler with all defaults. */
hiss_status hs_flat_pilot(hs_sampler **sampler, int16_t **start, char **text,
                          const hs_model *m, const hs_sampler *full,
                          hs_pilot_account *account, hiss_error *err);

#endif
