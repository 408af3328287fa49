/* fresh.c - makes an independent draw, coordinate by coordinate. */
#include "kernel/gibbs/fresh.h"

#include <string.h>

#include "lanes/lanes.h"

/* Adds a table, at the position that the drawn coordinates select. */
static void add_part(const hs_fresh *s, const hs_descent_part *p, int states,
                     const hs_tile *x)
{
    const hs_descent_other *other = s->descent->other + p->other;
    int64_t at[HS_LANES]; /* only lanes in use: clearing all would take as long
                             as the rest */

    for (int l = 0; l < x->lanes; l++)
        at[l] =
            p->others > 0 ? other->stride * x->at.x[other->coordinate][l] : 0;
    for (int n = 1; n < p->others; n++)
        for (int l = 0; l < x->lanes; l++)
            at[l] += other[n].stride * x->at.x[other[n].coordinate][l];
    for (int v = 0; v < states; v++)
        for (int l = 0; l < x->lanes; l++)
            s->weight[v][l] += p->table[at[l] + p->own * v];
}

/* ln of the weights of all values, relative to the largest; these are small or
 * negligible, so float suffices.  Unused lanes keep 0. */
static void weigh(const hs_fresh *s, const hs_descent_stop *stop,
                  const hs_tile *x)
{
    double most[HS_LANES];

    memset(s->weight, 0, (size_t)stop->states * sizeof *s->weight);
    for (int n = 0; n < stop->parts; n++)
        add_part(s, &s->descent->part[stop->part + n], stop->states, x);
    memcpy(most, s->weight[0], sizeof most);
    for (int v = 1; v < stop->states; v++)
        for (int l = 0; l < x->lanes; l++)
            if (s->weight[v][l] > most[l])
                most[l] = s->weight[v][l];
    for (int v = 0; v < stop->states; v++)
        for (int l = 0; l < x->lanes; l++)
            s->logits[v][l] = (float)(s->weight[v][l] - most[l]);
}

/* Unused lanes get the state of the first. */
static void draw_counted(hs_fresh *s, const hs_domain *d, hs_tile *x)
{
    for (int l = 0; l < x->lanes; l++)
        hs_count_draw(s->descent->counted, &s->walk, &x->rng, l, x->at.x);
    for (int i = 0; x->lanes < HS_LANES && i < d->dim; i++)
        for (int l = x->lanes; l < HS_LANES; l++)
            x->at.x[i][l] = x->at.x[i][0];
}

/* Random words are addressed by the place in the order. */
void hs_fresh_draw(hs_fresh *s, const hs_domain *d, hs_tile *x)
{
    uint32_t words[4][HS_LANES], more[4][HS_LANES];

    if (s->descent->counted) {
        draw_counted(s, d, x);
        return;
    }
    for (int n = 0; n < s->descent->count; n++) {
        const hs_descent_stop *stop = &s->descent->stop[n];
        int16_t *to = x->at.x[stop->coordinate];

        if (n % 4 == 0)
            hs_lanes()->philox(&x->rng, HS_DRAW_PROPOSE, (uint32_t)n / 4, 1,
                               words);
        if (stop->states == 1) {
            for (int l = 0; l < HS_LANES; l++)
                to[l] = stop->index;
            continue;
        }
        weigh(s, stop, x);
        if (stop->states > HS_FEW)
            hs_lanes()->philox(&x->rng, HS_DRAW_TIE, (uint32_t)n, 1, more);
        hs_lanes()->draw_value((const hs_float_row *)s->logits, stop->states,
                               words[n % 4], more[0], s->logits + d->states_max,
                               to);
    }
}
