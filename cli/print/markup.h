/* markup.h - text inside HTML and SVG. */
#ifndef HISS_CLI_PRINT_MARKUP_H
#define HISS_CLI_PRINT_MARKUP_H

#include <stdio.h>

/* Text with &, <, > and " escaped; bytes that are not UTF-8 become '?'. */
void cli_html_text(FILE *to, const char *text);
/* One byte of a text that is UTF-8, escaped. */
void cli_html_char(FILE *to, char c);

#endif
