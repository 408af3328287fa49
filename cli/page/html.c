/* html.c - writes one self-contained page. */
#include "cli/page/html.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

void cli_html_spec(FILE *to, const char *spec)
{
    while (*spec) {
        size_t length = strcspn(spec, ",(");
        char *part;

        length += spec[length] != '\0';
        part = cli_text("%.*s", (int)length, spec);
        cli_html_text(to, part);
        fputs("<wbr>", to);
        free(part);
        spec += length;
    }
}

void cli_html_begin(FILE *to, const char *title)
{
    fputs("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n"
          "<meta charset=\"utf-8\">\n"
          "<meta name=\"viewport\" content=\"width=device-width, "
          "initial-scale=1\">\n<title>",
          to);
    cli_html_text(to, title);
    fputs("</title>\n<style>\n", to);
    fputs(cli_html_style, to);
    fputs("</style>\n</head>\n<body>\n"
          "<a class=\"skip\" href=\"#findings\">Skip to the findings</a>\n"
          "<main>\n",
          to);
}

void cli_html_end(FILE *to)
{
    fputs("</main>\n<script>\n", to);
    fputs(cli_html_script, to);
    fputs("</script>\n</body>\n</html>\n", to);
}

void cli_html_section(FILE *to, const char *id, const char *title)
{
    fprintf(to, "<section id=\"%s\" aria-labelledby=\"%s-title\">\n", id, id);
    fprintf(to, "<h2 id=\"%s-title\">", id);
    cli_html_text(to, title);
    fputs("</h2>\n", to);
}

void cli_html_section_end(FILE *to)
{
    fputs("</section>\n", to);
}

static void print(FILE *to, const char *format, va_list arguments)
    CLI_PRINTF(2, 0);

static void print(FILE *to, const char *format, va_list arguments)
{
    char *text = NULL;

    if (vasprintf(&text, format, arguments) < 0)
        exit(cli_fail(CLI_FAULT, "out of memory"));
    cli_html_text(to, text);
    free(text);
}

void cli_html_paragraph(FILE *to, const char *class_name, const char *format,
                        ...)
{
    va_list arguments;

    if (class_name)
        fprintf(to, "<p class=\"%s\">", class_name);
    else
        fputs("<p>", to);
    va_start(arguments, format);
    print(to, format, arguments);
    va_end(arguments);
    fputs("</p>\n", to);
}

void cli_html_table(FILE *to, const char *caption, int columns,
                    const char *const *heads)
{
    fputs("<div class=\"wide\" tabindex=\"0\" role=\"region\" aria-label=\"",
          to);
    cli_html_text(to, caption);
    fputs("\">\n<table><caption>", to);
    cli_html_text(to, caption);
    fputs("</caption>\n<thead><tr>", to);
    for (int c = 0; c < columns; c++) {
        bool is_number = heads[c][0] == '#'; /* "#title" marks a column of
                                                numbers */

        fprintf(to, "<th scope=\"col\"%s>", is_number ? " class=\"n\"" : "");
        cli_html_text(to, heads[c] + is_number);
        fputs("</th>", to);
    }
    fputs("</tr></thead>\n<tbody>\n", to);
}

void cli_html_row(FILE *to)
{
    fputs("<tr>", to);
}

void cli_html_cell(FILE *to, bool is_number, const char *format, ...)
{
    va_list arguments;

    fputs(is_number ? "<td class=\"n\">" : "<td>", to);
    va_start(arguments, format);
    print(to, format, arguments);
    va_end(arguments);
    fputs("</td>", to);
}

/* Prints - for NaN and a special sign for infinity; true if it was one. */
static bool is_special(FILE *to, double number)
{
    fputs("<td class=\"n\">", to);
    if (isfinite(number))
        return false;
    fputs(isnan(number) ? "-" : number > 0 ? "\u221e" : "-\u221e", to);
    return true;
}

void cli_html_decimals(FILE *to, int decimals, double number)
{
    if (!is_special(to, number))
        fprintf(to, "%.*f", decimals, number);
    fputs("</td>", to);
}

void cli_html_digits(FILE *to, int digits, double number)
{
    if (!is_special(to, number))
        fprintf(to, "%.*g", digits, number);
    fputs("</td>", to);
}

void cli_html_code(FILE *to, const char *text)
{
    fputs("<td class=\"s\">", to);
    cli_html_text(to, text);
    fputs("</td>", to);
}

void cli_html_row_end(FILE *to)
{
    fputs("</tr>\n", to);
}

void cli_html_table_end(FILE *to)
{
    fputs("</tbody></table>\n</div>\n", to);
}

void cli_html_figures(FILE *to)
{
    fputs("<div class=\"figures\">\n", to);
}

void cli_html_multiples(FILE *to)
{
    fputs("<div class=\"figures multiples\">\n", to);
}

void cli_html_figures_end(FILE *to)
{
    fputs("</div>\n", to);
}

void cli_html_details(FILE *to, const char *title)
{
    fputs("<details><summary>", to);
    cli_html_text(to, title);
    fputs("</summary>\n", to);
}

void cli_html_details_end(FILE *to)
{
    fputs("</details>\n", to);
}
