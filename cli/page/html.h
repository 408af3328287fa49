/* html.h - writing one self-contained page: escapes, style, tables.
 *
 * The page needs nothing but itself: style and pictures are inside, there is
 * no link out, and its one script sorts tables.  It has a light and a dark
 * face, fits a phone and prints. */
#ifndef HISS_CLI_PAGE_HTML_H
#define HISS_CLI_PAGE_HTML_H

#include <stdbool.h>
#include <stdio.h>

#include "cli/print/fail.h"
#include "cli/print/markup.h"

extern const char cli_html_style[], cli_html_script[];

/* A spec, as in pt(base=gibbs,levels=8): lines may break after its commas. */
void cli_html_spec(FILE *to, const char *spec);

/* Up to the first heading, and from the last section on. */
void cli_html_begin(FILE *to, const char *title);
void cli_html_end(FILE *to);

/* A section with its heading; id is what links and the contents use. */
void cli_html_section(FILE *to, const char *id, const char *title);
void cli_html_section_end(FILE *to);

/* <p class=...>, printf's text escaped; class_name may be NULL. */
void cli_html_paragraph(FILE *to, const char *class_name, const char *format,
                        ...) CLI_PRINTF(3, 4);

/* A table that scrolls within itself where it is too wide: heads and cells
 * one after the other, a row at a time. */
void cli_html_table(FILE *to, const char *caption, int columns,
                    const char *const *heads);
void cli_html_row(FILE *to);
void cli_html_cell(FILE *to, bool is_number, const char *format, ...)
    CLI_PRINTF(3, 4);
/* Cells of numbers: decimals or significant digits; - for NaN. */
void cli_html_decimals(FILE *to, int decimals, double number);
void cli_html_digits(FILE *to, int digits, double number);
/* A long word, such as a state, in letters of one width. */
void cli_html_code(FILE *to, const char *text);
void cli_html_row_end(FILE *to);
void cli_html_table_end(FILE *to);

/* Figures side by side as far as they fit; small ones of CLI_PLOT_SMALL. */
void cli_html_figures(FILE *to);
void cli_html_multiples(FILE *to);
void cli_html_figures_end(FILE *to);

/* Something to be opened. */
void cli_html_details(FILE *to, const char *title);
void cli_html_details_end(FILE *to);

#endif
