/* symmetry.h - is a chain reversible?  Transitions against their reverses. */
#ifndef HS_DIAG_TESTS_SYMMETRY_H
#define HS_DIAG_TESTS_SYMMETRY_H

#include "diag/tests/chi2.h"

#include <stdint.h>

typedef struct hs_symmetry {
    double statistic;
    int64_t df;
    int64_t open[2]; /* forward and backward counts of the open pool */
    int64_t last[2]; /* of the last closed group, not yet in statistic */
} hs_symmetry;

/* A zeroed hs_symmetry takes the counts of x -> y and y -> x of one unordered
 * pair after the other, x before y in some order fixed beforehand, and ends
 * with the test.  Pairs without transitions may be left out. */
void hs_symmetry_add(hs_symmetry *s, int64_t forward, int64_t backward);
void hs_symmetry_finish(hs_symmetry *s, hs_chi2 *out);

#endif
