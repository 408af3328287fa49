/* few_dense.c - sweeps of one chain where every site is coupled to every other.
 *
 * The same draws as dense.c, which has a chain per lane.  Sums of couplings are
 * kept, and a change of value adds a row to them: they are whole numbers, so
 * that they are those of dense.c.  Bounds between which sixteen bits do not
 * decide a coin are computed for a vector of visits at a time, so that most
 * visits are a comparison. */
#include "lanes/gibbs/words.h"
#include "lanes/lanes.h"
#include "lanes/vec/coin.h"
#include "lanes/vec/vec.h"

#define SLACK 2.0f /* of 2^16: more than rounding moves a probability */

void HS_NAME(few_dense)(const hs_few_dense *f);
void HS_NAME(few_dense_pulls)(const hs_few_dense *f);

/* Some visits.  With d the logit of index 1, and z = sign d that of the present
 * value: */
typedef struct group {
    vf sign;
    vf keep; /* above, the value stays */
    vf turn; /* below, it changes */
    vf d;
} group;

typedef struct walker {
    const hs_few_dense *f;
    float scale;
    coin coins;
    word_store words;
    double gain, changed;
} walker;

/* Sums of all sites as x_i changes. */
HS_INLINE void turn(const hs_few_dense *f, int i)
{
    int dim = f->m->dim, k = 0;
    const int32_t *j = f->m->j + (size_t)i * (size_t)dim;
    int32_t *pull = f->pull, sign = -(int32_t)f->x[i];

    for (; k + HS_WIDTH <= dim; k += HS_WIDTH) {
        vi add, now;

        memcpy(&add, j + k, sizeof add);
        memcpy(&now, pull + k, sizeof now);
        now = now + ((add ^ sign) - sign);
        memcpy(pull + k, &now, sizeof now);
    }
    for (; k < dim; k++)
        pull[k] += (j[k] ^ sign) - sign;
    f->x[i] ^= 1;
}

/* The logit of a probability, limits included. */
HS_INLINE vf logit(vf p)
{
    return vf_log(vf_max(p, vf_set(0.0f))) -
           vf_log(vf_max(1.0f - p, vf_set(0.0f)));
}

HS_INLINE vf log_ratio(vf p)
{
    vf most = vf_set(HS_METROPOLIS);

    return vf_select(vf_less(p, most),
                     vf_log(vf_max(p, vf_set(0.0f)) * (1 / HS_METROPOLIS)),
                     vf_set(__builtin_inff()));
}

/* Coins of index 1 by a heat bath, and of a change by Metropolis. */
HS_INLINE void bound(const uint16_t *bits, const uint8_t *x, bool is_metropolis,
                     group *g)
{
    vi k, was;
    vf low, high, yes, no;
    vm is_one;

    for (int t = 0; t < HS_WIDTH; t++) {
        k[t] = bits[t];
        was[t] = x[t];
    }
    low = (vf_of(k) - SLACK) * 0x1p-16f;
    high = (vf_of(k) + (1.0f + SLACK)) * 0x1p-16f;
    g->sign = vf_of(was) * 2.0f - 1.0f;
    if (is_metropolis) {
        g->turn = -log_ratio(high);
        g->keep = -log_ratio(low);
        return;
    }
    is_one = vi_equal(was, vi_set(1));
    yes = logit(high);
    no = logit(low);
    g->keep = vf_select(is_one, yes, -no);
    g->turn = vf_select(is_one, no, -yes);
}

/* Whether x_i changes, by the coin itself. */
static __attribute__((noinline)) bool toss(const walker *w, int i, float d)
{
    const hs_few_dense *f = w->f;
    uint32_t block = (uint32_t)i / 8;
    const uint32_t *at = w->words.word[block - w->words.block];
    vf z = vf_set(f->is_metropolis && f->x[i] ? -d : d);
    vf e = vf_exp_negative(-vf_abs(z));
    vf part = vf_select(vf_less(z, vf_set(0.0f)), e, vf_set(1.0f));
    vf whole = 1.0f + e;
    vu words[4];
    bool yes;

    for (int k = 0; k < 4; k++)
        words[k] = at[k] - (vu){0};
    if (f->is_metropolis) {
        part = part * HS_METROPOLIS;
        whole = vf_set(1.0f);
    }
    yes = coin_toss(&w->coins, words, i, part, whole)[0];
    return f->is_metropolis ? yes : yes != f->x[i];
}

HS_INLINE vi vi_at(const int32_t *p)
{
    vi v;

    memcpy(&v, p, sizeof v);
    return v;
}

HS_INLINE vi vi_numbers(void)
{
    static const int32_t number[] = {0, 1, 2,  3,  4,  5,  6,  7,
                                     8, 9, 10, 11, 12, 13, 14, 15};

    return vi_at(number);
}

/* Visits n to n + count - 1: all of them are decided at once up to the first
 * that may change, and then the rest anew. */
HS_INLINE void visit_group(walker *w, group *g, int n, int count)
{
    const hs_few_dense *f = w->f;
    const hs_dense_whole *m = f->m;
    vi total = vi_at(m->total + n);
    vf base = vf_load(m->base + n);
    unsigned left = (1u << count) - 1;

    for (int t = -1; left;) {
        vi twice = vi_at(f->pull + n) * 2 - total;
        vf d = w->scale * (vf_of(twice) * m->half + base), z = g->sign * d;
        unsigned moves = vm_bits(vm_not(vf_less(g->keep, z))) & left;

        g->d = vf_select(vi_less(vi_set(t), vi_numbers()), d, g->d);
        if (!moves)
            return;
        t = __builtin_ctz(moves);
        left &= ~0u << t << 1;
        if (!(vm_bits(vf_less(z, g->turn)) >> t & 1) && !toss(w, n + t, d[t]))
            continue;
        w->gain -=
            (double)(g->sign[t] * m->gap) *
            ((double)twice[t] * (double)m->half + (double)m->base[n + t]);
        w->changed += 1.0;
        turn(f, n + t);
    }
}

/* Marginals of visits from n on. */
HS_INLINE void add_high(const walker *w, const group *g, int n)
{
    float *sum = w->f->sum + n;
    vf d = g->d, e = vf_exp_negative(-vf_abs(d));
    vf part = vf_select(vf_less(d, vf_set(0.0f)), e, vf_set(1.0f));

    vf_store(sum, vf_load(sum) + vf_set(w->f->weight) * part / (1.0f + e));
}

void HS_NAME(few_dense)(const hs_few_dense *f)
{
    int dim = f->m->dim;
    walker w;

    w.f = f;
    w.scale = f->beta * f->m->gap;
    w.gain = w.changed = 0.0;
    words_of_lane(&w.words, f->rng, f->lane, dim / 8 + 1);
    words_begin(&w.words, HS_DRAW_PROPOSE, f->rng->clock);
    w.coins = coin_begin(&w.words.rng, HS_DRAW_PROPOSE, 0, NULL);
    for (int n = 0; n < dim; n += HS_WIDTH) {
        int count = dim - n < HS_WIDTH ? dim - n : HS_WIDTH;
        group g = {{0}, {0}, {0}, {0}};

        bound((const uint16_t *)words_at_block(&w.words, (uint32_t)n / 8,
                                               HS_WIDTH / 8 + 1) +
                  n % 8,
              f->x + n, f->is_metropolis, &g);
        visit_group(&w, &g, n, count);
        if (f->sum)
            add_high(&w, &g, n);
    }
    *f->gain += w.gain;
    *f->changed += w.changed;
}

void HS_NAME(few_dense_pulls)(const hs_few_dense *f)
{
    int dim = f->m->dim;

    memset(f->pull, 0, (size_t)dim * sizeof *f->pull);
    for (int i = 0; i < dim; i++)
        if (f->x[i]) {
            f->x[i] = 0;
            turn(f, i);
        }
}
