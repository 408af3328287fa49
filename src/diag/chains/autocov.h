/* autocov.h - autocovariances of chains, averaged over them, on demand. */
#ifndef HS_DIAG_CHAINS_AUTOCOV_H
#define HS_DIAG_CHAINS_AUTOCOV_H

#include <hiss/status.h>
#include <stdint.h>

typedef struct hs_autocov {
    const double *x; /* borrowed; [chain][n], each chain of mean 0 */
    double *value;   /* owned; value[t] for t < ready */
    int64_t n;
    int64_t ready;
    int chains;
} hs_autocov;

/* x stays borrowed until hs_autocov_clear. */
hiss_status hs_autocov_init(hs_autocov *a, const double *x, int chains,
                            int64_t n, hiss_error *err);
void hs_autocov_clear(hs_autocov *a);

/* Makes value[t] available: the mean over chains of
 * sum_i x_i x_(i+t) / n, for 0 <= t < n. */
hiss_status hs_autocov_need(hs_autocov *a, int64_t t, hiss_error *err);

#endif
