/* balance.h - ln g(e^z) of the balancing functions. */
#ifndef HS_LANES_VEC_BALANCE_H
#define HS_LANES_VEC_BALANCE_H

#include "lanes/shapes.h"
#include "lanes/vec/vec.h"

/* ln(1 + e^z) */
HS_INLINE vf softplus(vf z)
{
    return vf_max(z, vf_set(0.0f)) +
           vf_log_normal(1.0f + vf_exp_negative(-vf_abs(z)));
}

/* z = -infinity is an impossible change and stays -infinity. */
HS_INLINE vf balance_log(hs_balance balance, vf z)
{
    vf zero = vf_set(0.0f), none = vf_set(-__builtin_inff());

    switch (balance) {
    case HS_BALANCE_BARKER:
        return -softplus(-z);
    case HS_BALANCE_MIN:
        return vf_min(z, zero);
    case HS_BALANCE_MAX:
        return vf_select(vf_equal(z, none), none, vf_max(z, zero));
    default:
        return z * 0.5f;
    }
}

#endif
