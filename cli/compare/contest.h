/* contest.h - all samplers of a race, and the ways to tell of it. */
#ifndef HISS_CLI_COMPARE_CONTEST_H
#define HISS_CLI_COMPARE_CONTEST_H

#include <hiss/hiss.h>

#include "cli/compare/law.h"
#include "cli/compare/race.h"

typedef struct cli_contest {
    const hiss_model *model;      /* borrowed */
    const cli_race_settings *set; /* borrowed */
    cli_law law;                  /* owned */
    cli_racer *racers; /* owned, [count]: first those at equal evaluations */
    int count;
} cli_contest;

/* One JSON list on stdout. */
void cli_contest_json(const cli_contest *contest);

/* The table for people, and which sampler to use, on stdout. */
void cli_contest_text(const cli_contest *contest);

/* The figure; a note where gnuplot is missing.  The exit code. */
int cli_contest_figure(const cli_contest *contest, const char *path,
                       bool is_forced);

#endif
