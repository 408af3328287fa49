/* acs_tune.h - the automatic cyclical sampler: lane columns and schedule.
 *
 * Position p of a cycle of s has step size and balance
 *     alpha_p = mean (1 + cos(pi p / s)),
 *     balance_p = (b - 1/2)/2 cos(pi p / s) + (b + 1/2)/2
 * and every position below the floor has the floor and balance 1/2. */
#ifndef HS_KERNEL_LANGEVIN_ACS_TUNE_H
#define HS_KERNEL_LANGEVIN_ACS_TUNE_H

#include "kernel/adapt.h"
#include "kernel/kernel.h"
#include "kernel/langevin/langevin.h"

/* Balances tried for the largest step: 1/2 ..  0.95. */
#define ACS_BALANCES 6

/* Columns of a lane.  The schedule follows: `cycle` step sizes, then `cycle`
 * balances. */
enum {
    ACS_MIN = HS_OWN_COLUMNS,             /* smallest useful step size */
    ACS_MAX = ACS_MIN + HS_ADAPT_COLUMNS, /* largest useful step size */
    ACS_SUM = ACS_MAX + HS_ADAPT_COLUMNS, /* sum of acceptances of each
                                             balance, */
    ACS_COUNT = ACS_SUM + ACS_BALANCES,   /* and its number of trials */
    ACS_SCHEDULE = ACS_COUNT + ACS_BALANCES
};

struct acs {
    double alpha; /* mean step size if not tuned */
    double balance;
    double floor;
    int cycle;
    int hold;
    bool tune;

    hs_langevin langevin;
    double log_least, log_most; /* bounds of the tuned step sizes */
    double log_far; /* step size that reaches far values, or -infinity */
    int64_t plan;   /* number of tuning steps */
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

/* Writes the cosine schedule of one lane from its mean step size, balance and
 * floor. */
void hs_acs_schedule(hs_kernel *k, int lane, double mean, double balance,
                     double floor);

/* Plans the tuning for this many steps. */
void hs_acs_plan(hs_kernel *k, int64_t steps);

/* Step size and balance of this step of the tuning, by lane; false if there is
 * no tuning or it is over. */
bool hs_acs_probe(hs_kernel *k, float *alpha, float *balance);

/* Stores the outcome of the step. */
void hs_acs_learn(hs_kernel *k, const float *acceptance);

/* The same for a GPU: HS_DEVICE_LESSONS of them, columns from ACS_MIN on. */
void hs_acs_lessons(const hs_kernel *k, hs_device_lesson *lesson);

/* Makes the schedule from the tuned numbers. */
void hs_acs_settle(hs_kernel *k);

#endif
