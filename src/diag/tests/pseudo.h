/* pseudo.h - the inverse temperature of draws by maximum pseudo-likelihood.
 *
 * A draw tells, for each site, what every other value of the site would change
 * log p by: the changes D_v, with 0 for its own value.  At inverse temperature
 * beta the site has its value with probability 1 / sum_v exp(beta D_v), given
 * all others.  The product over sites and draws is concave in beta [Besag
 * 1975].  Its maximum needs no normalization, and it is near the truth as soon
 * as draws are in equilibrium within a mode.
 *
 * With s the score of a draw and f its Fisher information, the error is that of
 * the mean of s, over the mean of f.  It covers correlated sites and draws. */
#ifndef HS_DIAG_TESTS_PSEUDO_H
#define HS_DIAG_TESTS_PSEUDO_H

#include <stdint.h>

#include <hiss/status.h>

/* Changes of log p for each draw, site by site, in [chain][draw].  -infinity
 * stands for an impossible value.  All borrowed. */
typedef struct hs_conditionals {
    const float *change; /* [chains * draws][width] */
    const int *others;   /* [sites]: values of a site but its own; sums to
                            width */
    int sites, chains;
    int64_t draws, width;
} hs_conditionals;

typedef struct hs_pseudo {
    /* NaN: all values are forced or equally likely; +-infinity: no draw can
     * rise, or none can fall. */
    double beta;
    double error;  /* NaN unless beta is finite */
    double sigmas; /* distance from beta = 1, by a score test there */
} hs_pseudo;

hiss_status hs_pseudo_fit(hs_pseudo *out, const hs_conditionals *c,
                          hiss_error *err);

#endif
