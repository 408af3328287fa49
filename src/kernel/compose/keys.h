/* keys.h - tours by random keys: what hiss does on permutations.
 *
 * Every city has a real key, iid standard logistic, and the tour visits the
 * cities by rising keys.  Given the tour, the keys are the order statistics of
 * dim logistics.  Noise of scale eta on some of the keys gives other keys k',
 * whose order is the tour that is proposed.  The noise is symmetric, so that
 * the keys' own density f stays in the ratio:
 *     p(x') prod f(k'_c) / p(x) prod f(k_c),  f(k) = 1 / (4 cosh^2(k/2)).
 * What is chosen are cities, not positions: the noise of the keys of a given
 * set of cities is its own reverse, so that p is kept for every set.  Of a set
 * of positions that is true on average over the sets alone, since other cities
 * stand there afterwards, and chains that share a set would not keep p. */
#ifndef HS_KERNEL_COMPOSE_KEYS_H
#define HS_KERNEL_COMPOSE_KEYS_H

#include <hiss/status.h>

#include "lanes/shapes.h"
#include "model/model.h"

typedef struct hs_keys {
    uint32_t (*words)[HS_LANES]; /* owned, [dim, up to a multiple of 4] */
    hs_float_row *key;           /* owned, [dim]: of position i */
    float *sorted;               /* owned, [dim]: of one lane */
    uint32_t *raw;               /* owned, [dim]: of one lane */
    int16_t *order;              /* owned, [dim]: of one lane */
} hs_keys;

hiss_status hs_keys_init(hs_keys *s, int dim, hiss_error *err);
void hs_keys_clear(hs_keys *s);

/* Draws the keys of n->x, noises those of the chosen cities, and writes the
 * tour of the new ones to n->y; ln prod f(k') / f(k) to prior.  Of n it
 * reads domain, rng, eta, chosen, x, y and shape. */
void hs_keys_noise(hs_keys *s, const hs_noise *n, double *prior);

#endif
