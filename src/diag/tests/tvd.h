/* tvd.h - how far counted states are from their law. */
#ifndef HS_DIAG_TESTS_TVD_H
#define HS_DIAG_TESTS_TVD_H

#include <stdint.h>

/* Total variation: half the sum of |counts / total - law|; 1 without any
 * counts. */
double hs_tvd(const int64_t *counts, const double *law, int64_t states);

/* The same where only the states that were seen are listed: the others have
 * no counts and the rest of the mass. */
double hs_tvd_seen(const int64_t *counts, const double *law, int64_t seen);

#endif
