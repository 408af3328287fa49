/* flips.h - counts how often each of many indicators rises and falls.
 *
 * Indicators are the bits of words.  Counts are stored as bit planes, so adding
 * one difference costs about two operations per word, not one per bit.  Counts
 * are whole numbers, so those of several threads can be added in any order. */
#ifndef HS_DIAG_TESTS_FLIPS_H
#define HS_DIAG_TESTS_FLIPS_H

#include <stdint.h>

#include <hiss/status.h>

typedef struct hs_flips {
    int features; /* bits in use */
    int words;
    int cells;
    int cell;        /* that the planes belong to */
    int pending;     /* number of differences in the planes */
    uint64_t *plane; /* owned, [words][up, down][planes] */
    int64_t *count;  /* owned, [cells][features][up, down] */
} hs_flips;

hiss_status hs_flips_init(hs_flips *f, int features, int cells,
                          hiss_error *err);
void hs_flips_clear(hs_flips *f);

static inline int hs_flips_words(int features)
{
    return (features + 63) / 64;
}

/* Adds a difference: bits before and after, [words]. */
void hs_flips_add(hs_flips *f, int cell, const uint64_t *before,
                  const uint64_t *after);

/* Adds the counts of another object of the same shape. */
void hs_flips_merge(hs_flips *f, hs_flips *other);

/* Sums rises and falls over all cells. */
void hs_flips_total(hs_flips *f, int feature, int64_t *up, int64_t *down);

/* Sum of (up - down)^2 / (up + down) over the *df nonempty cells. */
double hs_flips_spread(hs_flips *f, int feature, int64_t *df);

#endif
