/* ladder.h - temperatures for parallel tempering, found by a pilot.
 *
 * The rejection r_j of an exchange with the hotter neighbor, summed up, is
 * the communication barrier L(beta) between beta and the hottest level [Syed
 * et al. 2022].  Levels at equal distances of L make round trips most
 * frequent, and 2 L + 1 levels make them cheapest.  Rounds of doubling length
 * measure r and place the levels anew until they stay, or the budget is
 * spent.  The first guess comes from cooling (cooling.h).
 *
 * Chains of the pilot have reserved numbers, and how many there are does not
 * depend on the run that follows. */
#ifndef HS_RUN_SCHEDULE_LADDER_H
#define HS_RUN_SCHEDULE_LADDER_H

#include <hiss/status.h>

#include "kernel/sampler.h"
#include "run/schedule/cooling.h"

#define HS_LADDER_COLD   32 /* capacity: states at the target */
#define HS_LADDER_ROUNDS 8  /* capacity: rounds of doubling length */

/* A barrier as a function of beta, by points: beta falls from 1, the height
 * rises from 0. */
typedef struct hs_barrier {
    int points;
    const double *beta, *height;
} hs_barrier;

/* beta at which it has this height. */
double hs_barrier_beta(const hs_barrier *b, double height);

typedef struct hs_ladder {
    int levels;
    double *temperature; /* owned, [levels]: from 1, the last may be infinite */
    double *rejection;   /* owned, [levels - 1] */
    double barrier;      /* their sum */
    int rounds;          /* made; 0: there was time for a first guess only */
    int16_t *cold;       /* owned, [HS_LADDER_COLD][dim]: latest states at the
                            target */
    int colds; /* number of them so far; each is stored at its number modulo
                  HS_LADDER_COLD */
} hs_ladder;

typedef struct hs_ladder_request {
    const hs_sampler *base; /* borrowed: of every level */
    double hottest;         /* temperature; infinity: uniform */
    int swap_every, parts;
    const char *reference; /* borrowed: of pt, or NULL */
    uint32_t first_chain;
    double budget; /* evaluations */
} hs_ladder_request;

/* a: cooled with the same base, borrowed. */
hiss_status hs_ladder_tune(hs_ladder *l, const hs_model *m,
                           const hs_ladder_request *request,
                           const hs_cooling *a, hs_pilot_account *account,
                           hiss_error *err);
void hs_ladder_clear(hs_ladder *l);

/* Five digits are enough, and can be read. */
double hs_ladder_rounded(double temperature);

/* Tempering with these levels, pt(base=...,ladder=[...]). */
hiss_status hs_ladder_sampler(hs_sampler **out, const hs_ladder *l,
                              const hs_ladder_request *request,
                              hiss_error *err);
/* Makes pthr as requested, with these levels.  If no levels were found, *out
 * stays NULL, and pthr keeps its default levels. */
hiss_status hs_ladder_copies(hs_sampler **out, const hs_ladder *l,
                             const hs_sampler *pthr, hiss_error *err);

#endif
