/* table.c - prints tables with columns as wide as their widest cell.
 *
 * If a table does not fit the terminal, cells that may be cut are cut (to at
 * least CUT_MIN), then columns are dropped by falling rank.  Cells are ASCII,
 * so bytes are columns. */
#include "cli/print/table.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/print/terminal.h"

enum {
    GAP = 2,
    CUT_MIN = 12
};

void cli_table_init(cli_table *table, const cli_column *columns, int count)
{
    *table = (cli_table){.columns = columns, .count = count};
    for (int c = 0; c < count; c++)
        cli_table_cell(table, "%s", columns[c].title);
}

void cli_table_clear(cli_table *table)
{
    for (int c = 0; c < table->used; c++)
        free(table->cells[c]);
    free(table->cells);
    *table = (cli_table){0};
}

static void add(cli_table *table, char *cell)
{
    if (table->used == table->room) {
        int room = table->room ? 2 * table->room : 64;
        char **grown = cli_alloc((size_t)room, sizeof *grown);

        if (table->used)
            memcpy(grown, table->cells, (size_t)table->used * sizeof *grown);
        free(table->cells);
        table->cells = grown;
        table->room = room;
    }
    table->cells[table->used++] = cell;
}

void cli_table_cell(cli_table *table, const char *format, ...)
{
    char *cell = NULL;
    va_list arguments;
    int length;

    va_start(arguments, format);
    length = vasprintf(&cell, format, arguments);
    va_end(arguments);
    if (length < 0)
        exit(cli_fail(CLI_FAULT, "out of memory"));
    add(table, cell);
}

void cli_table_number(cli_table *table, double value, int digits)
{
    double size = fabs(value);

    if (isnan(value))
        cli_table_cell(table, "-");
    else if (size >= 1e7 || (size > 0 && size < 0.5 * pow(10, -digits)))
        cli_table_cell(table, "%.3g", value);
    else
        cli_table_cell(table, "%.*f", digits, value);
}

static int total(const cli_table *table, const int *widths)
{
    int sum = 0;

    for (int c = 0; c < table->count; c++)
        if (widths[c] > 0)
            sum += widths[c] + (sum > 0 ? GAP : 0);
    return sum;
}

/* Reduces the widths to at most `width` in total, if possible. */
static void fit(const cli_table *table, int *widths, int width)
{
    for (int c = 0; c < table->count; c++) {
        int excess = total(table, widths) - width;
        int least = (int)strlen(table->columns[c].title);

        if (least < CUT_MIN)
            least = CUT_MIN;
        if (!table->columns[c].may_cut || excess <= 0 || widths[c] <= least)
            continue;
        widths[c] = widths[c] - excess > least ? widths[c] - excess : least;
    }
    while (total(table, widths) > width) {
        int last = -1;

        for (int c = 0; c < table->count; c++)
            if (widths[c] > 0 && table->columns[c].rank > 0 &&
                (last < 0 ||
                 table->columns[c].rank > table->columns[last].rank))
                last = c;
        if (last < 0)
            return;
        widths[last] = 0;
    }
}

/* Drops a column with "-" in every row, if that is allowed. */
static void hide_empty(const cli_table *table, int *widths)
{
    for (int c = 0; c < table->count; c++) {
        bool is_empty = table->columns[c].rank > 0;

        for (int n = table->count + c; n < table->used; n += table->count)
            is_empty = is_empty && strcmp(table->cells[n], "-") == 0;
        if (is_empty)
            widths[c] = 0;
    }
}

static void print_cell(const cli_column *column, const char *cell, int width)
{
    int length = (int)strlen(cell);

    if (length > width)
        printf("%.*s...", width - 3, cell);
    else
        printf("%*s", column->is_left ? -width : width, cell);
}

/* Prints nothing behind the last nonempty cell. */
static void print_row(const cli_table *table, char *const *cells,
                      const int *widths, int indent)
{
    int last = -1, gap = indent;

    for (int c = 0; c < table->count; c++)
        last = widths[c] > 0 && *cells[c] ? c : last;
    for (int c = 0; c <= last; c++) {
        if (widths[c] == 0)
            continue;
        printf("%*s", gap, "");
        if (c == last && table->columns[c].is_left &&
            (int)strlen(cells[c]) <= widths[c])
            printf("%s", cells[c]);
        else
            print_cell(&table->columns[c], cells[c], widths[c]);
        gap = GAP;
    }
    putchar('\n');
}

void cli_table_print(const cli_table *table, int indent)
{
    int widths[CLI_TABLE_COLUMNS] = {0};
    int limit = cli_terminal_table_width();

    for (int c = 0; c < table->used; c++) {
        int length = (int)strlen(table->cells[c]);
        int *width = &widths[c % table->count];

        *width = length > *width ? length : *width;
    }
    hide_empty(table, widths);
    if (limit > 0)
        fit(table, widths, limit - indent);
    for (int first = 0; first < table->used; first += table->count)
        print_row(table, table->cells + first, widths, indent);
}
