/* twister.h - the Mersenne twister, as numpy's RandomState shuffles with it.
 *
 * Use it only to split data into the same rows as others did.  Every draw of a
 * sampler comes from rng.h. */
#ifndef HS_BASE_RANDOM_TWISTER_H
#define HS_BASE_RANDOM_TWISTER_H

#include <stdint.h>

#define HS_TWISTER_WORDS 624

typedef struct hs_twister {
    uint32_t state[HS_TWISTER_WORDS];
    int at;
} hs_twister;

/* MT19937 with init_genrand(seed). */
void hs_twister_init(hs_twister *t, uint32_t seed);
uint32_t hs_twister_next(hs_twister *t);

/* Returns RandomState.permutation(count), a shuffle of 0, 1, ... */
void hs_twister_permute(hs_twister *t, int count, int *order);

#endif
