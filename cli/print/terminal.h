/* terminal.h - properties of the terminal. */
#ifndef HISS_CLI_PRINT_TERMINAL_H
#define HISS_CLI_PRINT_TERMINAL_H

#include <stdbool.h>
#include <stdio.h>

#define CLI_WIDTH_MIN 60 /* text is never wrapped more narrowly */

bool cli_terminal_is(FILE *stream);

/* Columns of the terminal, or of $COLUMNS, or 80. */
int cli_terminal_width(FILE *stream);

/* The width for tables on stdout; 0, no limit, unless it is a terminal. */
int cli_terminal_table_width(void);
/* Limits later output on stdout to this many columns, also without a
 * terminal. */
void cli_terminal_limit(int columns);

/* Prints text from column `at` on, wrapped at blanks, with later lines
 * indented, and a line end.  A word longer than the line is not broken. */
void cli_terminal_wrap(FILE *stream, const char *text, int at, int indent,
                       int width);

#endif
