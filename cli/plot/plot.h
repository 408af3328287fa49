/* plot.h - small figures as SVG inside a page: axes, lines, bars, dots.
 *
 * A plot is CLI_PLOT_WIDTH units wide, about a phone's screen, so its text has
 * the size of the page's text.  One across the page is wider; on a phone the
 * page enlarges its text (cli/page/style.c).  Colors are those of palette.h, by
 * number. */
#ifndef HISS_CLI_PLOT_PLOT_H
#define HISS_CLI_PLOT_PLOT_H

#include <stdbool.h>
#include <stdio.h>

#define CLI_PLOT_WIDTH  340
#define CLI_PLOT_ACROSS 800
#define CLI_PLOT_SMALL  160 /* one of many, without axes */
#define CLI_PLOT_COLORS 8
/* the color of everything that is not distinguished */
#define CLI_PLOT_REST (-1)

typedef struct cli_plot {
    FILE *to;
    const char *caption;             /* borrowed */
    double left, right, top, bottom; /* of the area, in units */
    double label;                    /* label of the x axis, below the area */
    double x_low, x_high, y_low, y_high;
    bool counts_x, counts_y; /* ticks at whole numbers only */
} cli_plot;

/* Begins a figure with its caption, which is also its name for screen readers.
 * low == high is widened. */
void cli_plot_begin(cli_plot *p, FILE *to, const char *caption, double height,
                    double left, double x_low, double x_high, double y_low,
                    double y_high);
/* The same with this width: one of the three above. */
void cli_plot_begin_wide(cli_plot *p, FILE *to, const char *caption, int width,
                         double height, double left, double x_low,
                         double x_high, double y_low, double y_high);
void cli_plot_end(cli_plot *p);

/* The value of `left` that has room for the ticks of a y axis. */
double cli_plot_room(double y_low, double y_high);

/* Draws ticks at round numbers and the line of the axis; label may be NULL. */
void cli_plot_x_axis(const cli_plot *p, const char *label);
void cli_plot_y_axis(const cli_plot *p);
/* Writes a word at the left of the area, at height y. */
void cli_plot_y_word(const cli_plot *p, double y, const char *word);

void cli_plot_line(const cli_plot *p, int count, const double *x,
                   const double *y, int color);
void cli_plot_bar(const cli_plot *p, double x_low, double x_high, double y_low,
                  double y_high, int color);
/* Draw a gray area behind, and a dashed line, at y or at x. */
void cli_plot_band(const cli_plot *p, double y_low, double y_high);
void cli_plot_level(const cli_plot *p, double y);
void cli_plot_mark(const cli_plot *p, double x, double y);
/* radius in units; 0 < opacity <= 1. */
void cli_plot_dot(const cli_plot *p, double x, double y, double radius,
                  int color, double opacity);
void cli_plot_interval(const cli_plot *p, double x_low, double x_high, double y,
                       int color);
void cli_plot_text(const cli_plot *p, double x, double y, const char *text,
                   bool is_middle);

#endif
