/* tvd.h - how far counted states are from their law. */
#ifndef HS_DIAG_TESTS_TVD_H
#define HS_DIAG_TESTS_TVD_H

#include <stdint.h>

/* Total variation: half the sum of |counts / total - law|; 1 without any
 * counts. */
double hs_tvd(const int64_t *counts, const double *law, int64_t states);

/* The paper's log MAE: ln of the mean over states of |counts / total - law|,
 * natural logarithm; -inf for a perfect match. */
double hs_log_mae(const int64_t *counts, const double *law, int64_t states);

/* The part of the states that were seen at all. */
double hs_coverage(const int64_t *counts, int64_t states);

#endif
