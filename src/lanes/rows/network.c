/* network.c - networks with one hidden layer, case by case.
 *
 *     h_nj = tanh a_nj,   o_n = b + sum_j w_j h_nj,   f_n = sigma(o_n)
 *     loss = sum_n (f_n - y_n)^2
 * The model (model/network/network.c) computes the matrix products before and
 * after this for four chains at a time: a row has four hidden units of four
 * chains, unit by unit. o, the loss and the changes by a single weight have
 * rows of all sixteen chains. */
#include "lanes/lanes.h"
#include "lanes/vec/vec.h"

void HS_NAME(network_forward)(int cases, int rows,
                              const float (*output)[HS_LANES],
                              const float *bias, float (*a)[HS_LANES],
                              float (*o)[HS_LANES], int chain);
void HS_NAME(network_loss)(int cases, const float *y,
                           const float (*o)[HS_LANES], float factor,
                           float (*slope)[HS_LANES], double *loss);
void HS_NAME(network_backward)(int cases, int rows,
                               const float (*output)[HS_LANES],
                               const float (*slope)[HS_LANES], int chain,
                               float (*h)[HS_LANES], float (*grad)[HS_LANES],
                               float *bias);
void HS_NAME(network_replace)(int cases, const float (*a)[HS_LANES],
                              const float (*b)[HS_LANES], const float *weight,
                              const float *other, const float (*o)[HS_LANES],
                              float (*out)[HS_LANES]);

#define UNITS (HS_LANES / HS_CHAINS) /* of a row */

void HS_NAME(network_forward)(int cases, int rows,
                              const float (*output)[HS_LANES],
                              const float *bias, float (*a)[HS_LANES],
                              float (*o)[HS_LANES], int chain)
{
    for (int n = 0; n < cases; n++, a += rows) {
        float sum[HS_LANES];

        HS_EACH_PART(l)
        {
            vf part = vf_set(0.0f);

            for (int k = 0; k < rows; k++) {
                vf h = vf_tanh(vf_load(a[k] + l));

                vf_store(a[k] + l, h);
                part = vf_fma(vf_load(output[k] + l), h, part);
            }
            vf_store(sum + l, part);
        }
        for (int c = 0; c < HS_CHAINS; c++) {
            float all = bias[c];

            for (int u = 0; u < UNITS; u++)
                all += sum[u * HS_CHAINS + c];
            o[n][chain + c] = all;
        }
    }
}

/* With e = exp(-|o|): sigma is 1 or e, divided by 1 + e, and sigma' = e / (1 +
 * e)^2. */
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

void HS_NAME(network_backward)(int cases, int rows,
                               const float (*output)[HS_LANES],
                               const float (*slope)[HS_LANES], int chain,
                               float (*h)[HS_LANES], float (*grad)[HS_LANES],
                               float *bias)
{
    for (int n = 0; n < cases; n++, h += rows) {
        float own[HS_LANES];

        for (int l = 0; l < HS_LANES; l++)
            own[l] = slope[n][chain + l % HS_CHAINS];
        for (int c = 0; c < HS_CHAINS; c++)
            bias[c] += own[c];
        HS_EACH_PART(l)
        {
            vf s = vf_load(own + l);

            for (int k = 0; k < rows; k++) {
                vf v = vf_load(h[k] + l);
                vf w = s * vf_load(output[k] + l);

                vf_store(grad[k] + l, vf_fma(s, v, vf_load(grad[k] + l)));
                vf_store(h[k] + l, vf_fma(-w * v, v, w));
            }
        }
    }
}

/* Gives exactly o if nothing changes, because weights are -1 and 1. */
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
