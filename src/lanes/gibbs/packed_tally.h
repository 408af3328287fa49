/* packed_tally.h - counts how often each bit was set after a sweep.
 *
 * Bundles of words have vertical counters: plane b of a bundle has bit b of the
 * counts of all its chains and visits.  As in packed_bits.h two numbers of one
 * weight are added at a time, so a sweep costs about one adder. */
#ifndef HS_LANES_GIBBS_PACKED_TALLY_H
#define HS_LANES_GIBBS_PACKED_TALLY_H

#include "lanes/gibbs/packed_bits.h"
#include "lanes/shapes.h"

/* Row `kind` (0: sums, 1: numbers still to be added) of weight 2^b. */
#define TALLY(b, kind) ((2 * (b) + (kind)) * HS_BUNDLE)

/* Adds one bundle of words after `added` earlier ones. */
HS_INLINE void tally_bundle(uint16_t *tally, const uint16_t *word,
                            unsigned added)
{
    for (int at = 0; at < HS_BUNDLE; at += 2 * HS_WIDTH) {
        vu bits = words_at(word + at);
        int b = 0;

        for (; added >> b & 1; b++) {
            uint16_t *own = tally + TALLY(b, 0) + at;
            vu sum = words_at(own), wait = words_at(tally + TALLY(b, 1) + at);
            vu carry = MOST(sum, wait, bits);

            sum = PARITY(sum, wait, bits);
            memcpy(own, &sum, sizeof sum);
            bits = carry;
        }
        memcpy(tally + TALLY(b, 1) + at, &bits, sizeof bits);
    }
}

HS_INLINE void tally_all(const hs_packed *p, const uint16_t *word,
                         unsigned added, uint16_t *tally)
{
    for (int n = 0; n < p->dim; n += HS_BUNDLE)
        tally_bundle(tally + (size_t)n * HS_TALLY_ROWS, word + n, added);
}

#endif
