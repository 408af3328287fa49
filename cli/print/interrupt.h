/* interrupt.h - Ctrl-C and its kin.
 *
 * Until cli_interrupt_defer a signal ends the process at once with 128 plus
 * its number, and where there could have been something to keep with a word
 * that there is not.  After it the first signal is only noted, so that what
 * was drawn can be saved; the second one ends the process.  After
 * cli_interrupt_release every one does. */
#ifndef HISS_CLI_PRINT_INTERRUPT_H
#define HISS_CLI_PRINT_INTERRUPT_H

#include <stdbool.h>

/* Takes SIGINT, SIGTERM, SIGHUP and SIGUSR1, unless the caller has them
 * ignored (as nohup does), and lets writes beyond a file size limit fail as on
 * a full disk. */
void cli_interrupt_init(void);

/* As if that signal had come: for a page, which has no signals. */
void cli_interrupt_note(int number);

void cli_interrupt_defer(bool is_quiet);

/* Whether what goes on has nothing to keep yet. */
void cli_interrupt_empty(bool is_now, bool is_quiet);

/* While a result is written, a signal that would end the process waits until
 * that is done; calls may be nested. */
void cli_interrupt_hold(bool is_now);

/* What was drawn is saved: from now on a signal ends the process at once. */
void cli_interrupt_release(void);

/* After a signal: so much processor time, less than a second, is left for what
 * may still be printed; then the process ends. */
void cli_interrupt_deadline(double seconds);

/* The signal that came since, or 0. */
int cli_interrupt_signal(void);

#endif
