/* progress.h - the progress of a run, on stderr.
 *
 * On a terminal it is a bar with rate and remaining time, elsewhere one line
 * per minute; nothing if quiet.  The callback also stops the run after a
 * signal. */
#ifndef HISS_CLI_PRINT_PROGRESS_H
#define HISS_CLI_PRINT_PROGRESS_H

#include <hiss/hiss.h>

#include <stdbool.h>

typedef struct cli_progress {
    const char *what; /* borrowed: "sampling" */
    bool is_quiet, is_terminal;
    bool is_drawn; /* a bar is on the terminal */
    bool defers;   /* after the pilot a signal is deferred (interrupt.h) */
    double next;   /* time of the next output, in seconds of the run */
} cli_progress;

void cli_progress_begin(cli_progress *progress, const char *what,
                        bool is_quiet);

/* For hiss_settings and hiss_verify_settings; context is the cli_progress. */
int cli_progress_show(void *context, const hiss_progress *now);

/* Removes the bar. */
void cli_progress_end(cli_progress *progress);

#endif
