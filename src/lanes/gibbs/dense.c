/* dense.c - sweeps where every site is coupled to every other.
 *
 *     row_i = h_i + sum_k J_ik s_k,   s = low + gap x,   J_ii = 0
 * is summed at every visit, O(dim), in whole numbers, so that the sum does not
 * depend on its order (few_dense.c keeps it instead).  Rows of HS_BATCH visits
 * are made in one pass over the spins, and what the first of them change is
 * then added to the others. */
#include "lanes/lanes.h"
#include "lanes/vec/coin.h"
#include "lanes/vec/rule.h"
#include "lanes/vec/vec.h"

void HS_NAME(dense_heat_bath)(const hs_dense_whole *m, const hs_visits *visits,
                              int32_t (*s)[HS_LANES], int16_t (*x)[HS_LANES],
                              double *gain);

/* Constants of some lanes during a call. */
typedef struct sweeper {
    const hs_dense_whole *m;
    const hs_visits *v;
    int32_t (*s)[HS_LANES]; /* all ones where x is 1 */
    int16_t (*x)[HS_LANES];
    coin coins;
    vf scale, weight;
    vf changed;
    vd gain;
    int l;
} sweeper;

HS_INLINE const int32_t *couplings_of(const sweeper *w, int i)
{
    return w->m->j + (size_t)i * (size_t)w->m->dim;
}

HS_INLINE vi vi_load(const int32_t *p)
{
    vi v;
    memcpy(&v, p, sizeof v);
    return v;
}

HS_INLINE void vi_store(int32_t *p, vi v)
{
    memcpy(p, &v, sizeof v);
}

typedef int32_t vi_half __attribute__((vector_size(2 * HS_WIDTH)));

HS_INLINE vd vd_of_int(vi a)
{
    vi_half half[2];

    memcpy(half, &a, sizeof half);
    return (vd){__builtin_convertvector(half[0], vd_half),
                __builtin_convertvector(half[1], vd_half)};
}

/* What U gains as x_i changes by `step`: in double, so that it never needs to
 * be made afresh. */
HS_INLINE vd gain_of(const sweeper *w, int i, vi step, vi count)
{
    double base = (double)w->m->base[i], half = (double)w->m->half;
    vd n = vd_of_int(count), change = vd_scale(vd_of_int(step), w->m->gap);

    return (vd){change.low * (n.low * half + base),
                change.high * (n.high * half + base)};
}

/* sum_k J_ik x_k of four sites. */
HS_INLINE void sum_batch(const sweeper *w, const int *site, vi *pull)
{
    const int32_t *j[HS_BATCH];

    HS_EACH_BATCH(b)
    {
        j[b] = couplings_of(w, site[b]);
        pull[b] = vi_set(0);
    }
    for (int k = 0; k < w->m->dim; k++) {
        vi s = vi_load(&w->s[k][w->l]);

        HS_EACH_BATCH(b)
        pull[b] = pull[b] + (j[b][k] & s);
    }
}

HS_INLINE vi sum_one(const sweeper *w, int i)
{
    const int32_t *j = couplings_of(w, i);
    vi pull = vi_set(0);

    for (int k = 0; k < w->m->dim; k++)
        pull = pull + (j[k] & vi_load(&w->s[k][w->l]));
    return pull;
}

/* Draws site i given its pull; what x changes by. */
HS_INLINE vi visit(sweeper *w, const vu *words, int n, int i, vi pull)
{
    const hs_visits *v = w->v;
    int16_t *at = &w->x[i][w->l];
    vi count = pull * 2 - w->m->total[i];
    vf row = vf_of(count) * w->m->half + w->m->base[i];
    vf d = w->scale * row, e, part, whole;
    vi old = vi_load_index(at), new;

    if (v->phi)
        d = d + vf_load(&v->phi[i][w->l]);
    e = vf_exp_negative(-vf_abs(d));
    rule_odds(v->is_metropolis, d, e, old, &part, &whole);
    new = coin_toss(&w->coins, words, v->first + n, part, whole);
    new = rule_value(v->is_metropolis, new, old);
    if (v->sum) {
        float *sum = &v->sum[i][w->l];

        vf_store(sum, vf_load(sum) + rule_high(d, e, w->weight));
    }
    vi_store(&w->s[i][w->l], -new);
    vi_store_index(at, new);
    w->changed = w->changed + vf_of(old ^ new);
    w->gain = vd_add(w->gain, gain_of(w, i, new - old, count));
    return new - old;
}

/* Makes four visits, one after the other. */
HS_INLINE void visit_batch(sweeper *w, const vu *words, int n, const int *site)
{
    vi pull[HS_BATCH], step[HS_BATCH];

    sum_batch(w, site, pull);
    HS_EACH_BATCH(b)
    {
        const int32_t *j = couplings_of(w, site[b]);

        for (int a = 0; a < b; a++)
            pull[b] = pull[b] + j[site[a]] * step[a];
        step[b] = visit(w, words, n + b, site[b], pull[b]);
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

void HS_NAME(dense_heat_bath)(const hs_dense_whole *m, const hs_visits *visits,
                              int32_t (*s)[HS_LANES], int16_t (*x)[HS_LANES],
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
            vi_store(&s[i][l], -vi_load_index(&x[i][l]));
        sweep(&w);
        vd_accumulate(visits->changed + l, w.changed);
        vd_store(gain + l, w.gain);
    }
}
