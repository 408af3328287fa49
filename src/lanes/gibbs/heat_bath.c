/* heat_bath.c - Gibbs and Metropolis visits of a sparse pair model.
 *
 * P(high) = sigma(D), D = beta (U(high) - U(low)) + phi(high) - phi(low).  A
 * visit depends on the one before it only if the two sites are coupled. So
 * visits to uncoupled sites are made HS_BATCH at a time.
 *
 * With equal couplings and no field U follows the changes without rounding: it
 * gains coupling gap (x' - x) n, n = sum_j s_j a whole number. */
#include <stdbool.h>

#include "lanes/lanes.h"
#include "lanes/vec/coin.h"
#include "lanes/vec/rule.h"
#include "lanes/vec/vec.h"

#define VISITS 256 /* |n| < 2^16, so sums are below 2^24 and exact in float */

void HS_NAME(ising_heat_bath)(const hs_sparse *j, float low, float gap,
                              float step, const hs_visits *visits,
                              int16_t (*x)[HS_LANES], double *gain);
void HS_NAME(ising_metropolis)(const hs_sparse *j, float low, float gap,
                               float step, const hs_visits *visits,
                               int16_t (*x)[HS_LANES]);

/* Constants of some lanes during a call. */
typedef struct sweeper {
    const hs_sparse *j;
    const hs_visits *v;
    int16_t (*x)[HS_LANES];
    coin coins;
    vf scale, weight;
    float low, gap;
    int l;
} sweeper;

/* Sums over visits. */
typedef struct sums {
    vi changed;
    vf rise; /* (x' - x) n */
} sums;

HS_INLINE vs row_at(const sweeper *s, int i)
{
    vs v;

    memcpy(&v, &s->x[i][s->l], sizeof v);
    return v;
}

/* Computes sum_j s_j for equal couplings, s = low + gap x. */
HS_INLINE vf whole_number(const sweeper *s, int i)
{
    const int *end = s->j->column + s->j->start[i + 1];
    const int *c = s->j->column + s->j->start[i];
    float base = s->low * (float)(end - c);
    vs count = {0}; /* the degree is below 2^15 (model/sparse.c) */

    for (; end - c >= 4; c += 4)
        count += (row_at(s, c[0]) + row_at(s, c[1])) +
                 (row_at(s, c[2]) + row_at(s, c[3]));
    for (; c < end; c++)
        count += row_at(s, *c);
    return vf_of(vi_widen(count)) * s->gap + base;
}

/* Computes h_i + sum_j J_ij s_j in double. */
HS_INLINE vf wide_row(const sweeper *s, int i)
{
    const hs_sparse *j = s->j;
    vd sum = vd_set(0.0);

    for (int64_t e = j->start[i]; e < j->start[i + 1]; e++) {
        vf x = vf_of(vi_load_index(&s->x[j->column[e]][s->l]));

        sum = vd_add(sum, vd_scale(vd_of(x * s->gap + s->low), j->exact[e]));
    }
    return vf_round(vd_add(sum, vd_set(j->exact_field[i])));
}

/* Computes the row of site i, and n if couplings are equal. */
HS_INLINE vf row_of(const sweeper *s, int i, vf *n)
{
    const hs_sparse *j = s->j;
    vf h = vf_set(j->field ? j->field[i] : 0.0f), sum = vf_set(0.0f);

    *n = sum;
    if (j->uniform != 0.0f) {
        *n = whole_number(s, i);
        return *n * j->uniform + h;
    } else if (j->is_wide) {
        return wide_row(s, i);
    } else {
        for (int64_t e = j->start[i]; e < j->start[i + 1]; e++) {
            vf t = vf_of(vi_load_index(&s->x[j->column[e]][s->l])) * s->gap +
                   s->low;

            sum = sum + t * j->value[e];
        }
        return sum + h;
    }
}

/* Computes D of site i, and n if couplings are equal. */
HS_INLINE vf logit(const sweeper *s, int i, vf *n)
{
    vf d = s->scale * row_of(s, i, n);

    return s->v->phi ? d + vf_load(&s->v->phi[i][s->l]) : d;
}

/* Sets site i, with logit d and e = e^-|d|. */
HS_INLINE void set_site(const sweeper *s, int i, vf d, vf e, vf n, vi old,
                        vi new, sums *t)
{
    int16_t *at = &s->x[i][s->l];

    if (s->v->sum) {
        float *sum = &s->v->sum[i][s->l];

        vf_store(sum, vf_load(sum) + rule_high(d, e, s->weight));
    }
    t->changed = t->changed + (old ^ new);
    t->rise = t->rise + vf_of(new - old) * n;
    vi_store_index(at, new);
}

HS_INLINE void visit(const sweeper *s, bool is_metropolis, const vu *words,
                     int n, sums *t)
{
    int i = s->v->site ? s->v->site[n] : n;
    vf whole_n, d = logit(s, i, &whole_n);
    vf e = vf_exp_negative(-vf_abs(d)), part, whole;
    vi old = vi_load_index(&s->x[i][s->l]), new;

    rule_odds(is_metropolis, d, e, old, &part, &whole);
    new = coin_toss(&s->coins, words, s->v->first + n, part, whole);
    set_site(s, i, d, e, whole_n, old, rule_value(is_metropolis, new, old), t);
}

/* Makes visits n to n + HS_BATCH - 1, to uncoupled sites. */
HS_INLINE void visit_batch(const sweeper *s, bool is_metropolis,
                           const vu *words, int n, sums *t)
{
    const int *site = s->v->site + n;
    vf d[HS_BATCH], e[HS_BATCH], whole_n[HS_BATCH];
    vf part[HS_BATCH], whole[HS_BATCH];
    vi old[HS_BATCH];
    vm yes[HS_BATCH];

    for (int b = 0; b < HS_BATCH; b++)
        d[b] = logit(s, site[b], &whole_n[b]);
    HS_EACH_BATCH(b)
    e[b] = -vf_abs(d[b]);
    exp_negative_batch(e, e);
    HS_EACH_BATCH(b)
    {
        old[b] = vi_load_index(&s->x[site[b]][s->l]);
        rule_odds(is_metropolis, d[b], e[b], old[b], &part[b], &whole[b]);
    }
    coin_toss_batch(&s->coins, words, s->v->first + n, part, whole, yes);
    HS_EACH_BATCH(b)
    set_site(s, site[b], d[b], e[b], whole_n[b], old[b],
             rule_value(is_metropolis, vi_of(yes[b]), old[b]), t);
}

/* Makes at most VISITS visits from `from` on, a multiple of 8. */
HS_INLINE void sweep(const sweeper *s, bool is_metropolis, int from, int to,
                     double *gain)
{
    const hs_visits *v = s->v;
    sums t = {{0}, {0}};

    for (int n = from; n < to; n += 8) {
        int end = to - n < 8 ? to : n + 8, k = n;
        vu words[4];

        philox_four(&s->coins.at, (uint32_t)(v->first + n) / 8, words);
        while (k < end) {
            bool is_apart = v->apart && k + HS_BATCH <= end && v->apart[k / 8];

            if (is_apart)
                visit_batch(s, is_metropolis, words, k, &t);
            for (int b = 0; !is_apart && b < HS_BATCH && k + b < end; b++)
                visit(s, is_metropolis, words, k + b, &t);
            k += HS_BATCH;
        }
    }
    vd_accumulate(v->changed + s->l, vf_of(t.changed));
    if (gain) {
        double unit = (double)s->j->uniform * (double)s->gap;
        vd rise = vd_of(t.rise);

        vd_store(gain + s->l, vd_add(vd_load(gain + s->l),
                                     (vd){rise.low * unit, rise.high * unit}));
    }
}

static __attribute__((noinline)) void sweep_gibbs(const sweeper *s, int from,
                                                  int to, double *gain)
{
    sweep(s, false, from, to, gain);
}

static __attribute__((noinline)) void sweep_metropolis(const sweeper *s,
                                                       int from, int to,
                                                       double *gain)
{
    sweep(s, true, from, to, gain);
}

void HS_NAME(ising_heat_bath)(const hs_sparse *j, float low, float gap,
                              float step, const hs_visits *visits,
                              int16_t (*x)[HS_LANES], double *gain)
{
    HS_EACH_PART(l)
    {
        philox_ahead ahead;
        sweeper s = {.j = j,
                     .v = visits,
                     .x = x,
                     .coins =
                         coin_begin(visits->rng, HS_DRAW_PROPOSE, l, &ahead),
                     .scale = vf_load(visits->beta + l) * step,
                     .low = low,
                     .gap = gap,
                     .l = l};

        if (visits->sum)
            s.weight = vf_load(visits->weight + l);
        for (int n = 0; n < visits->count; n += VISITS) {
            int rest = visits->count - n;
            int to = n + (rest < VISITS ? rest : VISITS);

            if (visits->is_metropolis)
                sweep_metropolis(&s, n, to, gain);
            else
                sweep_gibbs(&s, n, to, gain);
        }
    }
}

/* Takes the other value of site i if ln u is below the gain of log p. */
HS_INLINE void propose(const sweeper *s, float step, int i, vu word,
                       vi *changed)
{
    int16_t *at = &s->x[i][s->l];
    vi old = vi_load_index(at), taken;
    vf n, row = row_of(s, i, &n);
    vf change = vf_negate_if(old, row * step);
    vf log_u = vf_log(vf_uniform(word));

    taken = vi_of(vf_less(log_u, vf_load(s->v->beta + s->l) * change));
    *changed = *changed + taken;
    vi_store_index(at, old ^ taken);
}

void HS_NAME(ising_metropolis)(const hs_sparse *j, float low, float gap,
                               float step, const hs_visits *visits,
                               int16_t (*x)[HS_LANES])
{
    HS_EACH_PART(l)
    {
        philox_ahead ahead;
        philox_at at = philox_begin(visits->rng, HS_DRAW_ACCEPT, l, &ahead);
        sweeper s = {
            .j = j, .v = visits, .x = x, .low = low, .gap = gap, .l = l};
        vi changed = vi_set(0);

        for (int n = 0; n < visits->count; n += 8) {
            int end = visits->count - n < 8 ? visits->count : n + 8;
            uint32_t block = (uint32_t)(visits->first + n) / 4;
            vu words[8];

            philox_twice(&at, block, words, &at, block + 1, words + 4);
            for (int k = n; k < end; k++)
                propose(&s, step, visits->site ? visits->site[k] : k,
                        words[k - n], &changed);
        }
        vd_accumulate(visits->changed + l, vf_of(changed));
    }
}
