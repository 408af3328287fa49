/* population.h - replicas with weights, moved from uniform states to a target.
 *
 * Replica r has a state x_r, a weight w_r (their sum is the number of replicas)
 * and a family: the first replica that it descends from.  At beta the weighted
 * replicas represent the distribution of exp(beta U). Three operations keep
 * this in expectation [Del Moral, Doucet & Jasra 2006]:
 *
 *   reweigh   to beta': w_r times exp((beta' - beta) U(x_r)); the mean of
 *             these factors is an estimate of Z(beta') / Z(beta), and the
 *             product of all of them times the number of states, Z-hat, has
 *             expectation Z(beta') for any number of replicas, if the
 *             temperatures do not depend on them;
 *   resample  replica r gets n_r copies, E[n_r] = w_r, and all weights are 1.
 *             Systematic: one uniform number u, and n_r counts the k + u
 *             between the sums of weights before r and with it.  Copies are
 *             adjacent in `order`, so families stay together;
 *   move      steps of a kernel that keeps the distribution at beta.
 *
 * A population is a function of (seed, first chain, size, temperatures):
 * replica r has the random numbers of chain first + r.  It does not depend on
 * threads: weights are summed in one order, and a worker moves its own tiles
 * with its own tree of kernels, whose clocks are reset before each tile. */
#ifndef HS_RUN_POPULATION_POPULATION_H
#define HS_RUN_POPULATION_POPULATION_H

#include <stdbool.h>
#include <stdint.h>

#include <hiss/status.h>

#include "base/pool.h"
#include "kernel/sampler.h"
#include "run/chain/group.h"

#define HS_POPULATION_MAX (1 << 26) /* capacity: replicas */

/* One worker's kernels: a group for its tree, its tuning and its counts. */
typedef struct hs_worker {
    hs_group *group; /* owned: of one tile, whose states are not used */
    uint64_t *steps; /* owned, [nodes]: steps of the tree when a move began */
    int first_tile, end_tile;
    hiss_status status;
    hiss_error error;
} hs_worker;

typedef struct hs_population {
    const hs_model *model; /* borrowed */
    hs_pool *pool;         /* borrowed */
    int size;              /* replicas */
    int tiles;
    hs_tile *tile;     /* owned, [tiles] */
    hs_worker *worker; /* owned, [workers] */
    int workers;
    int nodes;      /* number of nodes of a tree of kernels */
    double *weight; /* owned, [size]; their sum is size, */
    double *factor; /* owned, [size]: scratch for reweighing */
    int *order;     /* owned, [size]: replicas by families, */
    int *next;      /* owned, [size]: scratch for resampling, */
    int *copies;    /* owned, [size]: copies of each replica, and */
    int *from;      /* owned, [size]: the replica whose state it takes */
    int *family;    /* owned, [size] */
    double beta;
    double log_ratio; /* ln of the product of mean factors so far */
    int resampled;    /* times */
    int moving;       /* steps of the present move, for workers */
} hs_population;

/* Allocates `size` replicas, moved by this many workers on the threads of the
 * pool or, for a wide function, on fibers. */
hiss_status hs_population_create(hs_population **out, const hs_model *m,
                                 const hs_sampler *sampler, int size,
                                 hs_pool *pool, int workers, hiss_error *err);
void hs_population_destroy(hs_population *p);

/* Starts with uniform states, beta = 0, weights 1; replica r is chain
 * first_chain + r. */
hiss_status hs_population_begin(hs_population *p, uint64_t seed,
                                uint32_t first_chain, hiss_error *err);

/* The conditional ESS of a step to beta [Zhou, Johansen & Aston 2016] as a
 * share of the replicas: (sum w f)^2 / (sum w sum w f^2) with the factors f.  0
 * if no replica is possible there. */
double hs_population_foresee(hs_population *p, double beta);
/* Finds beta above the present one, at most 1, with this conditional ESS. */
double hs_population_next(hs_population *p, double share);
/* Reweighs to beta.  HISS_EINFEASIBLE if all weights are 0. */
hiss_status hs_population_reweigh(hs_population *p, double beta,
                                  hiss_error *err);
/* Effective share of the replicas: (sum w)^2 / (size sum w^2). */
double hs_population_ess(const hs_population *p);
/* Weighted mean of U. */
double hs_population_energy(const hs_population *p);

/* Uses the random number of (seed, first chain, stage). */
void hs_population_resample(hs_population *p, uint64_t stage);
/* Chooses `count` equally weighted replicas systematically, in order, to
 * out[count]. */
void hs_population_choose(hs_population *p, uint64_t stage, int count,
                          int *out);

/* Makes this many steps at the present beta. */
hiss_status hs_population_move(hs_population *p, int steps, hiss_error *err);

/* In a pilot, whose kernels adapt (hs_group_tune of the only worker): averages
 * what the lanes have learned. */
void hs_population_pool(hs_population *p);

/* Returns the tile of replica r. */
static inline hs_tile *hs_population_at(const hs_population *p, int replica,
                                        int *lane)
{
    *lane = replica % HS_LANES;
    return &p->tile[replica / HS_LANES];
}

/* Counts evaluations of all replicas since the beginning. */
void hs_population_evals(const hs_population *p, double *energy,
                         double *gradient);

/* Families by their share v_i of the weights: rho_t = size sum v_i^2 and rho_s
 * = size exp(sum v_i ln v_i), both 1 if no two replicas are related [Wang,
 * Machta & Katzgraber 2015], and the number of families left. */
typedef struct hs_families {
    double rho_t, rho_s, left;
} hs_families;

hs_families hs_population_families(hs_population *p);

#endif
