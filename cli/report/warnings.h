/* warnings.h - warnings to the user. */
#ifndef HISS_CLI_REPORT_WARNINGS_H
#define HISS_CLI_REPORT_WARNINGS_H

#include <hiss/hiss.h>

#include "cli/print/fail.h"

#define CLI_WARNINGS_MAX 24

typedef struct cli_warnings {
    char *at[CLI_WARNINGS_MAX]; /* owned */
    int count;
} cli_warnings;

void cli_warnings_add(cli_warnings *warnings, const char *format, ...)
    CLI_PRINTF(2, 3);
void cli_warnings_clear(cli_warnings *warnings);

/* Adds findings against the draws, or that the verdict waits for. */
void cli_warnings_of(cli_warnings *warnings, const hiss_diagnosis *diagnosis);
/* Warns if the run ended before all requested draws (0: as many as its budget
 * allows) were made. */
void cli_warnings_of_end(cli_warnings *warnings, const hiss_result *result,
                         int64_t asked);
/* The remedy of these findings, or NULL; it belongs to the diagnosis. */
const char *cli_warnings_advice(const hiss_diagnosis *diagnosis);

#endif
