/* basin.h - how much of the law lies around a state?
 *
 * Sixteen chains walk from the state; the marginals of where they have been
 * are a law q, a product, and the *basin* is the set of states that are
 * typical of it; where another product r is given, of those that are more like
 * q than like r, errors of both laws allowed.  Its part of Z,
 *     Z(basin) = E_q[p / q; in the basin],     p = e^U,
 * is estimated with draws of q.  Nothing has to be true of the chains: where
 * they have left for somewhere else, or q fits badly, the set is another one
 * and the estimate mostly too small; it is too large by chance only, which its
 * error says. */
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
