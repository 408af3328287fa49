/* network.h - a truncated tensor network: independent draws from nearly the law
 * of a model, each with its exact probability.
 *
 * Layers of variables are summed out from the last to the first, as in
 * elimination (elimination.h), but the sum over all that is behind a frontier
 * is kept as a tensor train whose bonds are cut (train.h).  A draw goes
 * forward: each layer given those before it, from the train behind it.
 * What cutting loses changes the probability q of a state, and never what is
 * said of q: a Metropolis test or weights p / q correct it.  A conditional
 * weight that came out negative or tiny is raised to a floor, and the floor is
 * part of q, so that q > 0 wherever p > 0.
 *
 * With bonds that are large enough this is elimination. */
#ifndef HS_EXACT_NETWORK_NETWORK_H
#define HS_EXACT_NETWORK_NETWORK_H

#include <stdint.h>

#include <hiss/status.h>

#include "base/poll.h"
#include "model/model.h"

typedef struct hs_network hs_network;

typedef struct hs_network_request {
    int bond;    /* the largest; 0: doubled from HS_NETWORK_BOND_FIRST on until
                 draws are accepted */
    double most; /* multiplications of all these attempts, about; 0: as many as
                    take 10 s */
    double beta; /* inverse temperature of its log p; 0: 1 */
    const hs_poll *poll; /* borrowed; NULL: never asked */
} hs_network_request;

/* Facts about the finished network. */
typedef struct hs_network_facts {
    const char *order; /* of the variables: "as given", "least frontier" */
    int bond;          /* limit that was set or chosen */
    int largest;       /* bond that there is */
    int frontier, layers;
    double discarded;   /* shares of squares that were left out, added up */
    double accepted;    /* share of the pilot's draws; 0 if a mode is missing */
    double missing;     /* ln of how much less likely than it should be the
                           state of another chain is: a mode may be missing
                           where it is above HS_NETWORK_MISSING */
    double log_z;       /* of the cut network: no more than a guide */
    double entries;     /* of all tensors */
    double draw_work;   /* multiplications of a draw */
    double sweeps;      /* cost of making it, */
    double draw_sweeps; /* and of a draw, in sweeps of single sites */
} hs_network_facts;

/* States of quick annealing had less than 3 in networks without a fault, and 17
 * or more where a mode was missing (docs/measurements/network.md). */
#define HS_NETWORK_MISSING 6.0

/* Bonds of the first attempt and of the last that is doubled to. */
#define HS_NETWORK_BOND_FIRST 8
#define HS_NETWORK_BOND_MAX   256

/* The network of a model, which must outlive it; made now unless another owner
 * holds one of the same request already.  HISS_EUNSUP where the model is no sum
 * of tables, HISS_ENOMEM past the limits of memory or work, HISS_ESTOP.  `most`
 * is not part of what makes a request the same. */
hiss_status hs_network_hold(const hs_network **out, const hs_model *m,
                            const hs_network_request *request, hiss_error *err);
void hs_network_release(const hs_network *n);

const hs_network_facts *hs_network_about(const hs_network *n);

/* Cost of a network of this bond, without making it; for the choice of a
 * sampler.  It does not predict the acceptance. */
typedef struct hs_network_price {
    int frontier;        /* of its order */
    double bytes;        /* of its tensors, at most */
    double set_up, draw; /* multiplications, about */
} hs_network_price;
hiss_status hs_network_weigh(hs_network_price *price, const hs_model *m,
                             int bond, hiss_error *err);

/* Memory for draws: 16 at a time, of any chains and steps. */
typedef struct hs_network_scratch hs_network_scratch;
hiss_status hs_network_scratch_create(hs_network_scratch **out,
                                      const hs_network *n, hiss_error *err);
void hs_network_scratch_destroy(hs_network_scratch *s);

/* Who draws, in each of 16 lanes. */
typedef struct hs_network_address {
    uint64_t seed;
    uint64_t clock[HS_LANES];
    uint32_t chain[HS_LANES], replica[HS_LANES];
} hs_network_address;

/* Draws a state in every lane, with ln q; address NULL: ln q of the states that
 * are there. */
void hs_network_draw(const hs_network *n, hs_network_scratch *s,
                     const hs_network_address *address, hs_index_row *x,
                     double *log_q);

/* U of 16 states by the tables of the network. */
void hs_network_energy(const hs_network *n, const hs_index_row *x, double *u);

/* Share of Metropolis tests that draws with these ln p/q would pass, each
 * against each. */
double hs_network_acceptance(const double *log_weight, int count);

#endif
