/* contest.h - prints a comparison of samplers. */
#ifndef HISS_CLI_COMPARE_CONTEST_H
#define HISS_CLI_COMPARE_CONTEST_H

#include <hiss/hiss.h>

#include <stdbool.h>

typedef struct cli_contest {
    const hiss_model *model;               /* borrowed */
    const hiss_compare_settings *settings; /* borrowed */
    const hiss_comparison *comparison;     /* borrowed */
} cli_contest;

/* Prints one JSON list on stdout. */
void cli_contest_json(const cli_contest *contest);

/* Prints the table for people, and the sampler to use, on stdout. */
void cli_contest_text(const cli_contest *contest);

/* Writes the figure as SVG; returns the exit code. */
int cli_contest_figure(const cli_contest *contest, const char *path,
                       bool is_forced);

#endif
