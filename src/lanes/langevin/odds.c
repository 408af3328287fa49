/* odds.c - the discrete Langevin proposal where U is quadratic, on pairs.
 *
 * With balance 1/2 the logits of a flip at x and of the flip back at y,
 *     z_i  =  1/2 [beta g_i(x) D_i + phi_i(y) - phi_i(x)] - c
 *     z'_i = -1/2 [beta g_i(y) D_i + phi_i(y) - phi_i(x)] - c,   D = y - x,
 * add up over the flipped coordinates to -beta (U(y) - U(x)) - phi(y) + phi(x)
 * - 2c each, since U(y) - U(x) = 1/2 sum_i (g_i(x) + g_i(y)) D_i for a
 * quadratic U.  So all but the normalizers cancels from the acceptance:
 *     p(y) q(x|y) / p(x) q(y|x) = prod_i (1 + e^z_i) / (1 + e^z'_i)
 * and what a point needs is e^-|z_i| with the sign of z_i, one exponential a
 * step.  Products of a group of factors below 2 take one logarithm. */
#include <stdbool.h>

#include "lanes/lanes.h"
#include "lanes/langevin/odds.h"
#include "lanes/vec/coin.h"
#include "lanes/vec/vec.h"

void HS_NAME(dlp_odds)(const hs_dlp *d, int first, int last,
                       const float (*grad)[HS_LANES],
                       const int16_t (*x)[HS_LANES], float (*odds)[HS_LANES],
                       double *spread);
unsigned HS_NAME(dlp_flip)(const hs_dlp *d, int first, int last,
                           const float (*odds)[HS_LANES],
                           const int16_t (*x)[HS_LANES],
                           int16_t (*y)[HS_LANES]);

/* Constants of some lanes. */
typedef struct lane_terms {
    vf balance, pull, still;
} lane_terms;

HS_INLINE lane_terms terms_of(const hs_dlp *d, int l)
{
    float gap = d->domain->gap;
    vf balance = vf_load(d->balance + l);

    return (lane_terms){.balance = balance,
                        .pull = balance * vf_load(d->beta + l) * gap,
                        .still = vf_load(d->stiffness + l) * (gap * gap)};
}

HS_INLINE vf logit(const hs_dlp *d, const lane_terms *c, bool has_phi,
                   const float *grad, const int16_t *x, int i, int l)
{
    vf up = c->pull * vf_load(grad + l);

    if (has_phi)
        up = vf_fma(c->balance, vf_load(&d->phi[i][l]), up);
    return vf_negate_if(vi_load_index(x + l), up) - c->still;
}

/* Inlined with a constant, so that the loop does not test for phi. */
HS_INLINE void odds_at(const hs_dlp *d, int first, int last, bool has_phi,
                       const float (*grad)[HS_LANES],
                       const int16_t (*x)[HS_LANES], float (*odds)[HS_LANES],
                       double *spread, int l)
{
    lane_terms c = terms_of(d, l);
    vd total = vd_load(spread + l);

    for (int i = first; i < last; i += HS_ODDS_GROUP) {
        int end = last - i < HS_ODDS_GROUP ? last : i + HS_ODDS_GROUP, j = i;
        odds_sums s = odds_begin();

        for (; j + HS_BATCH <= end; j += HS_BATCH) {
            vf z[HS_BATCH];

            HS_EACH_BATCH(b)
            z[b] =
                logit(d, &c, has_phi, grad[j + b - first], x[j + b], j + b, l);
            odds_add_batch(&s, z, j, odds, l);
        }
        for (; j < end; j++)
            odds_add_one(&s, logit(d, &c, has_phi, grad[j - first], x[j], j, l),
                         j, odds, l);
        total = vd_add(total, odds_end(&s));
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

/* Flips coordinates i to i + HS_BATCH - 1, of one block of words; returns the
 * lanes with a flip. */
HS_INLINE vm flip_batch(const coin *c, const vu *words, int i,
                        const float (*odds)[HS_LANES],
                        const int16_t (*x)[HS_LANES], int16_t (*y)[HS_LANES],
                        int l)
{
    vf part[HS_BATCH], whole[HS_BATCH];
    vm heads[HS_BATCH];

    HS_EACH_BATCH(b)
    {
        vf odd = vf_load(&odds[i + b][l]), e = vf_abs(odd);

        part[b] = vf_select(vf_less(odd, vf_set(0.0f)), e, vf_set(1.0f));
        whole[b] = 1.0f + e;
    }
    coin_toss_batch(c, words, i, part, whole, heads);
    HS_EACH_BATCH(b)
    vm_flip_index(&y[i + b][l], &x[i + b][l], heads[b]);
    return (heads[0] | heads[1]) | (heads[2] | heads[3]);
}

HS_INLINE vm flip_at(const coin *c, const vu *words, int i,
                     const float (*odds)[HS_LANES],
                     const int16_t (*x)[HS_LANES], int16_t (*y)[HS_LANES],
                     int l)
{
    vf odd = vf_load(&odds[i][l]);
    vi heads = coin_sigma(c, words, i, vf_abs(odd), vf_less(odd, vf_set(0.0f)));

    vi_store_index(&y[i][l], vi_load_index(&x[i][l]) ^ heads);
    return vm_of(heads);
}

unsigned HS_NAME(dlp_flip)(const hs_dlp *d, int first, int last,
                           const float (*odds)[HS_LANES],
                           const int16_t (*x)[HS_LANES], int16_t (*y)[HS_LANES])
{
    unsigned lanes = 0;

    HS_EACH_PART(l)
    {
        vm flipped = vm_all(0);
        philox_ahead ahead;
        coin c = coin_begin(d->rng, HS_DRAW_PROPOSE, l, &ahead);

        for (int i = first; i < last; i += 16) {
            int end = last - i < 16 ? last : i + 16, j = i;
            uint32_t block = (uint32_t)i / 8;
            vu words[2][4];

            philox_twice(&c.at, block, words[0], &c.at, block + 1, words[1]);
            for (; j + HS_BATCH <= end; j += HS_BATCH)
                flipped = flipped |
                          flip_batch(&c, words[(j - i) / 8], j, odds, x, y, l);
            for (; j < end; j++)
                flipped =
                    flipped | flip_at(&c, words[(j - i) / 8], j, odds, x, y, l);
        }
        lanes |= vm_bits(flipped) << l;
    }
    return lanes;
}
