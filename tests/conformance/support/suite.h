/* suite.h - models of every coordinate kind, and a verdict on a sampler.
 *
 * A verdict fails the law when p <= 1e-8, or when p <= 1e-4 and so again with
 * a fresh seed and ten times the replicates.  A sampler that is right fails
 * with probability 2e-8 per verdict.  Seeds are fixed, so that no run differs
 * from another; with --slow they come from the clock and are printed, and
 * there are ten times the replicates.  HISS_TEST_REPLICATES=brief takes a
 * fiftieth, for sanitizers: enough to touch everything, too few to see.
 * HISS_TEST_ONLY=dmala checks only samplers that name that kernel. */
#ifndef HS_TESTS_SUITE_H
#define HS_TESTS_SUITE_H

#include <stdbool.h>
#include <stdint.h>

#include "model/model.h"
#include "run/verify/verify.h"

typedef enum suite_model {
    BINARY,      /* a table of three bits */
    SPIN,        /* a table of three spins */
    ORDINAL,     /* a table with levels 0,1,3 and 0,0.5,2 and 2,5 */
    CATEGORICAL, /* a table of two coordinates with 3 and 4 labels */
    MIXED,       /* a table of all four kinds */
    HOLES,       /* the same with impossible states */
    LONE,        /* a table with coordinates of one value only */
    ISING,       /* ising(side=3,beta=0.3) */
    FIELD,       /* ising(side=3,beta=0.2,field=0.3) */
    LADDER,      /* ladder(d=3,levels=4,beta=0.3) */
    POTTS,       /* potts(side=2,states=3,beta=0.3) */
    SUITE_MODELS
} suite_model;

extern const char *const suite_names[SUITE_MODELS];

/* Fails the test when there is no memory. */
hs_model *suite_create(suite_model which);

/* From a spec; any error fails the test. */
hs_model *suite_model_of(const char *spec);

/* Setting the sampler up for a model is HISS_EUNSUP, with this word. */
void suite_refuses(const char *sampler, const char *model, const char *word);

/* Up to five cities; form as of hs_tour_law. */
hs_model *suite_tours(int count, int form);

/* argv[1] "--slow" or nothing; call first in main. */
void suite_begin(int argc, char **argv);
uint64_t suite_seed(uint64_t number);
int64_t suite_replicates(int64_t quick);
bool suite_is_brief(void);
bool suite_is_slow(void);

/* One verdict; hs_verdict_clear it.  Any error fails the test. */
void suite_verify(hs_verdict *v, const hs_model *m, const char *sampler,
                  int64_t replicates, uint64_t seed);

/* The law kept, reversibility as claimed: each once more in case of doubt.
 * Prints a line; returns the number of complaints.  `moved` must be at least
 * least_moved. */
int suite_complaints(const char *name, const hs_model *m, const char *sampler,
                     int64_t replicates, uint64_t seed, double least_moved);

/* The complaints about every sampler on every model, both from specs; seeds
 * from `seed` on, one for each pair. */
int suite_all_complaints(const char *const *models, size_t model_count,
                         const char *const *samplers, size_t sampler_count,
                         int64_t replicates, uint64_t seed, double least_moved);

/* A fault is seen when p < 1e-8, a right sampler's chance of which is nothing
 * to speak of; so an eighth of the replicates comes first, twice as many as
 * long as that does not suffice, and `replicates` last.  Prints a line; 1 if
 * it is overlooked. */
int suite_overlooks(const char *name, const hs_model *m, const char *sampler,
                    int64_t replicates, uint64_t seed);

#endif
