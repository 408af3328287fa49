/* figure.c - a chart for every observable, in rows of three. */
#include <stdlib.h>

#include "cli/plot/chart.h"
#include "cli/print/fail.h"
#include "cli/print/text_file.h"
#include "cli/scan/scan.h"

enum {
    ACROSS = 3,
    WIDTH = 400,
    HEIGHT = 260
};

char *cli_scan_figure(const cli_scan *scan)
{
    int charts = scan->at[0].count, points = scan->count;
    cli_chart *chart = cli_alloc((size_t)charts, sizeof *chart);
    cli_chart_series *series = cli_alloc((size_t)charts, sizeof *series);
    double *numbers =
        cli_alloc(2 * (size_t)charts * (size_t)points, sizeof *numbers);
    cli_text_file file;

    for (int n = 0; n < charts; n++) {
        double *y = numbers + 2 * (size_t)n * (size_t)points, *se = y + points;

        for (int k = 0; k < points; k++) {
            y[k] = scan->at[k].at[n].column.mean;
            se[k] = scan->at[k].at[n].column.mcse;
        }
        series[n] = (cli_chart_series){.style = CLI_CHART_POINTS,
                                       .x = scan->beta,
                                       .y = y,
                                       .se = se,
                                       .count = points};
        chart[n] = (cli_chart){.title = scan->at[0].at[n].text,
                               .shows_title = true,
                               .x = {.label = "beta"},
                               .series = &series[n],
                               .count = 1,
                               .width = WIDTH,
                               .height = HEIGHT};
    }
    cli_text_file_open(&file);
    cli_chart_write_grid(file.to, chart, charts, ACROSS);
    free(numbers);
    free(series);
    free(chart);
    return cli_text_file_close(&file);
}
