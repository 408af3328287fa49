/* budget.c - what the phases of a pilot may spend. */
#include "run/account/budget.h"

#include <math.h>

double hs_budget_share(hs_policy_name phase)
{
    double sum = 0.0;

    for (int n = HS_SHARE_COOLING; n <= HS_SHARE_RACE; n++)
        sum += hs_policy((hs_policy_name)n);
    return hs_policy(phase) / sum;
}

double hs_budget_left(const hs_budget *b)
{
    return b->account->budget - (hs_pilot_account_spent(b->account) - b->began);
}

double hs_budget_allows(const hs_budget *b, hs_policy_name phase, double part)
{
    double race, most;

    hs_pilot_account_calibrate(b->account);
    race = hs_budget_share(HS_SHARE_RACE) * b->account->budget;
    most = part * hs_budget_share(phase) * b->account->budget;
    return fmax(0.0, fmin(most, hs_budget_left(b) - race));
}
