/* fail.h - how the command ends: exit codes, and the one message on stderr. */
#ifndef HISS_CLI_PRINT_FAIL_H
#define HISS_CLI_PRINT_FAIL_H

#include <stdbool.h>
#include <stddef.h>

#include <hiss/status.h>

#define CLI_PRINTF(text, first) __attribute__((format(printf, text, first)))

enum cli_exit {
    CLI_DONE = 0,
    CLI_CHECK_FAILED = 1, /* the run ended, but a check failed */
    CLI_BAD_CALL = 2,     /* usage or bad input */
    CLI_FAULT = 3,        /* I/O, memory, or a fault of hiss itself */
    CLI_UNDECIDED = 4,    /* a check could not be decided */
    CLI_SIGNAL = 128,     /* plus the number of the signal */
};

/* Prints "hiss: message" to stderr and returns code.  Control characters from
 * arguments are printed as '?'. */
int cli_fail(int code, const char *format, ...) CLI_PRINTF(2, 3);

/* The same with the library's message and the code of its status. */
int cli_fail_status(hiss_status status, const hiss_error *err);

/* "hiss: note: ..." on stderr. */
void cli_note(const char *format, ...) CLI_PRINTF(1, 2);

/* For a process whose output another one prints: messages are held back, and
 * the first can be printed later; notes are lost. */
void cli_fail_hold(bool is_held);
bool cli_fail_is_held(void);
void cli_fail_release(void);

/* Zeroed memory, never NULL: if memory is short the process ends with
 * CLI_FAULT.  Use it only while nothing can be lost by that. */
void *cli_alloc(size_t count, size_t size);

/* Prints into new memory, never NULL, as above; free() it. */
char *cli_text(const char *format, ...) CLI_PRINTF(1, 2);

#endif
