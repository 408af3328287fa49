/* figure.h - a figure of the report: a chart whose series are gathered one
 * after the other.
 *
 * The numbers go to DIR/data, the SVG to DIR/figures. */
#ifndef HISS_PAPER_SUPPORT_FIGURE_H
#define HISS_PAPER_SUPPORT_FIGURE_H

#include <stdbool.h>

#include "cli/plot/chart.h"
#include "paper/support/run.h"

enum {
    PAPER_SERIES_MAX = 12
};

/* Numbers of cli/plot/palette.h, by their look on light ground. */
typedef enum paper_color {
    PAPER_BLUE,
    PAPER_ORANGE,
    PAPER_GREEN,
    PAPER_VIOLET,
    PAPER_BROWN,
    PAPER_INDIGO,
    PAPER_GRAY = CLI_CHART_GRAY
} paper_color;

typedef struct paper_figure {
    const char *name;    /* name of the files */
    const char *title;   /* heading in the report */
    const char *caption; /* a sentence or two */
    cli_chart_axis x, y;
    bool is_nested, is_map; /* as in cli_chart */
    double wide;            /* width of bars */
    cli_chart_series series[PAPER_SERIES_MAX];
    char *titles[PAPER_SERIES_MAX];    /* owned, as are the others */
    double *numbers[PAPER_SERIES_MAX]; /* x, y and errors of a series */
    int count;
} paper_figure;

/* Copies the numbers; se may be NULL. */
void paper_figure_add(paper_figure *figure, const char *title,
                      cli_chart_style style, paper_color color, const double *x,
                      const double *y, const double *se, int count);

/* A metric along the chains, x being the draws times `scale`. */
void paper_figure_add_trace(paper_figure *figure, const char *title,
                            cli_chart_style style, paper_color color,
                            const paper_trace *trace, paper_metric metric,
                            double scale);

/* A level across the figure, from x = low to high. */
void paper_figure_add_level(paper_figure *figure, const char *title, double y,
                            double low, double high);

/* Draws and forgets the series; also after a failure. */
int paper_figure_draw(paper_figure *figure, paper_run *run);
void paper_figure_clear(paper_figure *figure);

/* The color of a row by the sampler that its name begins with. */
paper_color paper_color_of(const char *row);

#endif
