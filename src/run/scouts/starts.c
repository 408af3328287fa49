/* starts.c - states from which a search begins that are unlike uniform ones. */
#include "run/scouts/starts.h"

#include "lanes/lanes.h"
#include "run/policy/policy.h"
#include "run/scouts/neighbors.h"

#define WORDS  4                   /* capacity: numbers of a Philox block */
#define LANE   (UINT32_C(1) << 30) /* capacity: block of what a lane shares */
#define TRIALS 63                  /* precision: 2^-63 is no underflow */

/* Binomial(n, t) of values / (n + 1), t <= 1/2, at the quantile u; linear
 * within a value, for ranges of more than n + 1. */
static double quantile(int n, double t, double u)
{
    double p = 1.0, below = 0.0;
    int b = 0;

    for (int k = 0; k < n; k++)
        p *= 1.0 - t; /* 2^-n at least */
    for (; b < n && below + p <= u; b++) {
        below += p;
        p *= t / (1.0 - t) * (n - b) / (b + 1);
    }
    u = (u - below) / p;
    return (b + (u < 1.0 ? u : 0.0)) / (n + 1);
}

static int number(int states, int most, double t, double u)
{
    int n = states - 1 < most ? states - 1 : most;
    double at = t > 0.5 ? 1.0 - quantile(n, 1.0 - t, u) : quantile(n, t, u);
    int v = (int)(at * states);

    return v < 0 ? 0 : v < states ? v : states - 1;
}

/* Chances of labels: odds u / (1 - u), the word of label v of a lane. */
static double odds(const hs_rng *rng, int lane, int v)
{
    uint32_t word[WORDS];
    double u;

    hs_rng_block(rng->seed, rng->chain[lane], rng->replica[lane], rng->clock,
                 HS_DRAW_SCATTER, LANE + 1 + (uint32_t)v / WORDS, word);
    u = hs_uniform(word[v % WORDS]);
    return u / (1.0 - u);
}

#define LABELS 64 /* capacity: with odds of their own; others share them */

struct chances {
    double of[LABELS];
};

static void draw_chances(struct chances *c, const hs_rng *rng, int lane,
                         int states)
{
    for (int v = 0; v < states && v < LABELS; v++)
        c->of[v] = odds(rng, lane, v);
}

static int label(int states, const struct chances *c, double u)
{
    double sum = 0.0;
    int v = 0;

    for (int k = 0; k < states; k++)
        sum += c->of[k % LABELS];
    for (u *= sum; v < states - 1 && u >= c->of[v % LABELS]; v++)
        u -= c->of[v % LABELS];
    return v;
}

void hs_starts_lean(hs_point *p, const hs_model *m, const hs_rng *rng)
{
    const hs_domain *d = &m->domain;
    uint32_t words[WORDS][HS_LANES];
    struct chances chances[HS_LANES];
    double share[HS_LANES];

    hs_lanes()->philox(rng, HS_DRAW_SCATTER, LANE, 1, words);
    for (int l = 0; l < HS_LANES; l++) {
        share[l] = hs_uniform(words[0][l]);
        draw_chances(&chances[l], rng, l, d->states_max);
    }
    for (int i = 0; i < d->dim; i++) {
        bool is_label = hs_kind_is_label(d->kind[i]);

        if (i % WORDS == 0)
            hs_lanes()->philox(rng, HS_DRAW_SCATTER, (uint32_t)i / WORDS, 1,
                               words);
        for (int l = 0; l < HS_LANES; l++) {
            double u = hs_uniform(words[i % WORDS][l]);

            p->x[i][l] =
                (int16_t)(is_label ? label(d->states[i], &chances[l], u)
                                   : number(d->states[i], TRIALS, share[l], u));
        }
    }
    p->have = 0;
}

void hs_starts_off(hs_point *p, const hs_model *m, const hs_rng *rng,
                   const hs_mode_table *from)
{
    const hs_domain *d = &m->domain;
    uint32_t words[WORDS][HS_LANES];
    const int16_t *state[HS_LANES];
    double share[HS_LANES];

    hs_lanes()->philox(rng, HS_DRAW_SCATTER, LANE, 1, words);
    for (int l = 0; l < HS_LANES; l++) {
        share[l] = hs_uniform(words[0][l]);
        state[l] =
            from->state +
            (int64_t)(hs_uniform(words[1][l]) * (double)from->used) * from->dim;
    }
    for (int i = 0; i < d->dim; i++) {
        int others = d->states[i] - 1;

        if (i % WORDS == 0)
            hs_lanes()->philox(rng, HS_DRAW_SCATTER, (uint32_t)i / WORDS, 1,
                               words);
        for (int l = 0; l < HS_LANES; l++) {
            double u = hs_uniform(words[i % WORDS][l]) / share[l];
            int v = u < 1.0 ? (int)(u * others) + 1 : 0;

            p->x[i][l] = (int16_t)((state[l][i] + v) % d->states[i]);
        }
    }
    p->have = 0;
}

void hs_starts_middle(hs_point *p, const hs_model *m, const hs_rng *rng)
{
    const hs_domain *d = &m->domain;
    uint32_t words[WORDS][HS_LANES];

    hs_point_uniform(p, m, rng, HS_DRAW_INIT);
    for (int i = 0; i < d->dim; i++) {
        if (!hs_neighbours_is_long(d, i))
            continue;
        hs_lanes()->philox(rng, HS_DRAW_SCATTER, (uint32_t)i, 1, words);
        for (int l = 0; l < HS_LANES; l++)
            p->x[i][l] =
                (int16_t)((hs_uniform(words[0][l]) + hs_uniform(words[1][l])) *
                          0.5 * d->states[i]);
    }
}

/* Returns one of `points` evenly spaced values, moved away from `from`, rounded
 * to one of its two neighbors. */
static int point(int states, int from, int points, double away, double u,
                 double w)
{
    double at = ((int)(u * points) + 0.5) / points * states - 0.5;
    int v;

    at += away * (0.5 * (states - 1) - from);
    v = (int)(at + 1.0 + w) - 1;
    return v < 0 ? 0 : v < states ? v : states - 1;
}

/* Another value with probability 1 - (1 - t) / states: by chance at t = 0. */
static int other(int states, int from, double t, double u, double w)
{
    int v = u * states < 1.0 - t ? 0 : 1 + (int)(w * (states - 1));

    return (from + v) % states;
}

void hs_starts_away(hs_point *p, const hs_model *m, const hs_rng *rng,
                    const hs_mode_table *from, const int64_t *known, int count)
{
    const hs_domain *d = &m->domain;
    uint32_t words[WORDS][HS_LANES];
    double share[HS_LANES], away = hs_policy(HS_STARTS_AWAY),
                            bias = hs_policy(HS_STARTS_MAX_BIAS);

    hs_lanes()->philox(rng, HS_DRAW_SCATTER, LANE, 1, words);
    for (int l = 0; l < HS_LANES; l++)
        share[l] = bias * hs_uniform(words[0][l]);
    for (int i = 0; i < d->dim; i++) {
        bool is_long = hs_neighbours_is_long(d, i);

        hs_lanes()->philox(rng, HS_DRAW_SCATTER, (uint32_t)i, 1, words);
        for (int l = 0; l < HS_LANES; l++) {
            int64_t k = known[(int)(hs_uniform(words[0][l]) * count)];
            int own = from->state[k * from->dim + i];
            double u = hs_uniform(words[1][l]), w = hs_uniform(words[2][l]);

            p->x[i][l] =
                (int16_t)(is_long
                              ? point(d->states[i], own, 2 + l % 2, away, u, w)
                              : other(d->states[i], own, share[l], u, w));
        }
    }
    p->have = 0;
}
