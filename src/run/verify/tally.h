/* tally.h - counts where replicates began and ended, and tests it. */
#ifndef HS_RUN_VERIFY_TALLY_H
#define HS_RUN_VERIFY_TALLY_H

#include <stdbool.h>
#include <stdint.h>

#include <hiss/status.h>

#include "diag/tests/chi2.h"
#include "exact/law.h"
#include "run/verify/pairs.h"

#define HS_JOINT_MAX (INT64_C(1) << 22) /* cells of two levels together */

typedef struct hs_tally {
    const hs_law *law; /* borrowed, [levels] */
    int levels;
    int64_t states;
    int64_t *count; /* owned, [levels][states]: where replicates ended */
    int64_t *joint; /* owned, [levels - 1][states * states], or NULL if that is
                       too much: levels j and j + 1 together */
    bool has_pairs;
    hs_pairs pairs; /* pairs of the cold level */
    int64_t replicates;
    int64_t moved; /* replicates whose cold state changed */
    /* For the cold level, by state: owned, [states]. */
    int64_t *began, *stayed;
} hs_tally;

/* One test, or the worst of a family of them. */
typedef struct hs_verify_test {
    char name[48];
    char worst[80]; /* name of the worst member, "" if there is one */
    int members;    /* p is that of the worst, times this */
    int64_t steps;  /* steps in a row between before and after */
    hs_chi2 chi2;   /* without degrees of freedom the statistic is a z */
    double change;  /* change of the mean of the worst member; NaN if it is not
                       a single number */
} hs_verify_test;

/* has_pairs: counts transitions too. */
hiss_status hs_tally_init(hs_tally *t, const hs_law *law, int levels,
                          bool has_pairs, hiss_error *err);
void hs_tally_clear(hs_tally *t);

/* Adds one replicate: its cold state before, and all its levels after. */
hiss_status hs_tally_add(hs_tally *t, uint32_t from, const uint32_t *to,
                         hiss_error *err);

/* Number of tests of the distribution: each level by itself, then neighbors
 * together, then rare states of the cold level one by one.  The first test
 * pools rare states, which would hide one that is only entered. */
int hs_tally_tests(const hs_tally *t);
hiss_status hs_tally_test(const hs_tally *t, int number, hs_verify_test *out,
                          hiss_error *err);

#endif
