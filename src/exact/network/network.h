/* network.h - a truncated tensor network: independent draws from nearly the
 * distribution of a model, each with its exact probability.
 *
 * Layers of variables are summed out from the last to the first, as in
 * elimination (elimination.h), but the sum over everything behind a frontier is
 * stored as a tensor train whose bonds are cut (train.h). A draw goes forward:
 * each layer is drawn given those before it, from the train behind it. Cutting
 * changes the probability q of a state, but q is always computed exactly, so a
 * Metropolis test or weights p / q correct it. A negative or tiny conditional
 * weight is raised to a floor, which is part of q, so q > 0 wherever p > 0.
 * With large enough bonds this is elimination. */
#ifndef HS_EXACT_NETWORK_NETWORK_H
#define HS_EXACT_NETWORK_NETWORK_H

#include <stdint.h>

#include <hiss/status.h>

#include "base/poll.h"
#include "model/model.h"

typedef struct hs_network hs_network;

typedef struct hs_network_request {
    int bond;    /* largest bond; 0 means doubled from HS_NETWORK_BOND_FIRST on
                    until draws are accepted */
    double most; /* multiplications of all these attempts, about; 0 means 10
                    s */
    double beta; /* inverse temperature of its log p; 0 means 1 */
    const hs_poll *poll; /* borrowed, or NULL */
} hs_network_request;

/* Facts about the finished network. */
typedef struct hs_network_facts {
    const char *order; /* order of the variables: "as given", "least
                          frontier" */
    int bond;          /* limit, given or chosen */
    int largest;       /* largest bond of the network */
    int frontier, layers;
    double discarded;   /* sum of the discarded shares of squares */
    double accepted;    /* accepted share of the pilot's draws; 0 if a mode is
                           missing */
    double missing;     /* ln of the factor by which the state of another chain
                           is too unlikely: above HS_NETWORK_MISSING a mode may
                           be missing */
    double log_z;       /* log z of the cut network: only a guide */
    double entries;     /* entries of all tensors */
    double draw_work;   /* multiplications of a draw */
    double sweeps;      /* cost of building it, in sweeps of single sites */
    double draw_sweeps; /* cost of a draw, in sweeps of single sites */
} hs_network_facts;

/* States of a quick annealing had less than 3 in good networks, and 17 or more
 * if a mode was missing (docs/measurements/network.md). */
#define HS_NETWORK_MISSING 6.0

/* The first bond, and the last that doubling reaches. */
#define HS_NETWORK_BOND_FIRST 8
#define HS_NETWORK_BOND_MAX   256

/* Returns the network of a model, which must outlive it; builds it unless
 * another holder has one of the same request.  HISS_EUNSUP if the model is not
 * a sum of tables, HISS_ENOMEM past the limits of memory or work, HISS_ESTOP.
 * `most` does not distinguish requests. */
hiss_status hs_network_hold(const hs_network **out, const hs_model *m,
                            const hs_network_request *request, hiss_error *err);
void hs_network_release(const hs_network *n);

const hs_network_facts *hs_network_about(const hs_network *n);

/* Estimates the cost of a network of this bond without building it, for the
 * choice of a sampler.  It does not predict the acceptance. */
typedef struct hs_network_price {
    int frontier;        /* of its order */
    double bytes;        /* most bytes of its tensors */
    double set_up, draw; /* numbers of multiplications, about */
} hs_network_price;
hiss_status hs_network_weigh(hs_network_price *price, const hs_model *m,
                             int bond, hiss_error *err);

/* Memory for draws: 16 at a time, of any chains and steps. */
typedef struct hs_network_scratch hs_network_scratch;
hiss_status hs_network_scratch_create(hs_network_scratch **out,
                                      const hs_network *n, hiss_error *err);
void hs_network_scratch_destroy(hs_network_scratch *s);

/* The address of the draws, in each of 16 lanes. */
typedef struct hs_network_address {
    uint64_t seed;
    uint64_t clock[HS_LANES];
    uint32_t chain[HS_LANES], replica[HS_LANES];
} hs_network_address;

/* Draws a state in every lane and computes ln q; with address NULL, only
 * computes ln q of the given states. */
void hs_network_draw(const hs_network *n, hs_network_scratch *s,
                     const hs_network_address *address, hs_index_row *x,
                     double *log_q);

/* Computes U of 16 states by the tables of the network. */
void hs_network_energy(const hs_network *n, const hs_index_row *x, double *u);

/* Share of Metropolis tests that draws with these ln p/q would pass, over all
 * pairs. */
double hs_network_acceptance(const double *log_weight, int count);

#endif
