/* dense_wide.c - full couplings in double (model/precision.h).
 *
 * row_i = h_i + sum_k J_ik s_k with J_ii = 0 is summed in double, four sites in
 * one pass over the spins, as in dense.c.  The row itself is a float. */
#include <stdbool.h>

#include "lanes/lanes.h"
#include "lanes/vec/coin.h"
#include "lanes/vec/rule.h"
#include "lanes/vec/vec.h"

void HS_NAME(dense_rows_wide)(const hs_dense_wide *m, int first, int last,
                              const double (*s)[HS_LANES],
                              float (*out)[HS_LANES], double *u);
void HS_NAME(dense_heat_bath_wide)(const hs_dense_wide *m,
                                   const hs_visits *visits,
                                   double (*s)[HS_LANES],
                                   int16_t (*x)[HS_LANES], double *gain);

/* Computes sum_k J_ik s_k of `count` sites. */
HS_INLINE void sum_sites(const hs_dense_wide *m, const int *site, int count,
                         const double (*s)[HS_LANES], int l, vd *row)
{
    const double *j[HS_BATCH];

    for (int b = 0; b < count; b++) {
        j[b] = m->j + (size_t)site[b] * (size_t)m->dim;
        row[b] = vd_set(0.0);
    }
    for (int k = 0; k < m->dim; k++) {
        vd at = vd_load(&s[k][l]);

        for (int b = 0; b < count; b++)
            row[b] = vd_add(row[b], vd_scale(at, j[b][k]));
    }
}

/* Adds rows of a few sites to out and u; either may be NULL. */
HS_INLINE void add_rows(const hs_dense_wide *m, int first, int count,
                        const double (*s)[HS_LANES], int l,
                        float (*out)[HS_LANES], double *u)
{
    int site[HS_BATCH];
    vd row[HS_BATCH];

    for (int b = 0; b < count; b++)
        site[b] = first + b;
    sum_sites(m, site, count, s, l, row);
    for (int b = 0; b < count; b++) {
        vd h = vd_set(m->h[first + b]);
        vd own = vd_load(&s[first + b][l]);
        vd half = vd_add(vd_scale(row[b], 0.5), h);

        if (out)
            vf_store(&out[b][l], vf_round(vd_add(row[b], h)));
        if (u)
            vd_store(u + l, vd_add(vd_load(u + l), (vd){own.low * half.low,
                                                        own.high * half.high}));
    }
}

void HS_NAME(dense_rows_wide)(const hs_dense_wide *m, int first, int last,
                              const double (*s)[HS_LANES],
                              float (*out)[HS_LANES], double *u)
{
    HS_EACH_PART(l)
    {
        int i = first;

        for (; i + HS_BATCH <= last; i += HS_BATCH)
            add_rows(m, i, HS_BATCH, s, l, out ? out + (i - first) : NULL, u);
        for (; i < last; i++)
            add_rows(m, i, 1, s, l, out ? out + (i - first) : NULL, u);
    }
}

/* Constants of some lanes during a call. */
typedef struct sweeper {
    const hs_dense_wide *m;
    const hs_visits *v;
    double (*s)[HS_LANES];
    int16_t (*x)[HS_LANES];
    coin coins;
    vf scale, weight;
    vf changed;
    vd gain;
    int l;
} sweeper;

/* Draws site i, given its row without the field; returns the change of s. */
HS_INLINE vd visit(sweeper *w, const vu *words, int n, int i, vd row)
{
    const hs_visits *v = w->v;
    int16_t *at = &w->x[i][w->l];
    vf d, e, part, whole;
    vd step;
    vi old = vi_load_index(at), new;

    row = vd_add(row, vd_set(w->m->h[i]));
    d = w->scale * vf_round(row);
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
    step = vd_of(vf_of(new - old) * w->m->gap);
    vd_store(&w->s[i][w->l], vd_of(vf_of(new) * w->m->gap + w->m->low));
    vi_store_index(at, new);
    w->changed = w->changed + vf_of(old ^ new);
    w->gain = vd_add(w->gain, (vd){step.low * row.low, step.high * row.high});
    return step;
}

/* Makes a few visits, one after the other. */
HS_INLINE void visit_some(sweeper *w, const vu *words, int n, int count)
{
    const int *site = w->v->site + n;
    vd row[HS_BATCH], step[HS_BATCH];

    sum_sites(w->m, site, count, (const double(*)[HS_LANES])w->s, w->l, row);
    for (int b = 0; b < count; b++) {
        const double *j = w->m->j + (size_t)site[b] * (size_t)w->m->dim;

        for (int a = 0; a < b; a++)
            row[b] = vd_add(row[b], vd_scale(step[a], j[site[a]]));
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
            visit_some(w, words, k, HS_BATCH);
        for (; k < end; k++)
            visit_some(w, words, k, 1);
    }
}

void HS_NAME(dense_heat_bath_wide)(const hs_dense_wide *m,
                                   const hs_visits *visits,
                                   double (*s)[HS_LANES],
                                   int16_t (*x)[HS_LANES], double *gain)
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
                     .scale = vf_load(visits->beta + l) * m->step,
                     .gain = vd_set(0.0),
                     .l = l};

        if (visits->sum)
            w.weight = vf_load(visits->weight + l);
        sweep(&w);
        vd_accumulate(visits->changed + l, w.changed);
        vd_store(gain + l, vd_add(vd_load(gain + l), w.gain));
    }
}
