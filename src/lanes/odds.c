/* odds.c - the discrete Langevin proposal where U is quadratic, on pairs.
 *
 * With balance 1/2 the logits of a flip at x and of the flip back at y,
 *     z_i  =  1/2 [beta g_i(x) D_i + phi_i(y) - phi_i(x)] - c
 *     z'_i = -1/2 [beta g_i(y) D_i + phi_i(y) - phi_i(x)] - c,   D = y - x,
 * add up over the flipped coordinates to -beta (U(y) - U(x)) - phi(y) + phi(x)
 * - 2c each, since U(y) - U(x) = 1/2 sum_i (g_i(x) + g_i(y)) D_i for a
 * quadratic U.  So all but the normalisers cancels from the acceptance:
 *     p(y) q(x|y) / p(x) q(y|x) = prod_i (1 + e^z_i) / (1 + e^z'_i)
 * and what a point needs is e^-|z_i| with the sign of z_i, one exponential a
 * step.  Products of GROUP factors below 2 take one logarithm. */
#include <stdbool.h>

#include "lanes/lanes.h"
#include "lanes/philox.h"
#include "lanes/vec.h"

#define GROUP 32
#define SIGN  ((int32_t)0x80000000)

void HS_NAME(dlp_odds)(const hs_dlp *d, int first, int last,
                       const float (*grad)[HS_LANES],
                       const int16_t (*x)[HS_LANES], float (*odds)[HS_LANES],
                       double *spread);
void HS_NAME(dlp_flip)(const hs_dlp *d, int first, int last,
                       const float (*odds)[HS_LANES],
                       const int16_t (*x)[HS_LANES], int16_t (*y)[HS_LANES]);

/* Inlined with a constant, so that the loop does not ask for phi. */
HS_INLINE void odds_at(const hs_dlp *d, int first, int last, bool has_phi,
                       const float (*grad)[HS_LANES],
                       const int16_t (*x)[HS_LANES], float (*odds)[HS_LANES],
                       double *spread, int l)
{
    float gap = d->domain->gap;
    vf balance = vf_load(d->balance + l);
    vf pull = balance * vf_load(d->beta + l) * gap;
    vf still = vf_load(d->stiffness + l) * (gap * gap);
    vf zero = vf_set(0.0f);
    vd total = vd_load(spread + l);

    for (int i = first; i < last; i += GROUP) {
        int end = last - i < GROUP ? last : i + GROUP;
        vf sum = zero, product = vf_set(1.0f);

        for (int j = i; j < end; j++) {
            vf up = pull * vf_load(&grad[j - first][l]);
            vf z, e;

            if (has_phi)
                up = vf_fma(balance, vf_load(&d->phi[j][l]), up);
            z = vf_negate_if(vi_load_index(&x[j][l]), up) - still;
            e = vf_exp_negative((vf)((vi)z | SIGN));
            sum = sum + vf_max(z, zero);
            product = vf_fma(product, e, product);
            vf_store(&odds[j][l], (vf)((vi)e | ((vi)z & SIGN)));
        }
        total = vd_add(total, vd_of(sum + vf_log_normal(product)));
    }
    vd_store(spread + l, total);
}

void HS_NAME(dlp_odds)(const hs_dlp *d, int first, int last,
                       const float (*grad)[HS_LANES],
                       const int16_t (*x)[HS_LANES], float (*odds)[HS_LANES],
                       double *spread)
{
    HS_EACH_PART(l)
    {
        if (d->phi)
            odds_at(d, first, last, true, grad, x, odds, spread, l);
        else
            odds_at(d, first, last, false, grad, x, odds, spread, l);
    }
}

/* Which way coordinates 8 b + j and so on go, by halves of random words.
 *
 * A flip has probability sigma(z) = (z < 0 ? e : 1) / (1 + e).  Sixteen random
 * bits decide all but one case in 2^16; there, sixteen more are drawn, under
 * an address of their own. */
typedef struct coin {
    philox_at at, more;
} coin;

HS_INLINE vi toss(const coin *c, const float *odds, vi half, int i, vi x)
{
    vf signed_e = vf_load(odds), e = vf_abs(signed_e);
    vf most = vf_select(vf_less(signed_e, vf_set(0.0f)), e, vf_set(1.0f));
    vf low = vf_of(half) * 0x1p-16f, high = low + 0x1p-16f;
    vm may = vf_less(vf_fma(low, e, low), most);
    vm must = vf_at_most(vf_fma(high, e, high), most);

    if (__builtin_expect(vm_differ(may, must), 0)) {
        vu words[4];
        vf u;

        philox_four(&c->more, (uint32_t)i / 8, words);
        u = vf_of((vi)(words[i / 2 % 4] >> (i % 2 * 16) & 0xffff));
        u = low + (u + 0.5f) * 0x1p-32f;
        may = vf_less(vf_fma(u, e, u), most);
        return x ^ (vi_of(must) | vi_of(may));
    }
    return x ^ vi_of(must);
}

void HS_NAME(dlp_flip)(const hs_dlp *d, int first, int last,
                       const float (*odds)[HS_LANES],
                       const int16_t (*x)[HS_LANES], int16_t (*y)[HS_LANES])
{
    HS_EACH_PART(l)
    {
        coin c = {philox_begin(d->rng, HS_DRAW_PROPOSE, l),
                  philox_begin(d->rng, HS_DRAW_TIE, l)};

        for (int i = first; i < last; i += 8) {
            int end = last - i < 8 ? last - i : 8;
            vu words[4];

            philox_four(&c.at, (uint32_t)i / 8, words);
            for (int j = 0; j < end; j++) {
                vu word = words[j / 2];
                vi half = (vi)(j % 2 ? word >> 16 : word & 0xffff);

                vi_store_index(&y[i + j][l],
                               toss(&c, &odds[i + j][l], half, i + j,
                                    vi_load_index(&x[i + j][l])));
            }
        }
    }
}
