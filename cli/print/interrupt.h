/* interrupt.h - handles Ctrl-C and similar signals.
 *
 * Before cli_interrupt_defer a signal ends the process at once with 128 plus
 * its number, and says so if a result was expected.  After it the first signal
 * is only recorded, so that draws can be saved; the second one ends the
 * process.  After cli_interrupt_release every signal does. */
#ifndef HISS_CLI_PRINT_INTERRUPT_H
#define HISS_CLI_PRINT_INTERRUPT_H

#include <stdbool.h>

/* Handles SIGINT, SIGTERM, SIGHUP and SIGUSR1, unless the caller ignores them
 * (as nohup does), and lets writes beyond a file size limit fail as on a full
 * disk. */
void cli_interrupt_init(void);

/* Acts as if that signal had come, for a web page, which has no signals. */
void cli_interrupt_note(int number);

void cli_interrupt_defer(bool is_quiet);

/* Whether the present work has nothing to save yet. */
void cli_interrupt_empty(bool is_now, bool is_quiet);

/* While a result is written, a signal that would end the process waits; calls
 * may be nested. */
void cli_interrupt_hold(bool is_now);

/* The draws are saved: from now on a signal ends the process at once. */
void cli_interrupt_release(void);

/* After a signal: leaves this much processor time, less than a second, for
 * further output; then the process ends. */
void cli_interrupt_deadline(double seconds);

/* The signal that came since, or 0. */
int cli_interrupt_signal(void);

#endif
