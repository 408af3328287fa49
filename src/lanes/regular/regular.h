/* regular.h - tables by count, for graphs of one degree with equal couplings.
 *
 * A site with c of its neighbors high has one of degree + 1 fields, so the data
 * of a visit (the probability of its coin, a logarithm) are computed once per
 * call and looked up, lane by lane, as sixteen-bit numbers without an
 * exponential. Coins are thresholds of sixteen bits (coin_threshold of
 * coin.h). */
#ifndef HS_LANES_REGULAR_REGULAR_H
#define HS_LANES_REGULAR_REGULAR_H

#include "lanes/lanes.h"
#include "lanes/vec/coin.h"
#include "lanes/vec/shorts.h"
#include "lanes/vec/vec.h"

#define HS_COUNTS (HS_DEGREE_MAX + 1)

/* Random bits of sixteen positions, from two blocks of words. */
typedef struct coins {
    coin part[HS_SHORT_PARTS];
    vu words[HS_SHORT_PARTS][2][4];
    vushort k[16];
} coins;

HS_INLINE coins coins_begin(const hs_rng *rng, hs_purpose purpose, int l,
                            philox_ahead ahead[HS_SHORT_PARTS])
{
    coins c;

    for (int p = 0; p < HS_SHORT_PARTS; p++)
        c.part[p] = coin_begin(rng, purpose, l + p * HS_WIDTH, &ahead[p]);
    return c;
}

/* Draws the coins of blocks `block` and the next. */
HS_INLINE void coins_draw(coins *c, uint32_t block)
{
    for (int p = 0; p < HS_SHORT_PARTS; p++) {
        const philox_at *at = &c->part[p].at;

        philox_twice(at, block, c->words[p][0], at, block + 1, c->words[p][1]);
        for (int w = 0; w < 8; w++) {
            vu word = c->words[p][w / 4][w % 4];

            vushort_put(&c->k[2 * w], p, word);
            vushort_put(&c->k[2 * w + 1], p, word >> 16);
        }
    }
}

/* table[index] in every lane. */
HS_INLINE vshort few_at(const vshort *table, int entries, vshort index)
{
    vshort at = table[0];

    for (int c = 1; c < entries; c++)
        at = vshort_select(vshort_equal(index, vshort_set(c)), table[c], at);
    return at;
}

/* Counts the high neighbors of i. */
HS_INLINE vshort regular_count(const hs_regular *g, int degree, int i,
                               const int16_t (*x)[HS_LANES], int l)
{
    const int *column = g->column + (int64_t)degree * i;
    vshort sum = vshort_load(&x[column[0]][l]);

    for (int e = 1; e < degree; e++)
        sum += vshort_load(&x[column[e]][l]);
    return sum;
}

/* The row of a site with `count` high neighbors. */
HS_INLINE vf regular_row(const hs_regular *g, vf count)
{
    vf n = count * g->gap + g->low * (float)g->degree;

    return n * g->coupling + g->field;
}

/* Encodes a site and its neighbors in one number: count + x (degree + 1).  If U
 * is even in s only neighbors with the site's value matter, and the entry is
 * their number. */
HS_INLINE int regular_is_even(const hs_regular *g)
{
    return g->field == 0.0f && g->low * -2.0f == g->gap;
}

/* Whether all lanes have the same tables, so that one register holds a
 * table. */
HS_INLINE int regular_is_shared(const hs_dlp *d)
{
    for (int l = 1; l < HS_LANES; l++)
        if (d->beta[l] != d->beta[0] || d->stiffness[l] != d->stiffness[0] ||
            d->balance[l] != d->balance[0])
            return 0;
    return 1;
}

HS_INLINE int regular_entries(int degree, int is_even)
{
    return (degree + 1) * (is_even ? 1 : 2);
}

HS_INLINE vshort regular_index(int degree, int is_even, vshort count, vshort x)
{
    vshort down = vshort_set(degree) - count;

    if (is_even)
        return down + ((count - down) & -x);
    return count + (vshort_set(degree + 1) & -x);
}

#endif
