/* trial.h - measures a sampler's rate: effective draws per evaluation.
 *
 * A few chains start from states of all known modes.  Each chain has two
 * halves, the segments.  Over every segment, a trial sums statistics of the
 * states at the target, and their squares:
 *   - whether a coordinate has a certain value;
 *   - which of two random start states, a and b, a state is nearer to,
 *     sum_i [x_i = a_i] - [x_i = b_i].  Distant modes stand out in it, and the
 *     more so the larger the model is;
 *   - the same for pairs of neighbors being equal.  Moves that flip the whole
 *     state make single coordinates agree at once, but not pairs;
 *   - log p and the squares of the differences, which no symmetry hides.
 * A tour is the same from any city on and backwards.  So its statistics are
 * whether cities that a start state joins are joined, and which of two start
 * states shares more such edges.
 *
 * If means over segments of n steps differ by a share D of the variance of the
 * statistic itself, a segment has
 *     (1 - D) / D
 * effective draws.  D is 1 / n for independent draws, and 1 if what differs
 * between segments never changes.  The worst kind of statistic counts.  There
 * are few segments, so D of s of them is known up to a factor
 * 1 + sqrt(2 / (s - 1)), which gives a lower and an upper bound. */
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
