/* policy_set.h - changes the numbers of policy.def, for benches and tests.
 *
 * Values belong to the whole process: set them before a run begins. */
#ifndef HS_RUN_POLICY_POLICY_SET_H
#define HS_RUN_POLICY_POLICY_SET_H

#include <stdbool.h>

#include <hiss/status.h>

#include "run/policy/policy.h"

typedef struct hs_policy_entry {
    const char *name;
    double value, low, high; /* value: the default */
    const char *meaning;
} hs_policy_entry;

extern const hs_policy_entry hs_policies[HS_POLICIES];

/* Refuses unknown names and values outside the range of the table. */
hiss_status hs_policy_set(const char *name, double value, hiss_error *err);

/* All values are the defaults, and no number counts as read. */
void hs_policy_reset(void);

bool hs_policy_was_read(hs_policy_name name);

#endif
