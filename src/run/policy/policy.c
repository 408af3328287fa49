/* policy.c - the table of policy.def, and how a bench changes it. */
#include "run/policy/policy.h"

#include <string.h>

#include "base/error.h"
#include "run/policy/policy_set.h"

#define HS_POLICY(name, value, low, high, meaning) [HS_##name] = (value),
double hs_policy_values[HS_POLICIES] = {
#include "run/policy/policy.def"
};
#undef HS_POLICY

#define HS_POLICY(name, value, low, high, meaning)                             \
  [HS_##name] = {#name, value, low, high, meaning},
const hs_policy_entry hs_policies[HS_POLICIES] = {
#include "run/policy/policy.def"
};
#undef HS_POLICY

atomic_uchar hs_policy_reads[HS_POLICIES];

hiss_status hs_policy_set(const char *name, double value, hiss_error *err)
{
    int n = 0;

    while (n < HS_POLICIES && strcmp(hs_policies[n].name, name) != 0)
        n++;
    if (n == HS_POLICIES)
        return hs_fail(err, HISS_EARG, "no number of the policy is named '%s'",
                       name);
    if (!(value >= hs_policies[n].low && value <= hs_policies[n].high))
        return hs_fail(err, HISS_EARG, "%s must be in [%g,%g], not %g", name,
                       hs_policies[n].low, hs_policies[n].high, value);
    hs_policy_values[n] = value;
    return HISS_OK;
}

void hs_policy_reset(void)
{
    for (int n = 0; n < HS_POLICIES; n++) {
        hs_policy_values[n] = hs_policies[n].value;
        atomic_store_explicit(&hs_policy_reads[n], 0, memory_order_relaxed);
    }
}

bool hs_policy_was_read(hs_policy_name name)
{
    return atomic_load_explicit(&hs_policy_reads[name], memory_order_relaxed);
}
