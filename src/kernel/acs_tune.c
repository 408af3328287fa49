/* acs_tune.c - finding the schedule of a cyclical sampler in warm-up.
 *
 * In this order, each candidate tried for `probe` steps, lane by lane:
 *  burn     unadjusted steps with a large step size, away from the start
 *  minimum  balance 1/2: of four step sizes from c to c (1 + LR |rate - A|)
 *           the one whose acceptance is nearest A becomes c; starts small
 *  maximum  balance B: of c (1 - LR |rate - A|) and c the one accepted more
 *           becomes c, until it is accepted with A; starts large
 *  balance  for each position of the cosine schedule with mean maximum/2 that
 *           is above the minimum, smallest step first: the best of three
 *           balances from the last one up
 * All lanes walk through the same steps; only what they choose differs, so a
 * chain's tuning does not depend on its neighbours.  Cut short, it leaves the
 * schedule found so far. */
#include "kernel/acs_tune.h"

#include <math.h>
#include <string.h>

#define A                  0.5  /* acceptance aimed at */
#define B                  0.95 /* largest balance */
#define LR                 1.0  /* how fast candidates spread */
#define SMALL              0.05 /* first step sizes, in units of the domain */
#define LARGE              5.0
#define BURN               50
#define PROBE              10
#define MIN_CANDIDATES     4
#define MAX_CANDIDATES     2
#define BALANCE_CANDIDATES 3

typedef enum phase {
    PHASE_BURN,
    PHASE_MIN,
    PHASE_MAX,
    PHASE_BALANCE
} phase;

/* Where a warm-up step stands in the plan. */
struct where {
    phase phase;
    int candidate;
    int position;  /* of the cycle, in the balance phase */
    bool is_first; /* step of this candidate */
    bool is_last;
    bool ends_round; /* last step of the last candidate */
    bool ends_phase;
};

void hs_acs_plan(hs_kernel *k, int64_t warmup_steps)
{
    struct acs *s = k->state;
    int64_t rounds;

    s->burn = warmup_steps / 20 < BURN ? warmup_steps / 20 : BURN;
    s->probe = PROBE;
    /* 30 % for the balances; short warm-ups get short probes */
    while (s->probe > 2 &&
           10 * s->probe * BALANCE_CANDIDATES * s->cycle > 3 * warmup_steps)
        s->probe--;
    rounds =
        (warmup_steps - s->burn - s->probe * BALANCE_CANDIDATES * s->cycle) /
        s->probe;
    /* the rest in equal parts, less a tenth to settle */
    rounds = rounds * 9 / 20;
    s->min_rounds = rounds / MIN_CANDIDATES;
    s->max_rounds = rounds / MAX_CANDIDATES;
    if (s->min_rounds < 1 || s->max_rounds < 1)
        s->min_rounds = s->max_rounds = 0;
    for (int l = 0; l < HS_LANES; l++) {
        k->lane[ACS_NOW][l] = SMALL * s->unit;
        k->lane[ACS_RATE][l] = 0.0;
        k->lane[ACS_BALANCE][l] = 0.5;
        k->lane[ACS_MAX_RATE][l] = -1.0;
    }
}

static bool find(const hs_kernel *k, struct where *w)
{
    const struct acs *s = k->state;
    int64_t step = (int64_t)k->steps, length, candidates;

    memset(w, 0, sizeof *w);
    if (s->min_rounds == 0)
        return false;
    if (step < s->burn) {
        w->phase = PHASE_BURN;
        return true;
    }
    step -= s->burn;
    w->phase = PHASE_MIN;
    candidates = MIN_CANDIDATES;
    length = s->min_rounds * candidates * s->probe;
    if (step >= length) {
        step -= length;
        w->phase = PHASE_MAX;
        candidates = MAX_CANDIDATES;
        length = s->max_rounds * candidates * s->probe;
    }
    if (w->phase == PHASE_MAX && step >= length) {
        step -= length;
        w->phase = PHASE_BALANCE;
        candidates = BALANCE_CANDIDATES;
        length = s->cycle * candidates * s->probe;
        w->position = s->cycle - 1 - (int)(step / (candidates * s->probe));
    }
    if (step >= length)
        return false;
    w->candidate = (int)(step / s->probe % candidates);
    w->is_first = step % s->probe == 0;
    w->is_last = step % s->probe == s->probe - 1;
    w->ends_round = w->is_last && w->candidate == candidates - 1;
    w->ends_phase = step == length - 1;
    return true;
}

/* The number that this lane tries now: a step size, or a balance. */
static double candidate(const hs_kernel *k, const struct where *w, int l)
{
    double now = k->lane[ACS_NOW][l];
    double spread = LR * fabs(k->lane[ACS_RATE][l] - A);
    double from = k->lane[ACS_BALANCE][l], to;

    switch (w->phase) {
    case PHASE_MIN:
        return now * (1.0 + spread * (MIN_CANDIDATES - 1 - w->candidate) /
                                (MIN_CANDIDATES - 1));
    case PHASE_MAX:
        return w->candidate == 0 ? now * (1.0 - spread) : now;
    case PHASE_BALANCE:
        to = from == 0.5 ? 0.6 : from + 0.25 < B ? from + 0.25 : B;
        return from + (to - from) * w->candidate / (BALANCE_CANDIDATES - 1);
    case PHASE_BURN:
        break;
    }
    return now;
}

bool hs_acs_probe(hs_kernel *k, float *alpha, float *balance, bool *adjust)
{
    const struct acs *s = k->state;
    struct where w;

    if (!find(k, &w))
        return false;
    *adjust = w.phase != PHASE_BURN;
    for (int l = 0; l < HS_LANES; l++) {
        double value = candidate(k, &w, l);
        bool is_balance = w.phase == PHASE_BALANCE;

        if (w.phase == PHASE_BURN)
            value = LARGE * s->unit;
        alpha[l] = (float)(is_balance ? acs_alpha(k, w.position)[l] : value);
        balance[l] = (float)(is_balance             ? value
                             : w.phase == PHASE_MIN ? 0.5
                                                    : B);
    }
    return true;
}

/* A round is over: what was best becomes the choice. */
static void choose(hs_kernel *k, const struct where *w, int l)
{
    double value = k->lane[ACS_BEST_VALUE][l];
    double rate = k->lane[ACS_BEST_RATE][l];

    if (w->phase == PHASE_BALANCE) {
        /* positions at the floor stay at 1/2 */
        if (acs_alpha(k, w->position)[l] > k->lane[ACS_MIN][l]) {
            acs_balance(k, w->position)[l] = value;
            k->lane[ACS_BALANCE][l] = value;
        }
        return;
    }
    if (w->phase == PHASE_MAX) {
        if (rate > k->lane[ACS_MAX_RATE][l]) {
            k->lane[ACS_MAX_RATE][l] = rate;
            k->lane[ACS_MAX][l] = value;
        }
        if (rate > A - 0.01)
            return; /* found: stays where it is */
    }
    k->lane[ACS_NOW][l] = value;
    k->lane[ACS_RATE][l] = rate;
}

static void end_phase(hs_kernel *k, const struct where *w, int l)
{
    const struct acs *s = k->state;

    if (w->phase == PHASE_MIN) {
        k->lane[ACS_MIN][l] = k->lane[ACS_NOW][l];
        k->lane[ACS_NOW][l] = LARGE * s->unit;
        k->lane[ACS_RATE][l] = 0.0;
    } else if (w->phase == PHASE_MAX) {
        hs_acs_schedule(k, l, 0.5 * k->lane[ACS_MAX][l], 0.5,
                        k->lane[ACS_MIN][l]);
    }
}

void hs_acs_learn(hs_kernel *k, const float *acceptance)
{
    const struct acs *s = k->state;
    struct where w;

    if (!find(k, &w) || w.phase == PHASE_BURN)
        return;
    for (int l = 0; l < HS_LANES; l++) {
        double sum =
            (w.is_first ? 0.0 : k->lane[ACS_SUM][l]) + (double)acceptance[l];
        double rate = sum / (double)s->probe, score;

        k->lane[ACS_SUM][l] = sum;
        if (!w.is_last)
            continue;
        score = w.phase == PHASE_MIN ? -fabs(rate - A) : rate;
        if (w.candidate == 0 || score > k->lane[ACS_BEST][l]) {
            k->lane[ACS_BEST][l] = score;
            k->lane[ACS_BEST_VALUE][l] = candidate(k, &w, l);
            k->lane[ACS_BEST_RATE][l] = rate;
        }
        if (w.ends_round)
            choose(k, &w, l);
        if (w.ends_phase)
            end_phase(k, &w, l);
    }
}
