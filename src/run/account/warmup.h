/* warmup.h - how much of a run is warm-up, where the caller does not say.
 *
 * A fifth, as a rule.  Where trials of the pilot have shown how soon chains
 * forget where they were, some twenty times that is enough, and a fifth of a
 * long run would be spent for nothing; a twentieth is left, since trials are
 * short. */
#ifndef HS_RUN_ACCOUNT_WARMUP_H
#define HS_RUN_ACCOUNT_WARMUP_H

#include <math.h>

#include "run/account/keeping.h"
#include "run/policy/policy.h"

/* Of a chain that has so many evaluations, and an effective draw of which takes
 * `each` of them; 0: not known. */
static inline double hs_warmup_share(double evals, double each)
{
    if (!(each > 0.0))
        return hs_policy(HS_PREPARATION_SHARE);
    return fmin(fmax(hs_policy(HS_WARMUP_DRAWS) * each / evals,
                     hs_policy(HS_WARMUP_LEAST)),
                hs_policy(HS_PREPARATION_SHARE));
}

/* Steps after a warm-up that leaves `most` of them, or as few as `least`: a few
 * more than fit into what is kept make draws further apart.  Then as many as
 * fit, if that has a larger share of draws than it leaves out of steps. */
static inline double hs_warmup_steps(double most, double least,
                                     const hs_keeping *k)
{
    double fit = hs_keeping_fit(k, most);
    double gain = fit / hs_keeping_apart(k, fit) * hs_keeping_apart(k, most);

    return fit > 0.0 && fit >= least && gain * fit > most * most ? fit : most;
}

#endif
