/* run.h - settings of a run and what is told of it: plain data. */
#ifndef HISS_RUN_H
#define HISS_RUN_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct hiss_progress {
    double fraction; /* 0 .. 1 of the whole run */
    double seconds;
    double evaluations; /* energy + gradient, all chains */
    int64_t draws;      /* kept so far per chain, the slowest chain's */
    int is_warmup;
    double best; /* U of the best state so far; of hiss_optimize only */
} hiss_progress;

typedef struct hiss_settings {
    int chains;           /* 4 */
    int64_t samples;      /* 1000 kept draws per chain; 0: as many as the budget
                        allows, bounded by doubling the thinning */
    int64_t samples_most; /* kept at most when samples is 0, 4096 */
    int64_t warmup;    /* steps before the first draw, -1: samples * thin / 2 */
    int64_t thin;      /* steps per kept draw, 1 */
    uint64_t seed;     /* 1 */
    int threads;       /* of this process; 0: all processors */
    double evals;      /* budget of evaluations of the whole run, 0: none */
    double time_limit; /* seconds, 0: none; the run is then not repeatable */
    double ess;        /* end when the smallest ESS of U and the coordinates has
                          reached this, 0: never; looked at whenever the steps
                          have doubled, after a warm-up of 1000 * thin.  Given
                          up after 2^20 * thin steps or more when, at the rate
                          so far, it would take more than 2^30 * thin */
    const double *init; /* [chains][dim] values, or NULL: random */
    int init_best;      /* start from the best of many random states */
    /* Called between rounds, from the calling thread; not 0 stops the run,
     * keeping what was drawn.  May be NULL. */
    int (*progress)(void *context, const hiss_progress *progress);
    void *context;
    /* Checkpoints to this file (and FILE.draws), every so many seconds; NULL:
     * none.  The text is kept with it (hiss_checkpoint_text). */
    const char *checkpoint;
    double checkpoint_every; /* 60 */
    const char *checkpoint_text;
    int checkpoint_replace; /* an existing one may be overwritten */
    /* Goes on from this checkpoint of a run with the same model, sampler and
     * settings, and writes further ones to it; NULL: a new run. */
    const char *resume;
    int marginals;   /* sum them over every step, not over kept draws only */
    int save_warmup; /* keep the draws of the warm-up, too */
    int ranks;       /* share the run with the other ranks (hiss/ranks.h) */
} hiss_settings;

typedef enum hiss_ended {
    HISS_ENDED_DONE,
    HISS_ENDED_STOPPED,
    HISS_ENDED_EVALS,
    HISS_ENDED_TIME,
    HISS_ENDED_ESS, /* given up: the ESS is out of reach */
} hiss_ended;

typedef enum hiss_element {
    HISS_INT8,
    HISS_INT16,
    HISS_FLOAT32,
} hiss_element;

typedef struct hiss_run_info {
    int chains;
    int dim;
    int replicas;
    int64_t samples; /* kept per chain */
    int64_t warmup;
    int64_t warmup_samples; /* draws of the warm-up per chain, if kept */
    int64_t thin;
    uint64_t seed;
    int threads;
    double seconds;
    double energy_evals; /* kept part and warm-up, all chains and replicas */
    double gradient_evals;
    int is_exact;
    hiss_ended ended;
    hiss_element element;
    int ranks; /* processes that shared the run, 1: alone */
} hiss_run_info;

/* Levels of parallel tempering, from the target (0) to the hottest; arrays
 * are [levels], borrowed from the result.  Figures are of the kept part. */
typedef struct hiss_tempering {
    int levels;
    double *beta;           /* 1 / temperature */
    double *swap;           /* acceptance of exchanges with the next level */
    double *energy;         /* mean U */
    double barrier;         /* sum of the rejections: what has to be crossed */
    double round_trips;     /* of all replicas of all chains */
    int is_absolute;        /* the hottest is beta = 0: log_z is that of the
                           target, else relative to the hottest level */
    double log_z, log_z_se; /* stepping stones; error from independent chains,
                               NaN from one, and where it is not settled */
    double log_z_thermodynamic;
    int log_z_settled; /* every chain made a round trip, and all of them two
                          each on average: without that no error holds */
} hiss_tempering;

typedef struct hiss_mode {
    double u;
    double mass;  /* share of the draws that ascend to it */
    double exact; /* exact mass of its basin, NaN when not known */
    int64_t draws;
    int chains; /* chains that visited it */
} hiss_mode;

typedef struct hiss_verify_settings {
    int64_t replicates; /* 1000000 */
    int64_t steps;      /* in a row, of the second stage; 0: 4 to 64, as many
                           as the sampler takes to leave its beginning */
    uint64_t seed;      /* 1 */
    int threads;        /* 0: all processors */
    const char *pairs;  /* CSV of transition counts, or NULL */
    int replace;
    int (*progress)(void *context, const hiss_progress *progress);
    void *context;
} hiss_verify_settings;

/* One test, or the worst of a family of tests; strings belong to the verdict.
 * Families compare states before and after and have z as their statistic,
 * with freedom 0; the others, and "spread", are chi-squares. */
typedef struct hiss_verify_test {
    const char *name; /* "law", "level 2", "levels 1 and 2", "U", "tails of U",
                         "marginals", "pairs", "spread", "reversibility" */
    double statistic;
    double freedom;
    double p_value;    /* of the worst, times the number of members */
    int64_t steps;     /* in a row; 1 in the first stage */
    int members;       /* of the family, 1: a test by itself */
    const char *worst; /* which member, "x.3 = 1"; "" for a test by itself */
} hiss_verify_test;

typedef enum hiss_verify_verdict {
    HISS_BROKEN,    /* the law is not kept */
    HISS_KEPT,      /* and a bias of half an sd of U would have been found */
    HISS_UNDECIDED, /* too little movement, or too few replicates, to tell */
} hiss_verify_verdict;

typedef struct hiss_verify_result {
    int64_t replicates;
    double states;
    double moved; /* share of replicates that left their state */
    double statistic, freedom, p_value; /* smallest p of the tests of the law,
                                           times their number (Bonferroni) */
    int is_invariant;                   /* verdict == HISS_KEPT */
    int claims_exact;
    int claims_reversible;
    double reversible_p_value;
    const char *tuning;          /* frozen values of `auto` options, or NULL */
    hiss_verify_verdict verdict; /* HISS_BROKEN where p_value <= 1e-4 */
    int worst;                   /* number of the test with the smallest p */
    double bias, bias_error;     /* of the mean of U by one step, in its sd */
    double detectable; /* sd of U: a sampler that settles so far from the truth
                          is found with probability 0.9; INFINITY: none is */
    int64_t period;    /* of the sampler's cycle */
    int64_t phases;    /* of it at which replicates began */
    int64_t steps;     /* in a row, of the second stage */
    int64_t chains;    /* that made them */
    int64_t clocks;    /* that these chains had in common */
} hiss_verify_result;

#ifdef __cplusplus
}
#endif
#endif
