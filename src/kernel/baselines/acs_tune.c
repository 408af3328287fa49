/* acs_tune.c - finds the schedule of a cyclical sampler in a pilot. It tunes
 * three numbers, one after the other:
 *  minimum  the step size that is accepted with A_MIN, as that of DMALA
 *  maximum  the larger one that is accepted with A_MAX, both at balance 1/2
 *  balance  of those tried at the maximum the one that is accepted most
 * Both step sizes use Robbins-Monro (adapt.h) between bounds: below the lower
 * nothing moves, above the upper the proposal no longer changes. So the tuning
 * converges, and a longer one is only more precise.
 *
 * [Pynadath et al. 2024] compare candidates around the last choice instead,
 * which drift without end if all are accepted alike. They aim at 1/2 for both
 * ends, the larger at balance 0.95. For coupled coordinates that is the smaller
 * of the two, and no cycle remains. Tuning that is cut short uses what it
 * has. */
#include "kernel/baselines/acs_tune.h"

#include <math.h>

#define A_MIN 0.574 /* target acceptance of the smallest step, */
#define A_MAX 0.25  /* the same for the largest */
#define B     0.95  /* largest balance */
#define FEW   10    /* steps: with fewer nothing is tuned */

typedef enum phase {
    PHASE_MIN,
    PHASE_MAX,
    PHASE_BALANCE,
    PHASE_NONE
} phase;

void hs_acs_plan(hs_kernel *k, int64_t steps)
{
    struct acs *s = k->state;
    double start = exp(0.5 * (s->log_least + s->log_most));

    s->plan = s->tune && steps >= FEW ? steps : 0;
    hs_adapt_start(hs_adapt_columns(k->lane + ACS_MIN), start);
    hs_adapt_start(hs_adapt_columns(k->lane + ACS_MAX), start);
    for (int n = 0; n < ACS_BALANCES; n++)
        for (int l = 0; l < HS_LANES; l++)
            k->lane[ACS_SUM + n][l] = k->lane[ACS_COUNT + n][l] = 0.0;
}

/* Two fifths for each step size, the rest for the balance. */
static int64_t end_of(const struct acs *s, phase p)
{
    return p == PHASE_MIN   ? s->plan * 2 / 5
           : p == PHASE_MAX ? s->plan * 4 / 5
                            : s->plan;
}

static phase find(const hs_kernel *k)
{
    const struct acs *s = k->state;
    phase p = PHASE_MIN;

    while (p < PHASE_NONE && (int64_t)k->steps >= end_of(s, p))
        p++;
    return p;
}

static int tried(const hs_kernel *k)
{
    return (int)(k->steps % ACS_BALANCES);
}

static double balance_of(int n)
{
    return 0.5 + (B - 0.5) * n / (ACS_BALANCES - 1);
}

bool hs_acs_probe(hs_kernel *k, float *alpha, float *balance)
{
    phase now = find(k);

    if (now == PHASE_NONE)
        return false;
    hs_adapt_values(
        hs_adapt_columns(k->lane + (now == PHASE_MIN ? ACS_MIN : ACS_MAX)),
        alpha);
    for (int l = 0; l < HS_LANES; l++)
        balance[l] = now == PHASE_BALANCE ? (float)balance_of(tried(k)) : 0.5f;
    return true;
}

void hs_acs_learn(hs_kernel *k, const float *acceptance)
{
    const struct acs *s = k->state;
    phase now = find(k);

    if (now == PHASE_BALANCE) {
        for (int l = 0; l < HS_LANES; l++) {
            k->lane[ACS_SUM + tried(k)][l] += (double)acceptance[l];
            k->lane[ACS_COUNT + tried(k)][l] += 1.0;
        }
    } else if (now != PHASE_NONE) {
        hs_adapt a =
            hs_adapt_columns(k->lane + (now == PHASE_MIN ? ACS_MIN : ACS_MAX));

        hs_adapt_update(a, acceptance, now == PHASE_MIN ? A_MIN : A_MAX,
                        0.5 * (s->log_least + s->log_most));
        hs_adapt_confine(a, s->log_least, s->log_most);
    }
}

void hs_acs_lessons(const hs_kernel *k, hs_device_lesson *lesson)
{
    const struct acs *s = k->state;

    for (phase p = PHASE_MIN; p < PHASE_NONE; p++)
        lesson[p] = (hs_device_lesson){
            .until = end_of(s, p),
            .column = p == PHASE_MIN ? 0 : ACS_MAX - ACS_MIN,
            .target = p == PHASE_MIN ? A_MIN : A_MAX,
            .log_unit = 0.5 * (s->log_least + s->log_most),
            .log_least = s->log_least,
            .log_most = s->log_most,
            .balances = p == PHASE_BALANCE ? ACS_BALANCES : 0,
            .balance_most = B,
            .sums = ACS_SUM - ACS_MIN};
}

/* The balance accepted most; 1/2 if none was tried. */
static double best_balance(const hs_kernel *k, int lane)
{
    double best = -1.0;
    int chosen = 0;

    for (int n = 0; n < ACS_BALANCES; n++) {
        double count = k->lane[ACS_COUNT + n][lane];
        double rate = count > 0.0 ? k->lane[ACS_SUM + n][lane] / count : -1.0;

        if (rate > best) {
            best = rate;
            chosen = n;
        }
    }
    return balance_of(chosen);
}

void hs_acs_settle(hs_kernel *k)
{
    hs_adapt least = hs_adapt_columns(k->lane + ACS_MIN);
    hs_adapt most = hs_adapt_columns(k->lane + ACS_MAX);
    float low[HS_LANES], top[HS_LANES];

    hs_adapt_freeze(least);
    hs_adapt_freeze(most);
    hs_adapt_values(least, low);
    hs_adapt_values(most, top);
    for (int l = 0; l < HS_LANES; l++) {
        bool has_top = most.count[l] > 0.0 && top[l] > low[l];

        if (least.count[l] > 0.0) /* otherwise nothing was tuned */
            hs_acs_schedule(k, l, 0.5 * (double)(has_top ? top[l] : low[l]),
                            best_balance(k, l), (double)low[l]);
    }
}
