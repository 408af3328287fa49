/* regular_odds.c - odds of flips (odds.c) and U on a graph of one degree.
 *
 * Under a tilt phi the odds of every site differ, so each site needs an
 * exponential. But the rows need not be stored, and without a field
 *     U = coupling / 2 sum_i s_i n_i
 * is a sum of small whole numbers.  The same bits as ising.c and odds.c. */
#include "lanes/langevin/odds.h"
#include "lanes/regular/regular.h"

#define SITES 1024 /* sixteen-bit sums: |s n| SITES < 2^15 */

void HS_NAME(regular_odds)(const hs_regular *g, const hs_dlp *d, int first,
                           int last, const int16_t (*x)[HS_LANES],
                           float (*odds)[HS_LANES], double *spread, double *u);
void HS_NAME(regular_energy)(const hs_regular *g, int first, int last,
                             const int16_t (*x)[HS_LANES], double *u);

HS_INLINE vs vs_load(const int16_t *p)
{
    vs v;

    memcpy(&v, p, sizeof v);
    return v;
}

/* Values that the lanes share: whole numbers, and the constants of odds.c. */
typedef struct constants {
    vf balance, pull, still;
    int16_t low, gap, base;
} constants;

HS_INLINE constants constants_of(const hs_regular *g, int degree,
                                 const hs_dlp *d, int l)
{
    constants c = {.low = (int16_t)g->low,
                   .gap = (int16_t)g->gap,
                   .base = (int16_t)(g->low * (float)degree)};
    float gap = d->domain->gap;

    c.balance = vf_load(d->balance + l);
    c.pull = c.balance * vf_load(d->beta + l) * gap;
    c.still = vf_load(d->stiffness + l) * (gap * gap);
    return c;
}

/* Computes z of site i; adds s n to whole. */
HS_INLINE vf logit(const hs_regular *g, int degree, const hs_dlp *d,
                   const constants *c, int i, const int16_t (*x)[HS_LANES],
                   vs *whole, int l)
{
    const int *column = g->column + (int64_t)degree * i;
    vs here = vs_load(&x[i][l]), n = vs_load(&x[column[0]][l]);
    vf up;

    for (int k = 1; k < degree; k++)
        n += vs_load(&x[column[k]][l]);
    n = n * c->gap + c->base;
    *whole += (here * c->gap + c->low) * n;
    up = c->pull * (vf_of(vi_widen(n)) * g->coupling);
    up = vf_fma(c->balance, vf_load(&d->phi[i][l]), up);
    return vf_negate_if(vi_widen(here), up) - c->still;
}

/* Sums the odds of sites first <= i < last, at most HS_ODDS_GROUP. */
HS_INLINE odds_sums odds_of(const hs_regular *g, int degree, const hs_dlp *d,
                            const constants *c, int first, int last,
                            const int16_t (*x)[HS_LANES],
                            float (*odds)[HS_LANES], vs *whole, int l)
{
    odds_sums s = odds_begin();
    int i = first;

    for (; i + HS_BATCH <= last; i += HS_BATCH) {
        vf z[HS_BATCH];

        HS_EACH_BATCH(b)
        z[b] = logit(g, degree, d, c, i + b, x, whole, l);
        odds_add_batch(&s, z, i, odds, l);
    }
    for (; i < last; i++)
        odds_add_one(&s, logit(g, degree, d, c, i, x, whole, l), i, odds, l);
    return s;
}

/* Adds coupling / 2 times a whole number, in the units of U, to u. */
HS_INLINE void add_energy(const hs_regular *g, vs whole, double *u)
{
    vd sum = vd_of(vf_of(vi_widen(whole)));
    double half = 0.5 * (double)g->coupling / (double)g->scale;

    vd_store(u, vd_add(vd_load(u), (vd){sum.low * half, sum.high * half}));
}

HS_INLINE void odds_at(const hs_regular *g, int degree, const hs_dlp *d,
                       int first, int last, const int16_t (*x)[HS_LANES],
                       float (*odds)[HS_LANES], double *spread, double *u,
                       int l)
{
    constants c = constants_of(g, degree, d, l);
    vd total = vd_load(spread + l);

    for (int i = first; i < last; i += HS_ODDS_GROUP) {
        int end = last - i < HS_ODDS_GROUP ? last : i + HS_ODDS_GROUP;
        vs whole = {0};
        odds_sums s = odds_of(g, degree, d, &c, i, end, x, odds, &whole, l);

        total = vd_add(total, odds_end(&s));
        add_energy(g, whole, u + l);
    }
    vd_store(spread + l, total);
}

void HS_NAME(regular_odds)(const hs_regular *g, const hs_dlp *d, int first,
                           int last, const int16_t (*x)[HS_LANES],
                           float (*odds)[HS_LANES], double *spread, double *u)
{
    HS_EACH_PART(l)
    {
        if (g->degree == 4)
            odds_at(g, 4, d, first, last, x, odds, spread, u, l);
        else
            odds_at(g, g->degree, d, first, last, x, odds, spread, u, l);
    }
}

/* Handles at most SITES sites. */
HS_INLINE void energy_at(const hs_regular *g, int degree, int first, int last,
                         const int16_t (*x)[HS_LANES], double *u, int l)
{
    int16_t low = (int16_t)g->low, gap = (int16_t)g->gap;
    int16_t base = (int16_t)(g->low * (float)degree);
    vshort whole = {0};

    for (int i = first; i < last; i++) {
        vshort n = regular_count(g, degree, i, x, l) * gap + base;

        whole += (vshort_load(&x[i][l]) * gap + low) * n;
    }
    for (int p = 0; p < HS_SHORT_PARTS; p++) {
        vs part;

        memcpy(&part, (const char *)&whole + p * (int)sizeof part, sizeof part);
        add_energy(g, part, u + l + p * HS_WIDTH);
    }
}

void HS_NAME(regular_energy)(const hs_regular *g, int first, int last,
                             const int16_t (*x)[HS_LANES], double *u)
{
    for (int i = first; i < last; i += SITES) {
        int end = last - i < SITES ? last : i + SITES;

        for (int l = 0; l < HS_LANES; l += HS_SHORTS) {
            if (g->degree == 4)
                energy_at(g, 4, i, end, x, u, l);
            else
                energy_at(g, g->degree, i, end, x, u, l);
        }
    }
}
