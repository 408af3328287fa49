/* trial.h - what a sampler is worth: effective draws per evaluation, measured.
 *
 * A few chains from states of all modes that are known make steps.  What they
 * have at the target is summed up over segments, the two halves of every
 * chain, and so is its square: whether coordinates have a certain value; and
 * which of two random start states, a and b, they are nearer to,
 *     sum_i [x_i = a_i] - [x_i = b_i],
 * in which modes that are apart stand out, the more so the larger the model.
 * The same of pairs of neighbors being alike, since moves that turn all of a
 * state over make single coordinates agree at once and pairs not; log p and
 * the squares of the differences, which no symmetry hides.  Of a tour,
 * which says the same from any city on and backwards, it is whether cities
 * that a start state joins are joined, and which of two start states shares
 * more such edges.  Means over
 * segments of n steps that differ by a share D of the variance of the thing
 * itself are those of
 *     (1 - D) / D
 * effective draws: D = 1 / n for independent ones, 1 where nothing that tells
 * segments apart ever changes.  The worst of the kinds counts.  Segments are
 * few, so that D of s of them is known to a factor 1 + sqrt(2 / (s - 1)), which
 * gives a lower and an upper bound. */
#ifndef HS_RUN_SURVEY_TRIAL_H
#define HS_RUN_SURVEY_TRIAL_H

#include <hiss/status.h>

#include "kernel/library.h"
#include "kernel/sampler.h"
#include "run/account/pilot_account.h"
#include "run/chain/group.h"

#define HS_TRIAL_PAIRS 16 /* capacity: pairs of start states */

typedef struct hs_trial {
    hs_group *group; /* owned */
    int sites;       /* coordinates that are checked, `stride` apart */
    int stride;
    int16_t *end;         /* owned, [2 * HS_TRIAL_PAIRS][dim]: states a and b */
    int16_t (*beside)[2]; /* owned, [chains][dim]: of tours, the city before and
                             after each */
    double *sum; /* owned, [2 halves][statistics][2][chains]: with squares */
    int steps;   /* steps of a segment of the last run */
    int every;   /* steps between those that are counted; 1 unless set */
    bool is_frozen, has_u;
    double first_u;   /* log p that others are compared with */
    double cost;      /* evaluations of a step of one chain, all replicas */
    double low, high; /* bounds of the effective draws of a step; 0 and infinity
                         before a run */
    double discord;   /* D */
    double u_discord; /* D of log p alone, */
    double mean_discord; /* mean D of all kinds */
} hs_trial;

/* States that chains begin with, neighbors of different modes; borrowed. */
typedef struct hs_trial_start {
    const int16_t *state; /* [count][dim] */
    int count;
} hs_trial_start;

hiss_status hs_trial_init(hs_trial *t, const hs_model *m,
                          const hs_sampler *sampler, const hs_library *library,
                          const hs_trial_start *from, uint64_t seed,
                          uint32_t first_chain, int chains, hiss_error *err);
void hs_trial_clear(hs_trial *t);

/* Lower bound on the effective draws of a step if the between-chain variance
 * share were `between`: 0 if that may be chance, infinity if nothing was
 * measured. */
double hs_trial_sure(const hs_trial *t, double between);

/* Steps without which a trial says nothing. */
double hs_trial_least(void);

/* Called after every step that counts. */
typedef struct hs_trial_look {
    void (*look)(void *context, const hs_group *g);
    void *context;
} hs_trial_look;

/* Spends about `budget` evaluations, counted in the account; a quarter is
 * burn-in.  A second call continues from the present states.  If the budget is
 * below hs_trial_least() steps, nothing is measured and low is 0.  look may be
 * NULL. */
hiss_status hs_trial_run(hs_trial *t, double budget, const hs_trial_look *look,
                         hs_pilot_account *account, hiss_error *err);

#endif
