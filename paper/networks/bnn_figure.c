/* bnn_figure.c - test errors of the samplers beside the references, one figure
 * per data set. */
#include <stdlib.h>

#include "paper/networks/bnn.h"
#include "paper/support/figure.h"
#include "paper/support/results.h"

static const char *const samplers[BNN_SAMPLERS] = {"gwg", "dmala", "acs", "pt",
                                                   "hiss"};

static void add_rows(paper_figure *figure, const json_t *data,
                     const bnn_set *set, const char *suffix, const char *title,
                     double shift, paper_color color)
{
    char *metric = cli_text("%s_test_mse", set->name);
    double x[BNN_SAMPLERS], y[BNN_SAMPLERS], se[BNN_SAMPLERS];

    for (int s = 0; s < BNN_SAMPLERS; s++) {
        char *row = cli_text("%s%s", samplers[s], suffix);

        x[s] = s + 1 + shift;
        y[s] = paper_results_mean(data, "bnn", row, metric);
        se[s] = paper_results_se(data, "bnn", row, metric);
        se[s] = se[s] > 0 ? se[s] : 0;
        free(row);
    }
    paper_figure_add(figure, title, CLI_CHART_POINTS, color, x, y, se,
                     BNN_SAMPLERS);
    free(metric);
}

static int draw(paper_run *run, const json_t *data, const bnn_set *set)
{
    static const char *const references[] = {"base_rate", "least_squares",
                                             "all_equal", "random"};
    static const char *const titles[] = {"mean of targets", "least squares",
                                         "all weights equal",
                                         "random networks"};
    static const paper_color colors[] = {PAPER_GRAY, PAPER_INDIGO, PAPER_BROWN,
                                         PAPER_VIOLET};
    static const cli_chart_tick names[] = {{1, "GWG"},  {2, "DMALA"},
                                           {3, "ACS"},  {4, "PT"},
                                           {5, "HiSS"}, {6, "Gibbs"}};
    char *name = cli_text("bnn-%s", set->name);
    char *title =
        cli_text("%s: error of the ensemble on test cases", set->title);
    char *metric = cli_text("%s_test_mse", set->name);
    paper_figure figure = {
        .name = name,
        .title = title,
        .caption = "Mean squared error of the mean prediction of all networks. "
                   "Lines need no sampler.",
        .x = {.has_low = true,
              .low = 0.5,
              .has_high = true,
              .high = 6.5,
              .ticks = names,
              .tick_count = 6},
        .y = {.label = "test MSE", .has_low = true},
    };
    double x[BNN_SAMPLERS], gibbs;
    int code;

    for (int s = 0; s < BNN_SAMPLERS; s++)
        x[s] = s + 1;
    paper_figure_add(&figure, "printed in the paper", CLI_CHART_POINTS,
                     PAPER_GRAY, x, set->test, NULL, BNN_SAMPLERS);
    add_rows(&figure, data, set, "", "the paper's settings", -0.1, PAPER_BLUE);
    add_rows(&figure, data, set, "_tuned", "sum of squares, tuned", 0.1,
             PAPER_ORANGE);
    gibbs = paper_results_mean(data, "bnn", "gibbs", metric);
    paper_figure_add(&figure, "heat bath, sum of squares", CLI_CHART_POINTS,
                     PAPER_GREEN, (double[]){6}, &gibbs, NULL, 1);
    for (int k = 0; k < 4; k++) {
        double y = paper_results_mean(data, "bnn", references[k], metric);

        paper_figure_add(&figure, titles[k], CLI_CHART_DASHES, colors[k],
                         (double[]){0.5, 6.5}, (double[]){y, y}, NULL, 2);
    }
    code = paper_figure_draw(&figure, run);
    free(metric);
    free(title);
    free(name);
    return code;
}

int bnn_figures(paper_run *run)
{
    json_t *data = json_pack("{s:O}", "bnn", run->rows);
    int code = CLI_DONE;

    for (int s = 0; s < BNN_SETS && code == CLI_DONE; s++)
        if (bnn_is_there(run, &bnn_sets[s]))
            code = draw(run, data, &bnn_sets[s]);
    json_decref(data);
    return code;
}
