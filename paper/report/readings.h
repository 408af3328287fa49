/* readings.h - numbers that depend on how the paper is read, side by side. */
#ifndef HISS_PAPER_REPORT_READINGS_H
#define HISS_PAPER_REPORT_READINGS_H

#include <jansson.h>
#include <stdio.h>

/* A table in Markdown or HTML, with its heading; nothing unless something of it
 * was run. */
void paper_readings_markdown(FILE *out, const json_t *data);
void paper_readings_html(FILE *out, const json_t *data);

#endif
