/* random.h - a few independent draws for the measurements of the kernels and
 * for exact references: splitmix64, 64 bits of state, period 2^64.
 *
 * Not here: the randomness of the samplers, which is the library's own. */
#ifndef HISS_PAPER_SUPPORT_RANDOM_H
#define HISS_PAPER_SUPPORT_RANDOM_H

#include <stdint.h>

typedef struct paper_random {
    uint64_t state;
} paper_random;

/* Streams with different numbers do not meet in practice. */
void paper_random_init(paper_random *random, uint64_t seed, uint64_t stream);

double paper_random_uniform(paper_random *random);  /* inside (0,1) */
double paper_random_logistic(paper_random *random); /* scale 1 */
double paper_random_normal(paper_random *random);

/* An index with probabilities law[0 .. states). */
int paper_random_state(paper_random *random, const double *law, int states);

#endif
