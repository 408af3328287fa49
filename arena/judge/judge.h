/* judge.h - what the classes of draws say, when their means are known. */
#ifndef HISS_ARENA_JUDGE_JUDGE_H
#define HISS_ARENA_JUDGE_JUDGE_H

#include <stdint.h>

#include "arena/targets/targets.h"

#define CHAINS 4 /* as the command has by default */

/* What one run gave. */
typedef struct trial {
    double evals, seconds; /* of the processor */
    double ess;
    double error; /* mean over the classes, of marginals over every step */
    double mass[CHAINS][TARGET_CLASSES]; /* mass of each chain */
    int missed;     /* classes of mass .02 or more that were never visited */
    int is_over;    /* the limit of seconds ended it */
    int is_judged;  /* hiss_diagnose was asked, and answered */
    int is_trusted; /* what it said */
    int is_wrong;   /* whether the masses are */
} trial;

/* The classes of all draws of CHAINS chains, [CHAINS][draws][classes]; free()
 * it, NULL without memory. */
float *judge_classify(const instance *at, const hiss_result *r);

/* Fills in ess, mass and missed from classes f, [CHAINS][draws][classes]. */
void judge_draws(const instance *at, const float *f, int64_t draws, trial *out);

/* Whether masses are farther from the truth than their own standard errors
 * allow, 3.5 of them for one class and as seldom exceeded by chance for the
 * largest of many; or whether a class of mass .02 or more was never visited. */
int judge_is_wrong(const instance *at, const float *f, int64_t draws,
                   const trial *run);

/* The same with no false alarms: a class of 50 effective draws or more, by its
 * own account, is off by 6 of its standard errors and by 0.01.  Classes that
 * were never visited are not checked. */
int judge_is_surely_wrong(const instance *at, const float *f, int64_t draws);

/* Effective draws of U, [CHAINS][draws], by its known mean, and whether U is
 * off as surely as a class has to be; NaN where it is not known. */
double judge_energy(const instance *at, const double *u, int64_t draws,
                    int *is_off);

/* Largest error of a mass in standard errors, these from the spread of chains;
 * of classes that are alike they are pooled. */
double judge_mass_error(const instance *at, const trial *run, int runs);

/* Total variation of the masses of one run. */
double judge_distance(const instance *at, const trial *run);

#endif
