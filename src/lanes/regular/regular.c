/* regular.c - Gibbs sweeps over a graph of one degree (regular.h).
 *
 * The draws are those of heat_bath.c.  U is updated with the changes.  Without
 * a field it is coupling / 2 times a whole number, so the gains coupling gap
 * (x' - x) n, n = low degree + gap count, add up exactly to a fresh sum over
 * the sites. */
#include "lanes/regular/regular.h"

#include <stdbool.h>

#define VISITS 1024 /* sixteen-bit sums: |n| VISITS < 2^15 */

void HS_NAME(regular_heat_bath)(const hs_regular *g, const hs_visits *visits,
                                int16_t (*x)[HS_LANES], double *gain);

/* A chain's distribution by the count of high neighbors. */
typedef struct law {
    vf scale[HS_SHORT_PARTS];
    vshort threshold[HS_COUNTS];
    vf high[HS_COUNTS][HS_SHORT_PARTS]; /* weight * P(high) */
} law;

/* Computes e^-|d|, and whether d < 0, for the logit d of the high value. */
HS_INLINE vf odds_of(const hs_regular *g, vf scale, vf count, vm *is_negative)
{
    vf d = scale * regular_row(g, count);

    *is_negative = vf_less(d, vf_set(0.0f));
    return vf_exp_negative(-vf_abs(d));
}

HS_INLINE law law_of(const hs_regular *g, const hs_visits *v, int l)
{
    law a;

    for (int p = 0; p < HS_SHORT_PARTS; p++) {
        int at = l + p * HS_WIDTH;
        vf weight = v->sum ? vf_load(v->weight + at) : vf_set(0.0f);

        a.scale[p] = vf_load(v->beta + at) * g->step;
        for (int c = 0; c <= g->degree; c++) {
            vm is_negative;
            vf e = odds_of(g, a.scale[p], vf_set((float)c), &is_negative);
            vf part = vf_select(is_negative, e, vf_set(1.0f));
            vushort t = (vushort)a.threshold[c];

            vushort_put(&t, p, coin_threshold(part, 1.0f + e));
            a.threshold[c] = (vshort)t;
            a.high[c][p] = weight * part / (1.0f + e);
        }
    }
    return a;
}

/* Draws the full coin if a threshold does not decide. */
static __attribute__((noinline)) vshort toss(const hs_regular *g, const law *a,
                                             const coins *c, int which,
                                             int position, vshort count)
{
    vushort new = {0};

    for (int p = 0; p < HS_SHORT_PARTS; p++) {
        vm is_negative;
        vf e = odds_of(g, a->scale[p], vf_of(vi_of_shorts(count, p)),
                       &is_negative);

        vushort_put(&new, p,
                    (vu)coin_sigma(&c->part[p], c->words[p][which], position, e,
                                   is_negative));
    }
    return (vshort) new;
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
                     const hs_visits *v, const law *a, coins *c, int from,
                     int16_t (*x)[HS_LANES], int l, double *gain)
{
    int to = v->count - from < VISITS ? v->count : from + VISITS;
    vshort changed = {0}, rise = {0};
    short gap = (short)g->gap, base = (short)(g->low * (float)degree);

    for (int n = from; n < to; n++) {
        int i = v->site ? v->site[n] : n;
        vshort count =
            regular_count(g, degree, i, (const int16_t(*)[HS_LANES])x, l);
        vshort threshold = few_at(a->threshold, degree + 1, count);
        vshort old = vshort_load(&x[i][l]), new;
        vushort k;

        if (n % 16 == 0)
            coins_draw(c, (uint32_t)(v->first + n) / 8);
        k = c->k[n % 16];
        new = vshort_of(vushort_less(k, (vushort)threshold));
        if (__builtin_expect(
                vsm_any(vushort_less(k - (vushort)threshold,
                                     (vushort)vshort_set(HS_UNCERTAIN))),
                0))
            new = toss(g, a, c, n / 8 % 2, v->first + n, count);
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
        if (g->degree == 4 && v->sum)
            sweep(g, 4, true, v, &a, &c, n, x, l, gain);
        else if (g->degree == 4)
            sweep(g, 4, false, v, &a, &c, n, x, l, gain);
        else
            sweep(g, g->degree, v->sum != NULL, v, &a, &c, n, x, l, gain);
    }
}

void HS_NAME(regular_heat_bath)(const hs_regular *g, const hs_visits *visits,
                                int16_t (*x)[HS_LANES], double *gain)
{
    for (int l = 0; l < HS_LANES; l += HS_SHORTS)
        visit(g, visits, x, l, gain);
}
