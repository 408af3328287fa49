/* table.h - aligned text tables. */
#ifndef HISS_CLI_PRINT_TABLE_H
#define HISS_CLI_PRINT_TABLE_H

#include <stdbool.h>

#include "cli/print/fail.h"

#define CLI_TABLE_COLUMNS 10

typedef struct cli_column {
    const char *title;
    bool is_left; /* text; numbers stand to the right */
    bool may_cut; /* shortened to "abc..." where the terminal is narrow */
    int rank;     /* 0: stays; the highest is left out first */
} cli_column;

typedef struct cli_table {
    const cli_column *columns; /* borrowed */
    int count;
    char **cells; /* owned, count per row */
    int used, room;
} cli_table;

void cli_table_init(cli_table *table, const cli_column *columns, int count);
void cli_table_clear(cli_table *table);

/* The next cell, row by row. */
void cli_table_cell(cli_table *table, const char *format, ...) CLI_PRINTF(2, 3);
/* A number with `digits` decimals, large and tiny ones in %g, NaN as "-". */
void cli_table_number(cli_table *table, double value, int digits);

/* Prints title and rows to stdout, as wide as the terminal allows; whole when
 * stdout is not a terminal. */
void cli_table_print(const cli_table *table, int indent);

#endif
