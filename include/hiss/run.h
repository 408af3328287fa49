/* run.h - running a sampler on a model.
 *
 *     hiss_settings settings;
 *     hiss_settings_init(&settings);
 *     settings.samples = 5000;
 *     hiss_sample(&result, model, sampler, &settings, &err);
 */
#ifndef HISS_RUN_H
#define HISS_RUN_H

#include <stdint.h>

#include <hiss/status.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct hiss_model hiss_model;
typedef struct hiss_sampler hiss_sampler;
typedef struct hiss_result hiss_result;

/** Progress of a call.  The library allocates it and sets its size; do not read
 * fields beyond size. */
typedef struct hiss_progress {
    size_t size;     /* known to the library */
    double fraction; /* 0 ..  1 of the whole run */
    double seconds;
    double evaluations; /* energy + gradient, all chains */
    int64_t draws;      /* kept so far per chain, of the slowest chain; in
                           open-ended runs they may be thinned at the end */
    int is_warmup;
    double best;  /* U of the best state so far; only in hiss_optimize */
    int is_pilot; /* in hiss_sample: before the first step of its chains */
    /* For hiss_sample, from the draws kept so far; NaN or 0 while unknown: the
     * mean of log p, and the smallest bulk ESS and the largest R-hat of log p
     * and some coordinates.  Updated from time to time, in at most a twentieth
     * of the time. */
    double log_p;
    double ess;
    double rhat;
} hiss_progress;

/** Why a call ended; numbers never change. */
typedef enum hiss_ended {
    HISS_ENDED_DONE = 0,
    HISS_ENDED_STOPPED = 1,
    HISS_ENDED_EVALS = 2,
    HISS_ENDED_TIME = 3,
    HISS_ENDED_ESS = 4, /* given up: the ESS cannot be reached */
} hiss_ended;

/** Settings of a run; the defaults are in the comments. */
typedef struct hiss_settings {
    size_t size;          /* sizeof(hiss_settings) */
    int chains;           /* 0: hiss_default_chains of the model */
    int64_t samples;      /* 1000 kept draws per chain; 0: as many as the budget
                        allows, bounded by thinning */
    int64_t samples_most; /* most kept draws if samples is 0, 4096 */
    int64_t warmup;    /* steps before the first draw, -1: samples * thin / 2 */
    int64_t thin;      /* steps per kept draw, 1 */
    uint64_t seed;     /* 1 */
    int threads;       /* threads of this process; 0 for all processors */
    double evals;      /* budget of evaluations of the whole run, 0 for none */
    double time_limit; /* seconds, 0 for none; the run is then not repeatable */
    double ess;        /* end when the smallest ESS of U and the coordinates has
                          reached this, 0 for never; checked whenever the steps
                          have doubled, after a warm-up of 1000 * thin.  Given
                          up after at least 2^20 * thin steps if, at its present
                          growth, it would take more than 2^30 * thin */
    const double *init; /* [chains][dim] values, or NULL for random states */
    int init_best;      /* start from the best of many random states */
    /* Called between rounds, from the calling thread; a nonzero return stops
     * the run and keeps the draws.  May be NULL. */
    int (*progress)(void *context, const hiss_progress *progress);
    void *context;
    /* Writes checkpoints to this file (and FILE.draws), at this interval in
     * seconds; NULL for none.  The text is stored with it
     * (hiss_checkpoint_text). */
    const char *checkpoint;
    double checkpoint_every; /* 60 */
    const char *checkpoint_text;
    int checkpoint_replace; /* an existing one may be overwritten */
    /* Resumes from this checkpoint of a run with the same model, sampler and
     * settings, and writes further ones to it; NULL for a new run. */
    const char *resume;
    int marginals;   /* sum them over every step, not only over kept draws */
    int save_warmup; /* also keep the draws of the warm-up */
    int ranks;       /* share the run with the other ranks (hiss/ranks.h) */
    /* The device of the steps: "cpu", "cuda" or "cuda:N" (a GPU), "auto" (a GPU
     * if one can make them); NULL: cpu.  Draws are the same. */
    const char *device;
    /* 1: chains pass with all their levels from one run to the next, whose
     * model may differ but has the same coordinates.  init is
     * [chains][replicas][dim], the state of each level, and the result has the
     * final ones (hiss_result_levels).  Only on the processor, with one
     * rank. */
    int by_level;
    /* With by_level: number of steps that the chains made before, so that
     * alternating choices, such as the pairs of levels that exchange,
     * continue. */
    int64_t steps_before;
    /* For smc: also keeps all replicas at the target, each with its weight
     * (hiss_result_particles). */
    int particles;
    /* For tempering with given temperatures: keeps the draws of every level
     * (hiss_result_at_level).  It needs a given number of draws, the processor,
     * one rank and no checkpoints. 0 or 1. */
    int64_t level_draws;
    /* With a time limit: seconds of a processor that the caller needs after the
     * run for each kept draw of a chain.  At the share of a processor that the
     * run has got, they are taken off the limit, except for a tenth of it that
     * the caller may take longer.  0 */
    double afterwards;
} hiss_settings;

/** Writes the defaults into a struct of `size` bytes; callers use
 * hiss_settings_init. */
HISS_API void hiss_settings_defaults(hiss_settings *settings, size_t size);
/** Sets every field to its default, and the size. */
#define hiss_settings_init(settings)                                           \
  hiss_settings_defaults((settings), sizeof *(settings))

/** The default number of chains: 16; but 4 for a function or a plug-in, which
 * is called for every state, and for a model of which 16 chains, with 1000
 * draws and 16 replicas each, take more than 256 MiB.  A chain does not depend
 * on the number of others, except for shared budgets.  0 for NULL. */
HISS_API int hiss_default_chains(const hiss_model *model);

/** Runs all chains.  Also HISS_OK if the run was stopped or a budget ended it
 * (hiss_run_info.ended says which), if there is a result.  If ranks share the
 * run, only rank 0 gets the result. */
HISS_API hiss_status hiss_sample(hiss_result **out, const hiss_model *model,
                                 const hiss_sampler *sampler,
                                 const hiss_settings *settings,
                                 hiss_error *err);
/** Returns the text of a checkpoint; free it with hiss_free. */
HISS_API hiss_status hiss_checkpoint_text(const char *path, char **text,
                                          hiss_error *err);

#ifdef __cplusplus
}
#endif
#endif
