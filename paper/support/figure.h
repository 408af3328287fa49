/* figure.h - a figure: series of numbers, drawn by gnuplot as SVG.
 *
 * The numbers and the script stay in DIR/data, so that a figure can be redrawn
 * by hand; the SVG goes to DIR/figures.  Without gnuplot only the SVG is
 * missing, which is noted once. */
#ifndef HISS_PAPER_SUPPORT_FIGURE_H
#define HISS_PAPER_SUPPORT_FIGURE_H

#include <stdbool.h>

#include "paper/support/run.h"

enum {
    PAPER_SERIES_MAX = 12
};

typedef enum paper_style {
    PAPER_LINE,   /* with a band of one standard error where there is one */
    PAPER_DASHES, /* a reference */
    PAPER_POINTS, /* with error bars where there are any */
    PAPER_OPEN,   /* hollow points, for numbers of others */
    PAPER_MARKED, /* line and points */
    PAPER_BARS,
} paper_style;

typedef enum paper_color {
    PAPER_BLUE,
    PAPER_ORANGE,
    PAPER_GREEN,
    PAPER_RED,
    PAPER_PINK,
    PAPER_SKY,
    PAPER_GREY,
    PAPER_COLORS
} paper_color;

typedef struct paper_series {
    char *title; /* owned; empty: not in the legend */
    paper_style style;
    paper_color color;
    double *x, *y, *se; /* owned; se NULL: none */
    int count;
} paper_series;

typedef struct paper_figure {
    const char *name;    /* of the files */
    const char *title;   /* heading in the report */
    const char *caption; /* a sentence or two */
    const char *x, *y;   /* labels */
    bool log_x, log_y;
    bool is_nested;   /* curves that coincide: each thinner than the last */
    const char *more; /* further lines of the script, or NULL */
    paper_series series[PAPER_SERIES_MAX];
    int count;
} paper_figure;

/* Copies the numbers; se may be NULL. */
void paper_figure_add(paper_figure *figure, const char *title,
                      paper_style style, paper_color color, const double *x,
                      const double *y, const double *se, int count);

/* A metric along the chains, x being the draws times `scale`. */
void paper_figure_add_trace(paper_figure *figure, const char *title,
                            paper_style style, paper_color color,
                            const paper_trace *trace, paper_metric metric,
                            double scale);

/* A level across the figure, from x = low to high. */
void paper_figure_add_level(paper_figure *figure, const char *title, double y,
                            double low, double high);

/* Draws and forgets the series; also after a failure. */
int paper_figure_draw(paper_figure *figure, paper_run *run);
void paper_figure_clear(paper_figure *figure);

/* The colour of a row by the sampler that its name begins with. */
paper_color paper_color_of(const char *row);

#endif
