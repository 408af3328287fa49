/* chart_parts.h - lines, bands, points and bars of a chart, for chart.c. */
#ifndef HISS_CLI_PLOT_CHART_PARTS_H
#define HISS_CLI_PLOT_CHART_PARTS_H

#include "cli/plot/chart.h"
#include "cli/plot/scale.h"

/* Draws all series, clipped to the area of the two scales. */
void cli_chart_put_series(FILE *to, const cli_chart *c, const cli_scale *x,
                          const cli_scale *y);

/* Draws the symbol of series number i, `wide` units long, for the legend. */
void cli_chart_put_sample(FILE *to, const cli_chart *c, int i, double x,
                          double y, double wide);

#endif
