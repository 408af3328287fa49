/* chart.h - a chart as an SVG file: series of numbers, axes, a legend.
 *
 * The file supports light and dark mode and needs no other program.  Text
 * widths are estimated, so a chart depends on its numbers alone. */
#ifndef HISS_CLI_PLOT_CHART_H
#define HISS_CLI_PLOT_CHART_H

#include <stdbool.h>
#include <stdio.h>

enum {
    CLI_CHART_GRAY = 8 /* beside the numbers of palette.h: for references */
};

typedef enum cli_chart_style {
    CLI_CHART_LINE,   /* with a band of one standard error, if given */
    CLI_CHART_DASHES, /* a reference */
    CLI_CHART_POINTS, /* with error bars, if given */
    CLI_CHART_OPEN,   /* hollow points, for numbers of others */
    CLI_CHART_MARKED, /* line and points */
    CLI_CHART_BARS,   /* from the bottom; wide: width of a bar in units of x */
    CLI_CHART_ROWS,   /* from the left, with the numbers behind them */
} cli_chart_style;

typedef struct cli_chart_series {
    const char *title; /* in the legend; "" or NULL for none */
    cli_chart_style style;
    int color;               /* see palette.h, or CLI_CHART_GRAY */
    const double *x, *y;     /* NaN makes a gap */
    const double *se;        /* se of y, or of x if is_across; may be NULL */
    const char *const *text; /* behind each row; may be NULL */
    int count;
    int dashes; /* 0: solid; 1, 2, ...: dash patterns */
    bool is_across;
} cli_chart_series;

typedef struct cli_chart_tick {
    double at;
    const char *text;
} cli_chart_tick;

typedef struct cli_chart_axis {
    const char *label; /* NULL for none */
    bool is_log;
    bool has_low, has_high; /* otherwise the end follows from the numbers */
    double low, high;
    const cli_chart_tick *ticks; /* NULL for round numbers */
    int tick_count;
    bool is_reversed; /* the lowest number on top */
    bool has_strips;  /* shades every other tick */
} cli_chart_axis;

typedef struct cli_chart {
    const char *title; /* name for screen readers */
    bool shows_title;
    cli_chart_axis x, y;
    const cli_chart_series *series;
    int count;
    bool is_nested; /* coinciding curves: each thinner than the last */
    bool is_map;    /* one scale for both axes, which are not drawn */
    int width;      /* 0 means 540 */
    int height;     /* height of the area with its axes; 0 means 340 */
    double wide;    /* width of bars, in units of x; 0 means 0.8 */
    double mark_x;  /* a vertical line at x, if has_mark */
    bool has_mark;
} cli_chart;

/* Style for a page that contains a chart (class "chart"). */
extern const char cli_chart_css[];

/* Write whole SVG files, with several charts side by side. */
void cli_chart_write(FILE *to, const cli_chart *chart);
void cli_chart_write_all(FILE *to, const cli_chart *charts, int count);
/* The same in rows of `columns`. */
void cli_chart_write_grid(FILE *to, const cli_chart *charts, int count,
                          int across);

#endif
