/* budget.h - what the phases of a pilot may spend.
 *
 * policy.def has the shares of the phases, which are divided by their sum.  A
 * phase gets its share, but never what is reserved for the race, the last
 * phase.  What a phase does not spend is left to later ones. */
#ifndef HS_RUN_ACCOUNT_BUDGET_H
#define HS_RUN_ACCOUNT_BUDGET_H

#include "run/account/pilot_account.h"
#include "run/policy/policy.h"

typedef struct hs_budget {
    hs_pilot_account *account; /* borrowed */
    double began;              /* evaluations in it when the pilot began */
} hs_budget;

/* SHARE_... relative to the sum of all of them. */
double hs_budget_share(hs_policy_name phase);

/* Evaluations left, including those of the race; below 0 if the pilot has
 * overspent. */
double hs_budget_left(const hs_budget *b);

/* Evaluations that a part of a phase may take. */
double hs_budget_allows(const hs_budget *b, hs_policy_name phase, double part);

#endif
