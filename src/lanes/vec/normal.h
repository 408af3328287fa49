/* normal.h - quantiles of the normal distribution on lanes.
 *
 * Wichura's PPND7 (algorithm AS 241) has a relative accuracy of about 1e-7.
 * The same text serves lanes and a thread of a GPU, as in elementary.h. */
#ifndef HS_LANES_VEC_NORMAL_H
#define HS_LANES_VEC_NORMAL_H

#ifndef HS_CUDA_THREAD_H
#  include "lanes/vec/vec.h"

/* sqrt by the compiler's correctly rounded instruction, lane by lane. */
HS_INLINE vf vf_sqrt(vf x)
{
    vf r = x;

    for (int l = 0; l < HS_WIDTH; l++)
        r[l] = __builtin_sqrtf(x[l]);
    return r;
}
#endif

/* tail = min(p, 1 - p) > 0; upper: p > 1/2.  The tail keeps the digits of a p
 * close to 1. */
HS_INLINE vf vf_normal_quantile(vf tail, vm upper)
{
    vf q = 0.5f - tail; /* distance from the median */
    vf r = 0.180625f - q * q;
    vf centre =
        q *
        (((5.9109374720e+01f * r + 1.5929113202e+02f) * r + 5.0434271938e+01f) *
             r +
         3.3871327179e+00f) /
        (((6.7187563600e+01f * r + 7.8757757664e+01f) * r + 1.7895169469e+01f) *
             r +
         1.0f);
    vf s = vf_sqrt(-vf_log(tail));
    vf n = s - 1.6f, f = s - 5.0f;
    vf near =
        (((1.7023821103e-01f * n + 1.3067284816e+00f) * n + 2.7568153900e+00f) *
             n +
         1.4234372777e+00f) /
        ((1.2021132975e-01f * n + 7.3700164250e-01f) * n + 1.0f);
    vf far =
        (((1.7337203997e-02f * f + 4.2868294337e-01f) * f + 3.0812263860e+00f) *
             f +
         6.6579051150e+00f) /
        ((1.2258202635e-02f * f + 2.4197894225e-01f) * f + 1.0f);
    vf outer = vf_select(vf_at_most(s, vf_set(5.0f)), near, far);
    vf z = vf_select(vf_at_most(q, vf_set(0.425f)), centre, outer);

    return vf_select(upper, z, -z);
}

#endif
