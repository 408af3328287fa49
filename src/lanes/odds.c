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

#include "lanes/coin.h"
#include "lanes/lanes.h"
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

void HS_NAME(dlp_flip)(const hs_dlp *d, int first, int last,
                       const float (*odds)[HS_LANES],
                       const int16_t (*x)[HS_LANES], int16_t (*y)[HS_LANES])
{
    HS_EACH_PART(l)
    {
        coin c = coin_begin(d->rng, HS_DRAW_PROPOSE, l);

        for (int i = first; i < last; i += 8) {
            int end = last - i < 8 ? last - i : 8;
            vu words[4];

            philox_four(&c.at, (uint32_t)i / 8, words);
            for (int j = 0; j < end; j++) {
                vf odd = vf_load(&odds[i + j][l]);
                vi heads = coin_sigma(&c, words, i + j, vf_abs(odd),
                                      vf_less(odd, vf_set(0.0f)));

                vi_store_index(&y[i + j][l],
                               vi_load_index(&x[i + j][l]) ^ heads);
            }
        }
    }
}
