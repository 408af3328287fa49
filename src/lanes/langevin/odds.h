/* odds.h - sums over a group of sites, for odds.c and regular_odds.c. */
#ifndef HS_LANES_LANGEVIN_ODDS_H
#define HS_LANES_LANGEVIN_ODDS_H

#include "lanes/vec/batch.h"
#include "lanes/vec/vec.h"

#define HS_ODDS_GROUP 32 /* factors below 2 in one product */
#define HS_SIGN       ((int32_t)0x80000000)

/* sum max(z, 0) and prod (1 + e^-|z|): ln prod (1 + e^z) = sum + ln product. */
typedef struct odds_sums {
    vf sum, product;
} odds_sums;

HS_INLINE odds_sums odds_begin(void)
{
    return (odds_sums){vf_set(0.0f), vf_set(1.0f)};
}

/* e = e^-|z|; out gets e with the sign of z. */
HS_INLINE void odds_add(odds_sums *s, vf z, vf e, float *out)
{
    s->sum = s->sum + vf_max(z, vf_set(0.0f));
    s->product = vf_fma(s->product, e, s->product);
    vf_store(out, (vf)((vi)e | ((vi)z & HS_SIGN)));
}

/* Adds sites i to i + HS_BATCH - 1. */
HS_INLINE void odds_add_batch(odds_sums *s, const vf *z, int i,
                              float (*odds)[HS_LANES], int l)
{
    vf e[HS_BATCH];

    HS_EACH_BATCH(b)
    e[b] = (vf)((vi)z[b] | HS_SIGN);
    exp_negative_batch(e, e);
    HS_EACH_BATCH(b)
    odds_add(s, z[b], e[b], &odds[i + b][l]);
}

HS_INLINE void odds_add_one(odds_sums *s, vf z, int i, float (*odds)[HS_LANES],
                            int l)
{
    odds_add(s, z, vf_exp_negative((vf)((vi)z | HS_SIGN)), &odds[i][l]);
}

HS_INLINE vd odds_end(const odds_sums *s)
{
    return vd_of(s->sum + vf_log_normal(s->product));
}

#endif
