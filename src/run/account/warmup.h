/* warmup.h - the length of the warm-up, if the caller does not set it.
 *
 * The default is a fifth of the run.  If trials of the pilot have measured how
 * soon chains forget their start, about twenty times that is enough, and a
 * fifth of a long run would waste evaluations.  At least a twentieth is spent,
 * because trials are short. */
#ifndef HS_RUN_ACCOUNT_WARMUP_H
#define HS_RUN_ACCOUNT_WARMUP_H

#include <math.h>

#include "run/account/keeping.h"
#include "run/policy/policy.h"

/* Share of the warm-up, for a chain with `evals` evaluations and `each` of them
 * per effective draw; each is 0 if unknown. */
static inline double hs_warmup_share(double evals, double each)
{
    if (!(each > 0.0))
        return hs_policy(HS_PREPARATION_SHARE);
    return fmin(fmax(hs_policy(HS_WARMUP_DRAWS) * each / evals,
                     hs_policy(HS_WARMUP_LEAST)),
                hs_policy(HS_PREPARATION_SHARE));
}

/* Steps after a warm-up, at most `most` and at least `least`.  A few steps more
 * than the store can hold put draws further apart.  So this returns the steps
 * that just fit, if the gain in draws is larger than the loss in steps. */
static inline double hs_warmup_steps(double most, double least,
                                     const hs_keeping *k)
{
    double fit = hs_keeping_fit(k, most);
    double gain = fit / hs_keeping_apart(k, fit) * hs_keeping_apart(k, most);

    return fit > 0.0 && fit >= least && gain * fit > most * most ? fit : most;
}

#endif
