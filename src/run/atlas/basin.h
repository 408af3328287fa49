/* basin.h - how much of the distribution lies around a state?
 *
 * Sixteen chains walk from the state.  The marginals of their states define a
 * product distribution q, and the *basin* is the set of states that are typical
 * of q.  If another product r is given, it is the set of states that fit q
 * better than r, with a margin for the errors of both.  Its part of Z,
 *     Z(basin) = E_q[p / q; in the basin],     p = e^U,
 * is estimated with draws of q.  The estimate does not assume that the chains
 * have stayed: if they have left, or q fits badly, the basin is another set and
 * the estimate is mostly too small.  It is too large only by chance, and its
 * error covers that. */
#ifndef HS_RUN_ATLAS_BASIN_H
#define HS_RUN_ATLAS_BASIN_H

#include <stdbool.h>
#include <stdint.h>

#include <hiss/status.h>

#include "kernel/library.h"
#include "kernel/sampler.h"
#include "run/account/pilot_account.h"

typedef struct hs_basin {
    hs_library *law;     /* owned: one mode */
    double least;        /* lower bound on ln q of its states */
    const double *other; /* borrowed, or NULL: ln r of every value */
    double margin;       /* ln r of its states may exceed ln q by this much */
    double log_z;        /* -infinity if no draw had a positive probability */
    double error;        /* error of Z, relative; 1 where nothing is known */
} hs_basin;

typedef struct hs_basin_request {
    const hs_sampler *sampler; /* borrowed: local moves */
    uint32_t first_chain;      /* first chain of 32 */
    int discard;               /* steps that are not counted, */
    int steps;                 /* and that are */
    int draws;           /* draws of q; 0: its part of Z is not asked for */
    const double *other; /* borrowed, or NULL: ln r of every value; it outlives
                            the basin */
    double margin;
} hs_basin_request;

/* Starts from a state of indices. */
hiss_status hs_basin_init(hs_basin *b, const hs_model *m, const int16_t *state,
                          const hs_basin_request *request,
                          hs_pilot_account *account, hiss_error *err);
void hs_basin_clear(hs_basin *b);

/* ln q of a state, -infinity when it is not in the basin. */
double hs_basin_log(const hs_basin *b, const hs_domain *d,
                    const int16_t *state);

#endif
