/* html.h - text and figures as HTML. */
#ifndef HISS_PAPER_REPORT_HTML_H
#define HISS_PAPER_REPORT_HTML_H

#include <stdbool.h>
#include <stdio.h>

/* Prose: text that is escaped, with eta, alpha, ... as Greek letters, x^2 as a
 * power, and minus signs before numbers. */
void paper_html_prose(FILE *out, const char *text);

/* A chart's SVG file as an element of the page, which has its style once.
 * False: there is no such file. */
bool paper_html_svg(FILE *out, const char *path);

/* What a metric is called in tables. */
const char *paper_html_metric(const char *metric);

/* The style sheet: light and dark, wide and narrow, screen and print. */
extern const char paper_html_style[];

#endif
