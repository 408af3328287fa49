/* acs_tune.h - the automatic cyclical sampler: lane columns and schedule.
 *
 * Position p of a cycle of s has step size and balance
 *     alpha_p = mean (1 + cos(pi p / s)),
 *     balance_p = (b - 1/2)/2 cos(pi p / s) + (b + 1/2)/2
 * and every position below the floor has the floor and balance 1/2. */
#ifndef HS_KERNEL_ACS_TUNE_H
#define HS_KERNEL_ACS_TUNE_H

#include "kernel/kernel.h"
#include "kernel/langevin.h"

/* Columns of a lane.  The schedule follows: `cycle` step sizes, then `cycle`
 * balances. */
enum {
    ACS_NOW = HS_OWN_COLUMNS, /* step size of this candidate's round */
    ACS_RATE,                 /* acceptance of the one chosen last */
    ACS_SUM,                  /* acceptance summed over this candidate */
    ACS_BEST,                 /* score of the best candidate so far */
    ACS_BEST_VALUE,
    ACS_BEST_RATE,
    ACS_MIN, /* smallest useful step size */
    ACS_MAX, /* largest useful step size */
    ACS_MAX_RATE,
    ACS_BALANCE, /* best balance of the position before */
    ACS_SCHEDULE,
};

struct acs {
    double alpha; /* mean step size, not tuned */
    double balance;
    double floor;
    int cycle;
    int hold;
    bool tune;

    hs_langevin langevin;
    double unit; /* squared distance of neighbouring values */
    /* the plan of the tuning, in steps */
    int64_t burn, probe, min_rounds, max_rounds;
};

static inline double *acs_alpha(hs_kernel *k, int position)
{
    return k->lane[ACS_SCHEDULE + position];
}

static inline double *acs_balance(hs_kernel *k, int position)
{
    const struct acs *s = k->state;

    return k->lane[ACS_SCHEDULE + s->cycle + position];
}

/* Cosine schedule of one lane from its mean step size, balance and floor. */
void hs_acs_schedule(hs_kernel *k, int lane, double mean, double balance,
                     double floor);

/* Plans the tuning for a warm-up of this many steps; 0 rounds: too short. */
void hs_acs_plan(hs_kernel *k, int64_t warmup_steps);

/* Step size, balance and adjustment of this warm-up step, by lane; false when
 * tuning is over. */
bool hs_acs_probe(hs_kernel *k, float *alpha, float *balance, bool *adjust);

/* Takes note of how it went. */
void hs_acs_learn(hs_kernel *k, const float *acceptance);

#endif
