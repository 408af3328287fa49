/* network.c - a tile of networks with one hidden layer, case by case.
 *
 *     h_nj = tanh a_nj,   o_n = b + sum_j w_j h_nj,   f_n = sigma(o_n)
 *     loss = sum_n (f_n - y_n)^2
 * Each of the 16 lanes is a network.  The matrix products on both sides of
 * this are the model's (model/network.c).  `output` has a row for each weight
 * w_j and, last, one for b. */
#include "lanes/lanes.h"
#include "lanes/vec.h"

void HS_NAME(network_forward)(int cases, int hidden,
                              const float (*output)[HS_LANES],
                              float (*a)[HS_LANES], float (*o)[HS_LANES]);
void HS_NAME(network_loss)(int cases, const float *y,
                           const float (*o)[HS_LANES], float factor,
                           float (*slope)[HS_LANES], double *loss);
void HS_NAME(network_backward)(int cases, int hidden,
                               const float (*output)[HS_LANES],
                               const float (*slope)[HS_LANES],
                               float (*h)[HS_LANES], float (*grad)[HS_LANES]);
void HS_NAME(network_replace)(int cases, const float (*a)[HS_LANES],
                              const float (*b)[HS_LANES], const float *weight,
                              const float *other, const float (*o)[HS_LANES],
                              float (*out)[HS_LANES]);

void HS_NAME(network_forward)(int cases, int hidden,
                              const float (*output)[HS_LANES],
                              float (*a)[HS_LANES], float (*o)[HS_LANES])
{
    for (int n = 0; n < cases; n++, a += hidden)
        HS_EACH_PART(l)
        {
            vf sum = vf_load(output[hidden] + l);

            for (int j = 0; j < hidden; j++) {
                vf h = vf_tanh(vf_load(a[j] + l));

                vf_store(a[j] + l, h);
                sum = vf_fma(vf_load(output[j] + l), h, sum);
            }
            vf_store(o[n] + l, sum);
        }
}

/* With e = exp(-|o|): sigma = 1 or e by 1 + e, sigma' = e / (1 + e)^2. */
void HS_NAME(network_loss)(int cases, const float *y,
                           const float (*o)[HS_LANES], float factor,
                           float (*slope)[HS_LANES], double *loss)
{
    for (int n = 0; n < cases; n++)
        HS_EACH_PART(l)
        {
            vf out = vf_load(o[n] + l);
            vf e = vf_exp_negative(-vf_abs(out));
            vf by = 1.0f / (1.0f + e);
            vm positive = vf_less(vf_set(0.0f), out);
            vf f = vf_select(positive, by, e * by);
            vf r = f - y[n];

            vd_accumulate(loss + l, r * r);
            if (slope)
                vf_store(slope[n] + l, factor * r * (e * by * by));
        }
}

void HS_NAME(network_backward)(int cases, int hidden,
                               const float (*output)[HS_LANES],
                               const float (*slope)[HS_LANES],
                               float (*h)[HS_LANES], float (*grad)[HS_LANES])
{
    for (int n = 0; n < cases; n++, h += hidden)
        HS_EACH_PART(l)
        {
            vf s = vf_load(slope[n] + l);
            vf bias = vf_load(grad[hidden] + l);

            for (int j = 0; j < hidden; j++) {
                vf v = vf_load(h[j] + l);
                vf w = s * vf_load(output[j] + l);

                vf_store(grad[j] + l, vf_fma(s, v, vf_load(grad[j] + l)));
                vf_store(h[j] + l, vf_fma(-w * v, v, w));
            }
            vf_store(grad[hidden] + l, bias + s);
        }
}

/* Exactly o where nothing changes: weights are -1 and 1. */
void HS_NAME(network_replace)(int cases, const float (*a)[HS_LANES],
                              const float (*b)[HS_LANES], const float *weight,
                              const float *other, const float (*o)[HS_LANES],
                              float (*out)[HS_LANES])
{
    for (int n = 0; n < cases; n++)
        HS_EACH_PART(l)
        {
            vf from = vf_load(weight + l) * vf_tanh(vf_load(a[n] + l));
            vf to = vf_load(other + l) * vf_tanh(vf_load(b[n] + l));

            vf_store(out[n] + l, vf_load(o[n] + l) + (to - from));
        }
}
