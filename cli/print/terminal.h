/* terminal.h - what is known of where the output goes. */
#ifndef HISS_CLI_PRINT_TERMINAL_H
#define HISS_CLI_PRINT_TERMINAL_H

#include <stdbool.h>
#include <stdio.h>

#define CLI_WIDTH_MIN 60 /* text is never wrapped narrower than this */

bool cli_terminal_is(FILE *stream);

/* Columns of the terminal, or of $COLUMNS, or 80. */
int cli_terminal_width(FILE *stream);

/* Width that tables on stdout must fit; 0, no limit, unless on a terminal. */
int cli_terminal_table_width(void);
/* What follows on stdout fits so many columns, on a terminal or not. */
void cli_terminal_limit(int columns);

/* Prints text from column `at` on, wrapped at blanks, later lines indented;
 * ends with a line end.  A word longer than the line is not broken. */
void cli_terminal_wrap(FILE *stream, const char *text, int at, int indent,
                       int width);

#endif
