/* figure.h - a separate figure as SVG, without any other program. */
#ifndef HISS_CLI_PLOT_FIGURE_H
#define HISS_CLI_PLOT_FIGURE_H

#include "cli/print/text_file.h"

typedef struct cli_figure {
    cli_text_file text;
    const char *path;
    int width, height;
} cli_figure;

/* Begins a light page of that size with a title; labels have size 12. */
void cli_figure_begin(cli_figure *f, const char *path, int width, int height,
                      const char *title);
void cli_figure_text(cli_figure *f, double x, double y, const char *anchor,
                     const char *text);
/* opacity from 0 to 1 of the one color. */
void cli_figure_box(cli_figure *f, double x, double y, double width,
                    double height, double opacity);
void cli_figure_line(cli_figure *f, double x0, double y0, double x1, double y1);
/* Writes the file, complete or not at all; returns the exit code. */
int cli_figure_end(cli_figure *f, bool is_forced);

#endif
