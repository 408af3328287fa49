/* scan.c - sweeps where all couplings are J or -J, on any graph.
 *
 * The same draws as heat_bath.c.  Neighbors are counted in bytes, which are
 * stored beside x. Their lists are in the order of the sweep, and lists of
 * about equal length follow each other, because a loop end that the processor
 * mispredicts costs as much as ten neighbors. Eight visits are made at a time
 * if they are uncoupled. Their operations are independent, so a processor that
 * waits for one works on the next. */
#include <stdbool.h>

#include "lanes/lanes.h"
#include "lanes/vec/bytes.h"
#include "lanes/vec/coin.h"
#include "lanes/vec/rule.h"
#include "lanes/vec/vec.h"

#define VISITS 256 /* |n| < 2^16, so sums are below 2^24 and exact in float */
#define GROUP  8   /* visits that share a block of random words */

void HS_NAME(scan_heat_bath)(const hs_scan *g, const hs_visits *visits,
                             int16_t (*x)[HS_LANES], hs_byte_row *bytes,
                             double *gain);

/* Constants of some lanes during a call. */
typedef struct sweeper {
    const hs_scan *g;
    const hs_visits *v;
    int16_t (*x)[HS_LANES];
    hs_byte_row *bytes;
    coin coins;
    vf scale, weight;
    int l;
} sweeper;

/* Constants of the caller. */
typedef struct mode {
    bool is_metropolis, has_signs, has_field, has_sum;
} mode;

/* Sums over visits. */
typedef struct sums {
    vi changed;
    vf rise; /* (x' - x) n */
} sums;

/* Counts the high sites in a list. */
HS_INLINE vi count_high(const sweeper *s, int64_t first, int64_t last)
{
    const int *c = s->g->column + first, *end = s->g->column + last;
    const hs_byte_row *x = (const hs_byte_row *)s->bytes;
    vbyte count = {0};

    for (; c < end; c += HS_SCAN_STEP)
        count += (vbyte_load(x[c[0]]) + vbyte_load(x[c[1]])) +
                 (vbyte_load(x[c[2]]) + vbyte_load(x[c[3]]));
    return vi_of_byte(count, s->l);
}

/* Counts the high sites of the first list minus those of the second. */
HS_INLINE vi count_signed(const sweeper *s, bool has_signs, int n)
{
    const hs_scan *g = s->g;

    if (!has_signs)
        return count_high(s, g->start[n], g->start[n + 1]);
    return count_high(s, g->start[n], g->middle[n]) -
           count_high(s, g->middle[n], g->start[n + 1]);
}

/* Computes the logit of visit n, and sum_j s_j. */
HS_INLINE vf logit(const sweeper *s, mode how, int n, vf *whole)
{
    const hs_scan *g = s->g;
    vf row;

    *whole = vf_fma(vf_of(count_signed(s, how.has_signs, n)), vf_set(g->gap),
                    vf_set(g->base[n]));
    row = *whole * g->coupling;
    return s->scale * (how.has_field ? row + g->field[s->v->site[n]] : row);
}

HS_INLINE void set_site(const sweeper *s, mode how, int i, vf d, vf e, vf n,
                        vm was, vm yes, sums *t)
{
    vm high = how.is_metropolis ? was ^ yes : yes;
    vi new = vi_of(high);

    if (how.has_sum) {
        float *sum = &s->v->sum[i][s->l];

        vf_store(sum, vf_load(sum) + rule_high(d, e, s->weight));
    }
    t->changed = t->changed + vi_of(high ^ was);
    t->rise = t->rise + vf_where(high & ~was, n);
    t->rise = t->rise - vf_where(was & ~high, n);
    vi_store_index(&s->x[i][s->l], new);
    vi_store_bytes(&s->bytes[i][s->l], new);
}

HS_INLINE void visit(const sweeper *s, mode how, const vu *words, int n,
                     sums *t)
{
    int i = s->v->site[n];
    vf whole_n, d = logit(s, how, n, &whole_n);
    vf e = vf_exp_negative(-vf_abs(d)), part, whole;
    vi old = vi_load_index(&s->x[i][s->l]), yes;

    rule_odds(how.is_metropolis, d, e, old, &part, &whole);
    yes = coin_toss(&s->coins, words, n, part, whole);
    set_site(s, how, i, d, e, whole_n, vm_of(old), vm_of(yes), t);
}

/* Makes GROUP visits to uncoupled sites. */
HS_INLINE void visit_group(const sweeper *s, mode how, const vu *words, int n,
                           sums *t)
{
    vf d[GROUP], whole_n[GROUP];

    for (int k = 0; k < GROUP; k++)
        d[k] = logit(s, how, n + k, &whole_n[k]);
    for (int k = 0; k < GROUP; k += HS_BATCH) {
        const int *site = s->v->site + n + k;
        vf e[HS_BATCH], part[HS_BATCH], whole[HS_BATCH];
        vi old[HS_BATCH];
        vm yes[HS_BATCH];

        HS_EACH_BATCH(b)
        e[b] = -vf_abs(d[k + b]);
        exp_negative_batch(e, e);
        HS_EACH_BATCH(b)
        {
            old[b] = vi_load_index(&s->x[site[b]][s->l]);
            rule_odds(how.is_metropolis, d[k + b], e[b], old[b], &part[b],
                      &whole[b]);
        }
        coin_toss_batch(&s->coins, words, n + k, part, whole, yes);
        HS_EACH_BATCH(b)
        set_site(s, how, site[b], d[k + b], e[b], whole_n[k + b], vm_of(old[b]),
                 yes[b], t);
    }
}

/* Makes at most VISITS visits from `from` on. */
HS_INLINE void sweep(const sweeper *s, mode how, int from, int to, double *gain)
{
    const hs_visits *v = s->v;
    sums t = {{0}, {0}};

    for (int n = from; n < to; n += GROUP) {
        int end = to - n < GROUP ? to : n + GROUP;
        vu words[4];

        philox_four(&s->coins.at, (uint32_t)n / GROUP, words);
        if (end == n + GROUP && v->apart[n / GROUP]) {
            visit_group(s, how, words, n, &t);
            continue;
        }
        for (int k = n; k < end; k++)
            visit(s, how, words, k, &t);
    }
    vd_accumulate(v->changed + s->l, vf_of(t.changed));
    if (gain) {
        double unit = (double)s->g->coupling * (double)s->g->gap;
        vd rise = vd_of(t.rise);

        vd_store(gain + s->l, vd_add(vd_load(gain + s->l),
                                     (vd){rise.low * unit, rise.high * unit}));
    }
}

void HS_NAME(scan_heat_bath)(const hs_scan *g, const hs_visits *visits,
                             int16_t (*x)[HS_LANES], hs_byte_row *bytes,
                             double *gain)
{
    for (int i = 0; i < g->dim; i++)
        vbyte_store(bytes[i], vbyte_narrow(x[i]));
    memset(bytes[g->dim], 0, sizeof bytes[g->dim]);
    HS_EACH_PART(l)
    {
        philox_ahead ahead;
        sweeper s = {.g = g,
                     .v = visits,
                     .x = x,
                     .bytes = bytes,
                     .coins =
                         coin_begin(visits->rng, HS_DRAW_PROPOSE, l, &ahead),
                     .scale = vf_load(visits->beta + l) * g->step,
                     .l = l};

        if (visits->sum)
            s.weight = vf_load(visits->weight + l);
        for (int n = 0; n < g->dim; n += VISITS) {
            int to = g->dim - n < VISITS ? g->dim : n + VISITS;

            if (visits->is_metropolis)
                sweep(&s,
                      (mode){true, g->middle != NULL, g->field != NULL,
                             visits->sum != NULL},
                      n, to, gain);
            else if (!g->middle && !g->field && !visits->sum)
                sweep(&s, (mode){false, false, false, false}, n, to, gain);
            else if (g->middle && !g->field && !visits->sum)
                sweep(&s, (mode){false, true, false, false}, n, to, gain);
            else
                sweep(&s,
                      (mode){false, g->middle != NULL, g->field != NULL,
                             visits->sum != NULL},
                      n, to, gain);
        }
    }
}
