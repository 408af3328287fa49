/* bnn.h - the parts of the experiment with binary networks.
 *
 * A number is about an ensemble: the networks of all chains at one time.  With
 * f_kn what network k says of case n and f_n its mean over the networks,
 *     mse             mean over cases of (f_n - y_n)^2
 *     mse_each        mean over cases and networks of (f_kn - y_n)^2
 *     log_likelihood  mean over cases of y ln f_n + (1 - y) ln(1 - f_n)
 * averaged over the recorded times. */
#ifndef HISS_PAPER_NETWORKS_BNN_H
#define HISS_PAPER_NETWORKS_BNN_H

#include "paper/support/run.h"

enum {
    BNN_SETS = 4,
    BNN_SAMPLERS = 5, /* of the paper */
    BNN_GIBBS = 5     /* beside them */
};

/* A data set, with what the paper prints for it, sampler by sampler. */
typedef struct bnn_set {
    const char *name, *title;
    double eta;            /* the paper's */
    int thin[PAPER_MODES]; /* steps of DMALA per sample */
    int burn[PAPER_MODES]; /* samples not kept */
    int samples[PAPER_MODES];
    int fewer[PAPER_MODES]; /* samples of the rows beside the paper's */
    double test[BNN_SAMPLERS], train[BNN_SAMPLERS], each[BNN_SAMPLERS];
} bnn_set;

extern const bnn_set bnn_sets[BNN_SETS];

/* Whether its file is there; else the experiment goes without the set. */
bool bnn_is_there(const paper_run *run, const bnn_set *set);

/* --- scores -------------------------------------------------------------- */

typedef enum bnn_score {
    BNN_TEST_MSE,
    BNN_TRAIN_MSE,
    BNN_TEST_LOG_LIKELIHOOD,
    BNN_TRAIN_LOG_LIKELIHOOD,
    BNN_TEST_EACH,
    BNN_TRAIN_EACH,
    BNN_VALIDATION_MSE,
    BNN_SCORES
} bnn_score;

extern const char *const bnn_score_names[BNN_SCORES];

/* Of an ensemble of `count` states, [count][dim]; NaN where a part of the data
 * has no cases. */
int bnn_score_states(const hiss_model *model, const int8_t *states,
                     int64_t count, double score[BNN_SCORES]);

/* Of predictions that are the same for every network, [cases] each. */
void bnn_score_predictions(const hiss_model *model, const float *fitted,
                           const float *test, double score[BNN_SCORES]);

/* Of the ensemble that the chains of a result are, the mean over at most
 * `times` of its draws; and the split R-hat of what they say of test cases, NaN
 * if there are few draws.  Predictions are made on the device. */
int bnn_score_draws(const hiss_model *model, const hiss_result *result,
                    const char *device, int times, double score[BNN_SCORES],
                    double *rhat);

/* --- references ---------------------------------------------------------- */

/* Targets of the fitted cases predicted by their mean, and by linear least
 * squares with a constant, cut to [0,1]; weights all +1; random networks,
 * [repetitions]. */
void bnn_base_rate(const hiss_model *model, double score[BNN_SCORES]);
void bnn_least_squares(const hiss_model *model, double score[BNN_SCORES]);
int bnn_all_equal(const hiss_model *model, double score[BNN_SCORES]);
int bnn_random(const hiss_model *model, uint64_t seed, int networks,
               int repetitions, double (*score)[BNN_SCORES]);

/* --- finished parts ------------------------------------------------------ */

/* Numbers that were found, kept in the folder until the experiment is done. */
typedef struct bnn_parts {
    const paper_run *run; /* borrowed */
    json_t *found;        /* owned: {part: {name: number}} */
    hiss_model *model;    /* owned, or NULL: the last that was drawn from */
    char *spec;           /* owned: its spec */
} bnn_parts;

/* Empty unless the folder has parts of the same settings. */
void bnn_parts_open(bnn_parts *parts, const paper_run *run);
void bnn_parts_close(bnn_parts *parts);
/* Borrowed, or NULL. */
json_t *bnn_parts_find(const bnn_parts *parts, const char *part);
/* Takes over numbers and writes the file. */
int bnn_parts_add(bnn_parts *parts, const char *part, json_t *numbers);
/* The experiment is done. */
void bnn_parts_remove(const bnn_parts *parts);

/* --- sampling ------------------------------------------------------------ */

typedef struct bnn_job {
    const char *part;    /* its name, for progress too */
    const char *model;   /* spec */
    const char *sampler; /* spec */
    int networks, burn, samples, steps;
    int every;          /* one of so many samples is kept */
    const char *device; /* NULL: the processor */
    uint64_t seed;
} bnn_job;

/* Draws and scores, unless its part was found before. */
int bnn_job_run(bnn_parts *parts, paper_run *run, const bnn_job *job);

/* What it found, borrowed from parts: scores by name, and samples, burn_in,
 * acceptance, rhat, prediction_rhat, energy, evaluations, and the command;
 * NULL: nothing. */
const json_t *bnn_job_numbers(const bnn_parts *parts, const bnn_job *job);

/* A number of it; NaN: there is none. */
double bnn_number(const json_t *numbers, const char *name);

/* lambda and eta with the smallest error on validation cases; each may be
 * asked for once the other is known. */
int bnn_choose_lambda(bnn_parts *parts, paper_run *run, const bnn_set *set,
                      double *lambda);
int bnn_choose_eta(bnn_parts *parts, paper_run *run, const bnn_set *set,
                   double lambda, double *eta);
/* Runs that the two take. */
int bnn_choices(const paper_run *run);

/* From the numbers that were put. */
int bnn_figures(paper_run *run);

/* Spec of sampler s of BNN_SAMPLERS, or BNN_GIBBS; free() it.  Steps per
 * sample. */
char *bnn_sampler(int s, bool is_tuned, int thin, double eta);
int bnn_steps(int s, int thin);

#endif
