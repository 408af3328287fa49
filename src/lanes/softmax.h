/* softmax.h - one draw from a few logits per lane. */
#ifndef HS_LANES_SOFTMAX_H
#define HS_LANES_SOFTMAX_H

#include "lanes/vec.h"

/* Partial sums of e^(logit - max) go to scratch[v]; the last is the total. */
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

/* The first v whose partial sum exceeds u * total.  u < 1 and the same sums
 * are compared, so a value of probability 0 is never drawn. */
HS_INLINE vi softmax_index(const float (*scratch)[HS_LANES], int k, int l,
                           vf sum, vf uniform)
{
    vf target = vf_min(uniform, vf_set(0x1.fffffep-1f)) * sum;
    vi index = vi_set(0);

    for (int v = 0; v < k - 1; v++)
        index = index + vi_of(vf_at_most(vf_load(&scratch[v][l]), target));
    return index;
}

#endif
