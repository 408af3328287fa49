/* keys.h - tours by random keys: the noise of hiss on permutations.
 *
 * Every city has a real key, iid standard logistic, and the tour visits the
 * cities by rising keys.  Given the tour, the keys are the order statistics of
 * dim logistics.  Noise of scale eta on some of the keys gives other keys k',
 * whose order is the proposed tour. The noise is symmetric, so only the keys'
 * own density f is in the ratio:
 *     p(x') prod f(k'_c) / p(x) prod f(k_c),  f(k) = 1 / (4 cosh^2(k/2)).
 * The chosen set consists of cities, not positions: the noise of the keys of a
 * given set of cities is its own reverse, so p is kept for every set. For a set
 * of positions this holds only on average over the sets, because other cities
 * are there afterwards, and chains that share a set would not keep p. */
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

/* Draws the keys of n->x, adds noise to those of the chosen cities, and writes
 * the tour of the new ones to n->y and ln prod f(k') / f(k) to prior.  It reads
 * domain, rng, eta, chosen, x, y and shape of n. */
void hs_keys_noise(hs_keys *s, const hs_noise *n, double *prior);

#endif
