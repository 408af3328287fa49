/* spread.h - strands, where lanes would be idle.
 *
 * A tile moves sixteen lanes in the time of one, and few chains fill few of
 * them.  With `strands` a chain has several replicas at the target and draws
 * from one of them after every step: as many evaluations make fewer steps, in
 * less time, and n steps of a chain whose correlations add up to tau, which are
 * worth n / tau, are worth n / (1 + (tau - 1) / strands) or more.  So strands
 * pay where a step is worth little; and where a run of so many evaluations has
 * more steps than it keeps draws, they cost little or nothing. */
#ifndef HS_RUN_PILOT_SPREAD_H
#define HS_RUN_PILOT_SPREAD_H

#include <hiss/status.h>

#include "base/text.h"
#include "kernel/sampler.h"
#include "run/account/keeping.h"
#include "run/account/pilot_account.h"

typedef struct hs_spread_request {
    double brought; /* effective draws of a step */
    double fresh;   /* so many need no strands */
    double cost;    /* evaluations of a step; 0: not known */
} hs_spread_request;

/* Effective draws of a chain whose strands make so many steps in all, among
 * those that it keeps; tau as above, of correlations that fall
 * exponentially. */
double hs_spread_worth(double steps, double tau, const hs_keeping *kept,
                       int strands);

/* Takes the sampler, and gives it back in strands if they pay, which is added
 * to the text. */
hiss_status hs_spread_out(hs_sampler **out, hs_sampler *s,
                          const hs_spread_request *request,
                          const hs_pilot_account *account, hs_text *text,
                          hiss_error *err);

#endif
