/* chart.h - a chart as an SVG file: series of numbers, axes, a legend.
 *
 * The file has a light and a dark look and needs no other program to be drawn.
 * Text widths are estimated, so a chart depends on its numbers alone. */
#ifndef HISS_CLI_PLOT_CHART_H
#define HISS_CLI_PLOT_CHART_H

#include <stdbool.h>
#include <stdio.h>

enum {
    CLI_CHART_GRAY = 8 /* beside the numbers of palette.h: for references */
};

typedef enum cli_chart_style {
    CLI_CHART_LINE,   /* with a band of one standard error if there is one */
    CLI_CHART_DASHES, /* a reference */
    CLI_CHART_POINTS, /* with error bars if there are any */
    CLI_CHART_OPEN,   /* hollow points, for numbers of others */
    CLI_CHART_MARKED, /* line and points */
    CLI_CHART_BARS,   /* from below; wide: units of x of one bar */
    CLI_CHART_ROWS,   /* from the left, with the numbers behind them */
} cli_chart_style;

typedef struct cli_chart_series {
    const char *title; /* in the legend; "" or NULL: not there */
    cli_chart_style style;
    int color;               /* as in palette.h, or CLI_CHART_GRAY */
    const double *x, *y;     /* NaN: a gap */
    const double *se;        /* of y, or of x if is_across; may be NULL */
    const char *const *text; /* behind each row; may be NULL */
    int count;
    int dashes; /* 0: solid; 1, 2, ...: ways to break a line */
    bool is_across;
} cli_chart_series;

typedef struct cli_chart_tick {
    double at;
    const char *text;
} cli_chart_tick;

typedef struct cli_chart_axis {
    const char *label; /* NULL: none */
    bool is_log;
    bool has_low, has_high; /* else the end follows from the numbers */
    double low, high;
    const cli_chart_tick *ticks; /* NULL: at round numbers */
    int tick_count;
    bool is_reversed; /* the lowest number on top */
    bool has_strips;  /* every other tick stands on a shaded strip */
} cli_chart_axis;

typedef struct cli_chart {
    const char *title; /* the name for screen readers */
    bool shows_title;
    cli_chart_axis x, y;
    const cli_chart_series *series;
    int count;
    bool is_nested; /* curves that coincide: each thinner than the last */
    bool is_map;    /* one scale for both axes, which are not drawn */
    int width;      /* 0: 540 */
    int height;     /* of the area with its axes; 0: 340 */
    double wide;    /* of bars, in units of x; 0: 0.8 */
    double mark_x;  /* a line down at x, if has_mark */
    bool has_mark;
} cli_chart;

/* A page that shows a chart inside of it needs this style (class "chart"). */
extern const char cli_chart_css[];

/* Whole SVG files; several charts stand side by side. */
void cli_chart_write(FILE *to, const cli_chart *chart);
void cli_chart_write_all(FILE *to, const cli_chart *charts, int count);
/* The same in rows of so many. */
void cli_chart_write_grid(FILE *to, const cli_chart *charts, int count,
                          int across);

#endif
