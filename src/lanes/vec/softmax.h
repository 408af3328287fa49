/* softmax.h - one draw from the logits of a coordinate's values, per lane. */
#ifndef HS_LANES_VEC_SOFTMAX_H
#define HS_LANES_VEC_SOFTMAX_H

#include "base/logarithm.h"
#include "base/random/rng.h"
#include "lanes/shapes.h"
#include "lanes/vec/vec.h"

/* --- few values: up to HS_FEW -------------------------------------------- */

/* Writes partial sums of e^(logit - max) to scratch[v]; the last is the
 * total. */
HS_INLINE vf softmax_partial(const float (*logits)[HS_LANES], int k, int l,
                             float (*scratch)[HS_LANES], vf *max)
{
    vf sum = vf_set(0.0f), m = vf_load(&logits[0][l]);

    for (int v = 1; v < k; v++)
        m = vf_max(m, vf_load(&logits[v][l]));
    for (int v = 0; v < k; v++) {
        sum = sum + vf_exp(vf_load(&logits[v][l]) - m);
        vf_store(&scratch[v][l], sum);
    }
    *max = m;
    return sum;
}

/* Finds the first v whose partial sum exceeds u * total.  Because u < 1 and the
 * sums are the same, a value of probability 0 is never drawn. */
HS_INLINE vi softmax_index(const float (*scratch)[HS_LANES], int k, int l,
                           vf sum, vf uniform)
{
    vf target = vf_min(uniform, vf_set(0x1.fffffep-1f)) * sum;
    vi index = vi_set(0);

    for (int v = 0; v < k - 1; v++)
        index = index + vi_of(vf_at_most(vf_load(&scratch[v][l]), target));
    return index;
}

/* --- many values --------------------------------------------------------- */

/* Writes e^(logit - max) to weight[v] and returns the sum.  The rounding error
 * of the sums is below k 2^-53 of the total for any order of light and heavy
 * values. */
HS_INLINE vd softmax_weights(const float (*logits)[HS_LANES], int k, int l,
                             float (*weight)[HS_LANES], vf *max)
{
    vd sum = vd_of(vf_set(0.0f));
    vf m = vf_load(&logits[0][l]);

    for (int v = 1; v < k; v++)
        m = vf_max(m, vf_load(&logits[v][l]));
    for (int v = 0; v < k; v++) {
        vf w = vf_exp(vf_load(&logits[v][l]) - m);

        vf_store(&weight[v][l], w);
        sum = vd_add(sum, vd_of(w));
    }
    *max = m;
    return sum;
}

/* Finds the first v whose partial sum exceeds u * total, u of 52 bits.  The
 * product is below the total and the sums are the same, so a value of
 * probability 0 is never drawn. */
HS_INLINE vi softmax_search(const float (*weight)[HS_LANES], int k, int l,
                            vd sum, const uint32_t *high, const uint32_t *low)
{
    double total[HS_WIDTH], goal[HS_WIDTH], upto[HS_WIDTH];
    vd running = vd_of(vf_set(0.0f));
    vi index = vi_set(0);

    vd_store(total, sum);
    for (int j = 0; j < HS_WIDTH; j++)
        goal[j] = hs_uniform_long(high[j], low[j]) * total[j];
    for (int v = 0; v < k - 1; v++) {
        running = vd_add(running, vd_of(vf_load(&weight[v][l])));
        vd_store(upto, running);
        for (int j = 0; j < HS_WIDTH; j++)
            index[j] += upto[j] <= goal[j];
    }
    return index;
}

/* Both at once. */
static __attribute__((noinline, unused)) vi softmax_many(
    const float (*logits)[HS_LANES], int k, int l, float (*weight)[HS_LANES],
    const uint32_t *high, const uint32_t *low)
{
    vf max;
    vd sum = softmax_weights(logits, k, l, weight, &max);

    return softmax_search((const float(*)[HS_LANES])weight, k, l, sum, high,
                          low);
}

/* ln of sums. */
HS_INLINE vd softmax_log(vd sum)
{
    double at[HS_WIDTH];

    vd_store(at, sum);
    for (int j = 0; j < HS_WIDTH; j++)
        at[j] = hs_logarithm(at[j]);
    return vd_load(at);
}

#endif
