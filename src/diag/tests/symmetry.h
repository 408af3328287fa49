/* symmetry.h - tests whether a chain is reversible. */
#ifndef HS_DIAG_TESTS_SYMMETRY_H
#define HS_DIAG_TESTS_SYMMETRY_H

#include "diag/tests/chi2.h"

#include <stdint.h>

typedef struct hs_symmetry {
    double statistic;
    int64_t df;
    int64_t open[2]; /* forward and backward counts of the open pool */
    int64_t last[2]; /* of the last closed group, not yet in the statistic */
} hs_symmetry;

/* Start with a zeroed hs_symmetry.  Add the counts of x -> y and y -> x for one
 * unordered pair after the other, with x before y in some fixed order, then
 * finish with the test.  Pairs without transitions may be omitted. */
void hs_symmetry_add(hs_symmetry *s, int64_t forward, int64_t backward);
void hs_symmetry_finish(hs_symmetry *s, hs_chi2 *out);

#endif
