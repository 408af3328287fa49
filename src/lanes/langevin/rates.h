/* rates.h - each coordinate jumps independently, at fixed rates for some time:
 * discrete Langevin Monte Carlo [Sun, Dai, Dai, Zhou & Schuurmans 2023].
 *
 * With gains z(v), 0 at the present value x, rates g(e^z(v)) for a time tau,
 * and nu = softmax of z, the limit of the jumps,
 *     q(v) = nu(v) (1 - e^-a(v)),   a(v) = tau g(e^z(v)) / nu(v),   v not x;
 * For two values that is the distribution of the process at time tau.  Or its
 * first step (Euler): q(v) = min(nu(v), tau g(e^z(v))).  Either leaves
 *     q(x) = nu(x) + sum_v [nu(v) - q(v)]
 * for x, and nothing is subtracted from 1.
 *
 * These are logits like those of the Langevin proposal. Their rounding does not
 * matter, because both directions of a proposal are rounded alike. */
#ifndef HS_LANES_LANGEVIN_RATES_H
#define HS_LANES_LANGEVIN_RATES_H

#include "lanes/lanes.h"
#include "lanes/vec/balance.h"
#include "lanes/vec/vec.h"

/* 1 - e^-a for a >= 0; small a use its series. */
HS_INLINE vf reached(vf a)
{
    vf p = 1.0f - a * (1.0f / 6.0f);

    p = 1.0f - a * (1.0f / 5.0f) * p;
    p = 1.0f - a * (1.0f / 4.0f) * p;
    p = 1.0f - a * (1.0f / 3.0f) * p;
    p = 1.0f - a * (1.0f / 2.0f) * p;
    return vf_select(vf_less(a, vf_set(0.5f)), a * p,
                     1.0f - vf_exp_negative(-a));
}

/* ln q of a value with gain z; adds the rest of nu to stay. */
HS_INLINE vf rate_value(const hs_dlp *d, vf log_time, vf z, vf log_nu, vf *stay)
{
    vf none = vf_set(-__builtin_inff());
    vf log_jumps = log_time + balance_log(d->rate, z);
    vf nu = vf_exp(log_nu), left, log_q;

    if (d->is_euler) {
        log_q = vf_min(log_jumps, log_nu);
        left = nu - vf_exp(log_q);
    } else {
        vf a = vf_exp(log_jumps - log_nu);

        log_q = log_nu + vf_log(reached(a));
        left = nu * vf_exp_negative(-a);
    }
    /* an impossible value stays impossible */
    *stay = *stay + vf_select(vf_equal(z, none), vf_set(0.0f), left);
    return vf_select(vf_equal(z, none), none, log_q);
}

/* g(e^z), given e = e^-|z| and nu = e^z / (1 + e^z). */
HS_INLINE vf rate_of(hs_balance balance, vf z, vf e, vf nu)
{
    vf one = vf_set(1.0f);
    vm is_loss = vf_less(z, vf_set(0.0f));

    switch (balance) {
    case HS_BALANCE_BARKER:
        return nu;
    case HS_BALANCE_MIN:
        return vf_select(is_loss, e, one);
    case HS_BALANCE_MAX:
        return vf_select(is_loss, one, one / e);
    default:
        return vf_exp(z * 0.5f);
    }
}

/* Logit of a flip with gain z, ln q / (1 - q).  Like rate_value, but with only
 * one logarithm. */
HS_INLINE vf rate_flip(const hs_dlp *d, vf time, vf z)
{
    vf none = vf_set(-__builtin_inff());
    vf e = vf_exp_negative(-vf_abs(z)), more = 1.0f / (1.0f + e);
    vm is_loss = vf_less(z, vf_set(0.0f));
    vf nu = vf_select(is_loss, e * more, more);
    vf other = vf_select(is_loss, more, e * more); /* 1 - nu */
    vf jumps = time * rate_of(d->rate, z, e, nu);
    vf q, left;

    if (d->is_euler) {
        q = vf_min(jumps, nu);
        left = nu - q;
    } else {
        vf a = jumps / nu;

        q = nu * reached(a);
        left = nu * vf_exp_negative(-a);
    }
    return vf_select(vf_equal(z, none), none, vf_log(q / (other + left)));
}

/* Replaces the gains of all k values in d->scratch by ln q. */
HS_INLINE void rate_values(const hs_dlp *d, vf log_time, int k, vi x, int l)
{
    float(*z)[HS_LANES] = d->scratch;
    vf max = vf_load(&z[0][l]), sum = vf_set(0.0f), log_sum, stay;

    for (int v = 1; v < k; v++)
        max = vf_max(max, vf_load(&z[v][l]));
    for (int v = 0; v < k; v++)
        sum = sum + vf_exp(vf_load(&z[v][l]) - max);
    log_sum = max + vf_log(sum);
    stay = vf_exp(-log_sum); /* the gain of x is 0 */
    for (int v = 0; v < k; v++) {
        vf gain = vf_load(&z[v][l]), more = stay;
        vf log_q = rate_value(d, log_time, gain, gain - log_sum, &more);
        vm is_here = vi_equal(x, vi_set(v));

        stay = vf_select(is_here, stay, more);
        vf_store(&z[v][l], log_q);
    }
    stay = vf_log(stay);
    for (int v = 0; v < k; v++)
        vf_store(&z[v][l],
                 vf_select(vi_equal(x, vi_set(v)), stay, vf_load(&z[v][l])));
}

#endif
