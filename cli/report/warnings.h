/* warnings.h - warnings to the user, each with its remedy. */
#ifndef HISS_CLI_REPORT_WARNINGS_H
#define HISS_CLI_REPORT_WARNINGS_H

#include "cli/print/fail.h"

#define CLI_WARNINGS_MAX 16

typedef struct cli_warnings {
    char *at[CLI_WARNINGS_MAX]; /* owned */
    int count;
} cli_warnings;

void cli_warnings_add(cli_warnings *warnings, const char *format, ...)
    CLI_PRINTF(2, 3);
void cli_warnings_clear(cli_warnings *warnings);

#endif
