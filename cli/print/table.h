/* table.h - aligned text tables. */
#ifndef HISS_CLI_PRINT_TABLE_H
#define HISS_CLI_PRINT_TABLE_H

#include <stdbool.h>

#include "cli/print/fail.h"

#define CLI_TABLE_COLUMNS 10

typedef struct cli_column {
    const char *title;
    bool is_left; /* text; numbers are right-aligned */
    bool may_cut; /* may be shortened to "abc..."  on a narrow terminal */
    int rank;     /* 0: never dropped; the highest is dropped first */
} cli_column;

typedef struct cli_table {
    const cli_column *columns; /* borrowed */
    int count;
    char **cells; /* owned, count per row */
    int used, room;
} cli_table;

void cli_table_init(cli_table *table, const cli_column *columns, int count);
void cli_table_clear(cli_table *table);

/* Adds the next cell, row by row. */
void cli_table_cell(cli_table *table, const char *format, ...) CLI_PRINTF(2, 3);
/* Adds a number with `digits` decimals, large and tiny ones in %g, NaN as
 * "-". */
void cli_table_number(cli_table *table, double value, int digits);

/* Prints title and rows to stdout, limited to the terminal's width; complete if
 * stdout is not a terminal. */
void cli_table_print(const cli_table *table, int indent);

#endif
