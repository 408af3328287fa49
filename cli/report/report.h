/* report.h - prints a finished run. */
#ifndef HISS_CLI_REPORT_REPORT_H
#define HISS_CLI_REPORT_REPORT_H

#include <hiss/hiss.h>

#include <stdbool.h>
#include <stdint.h>

#include "cli/report/figures.h"
#include "cli/report/mode_look.h"
#include "cli/report/observables.h"
#include "cli/report/warnings.h"

typedef struct cli_report {
    const hiss_model *model; /* borrowed, like all pointers here */
    const hiss_sampler *sampler;
    const hiss_result *result;
    const hiss_exact *exact; /* NULL if the model is too large */
    const char *output;      /* file that was written, or NULL */
    bool is_default;         /* no --sampler was given */
    int64_t asked;           /* --samples, 0: as many as the budget allows */
    hiss_diagnosis **judged; /* taken: a verdict with its search; NULL: none */
    bool is_judged;          /* by that one */
    cli_mode_look look;      /* for the modes of the draws */
    hiss_run_info info;
    cli_figures figures;
    cli_warnings warnings;
    cli_observables observables;
} cli_report;

/* Computes the figures of the draws, and warnings about them. */
hiss_status cli_report_look(cli_report *report, bool has_all, int threads,
                            hiss_error *err);
void cli_report_clear(cli_report *report);

/* Prints one JSON object on stdout, with the modes after a search. */
void cli_report_json(const cli_report *report);

/* Prints the summary for people on stdout: on a screen of 24 lines of 80, or
 * complete. */
hiss_status cli_report_screen(cli_report *report, hiss_error *err);
hiss_status cli_report_text(cli_report *report, hiss_error *err);

/* Prints "label text", with the label in the first column; frees the text. */
void cli_report_fact(const char *label, char *text);

/* Row limits of its tables of marginals and of modes. */
#define CLI_REPORT_ALL   1000000
#define CLI_REPORT_ROWS  32 /* rows for coordinates, */
#define CLI_REPORT_MODES 12 /* and modes, if there is room */
void cli_report_marginals(const cli_report *report, int most);
hiss_status cli_report_modes(cli_report *report, int most, hiss_error *err);
/* Prints the warnings, and the advice. */
void cli_report_warnings(const cli_report *report);

/* "done", "stopped", "evals", "time" */
const char *cli_report_ended(hiss_ended ended);

#endif
