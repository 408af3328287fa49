/* network_arm.h - whether `auto` should take independent draws from a truncated
 * network (exact/network/network.h).
 *
 * The arm applies to sums of small tables that elimination cannot do.  It costs
 * its set-up once, and then every draw costs the same, whatever the modes are.
 * Both are known before a trial: the set-up from the sizes of its tensors, the
 * price of a draw from the table of prices, and the acceptance from the first
 * draws. */
#ifndef HS_RUN_ARMS_NETWORK_ARM_H
#define HS_RUN_ARMS_NETWORK_ARM_H

#include <hiss/status.h>

#include "base/text.h"
#include "exact/network/network.h"
#include "kernel/sampler.h"
#include "run/account/pilot_account.h"

typedef struct hs_network_arm {
    const hs_network *held; /* held; NULL: the arm does not apply */
    hs_sampler *sampler;    /* kept: network */
    double rate; /* effective draws per evaluation, where an evaluation takes as
                    long as a step of the local sampler does for each of its
                    evaluations */
    double evals; /* cost of the set-up; the caller enters it in the account
                     after the race, so that trials are as long as without it */
} hs_network_arm;

/* m has its zeros, where it has any.  Makes the network if its set-up costs no
 * more than a pilot, or a small share of all evaluations.  base is the local
 * sampler and base_evals the evaluations of a step of it.  Adds a line to the
 * text if a network was made. */
hiss_status hs_network_arm_init(hs_network_arm *a, const hs_model *m,
                                const hs_sampler *base, double base_evals,
                                hs_pilot_account *account, hs_text *text,
                                hiss_error *err);
void hs_network_arm_clear(hs_network_arm *a);

#endif
