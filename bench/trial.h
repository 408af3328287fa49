/* trial.h - one run on a target, in a process of its own. */
#ifndef BENCH_TRIAL_H
#define BENCH_TRIAL_H

#include "judge.h"

typedef struct trial_settings {
    const char *spec; /* NULL: anneals, the end of each counts as a draw */
    double evals;
    double seconds; /* of the processor; a run that takes more is ended */
    int seed, threads;
    int diagnose; /* ask hiss_diagnose, without exact answers */
} trial_settings;

/* 0 (false) when the sampler cannot run.  A run that had to be killed has no
 * draws: is_over is set, its ESS is 0 and its evaluations are all it had. */
int trial_run(const instance *at, const trial_settings *set, trial *out);

#endif
