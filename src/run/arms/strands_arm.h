/* strands_arm.h - replicas at the target for the chains of an arm.
 *
 * A tile steps sixteen lanes in the time of one, and few chains leave lanes
 * idle.  With `replicas` a chain has several replicas at the target and draws
 * from one of them after every step.  Their worth follows from that of the arm:
 * as many evaluations make fewer steps, in less time, with as many effective
 * draws, as long as no draw that would be kept is lost. */
#ifndef HS_RUN_ARMS_STRANDS_ARM_H
#define HS_RUN_ARMS_STRANDS_ARM_H

#include <hiss/status.h>

#include "kernel/sampler.h"
#include "run/account/pilot_account.h"

typedef struct hs_strands_request {
    double brought; /* effective draws of a step; 0: not known */
    double cost;    /* evaluations of a step */
} hs_strands_request;

/* The sampler, kept, or with several replicas where they pay. */
hiss_status hs_strands_arm_make(hs_sampler **out, const hs_sampler *s,
                                const hs_strands_request *request,
                                const hs_pilot_account *account,
                                hiss_error *err);

#endif
