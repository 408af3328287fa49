/* heat_bath.c - Gibbs sweeps over a sparse pair model.
 *
 * P(high) = sigma(D), D = beta (U(high) - U(low)) + phi(high) - phi(low).  A
 * visit waits for the one before it only where the two sites are coupled, so
 * an order by colours keeps the pipeline full. */
#include "lanes/coin.h"
#include "lanes/lanes.h"
#include "lanes/vec.h"

void HS_NAME(ising_heat_bath)(const hs_sparse *j, float low, float gap,
                              float step, const hs_visits *visits,
                              int16_t (*x)[HS_LANES]);

/* h_i + sum_j J_ij s_j with s = low + gap x. */
HS_INLINE vf field(const hs_sparse *j, float low, float gap, int i,
                   int16_t (*x)[HS_LANES], int l)
{
    int64_t end = j->start[i + 1];
    vf h = vf_set(j->field ? j->field[i] : 0.0f), sum = vf_set(0.0f);

    if (j->uniform != 0.0f) {
        vs count = {0}; /* the degree is below 2^15 (model/sparse.c) */

        for (int64_t e = j->start[i]; e < end; e++) {
            vs up;

            memcpy(&up, &x[j->column[e]][l], sizeof up);
            count += up;
        }
        sum = vf_of(__builtin_convertvector(count, vi)) * gap +
              low * (float)(end - j->start[i]);
        return sum * j->uniform + h;
    }
    for (int64_t e = j->start[i]; e < end; e++) {
        vf s = vf_of(vi_load_index(&x[j->column[e]][l])) * gap + low;

        sum = sum + s * j->value[e];
    }
    return sum + h;
}

static void sweep(const hs_sparse *j, float low, float gap, float step,
                  const hs_visits *v, int16_t (*x)[HS_LANES], int l)
{
    coin c = coin_begin(v->rng, HS_DRAW_PROPOSE, l);
    vf scale = vf_load(v->beta + l) * step;
    vf zero = vf_set(0.0f), one = vf_set(1.0f);
    vi changed = vi_set(0);
    vu words[4];

    for (int n = 0; n < v->count; n++) {
        int i = v->site ? v->site[n] : n;
        vf d = scale * field(j, low, gap, i, x, l);
        vi old = vi_load_index(&x[i][l]), new;
        vf e;

        if (n % 8 == 0)
            philox_four(&c.at, (uint32_t)(v->first + n) / 8, words);
        if (v->phi)
            d = d + vf_load(&v->phi[i][l]);
        e = vf_exp_negative(-vf_abs(d));
        new = coin_sigma(&c, words, v->first + n, e, vf_less(d, zero));
        if (v->sum)
            vf_store(&v->sum[i][l],
                     vf_load(&v->sum[i][l]) +
                         vf_load(v->weight + l) *
                             vf_select(vf_less(d, zero), e, one) / (1.0f + e));
        changed = changed + (old ^ new);
        vi_store_index(&x[i][l], new);
    }
    vd_accumulate(v->changed + l, vf_of(changed));
}

void HS_NAME(ising_heat_bath)(const hs_sparse *j, float low, float gap,
                              float step, const hs_visits *visits,
                              int16_t (*x)[HS_LANES])
{
    HS_EACH_PART(l)
    sweep(j, low, gap, step, visits, x, l);
}
