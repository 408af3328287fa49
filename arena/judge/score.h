/* score.h - what draws of a target are worth. */
#ifndef HISS_ARENA_JUDGE_SCORE_H
#define HISS_ARENA_JUDGE_SCORE_H

#include "arena/judge/judge.h"

#define ARENA_WORDS 400

typedef struct arena_score {
    double evals, seconds;  /* of the processor; NaN: not known */
    double draws;           /* kept per chain */
    double ess;             /* by known means (judge.h) */
    double energy;          /* that of U alone; NaN: its mean is not known */
    double discs;           /* by DISCS' definition (discs.h) */
    double marginals;       /* mean total variation of marginals; NaN */
    double modes;           /* total variation of the masses of modes; NaN */
    double log_z, log_z_se; /* error of log Z, and its own; NaN: none given */
    int missed;   /* classes of mass .02 or more that were never visited */
    int is_wrong; /* farther from the truth than its own errors allow
                     (judge_is_surely_wrong) */
    int is_over;  /* the limit of seconds ended it */
    int is_exact; /* the sampler says that it keeps the law */
    int opinion;  /* hiss_opinion of `hiss diagnose`; -1: not asked */
    int keeps;    /* hiss_verify_verdict of a foreign kernel; -1: not asked */
    char verdict[ARENA_WORDS]; /* what the gravest finding says */
    char broken[ARENA_WORDS];  /* why a foreign kernel is wrong */
    char sampler[ARENA_WORDS]; /* as it was run, pilots' findings written out */
    char fault[ARENA_WORDS];   /* why there are no draws, or "" */
} arena_score;

/* All of it unknown. */
void arena_score_init(arena_score *s);

/* Draws against the truth: ess to missed, is_wrong.  Chains are
 * ARENA's CHAINS; 0 (false) without memory. */
int arena_score_draws(const instance *at, const hiss_result *r, arena_score *s);

/* What `hiss diagnose` says of them within so many seconds, about. */
void arena_score_verdict(const instance *at, const hiss_result *r,
                         double seconds, arena_score *s);

/* As many draws per chain as there is room for. */
int64_t arena_draws_most(const instance *at);

#endif
