/* batch.h - elementary functions on several independent vectors in step.
 *
 * In a polynomial every operation waits for the one before. A processor
 * overlaps only one or two such chains, so the chains of HS_BATCH sites are
 * written side by side. The bits are those of vec.h. */
#ifndef HS_LANES_VEC_BATCH_H
#define HS_LANES_VEC_BATCH_H

#include "lanes/vec/vec.h"

#define HS_BATCH 4
#define HS_EACH_BATCH(b)                                                       \
  _Pragma("GCC unroll 4") for (int b = 0; b < HS_BATCH; b++)

/* p = p x + a */
HS_INLINE void horner_batch(vf *p, const vf *x, float a)
{
    HS_EACH_BATCH(b)
    p[b] = vf_horner(p[b], x[b], a);
}

/* vf_exp_negative */
HS_INLINE void exp_negative_batch(const vf *x, vf *out)
{
    const float magic = 12582912.0f;
    vf t[HS_BATCH], k[HS_BATCH], r[HS_BATCH], p[HS_BATCH];

    HS_EACH_BATCH(b)
    r[b] = vf_max(x[b], vf_set(-86.0f));
    HS_EACH_BATCH(b)
    t[b] = vf_fma(r[b], vf_set(1.44269504088896341f), vf_set(magic));
    HS_EACH_BATCH(b)
    k[b] = t[b] - magic;
    HS_EACH_BATCH(b)
    r[b] = vf_fma(k[b], vf_set(-0.693359375f), r[b]);
    HS_EACH_BATCH(b)
    r[b] = vf_fma(k[b], vf_set(2.12194440e-4f), r[b]);
    HS_EACH_BATCH(b)
    p[b] = vf_set(0x1.6a2352p-10f);
    horner_batch(p, r, 0x1.123a6cp-7f);
    horner_batch(p, r, 0x1.5558f4p-5f);
    horner_batch(p, r, 0x1.555490p-3f);
    horner_batch(p, r, 0x1.fffffcp-2f);
    HS_EACH_BATCH(b)
    p[b] = vf_fma(p[b], r[b] * r[b], r[b]);
    HS_EACH_BATCH(b)
    p[b] = p[b] + 1.0f;
    HS_EACH_BATCH(b)
    out[b] = (vf)((vi)p[b] + ((vi)t[b] << 23));
}

/* vf_log_normal */
HS_INLINE void log_normal_batch(const vf *x, vf *out)
{
    vf n[HS_BATCH], m[HS_BATCH], z[HS_BATCH], q[HS_BATCH];

    HS_EACH_BATCH(b)
    {
        vi bits = (vi)((vu)x[b] - 0x3f3504f3u);

        n[b] = vf_of(bits >> 23);
        m[b] = (vf)((bits & 0x007fffff) + 0x3f3504f3) - 1.0f;
        z[b] = m[b] * m[b];
        q[b] = vf_set(-0.076344974f);
    }
    horner_batch(q, m, 0.12761578f);
    horner_batch(q, m, -0.13160183f);
    horner_batch(q, m, 0.14201757f);
    horner_batch(q, m, -0.16623357f);
    horner_batch(q, m, 0.20001227f);
    horner_batch(q, m, -0.2500082f);
    horner_batch(q, m, 0.3333333f);
    HS_EACH_BATCH(b)
    q[b] = q[b] * (z[b] * m[b]);
    HS_EACH_BATCH(b)
    q[b] = vf_fma(n[b], vf_set(-2.12194440e-4f), q[b]);
    HS_EACH_BATCH(b)
    q[b] = vf_fma(z[b], vf_set(-0.5f), q[b]);
    HS_EACH_BATCH(b)
    out[b] = vf_fma(n[b], vf_set(0.693359375f), m[b] + q[b]);
}

#endif
