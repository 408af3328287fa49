/* pairs.h - counts transitions x -> y in a table that grows. */
#ifndef HS_RUN_VERIFY_PAIRS_H
#define HS_RUN_VERIFY_PAIRS_H

#include <stdint.h>

#include <hiss/status.h>

#include "diag/tests/chi2.h"

typedef struct hs_pair {
    uint32_t from, to; /* state numbers */
    int64_t count;     /* 0 for an empty slot */
} hs_pair;

/* Open addressing, at most half full. */
typedef struct hs_pairs {
    hs_pair *slot; /* owned, [slots] */
    int64_t slots; /* a power of 2 */
    int64_t used;
} hs_pairs;

hiss_status hs_pairs_init(hs_pairs *p, hiss_error *err);
void hs_pairs_clear(hs_pairs *p);
hiss_status hs_pairs_add(hs_pairs *p, uint32_t from, uint32_t to,
                         hiss_error *err);

/* Lists all pairs, sorted by from, then to: [used], owned by the caller. */
hiss_status hs_pairs_list(const hs_pairs *p, hs_pair **out, hiss_error *err);

/* Detailed balance: counts of x -> y against y -> x. */
hiss_status hs_pairs_symmetry(const hs_pairs *p, hs_chi2 *out, hiss_error *err);

#endif
