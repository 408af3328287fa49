/* logz.h - log Z from the steps between temperatures, with its error. */
#ifndef HS_DIAG_OBSERVE_LOGZ_H
#define HS_DIAG_OBSERVE_LOGZ_H

#include <hiss/status.h>

#include "base/state/domain.h"

typedef struct hs_logz {
    double mean;
    double se; /* +-1.96 of it cover 95 %; NaN from one chain */
} hs_logz;

/* Independent chains, each with the logarithms of two means per gap, [chain *
 * gaps + gap]: ln Z of a gap is ln mean(up) - ln mean(down), the means taken
 * over all chains.  Bias and error by the jackknife over chains, the error
 * widened as Student's t asks for few of them.  The sum over gaps is log Z
 * relative to the reference. */
hiss_status hs_logz_estimate(const double *up, const double *down, int chains,
                             int gaps, hs_logz *out, hiss_error *err);

/* ln of the number of states, which is log Z at beta = 0: strings of values, or
 * tours. */
double hs_logz_states(const hs_domain *d);

#endif
