/* trial.h - one run on a target, in a process of its own. */
#ifndef BENCH_TRIAL_H
#define BENCH_TRIAL_H

#include <stdint.h>
#include <sys/types.h>

#include "judge.h"
#include "numbers.h"

typedef struct trial_settings {
    const char *spec; /* NULL: anneals, the end of each counts as a draw */
    double evals;
    double limit;   /* seconds that the run knows of, in place of evaluations;
                       0: none */
    double seconds; /* of the processor; a run that takes more is ended */
    int64_t kept;   /* draws of a chain at most, 0: as usual */
    int seed, threads;
    int diagnose; /* ask hiss_diagnose, without exact answers */
} trial_settings;

/* A run that is under way. */
typedef struct trial_child {
    pid_t id;
    int from;            /* owned: where its answer is read */
    numbers_trace trace; /* once it has finished */
} trial_child;

/* 0 (false) when there is no process to be had. */
int trial_start(const instance *at, const trial_settings *set, trial_child *c);

/* Waits for it; 0 (false) when the sampler cannot run.  A run that had to be
 * killed has no draws: is_over is set, its ESS is 0 and its evaluations are all
 * it had. */
int trial_finish(const instance *at, const trial_settings *set, trial_child *c,
                 trial *out);

#endif
