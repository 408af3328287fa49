/* strands_arm.c - replicas at the target for the chains of an arm. */
#include "run/arms/strands_arm.h"

#include <math.h>

#include "base/lane.h"
#include "run/policy/policy.h"

#define MOST 4 /* capacity: replicas of a chain, a quarter of a tile */

/* If evaluations end the run: fills idle lanes as long as every chain still
 * makes at least as many steps as it keeps draws. */
static int idle_lanes(const hs_strands_request *r,
                      const hs_pilot_account *account)
{
    double steps = hs_pilot_account_left(account) / r->cost *
                   (1.0 - hs_policy(HS_PREPARATION_SHARE));
    int strands = account->chains > 0 ? HS_LANES / account->chains : 1;

    if (account->draws > 0)
        strands = (int)fmin(strands, steps / (double)account->draws);
    return strands < MOST ? strands : MOST;
}

hiss_status hs_strands_arm_make(hs_sampler **out, const hs_sampler *s,
                                const hs_strands_request *request,
                                const hs_pilot_account *account,
                                hiss_error *err)
{
    int strands = 1;

    if (account->is_open)
        strands = idle_lanes(request, account);
    else if (request->brought > 0.0 &&
             request->brought < hs_policy(HS_REPLICAS_BELOW))
        strands = MOST; /* a chain does not depend on how many there are */
    *out = hs_sampler_keep(s);
    if (strands < 2 || s->type->is_outermost)
        return HISS_OK;
    hs_sampler_release(*out);
    return hs_sampler_make(
        out, &hs_kernel_replicas,
        (hs_setting[]){{"base", .sampler = s},
                       strands == MOST /* which is the default */
                           ? (hs_setting){0}
                           : (hs_setting){"count", .number = strands},
                       {0}},
        err);
}
