/* scan.c - Gibbs sweeps where all couplings are J or -J, on any graph.
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
HS_INLINE vf logit(const sweeper *s, bool has_signs, bool has_field, int n,
                   vf *whole)
{
    const hs_scan *g = s->g;
    vf row;

    *whole = vf_fma(vf_of(count_signed(s, has_signs, n)), vf_set(g->gap),
                    vf_set(g->base[n]));
    row = *whole * g->coupling;
    return s->scale * (has_field ? row + g->field[s->v->site[n]] : row);
}

HS_INLINE void set_site(const sweeper *s, bool has_sum, int i, vf part,
                        vf whole, vf n, vm high, sums *t)
{
    vm was = vm_of(vi_load_index(&s->x[i][s->l]));
    vi new = vi_of(high);

    if (has_sum) {
        float *sum = &s->v->sum[i][s->l];

        vf_store(sum, vf_load(sum) + s->weight * part / whole);
    }
    t->changed = t->changed + vi_of(high ^ was);
    t->rise = t->rise + vf_where(high & ~was, n);
    t->rise = t->rise - vf_where(was & ~high, n);
    vi_store_index(&s->x[i][s->l], new);
    vi_store_bytes(&s->bytes[i][s->l], new);
}

HS_INLINE void visit(const sweeper *s, bool has_signs, bool has_field,
                     bool has_sum, const vu *words, int n, sums *t)
{
    vf whole_n, d = logit(s, has_signs, has_field, n, &whole_n);
    vf e = vf_exp_negative(-vf_abs(d));
    vf part = vf_select(vf_less(d, vf_set(0.0f)), e, vf_set(1.0f));
    vi new = coin_toss(&s->coins, words, n, part, 1.0f + e);

    set_site(s, has_sum, s->v->site[n], part, 1.0f + e, whole_n, vm_of(new), t);
}

/* Makes GROUP visits to uncoupled sites. */
HS_INLINE void visit_group(const sweeper *s, bool has_signs, bool has_field,
                           bool has_sum, const vu *words, int n, sums *t)
{
    vf d[GROUP], whole_n[GROUP];

    for (int k = 0; k < GROUP; k++)
        d[k] = logit(s, has_signs, has_field, n + k, &whole_n[k]);
    for (int k = 0; k < GROUP; k += HS_BATCH) {
        vf e[HS_BATCH], part[HS_BATCH], whole[HS_BATCH];
        vm new[HS_BATCH];

        HS_EACH_BATCH(b)
        e[b] = -vf_abs(d[k + b]);
        exp_negative_batch(e, e);
        HS_EACH_BATCH(b)
        {
            part[b] =
                vf_select(vf_less(d[k + b], vf_set(0.0f)), e[b], vf_set(1.0f));
            whole[b] = 1.0f + e[b];
        }
        coin_toss_batch(&s->coins, words, n + k, part, whole, new);
        HS_EACH_BATCH(b)
        set_site(s, has_sum, s->v->site[n + k + b], part[b], whole[b],
                 whole_n[k + b], new[b], t);
    }
}

/* Makes at most VISITS visits from `from` on. */
HS_INLINE void sweep(const sweeper *s, bool has_signs, bool has_field,
                     bool has_sum, int from, int to, double *gain)
{
    const hs_visits *v = s->v;
    sums t = {{0}, {0}};

    for (int n = from; n < to; n += GROUP) {
        int end = to - n < GROUP ? to : n + GROUP;
        vu words[4];

        philox_four(&s->coins.at, (uint32_t)n / GROUP, words);
        if (end == n + GROUP && v->apart[n / GROUP]) {
            visit_group(s, has_signs, has_field, has_sum, words, n, &t);
            continue;
        }
        for (int k = n; k < end; k++)
            visit(s, has_signs, has_field, has_sum, words, k, &t);
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

            if (!g->middle && !g->field && !visits->sum)
                sweep(&s, false, false, false, n, to, gain);
            else if (g->middle && !g->field && !visits->sum)
                sweep(&s, true, false, false, n, to, gain);
            else
                sweep(&s, g->middle != NULL, g->field != NULL,
                      visits->sum != NULL, n, to, gain);
        }
    }
}
