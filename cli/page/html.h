/* html.h - writes one self-contained page: escapes, style, tables.
 *
 * The page contains its style and pictures, has no external links, and its one
 * script sorts tables.  It supports light and dark mode, phones and
 * printing. */
#ifndef HISS_CLI_PAGE_HTML_H
#define HISS_CLI_PAGE_HTML_H

#include <stdbool.h>
#include <stdio.h>

#include "cli/print/fail.h"
#include "cli/print/markup.h"

extern const char cli_html_style[], cli_html_script[];

/* Prints a spec such as pt(base=gibbs,levels=8); lines may break after its
 * commas. */
void cli_html_spec(FILE *to, const char *spec);

/* Write the page up to the first heading, and after the last section. */
void cli_html_begin(FILE *to, const char *title);
void cli_html_end(FILE *to);

/* Begins a section with its heading; id is the target of links. */
void cli_html_section(FILE *to, const char *id, const char *title);
void cli_html_section_end(FILE *to);

/* Writes <p class=...> with escaped printf text; class_name may be NULL. */
void cli_html_paragraph(FILE *to, const char *class_name, const char *format,
                        ...) CLI_PRINTF(3, 4);

/* Begins a table, which scrolls if it is too wide: heads and cells one after
 * the other, a row at a time. */
void cli_html_table(FILE *to, const char *caption, int columns,
                    const char *const *heads);
void cli_html_row(FILE *to);
void cli_html_cell(FILE *to, bool is_number, const char *format, ...)
    CLI_PRINTF(3, 4);
/* Cells of numbers: decimals or significant digits; - for NaN. */
void cli_html_decimals(FILE *to, int decimals, double number);
void cli_html_digits(FILE *to, int digits, double number);
/* Writes a long word, such as a state, in a fixed-width font. */
void cli_html_code(FILE *to, const char *text);
void cli_html_row_end(FILE *to);
void cli_html_table_end(FILE *to);

/* Places figures side by side as far as they fit; small ones of
 * CLI_PLOT_SMALL. */
void cli_html_figures(FILE *to);
void cli_html_multiples(FILE *to);
void cli_html_figures_end(FILE *to);

/* Begins a part that the reader can open. */
void cli_html_details(FILE *to, const char *title);
void cli_html_details_end(FILE *to);

#endif
