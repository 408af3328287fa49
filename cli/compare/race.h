/* race.h - one sampler of a race: repetitions at a fixed cost.
 *
 * One run with repetitions x chains chains, of which each block of `chains` is
 * a repetition.  All samplers of a race begin with the same states. */
#ifndef HISS_CLI_COMPARE_RACE_H
#define HISS_CLI_COMPARE_RACE_H

#include <hiss/hiss.h>

#include <stdbool.h>
#include <stdint.h>

#include "cli/compare/law.h"

enum {
    CLI_RACE_POINTS = 8 /* of a curve: shares 1/128 ... 1 of the draws */
};

/* What is the same for all samplers of a race. */
typedef enum cli_race_by {
    CLI_BY_EVALS,
    CLI_BY_TIME,
    CLI_BY_DRAWS,
    CLI_RACES
} cli_race_by;

typedef struct cli_race_settings {
    int chains, repetitions;
    double evals, seconds; /* of a repetition; 0: no such race */
    int64_t samples;       /* of a chain; likewise */
    int64_t warmup;        /* -1: a fifth of the cost */
    uint64_t seed;
    int threads;
    bool is_quiet;
} cli_race_settings;

typedef struct cli_racer {
    char *sampler; /* owned: as it was given */
    bool is_exact;
    cli_race_by by;
    int64_t thin;   /* steps per draw */
    double evals;   /* of a repetition */
    double seconds; /* likewise, of the whole machine */
    int64_t draws;  /* kept per chain */
    double *error;  /* owned, [repetitions]; NaN where the law is not known */
    double *cover;  /* owned, [repetitions]: share of the states seen */
    double *ess;    /* owned, [repetitions]: the smallest */
    double curve[CLI_RACE_POINTS], curve_se[CLI_RACE_POINTS];
    double curve_evals[CLI_RACE_POINTS];
} cli_racer;

/* The sampler behind "10*SPEC" or SPEC, inside the same text, and how many of
 * its steps make a draw; NULL, and a message, when that is no number. */
const char *cli_race_spec(const char *word, int64_t *thin);

bool cli_race_is_on(const cli_race_settings *set, cli_race_by by);

/* The exit code; after a signal the racer is not whole. */
int cli_race_run(cli_racer *racer, const char *word, const hiss_model *model,
                 cli_law *law, const cli_race_settings *set);
void cli_racer_clear(cli_racer *racer);

#endif
