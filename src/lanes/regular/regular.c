/* regular.c - sweeps over a graph of one degree (regular.h).
 *
 * The draws are those of heat_bath.c.  U is updated with the changes.  Without
 * a field it is coupling / 2 times a whole number, so the gains coupling gap
 * (x' - x) n, n = low degree + gap count, add up exactly to a fresh sum over
 * the sites. */
#include "lanes/regular/regular.h"

#include <stdbool.h>

#include "lanes/vec/rule.h"

#define VISITS 1024 /* sixteen-bit sums: |n| VISITS < 2^15 */

void HS_NAME(regular_heat_bath)(const hs_regular *g, const hs_visits *visits,
                                int16_t (*x)[HS_LANES], double *gain);

/* A chain's distribution by the count of high neighbors. */
typedef struct law {
    vf scale[HS_SHORT_PARTS];
    vshort threshold[2][HS_COUNTS]; /* for Metropolis by the present value */
    vf high[HS_COUNTS][HS_SHORT_PARTS]; /* weight * P(high) */
} law;

HS_INLINE law law_of(const hs_regular *g, const hs_visits *v, int l)
{
    law a;

    for (int p = 0; p < HS_SHORT_PARTS; p++) {
        int at = l + p * HS_WIDTH;
        vf weight = v->sum ? vf_load(v->weight + at) : vf_set(0.0f);

        a.scale[p] = vf_load(v->beta + at) * g->step;
        for (int c = 0; c <= g->degree; c++) {
            vf d = a.scale[p] * regular_row(g, vf_set((float)c));
            vf e = vf_exp_negative(-vf_abs(d)), part, whole;

            for (int x = 0; x < 2; x++) {
                vushort t = (vushort)a.threshold[x][c];

                rule_odds(v->is_metropolis, d, e, vi_set(x), &part, &whole);
                vushort_put(&t, p, coin_threshold(part, whole));
                a.threshold[x][c] = (vshort)t;
            }
            a.high[c][p] = rule_high(d, e, weight);
        }
    }
    return a;
}

/* Draws the full coin if a threshold does not decide. */
static __attribute__((noinline)) vshort toss(const hs_regular *g,
                                             bool is_metropolis, const law *a,
                                             const coins *c, int which,
                                             int position, vshort count,
                                             vshort old)
{
    vushort yes = {0};

    for (int p = 0; p < HS_SHORT_PARTS; p++) {
        vf d = a->scale[p] * regular_row(g, vf_of(vi_of_shorts(count, p)));
        vf e = vf_exp_negative(-vf_abs(d)), part, whole;

        rule_odds(is_metropolis, d, e, vi_of_shorts(old, p), &part, &whole);
        vushort_put(&yes, p,
                    (vu)coin_toss(&c->part[p], c->words[p][which], position,
                                  part, whole));
    }
    return (vshort)yes;
}

HS_INLINE void add_high(const hs_visits *v, const law *a, int degree, int i,
                        vshort count, int l)
{
    for (int p = 0; p < HS_SHORT_PARTS; p++) {
        float *sum = &v->sum[i][l + p * HS_WIDTH];
        vf high = a->high[0][p];

        for (int c = 1; c <= degree; c++)
            high =
                vf_select(vm_of_shorts(vshort_equal(count, vshort_set(c)), p),
                          a->high[c][p], high);
        vf_store(sum, vf_load(sum) + high);
    }
}

/* Makes VISITS visits from `from` on. */
HS_INLINE void sweep(const hs_regular *g, int degree, bool has_sum,
                     bool is_metropolis, const hs_visits *v, const law *a,
                     coins *c, int from, int16_t (*x)[HS_LANES], int l,
                     double *gain)
{
    int to = v->count - from < VISITS ? v->count : from + VISITS;
    vshort changed = {0}, rise = {0};
    short gap = (short)g->gap, base = (short)(g->low * (float)degree);

    for (int n = from; n < to; n++) {
        int i = v->site ? v->site[n] : n;
        vshort count =
            regular_count(g, degree, i, (const int16_t(*)[HS_LANES])x, l);
        vshort threshold = few_at(a->threshold[0], degree + 1, count);
        vshort old = vshort_load(&x[i][l]), new;
        vushort k;

        if (n % 16 == 0)
            coins_draw(c, (uint32_t)(v->first + n) / 8);
        if (is_metropolis)
            threshold = (threshold & (old - 1)) |
                        (few_at(a->threshold[1], degree + 1, count) & -old);
        k = c->k[n % 16];
        new = vshort_of(vushort_less(k, (vushort)threshold));
        if (__builtin_expect(
                vsm_any(vushort_less(k - (vushort)threshold,
                                     (vushort)vshort_set(HS_UNCERTAIN))),
                0))
            new = toss(g, is_metropolis, a, c, n / 8 % 2, v->first + n, count,
                       old);
        if (is_metropolis)
            new ^= old;
        vshort_store(&x[i][l], new);
        changed += old ^ new;
        rise += (new - old) * (count * gap + base);
        if (has_sum)
            add_high(v, a, degree, i, count, l);
    }
    for (int p = 0; p < HS_SHORT_PARTS; p++) {
        int at = l + p * HS_WIDTH;
        vd more = vd_of(vf_of(vi_of_shorts(rise, p)));
        double unit = (double)g->coupling * (double)g->gap;

        vd_accumulate(v->changed + at, vf_of(vi_of_shorts(changed, p)));
        if (gain)
            vd_store(gain + at,
                     vd_add(vd_load(gain + at),
                            (vd){more.low * unit, more.high * unit}));
    }
}

static void visit(const hs_regular *g, const hs_visits *v,
                  int16_t (*x)[HS_LANES], int l, double *gain)
{
    law a = law_of(g, v, l);
    philox_ahead ahead[HS_SHORT_PARTS];
    coins c = coins_begin(v->rng, HS_DRAW_PROPOSE, l, ahead);

    for (int n = 0; n < v->count; n += VISITS) {
        if (g->degree == 4 && v->is_metropolis)
            sweep(g, 4, v->sum != NULL, true, v, &a, &c, n, x, l, gain);
        else if (g->degree == 4 && v->sum)
            sweep(g, 4, true, false, v, &a, &c, n, x, l, gain);
        else if (g->degree == 4)
            sweep(g, 4, false, false, v, &a, &c, n, x, l, gain);
        else
            sweep(g, g->degree, v->sum != NULL, v->is_metropolis, v, &a, &c, n,
                  x, l, gain);
    }
}

void HS_NAME(regular_heat_bath)(const hs_regular *g, const hs_visits *visits,
                                int16_t (*x)[HS_LANES], double *gain)
{
    for (int l = 0; l < HS_LANES; l += HS_SHORTS)
        visit(g, visits, x, l, gain);
}
