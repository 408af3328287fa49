/* dense.c - Gibbs sweeps where every site is coupled to every other.
 *
 *     row_i = h_i + sum_k J_ik s_k,   s = low + gap x,   J_ii = 0
 * is summed afresh at every visit, O(dim), so no error builds up. One pass over
 * the spins sums the rows of HS_BATCH visits. The changes by the earlier visits
 * are then added to the rows of the later ones. */
#include "lanes/lanes.h"
#include "lanes/vec/coin.h"
#include "lanes/vec/vec.h"

void HS_NAME(dense_heat_bath)(const hs_dense *m, const hs_visits *visits,
                              float (*s)[HS_LANES], int16_t (*x)[HS_LANES],
                              double *gain);

/* Constants of some lanes during a call. */
typedef struct sweeper {
    const hs_dense *m;
    const hs_visits *v;
    float (*s)[HS_LANES];
    int16_t (*x)[HS_LANES];
    coin coins;
    vf scale, weight;
    vf changed;
    vd gain;
    int l;
} sweeper;

HS_INLINE const float *couplings_of(const sweeper *w, int i)
{
    return w->m->j + (size_t)i * (size_t)w->m->dim;
}

/* Computes sum_k J_ik s_k of four sites. */
HS_INLINE void sum_batch(const sweeper *w, const int *site, vf *row)
{
    const float *j[HS_BATCH];

    HS_EACH_BATCH(b)
    {
        j[b] = couplings_of(w, site[b]);
        row[b] = vf_set(0.0f);
    }
    for (int k = 0; k < w->m->dim; k++) {
        vf s = vf_load(&w->s[k][w->l]);

        HS_EACH_BATCH(b)
        row[b] = row[b] + j[b][k] * s;
    }
}

HS_INLINE vf sum_one(const sweeper *w, int i)
{
    const float *j = couplings_of(w, i);
    vf row = vf_set(0.0f);

    for (int k = 0; k < w->m->dim; k++)
        row = row + j[k] * vf_load(&w->s[k][w->l]);
    return row;
}

/* Draws site i, given its row without the field; returns the change of s. */
HS_INLINE vf visit(sweeper *w, const vu *words, int n, int i, vf row)
{
    const hs_visits *v = w->v;
    int16_t *at = &w->x[i][w->l];
    vf d, e, part, step;
    vi old = vi_load_index(at), new;

    row = row + w->m->h[i];
    d = w->scale * row;
    if (v->phi)
        d = d + vf_load(&v->phi[i][w->l]);
    e = vf_exp_negative(-vf_abs(d));
    part = vf_select(vf_less(d, vf_set(0.0f)), e, vf_set(1.0f));
    new = coin_toss(&w->coins, words, v->first + n, part, 1.0f + e);
    if (v->sum) {
        float *sum = &v->sum[i][w->l];

        vf_store(sum, vf_load(sum) + w->weight * part / (1.0f + e));
    }
    step = vf_of(new - old) * w->m->gap;
    vf_store(&w->s[i][w->l], vf_of(new) * w->m->gap + w->m->low);
    vi_store_index(at, new);
    w->changed = w->changed + vf_of(old ^ new);
    w->gain = vd_add(w->gain, vd_of(step * row));
    return step;
}

/* Makes four visits, one after the other. */
HS_INLINE void visit_batch(sweeper *w, const vu *words, int n, const int *site)
{
    vf row[HS_BATCH], step[HS_BATCH];

    sum_batch(w, site, row);
    HS_EACH_BATCH(b)
    {
        const float *j = couplings_of(w, site[b]);

        for (int a = 0; a < b; a++)
            row[b] = row[b] + j[site[a]] * step[a];
        step[b] = visit(w, words, n + b, site[b], row[b]);
    }
}

static void sweep(sweeper *w)
{
    const hs_visits *v = w->v;

    for (int n = 0; n < v->count; n += 8) {
        int end = v->count - n < 8 ? v->count : n + 8, k = n;
        vu words[4];

        philox_four(&w->coins.at, (uint32_t)(v->first + n) / 8, words);
        for (; k + HS_BATCH <= end; k += HS_BATCH)
            visit_batch(w, words, k, v->site + k);
        for (; k < end; k++)
            visit(w, words, k, v->site[k], sum_one(w, v->site[k]));
    }
}

void HS_NAME(dense_heat_bath)(const hs_dense *m, const hs_visits *visits,
                              float (*s)[HS_LANES], int16_t (*x)[HS_LANES],
                              double *gain)
{
    HS_EACH_PART(l)
    {
        philox_ahead ahead;
        sweeper w = {.m = m,
                     .v = visits,
                     .s = s,
                     .x = x,
                     .coins =
                         coin_begin(visits->rng, HS_DRAW_PROPOSE, l, &ahead),
                     .scale = vf_load(visits->beta + l) * m->gap,
                     .gain = vd_load(gain + l),
                     .l = l};

        if (visits->sum)
            w.weight = vf_load(visits->weight + l);
        for (int i = 0; i < m->dim; i++)
            vf_store(&s[i][l],
                     vf_of(vi_load_index(&x[i][l])) * m->gap + m->low);
        sweep(&w);
        vd_accumulate(visits->changed + l, w.changed);
        vd_store(gain + l, w.gain);
    }
}
