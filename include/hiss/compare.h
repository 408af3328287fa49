/* compare.h - a race of samplers on one model at equal cost.
 *
 * Every sampler makes the same number of repetitions with the same number of
 * chains, from the same states.  If the exact law of the model is available
 * within seconds, the sampler whose draws are nearest to it wins.  Otherwise
 * the one with the most effective draws for the price wins; a sampler that does
 * not keep the law cannot win then, however much it moves. */
#ifndef HISS_COMPARE_H
#define HISS_COMPARE_H

#include <stdint.h>

#include <hiss/run.h>
#include <hiss/status.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct hiss_comparison hiss_comparison;

/** The quantity that is equal for all samplers of a race; numbers never
 * change. */
typedef enum hiss_race {
    HISS_RACE_EVALS = 0,   /* evaluations of energy and gradient */
    HISS_RACE_TIME = 1,    /* seconds */
    HISS_RACE_SAMPLES = 2, /* draws, at any cost */
} hiss_race;

/** Budget and number of repetitions. */
typedef struct hiss_compare_settings {
    size_t size; /* sizeof(hiss_compare_settings) */
    /* Set one or more of these three; each makes a separate race. */
    double evals;      /* evaluations of a repetition, 0 for no such race */
    double time_limit; /* seconds of a repetition, 0 for no such race */
    int64_t samples;   /* draws of a chain, at least 8; 0 for no such race */
    int chains;        /* of a repetition; 0: hiss_default_chains, or 4 if all
                          repetitions together would take too much memory */
    int repetitions;   /* 8, at least 2 */
    int64_t warmup;    /* steps before the first draw; -1: a fifth of the cost,
                          less for `auto` if it knows that less suffices; in a
                          race by samples half the number of draws */
    uint64_t seed;     /* 1 */
    int threads;       /* 0 for all processors */
    /* See hiss_settings, with the fraction, the seconds and the evaluations of
     * the whole call; a race that is stopped has no outcome. */
    int (*progress)(void *context, const hiss_progress *progress);
    void *context;
    const char *device; /* see hiss_settings; every sampler runs there */
} hiss_compare_settings;

/** A figure of a sampler: its mean over the repetitions, the standard error of
 * the mean, and each value; NaN if unknown. */
typedef struct hiss_figure {
    double mean;
    double se;
    const double *values; /* [repetitions] */
} hiss_figure;

/** The distance from the distribution after a part of the draws. */
typedef struct hiss_race_point {
    double evals;    /* until then, of a repetition */
    double mean, se; /* of the distance */
} hiss_race_point;

/** A sampler in one race.  It belongs to the comparison and has the library's
 * size; do not read fields beyond size. */
typedef struct hiss_racer {
    size_t size;         /* known to the library */
    const char *sampler; /* as given by the caller */
    hiss_race race;
    int is_exact;   /* whether the sampler that ran is exact */
    int is_best;    /* of its race */
    double p_value; /* of the hypothesis that the best of the race is no better
                       (paired test over the repetitions); NaN for the best */
    int repetitions;
    int chains;     /* chains of a repetition */
    int64_t thin;   /* see hiss_compare_settings */
    int64_t draws;  /* kept per chain */
    double evals;   /* evaluations of a repetition, warm-up included */
    double seconds; /* likewise, of the whole machine */
    /* Total variation distance from the distribution (hiss_comparison_metric
     * says of which). */
    hiss_figure distance;
    /* If all states are compared: ln of the mean absolute error of the
     * probability of a state, and the share of visited states. */
    hiss_figure log_mae, coverage;
    /* The smallest ESS of U and of up to 64 coordinates; NaN if nothing moved
     * and nothing varies under the model. */
    hiss_figure ess, ess_per_eval, ess_per_second;
    int points; /* 8, the last one with all draws; 0 if the distribution is
                   unknown */
    const hiss_race_point *curve; /* [points], after 1/128 ... 1 of the draws */
} hiss_racer;

/** The certainty of the winner of a race; numbers never change. */
typedef enum hiss_race_verdict {
    HISS_RACE_NONE = 0,   /* none: no exact sampler moved */
    HISS_RACE_ALONE = 1,  /* no other one is exact and moves */
    HISS_RACE_SURE = 2,   /* p_value <= 0.05 */
    HISS_RACE_UNSURE = 3, /* the next one might be as good */
} hiss_race_verdict;

/** The winner of a race.  It belongs to the comparison, like hiss_racer. */
typedef struct hiss_race_outcome {
    size_t size; /* known to the library */
    hiss_race_verdict verdict;
    const hiss_racer *best, *next;
    double p_value; /* p value of the hypothesis that the two are alike */
} hiss_race_outcome;

/** Writes the defaults into a struct of `size` bytes; callers use
 * hiss_compare_settings_init. */
HISS_API void hiss_compare_settings_defaults(hiss_compare_settings *settings,
                                             size_t size);
/** Sets every field to its default, and the size.  No race is on. */
#define hiss_compare_settings_init(settings)                                   \
  hiss_compare_settings_defaults((settings), sizeof *(settings))

/** Runs samplers[0 .. count), two or more specs such as "gibbs", or "10*gibbs"
 * for ten steps per draw.  All are set up on the model before the first one
 * runs, but for auto, whose kernels a pilot chooses: HISS_EUNSUP if one cannot
 * move it.  Chains times repetitions are at most a million.  The
 * figures of a race by evaluations or samples depend on (seed, model,
 * samplers, settings) alone but for the seconds.  HISS_ESTOP when progress
 * stopped it, HISS_EARG also for a cost that allows fewer than 8 draws. */
HISS_API hiss_status hiss_compare(hiss_comparison **out,
                                  const hiss_model *model,
                                  const char *const *samplers, int count,
                                  const hiss_compare_settings *settings,
                                  hiss_error *err);

/** Frees a comparison with everything borrowed from it; NULL is allowed. */
HISS_API void hiss_comparison_destroy(hiss_comparison *comparison);

/** Name of the distance: "tvd", the total variation distance over all states,
 * of which there are up to 65536; "marginal_error", its mean over the marginals
 * of all coordinates; or NULL if the distribution is unknown. */
HISS_API const char *hiss_comparison_metric(const hiss_comparison *comparison);

/** Samplers by number, race after race in the order of hiss_race and within one
 * in the caller's order; NULL past the last.  Borrowed. */
HISS_API const hiss_racer *hiss_comparison_racer(
    const hiss_comparison *comparison, int number);

/** The outcome of a race; NULL if there was no such race.  Borrowed. */
HISS_API const hiss_race_outcome *hiss_comparison_outcome(
    const hiss_comparison *comparison, hiss_race race);

/** Total variation distance between counts of states and their distribution,
 * which sums to 1: half the sum of |counts / total - law|; 1 without counts. */
HISS_API double hiss_tvd(const int64_t *counts, const double *law,
                         int64_t states);

#ifdef __cplusplus
}
#endif
#endif
