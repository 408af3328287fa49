/* progress.h - how far a run is, on stderr.
 *
 * On a terminal a bar with rate and remaining time, elsewhere one line a
 * minute, and nothing when quiet.  The callback also stops the run when a
 * signal has come. */
#ifndef HISS_CLI_PRINT_PROGRESS_H
#define HISS_CLI_PRINT_PROGRESS_H

#include <hiss/hiss.h>

#include <stdbool.h>

typedef struct cli_progress {
    const char *what; /* borrowed: "sampling" */
    bool is_quiet, is_terminal;
    bool is_drawn; /* a bar stands on the terminal */
    bool defers;   /* after the pilot a signal is deferred (interrupt.h) */
    double next;   /* seconds of the run at which to show something */
} cli_progress;

void cli_progress_begin(cli_progress *progress, const char *what,
                        bool is_quiet);

/* For hiss_settings and hiss_verify_settings; context is the cli_progress. */
int cli_progress_show(void *context, const hiss_progress *now);

/* Removes the bar. */
void cli_progress_end(cli_progress *progress);

#endif
