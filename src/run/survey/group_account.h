/* group_account.h - what the chains of a pilot take, entered step by step. */
#ifndef HS_RUN_SURVEY_GROUP_ACCOUNT_H
#define HS_RUN_SURVEY_GROUP_ACCOUNT_H

#include <hiss/status.h>

#include "run/account/pilot_account.h"
#include "run/chain/group.h"

/* Enters all that a fresh group has taken, and reports. */
static inline hiss_status hs_group_account(const hs_group *g,
                                           hs_pilot_mark before,
                                           hs_pilot_account *account,
                                           hiss_error *err)
{
    double energy, gradient;

    hs_group_evals(g, &energy, &gradient);
    hs_pilot_account_enter(account, before, energy * g->chains,
                           gradient * g->chains);
    return hs_pilot_account_report(account, err);
}

#endif
