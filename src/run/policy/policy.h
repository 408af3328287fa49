/* policy.h - the numbers that steer the pilot of `auto` (policy.def).
 *
 * A number that decides something stands in the table, so that it has a name, a
 * range and a reason, and so that a bench can change it without a new build.
 * Constants of mathematics, sizes of arrays and widths of bits stay where they
 * are used. */
#ifndef HS_RUN_POLICY_POLICY_H
#define HS_RUN_POLICY_POLICY_H

#include <stdatomic.h>
#include <stdbool.h>

typedef enum hs_policy_name {
#define HS_POLICY(name, value, low, high, meaning) HS_##name,
#include "run/policy/policy.def"
#undef HS_POLICY
    HS_POLICIES
} hs_policy_name;

/* Changed by hs_policy_set (policy_set.h) alone. */
extern double hs_policy_values[HS_POLICIES];

/* The numbers that were read since hs_policy_reset, for benches. */
extern atomic_uchar hs_policy_reads[HS_POLICIES];

/* The value of a number.  Not for loops over coordinates or chains. */
static inline double hs_policy(hs_policy_name name)
{
    if (!atomic_load_explicit(&hs_policy_reads[name], memory_order_relaxed))
        atomic_store_explicit(&hs_policy_reads[name], 1, memory_order_relaxed);
    return hs_policy_values[name];
}

/* The value of a number that is a count, without its fraction. */
static inline int hs_policy_count(hs_policy_name name)
{
    return (int)hs_policy(name);
}

/* Returns true if a model of this many coordinates needs a shorter pilot. */
static inline bool hs_policy_is_large(int dim)
{
    return dim * hs_policy(HS_PILOT_EVALS) > hs_policy(HS_PILOT_WORK);
}

/* The requested number of steps, between MIN_STEPS and MAX_STEPS. */
static inline int hs_policy_steps(double wanted)
{
    double least = hs_policy(HS_MIN_STEPS), most = hs_policy(HS_MAX_STEPS);

    return (int)(wanted > most ? most : wanted > least ? wanted : least);
}

#endif
