/* pilot_account.c - what a pilot costs, and whether the caller still wants
 * it. */
#include "run/account/pilot_account.h"

#include "base/error.h"

hiss_status hs_pilot_account_report(const hs_pilot_account *w, hiss_error *err)
{
    hiss_progress p = {.size = sizeof p,
                       .evaluations = hs_pilot_account_spent(w),
                       .is_warmup = 1};

    if (!w->progress)
        return HISS_OK;
    if (w->budget > 0.0)
        p.fraction = w->share * p.evaluations / w->budget;
    if (w->progress(w->context, &p))
        return hs_fail(err, HISS_ESTOP, "stopped on request in the pilot");
    return HISS_OK;
}
