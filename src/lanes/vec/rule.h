/* rule.h - how a visit to a site of two values decides, by a coin.
 *
 * With d the logit of the high value and e = e^-|d|, a heat bath takes the high
 * value with probability sigma(d) = (d < 0 ? e : 1) / (1 + e).  Metropolis
 * takes the other value with probability HS_METROPOLIS min(1, e^z), z = d from
 * the low value and -d from the high one. */
#ifndef HS_LANES_VEC_RULE_H
#define HS_LANES_VEC_RULE_H

#include <stdbool.h>

#include "lanes/shapes.h"
#include "lanes/vec/vec.h"

/* The probability part / whole of the coin; old: 0 or 1. */
HS_INLINE void rule_odds(bool is_metropolis, vf d, vf e, vi old, vf *part,
                         vf *whole)
{
    vf z = is_metropolis ? vf_negate_if(old, d) : d;

    *part = vf_select(vf_less(z, vf_set(0.0f)), e, vf_set(1.0f));
    *whole = 1.0f + e;
    if (is_metropolis) {
        *part = *part * HS_METROPOLIS;
        *whole = vf_set(1.0f);
    }
}

/* The new value after a coin of 0 or 1. */
HS_INLINE vi rule_value(bool is_metropolis, vi yes, vi old)
{
    return is_metropolis ? old ^ yes : yes;
}

/* weight times the probability of the high value. */
HS_INLINE vf rule_high(vf d, vf e, vf weight)
{
    vf part = vf_select(vf_less(d, vf_set(0.0f)), e, vf_set(1.0f));

    return weight * part / (1.0f + e);
}

#endif
