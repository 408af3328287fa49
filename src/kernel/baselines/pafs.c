/* pafs.c - the fast path-auxiliary sampler [Sun, Dai, Xia, Ramamurthy &
 * Schuurmans 2022]: several changes, weighed only at both ends of the path.
 *
 * From x, R coordinates j_1 ... j_R and their new values are drawn one after
 * the other, without replacement, by the weights w of single changes at x
 * (changes.h); with W(j) = sum_v w(j, v) the path has the probability
 *     q = prod_r w(j_r, y_jr) / (Z(x) - sum_(s<r) W(j_s)).
 * From y the same coordinates in the opposite order, by the weights at y, lead
 * back with q'. The path is symmetric in its ends, so
 *     min(1, p(y) q' / p(x) q)
 * keeps the distribution for any weights. It takes one evaluation, of y. R is
 * uniform from 1 to about 2 length - 1, drawn for each chain.  length=auto is
 * tuned by a pilot to an acceptance of 0.574 (Sun, Dai & Schuurmans 2022: the
 * best scale of locally balanced proposals). */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/logarithm.h"
#include "base/number.h"
#include "kernel/adapt.h"
#include "kernel/baselines/urn.h"
#include "kernel/informed/changes.h"
#include "kernel/kernel.h"
#include "lanes/lanes.h"

#define TARGET 0.574

enum {
    ADAPT = HS_OWN_COLUMNS,
    CLOCK = ADAPT + HS_ADAPT_COLUMNS, /* column of the stored differences
                                         (changes.h) */
    COLUMNS
};

/* One change of a path. */
struct change {
    int32_t site[HS_LANES];
    int32_t back[HS_LANES]; /* the row that undoes it */
};

struct pafs {
    double length; /* NaN: auto */
    int balance;   /* hs_balance */
    int gain;      /* hs_gain */

    int most; /* most changes of a path: the number of coordinates that can
                 change */
    hs_changes changes;
    hs_urn urn;
    hs_point y;             /* owned */
    struct change *path;    /* owned, [most] */
    double *weight;         /* owned, [most]: weights of the removed
                               coordinates */
    int32_t left[HS_LANES]; /* R */
    double forward[HS_LANES], reverse[HS_LANES]; /* ln q */
    bool is_alive[HS_LANES]; /* whether the path and its reverse are possible */
};

static int changeable(const hs_domain *d)
{
    int count = 0;

    for (int i = 0; i < d->dim; i++)
        count += d->states[i] > 1;
    return count > 0 ? count : 1;
}

static hiss_status pafs_setup(hs_kernel *k, const hs_model *m, hiss_error *err)
{
    struct pafs *s = k->state;

    s->most = changeable(&m->domain);
    if (2.0 * s->length < (double)s->most) /* not NaN */
        s->most = (int)(2.0 * s->length);
    hs_adapt_start(hs_adapt_columns(k->lane + ADAPT),
                   isnan(s->length) ? 1.0 : s->length);
    HS_TRY(hs_changes_init(&s->changes, m, (hs_balance)s->balance,
                           (hs_gain)s->gain, k->lane[CLOCK], err));
    HS_TRY(hs_urn_init(&s->urn, s->changes.rows, err));
    HS_TRY(hs_point_init(&s->y, m, err));
    s->path = hs_alloc_array((size_t)s->most, sizeof *s->path);
    s->weight = hs_alloc_array((size_t)s->most, sizeof *s->weight);
    return s->path && s->weight ? HISS_OK : hs_fail_memory(err);
}

static void pafs_clear(hs_kernel *k)
{
    struct pafs *s = k->state;

    hs_changes_clear(&s->changes);
    hs_urn_clear(&s->urn);
    hs_point_clear(&s->y);
    hs_free(s->path);
    hs_free(s->weight);
}

/* Draws R of every lane: 1 + floor(u (2 length - 1)). */
static void draw_lengths(hs_kernel *k, const hs_tile *x)
{
    struct pafs *s = k->state;
    uint32_t words[4][HS_LANES];
    float length[HS_LANES];

    hs_adapt_values(hs_adapt_columns(k->lane + ADAPT), length);
    hs_lanes()->philox(&x->rng, HS_DRAW_BLOCK, 0, 1, words);
    for (int l = 0; l < HS_LANES; l++) {
        /* use a given length exactly, not through e^ln */
        double mean = isnan(s->length) ? (double)length[l] : s->length;
        double r = 1.0 + hs_uniform(words[0][l]) * (2.0 * mean - 1.0);

        s->left[l] = r < (double)s->most ? (int32_t)r : s->most;
    }
}

/* First row of the changes of coordinate i. */
static int first_row(const hs_domain *d, int i)
{
    return d->is_pair ? i : d->value[i];
}

static int end_row(const hs_domain *d, int i)
{
    return d->is_pair ? i + 1 : d->value[i + 1];
}

/* Draws the next change in one lane and makes it at y. */
static void draw_change(struct pafs *s, const hs_domain *d, struct change *c,
                        int l, double part)
{
    const hs_changes *from = &s->changes;
    double total = hs_urn_total(&s->urn, l);
    int row = hs_urn_draw(&s->urn, l, part), i = from->owner[row];
    int now = s->y.x[i][l];

    s->is_alive[l] = s->is_alive[l] && total > 0.0;
    if (!s->is_alive[l])
        return;
    s->forward[l] += (double)from->logits[row][l] - (double)from->max[l] -
                     hs_logarithm(total);
    s->y.x[i][l] = (int16_t)(d->is_pair ? 1 - now : row - d->value[i]);
    c->site[l] = i;
    c->back[l] = d->is_pair ? i : d->value[i] + now;
    hs_urn_remove(&s->urn, l, first_row(d, i), end_row(d, i));
}

static void go_there(struct pafs *s, const hs_domain *d, const hs_tile *x)
{
    hs_urn_fill(&s->urn, (const hs_float_row *)s->changes.logits,
                s->changes.max);
    memcpy(s->y.x, x->at.x, sizeof *x->at.x * (size_t)d->dim);
    s->y.have = 0;
    for (int l = 0; l < HS_LANES; l++) {
        s->forward[l] = s->reverse[l] = 0.0;
        s->is_alive[l] = true;
    }
    for (int r = 0; r < s->most; r++) {
        uint32_t words[4][HS_LANES];
        bool any = false;

        for (int l = 0; l < HS_LANES; l++)
            any |= r < s->left[l];
        if (!any)
            break;
        hs_lanes()->philox(&x->rng, HS_DRAW_PROPOSE, (uint32_t)r, 1, words);
        for (int l = 0; l < HS_LANES; l++)
            if (r < s->left[l] && s->is_alive[l])
                draw_change(s, d, &s->path[r], l,
                            hs_uniform_long(words[0][l], words[1][l]));
    }
}

/* Undoes the same changes, last first: before change r is undone, those before
 * it are still in the urn.  Sums start from the first one, which avoids
 * subtractions.  A weight below e^-87 of the largest is 0 and never drawn.  Its
 * logarithm is still computed, so that a great gain with such a way back is
 * accepted; p is off by less than that. */
static void go_back(struct pafs *s, const hs_domain *d, int l)
{
    const hs_changes *from = &s->changes;
    double total;

    for (int r = 0; r < s->left[l]; r++) {
        int i = s->path[r].site[l];

        s->weight[r] =
            hs_urn_remove(&s->urn, l, first_row(d, i), end_row(d, i));
    }
    total = hs_urn_total(&s->urn, l);
    for (int r = 0; r < s->left[l]; r++) {
        int row = s->path[r].back[l];

        total += s->weight[r];
        s->is_alive[l] = s->is_alive[l] && total > 0.0;
        s->reverse[l] += (double)from->logits[row][l] - (double)from->max[l] -
                         hs_logarithm(total);
    }
}

static void decide(hs_kernel *k, const hs_model *m, const hs_tilt *t,
                   hs_tile *x)
{
    struct pafs *s = k->state;
    double ratio[HS_LANES];
    int32_t accept[HS_LANES];

    hs_tile_log_ratio(m, t, &x->at, &s->y, ratio);
    for (int l = 0; l < HS_LANES; l++)
        ratio[l] = s->is_alive[l] && ratio[l] != -HUGE_VAL
                       ? ratio[l] + s->reverse[l] - s->forward[l]
                       : -HUGE_VAL;
    hs_tile_decide(x, ratio, accept);
    hs_tile_move(x, m, &s->y, accept);
    hs_changes_keep(&s->changes, m, x, accept);
    hs_kernel_count(k, x, accept);
    if (x->is_tuning && isnan(s->length)) {
        hs_adapt a = hs_adapt_columns(k->lane + ADAPT);
        float acceptance[HS_LANES];

        hs_tile_acceptance(ratio, acceptance);
        hs_adapt_update(a, acceptance, TARGET, 0.0);
        hs_adapt_confine(a, 0.0, hs_logarithm(0.5 * (s->most + 1)));
    }
}

static hiss_status pafs_step(hs_kernel *k, const hs_model *m, const hs_tilt *t,
                             hs_tile *x)
{
    struct pafs *s = k->state;
    unsigned want = hs_changes_want(&s->changes);

    hs_tile_tick(x);
    HS_TRY(hs_tile_evaluate(x, m, &x->at, want));
    HS_TRY(hs_changes_score(&s->changes, m, t, x, &x->at));
    draw_lengths(k, x);
    go_there(s, &m->domain, x);
    HS_TRY(hs_tile_evaluate(x, m, &s->y, want));
    HS_TRY(hs_changes_score(&s->changes, m, t, x, &s->y));
    hs_urn_fill(&s->urn, (const hs_float_row *)s->changes.logits,
                s->changes.max);
    for (int l = 0; l < HS_LANES; l++)
        if (s->is_alive[l])
            go_back(s, &m->domain, l);
    decide(k, m, t, x);
    return HISS_OK;
}

static void pafs_freeze(hs_kernel *k)
{
    hs_adapt_freeze(hs_adapt_columns(k->lane + ADAPT));
}

static hs_traits pafs_traits(const hs_kernel *k)
{
    const struct pafs *s = k->state;

    return (hs_traits){.exact = true,
                       .reversible = true,
                       .homogeneous = true,
                       .gradient = s->gain != HS_GAIN_EXACT,
                       .period = 1};
}

static int pafs_describe(const hs_kernel *k, int lane, char *text, size_t size)
{
    const struct pafs *s = k->state;

    if (!isnan(s->length))
        return 0;
    return hs_snprintf(text, size, "length=%.4g", exp(k->lane[ADAPT][lane]));
}

static const hs_option pafs_options[] = {
    {"length", HS_AUTO, offsetof(struct pafs, length), "auto", "[1,1000000]",
     "changes per step, on average; auto: tuned to an acceptance of 0.574"},
    {"balance", HS_CHOICE, offsetof(struct pafs, balance), "sqrt", HS_BALANCES,
     "g(t) of a change: sqrt(t), t/(1+t), min(1,t), max(1,t)"},
    {"gain", HS_CHOICE, offsetof(struct pafs, gain), "auto", HS_GAINS,
     "ln t: to first order; exact; auto: exact where that is cheap"},
    {0},
};

const hs_kernel_type hs_kernel_pafs = {
    .name = "pafs",
    .summary = "path-auxiliary, fast: several changes weighed at both ends",
    .is_baseline = true,
    .size = sizeof(struct pafs),
    .options = pafs_options,
    .columns = COLUMNS,
    .setup = pafs_setup,
    .step = pafs_step,
    .clear = pafs_clear,
    .traits = pafs_traits,
    .freeze = pafs_freeze,
    .describe = pafs_describe,
};
