/* split.h - cuts each chain into two, so that drift shows as disagreement. */
#ifndef HS_DIAG_CHAINS_SPLIT_H
#define HS_DIAG_CHAINS_SPLIT_H

#include <stdbool.h>
#include <stdint.h>

#define HS_MIN_DRAWS 4 /* with fewer there is no estimate */

/* Copies draws [chain][n] to out [2 chain][n / 2]; the middle draw of an odd
 * chain is left out. */
void hs_split_chains(const double *draws, int chains, int64_t n, double *out);

/* Number of draws after the split: 2 chains floor(n / 2). */
int64_t hs_split_size(int chains, int64_t n);

/* Whether there is at least one chain of HS_MIN_DRAWS draws, all finite. */
bool hs_draws_usable(const double *draws, int chains, int64_t n);

#endif
