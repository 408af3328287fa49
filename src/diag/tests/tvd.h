/* tvd.h - the distance of counted states from their distribution. */
#ifndef HS_DIAG_TESTS_TVD_H
#define HS_DIAG_TESTS_TVD_H

#include <stdint.h>

/* Total variation: half the sum of |counts / total - law|; 1 without counts. */
double hs_tvd(const int64_t *counts, const double *law, int64_t states);

/* The same if only visited states are listed: the others have no counts and the
 * rest of the mass. */
double hs_tvd_seen(const int64_t *counts, const double *law, int64_t seen);

#endif
