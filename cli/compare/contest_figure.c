/* contest_figure.c - a race as a figure.
 *
 * It shows the distance from the target along the race if known, else the
 * effective draws per evaluation as points. */
#include "cli/compare/contest.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/files/output.h"
#include "cli/plot/chart.h"
#include "cli/print/fail.h"
#include "cli/print/text_file.h"

enum {
    COLORS = CLI_CHART_GRAY, /* colors repeat with another kind of line */
    WIDTH = 720
};

static const char *const suffix[] = {"", " (equal time)", " (equal length)"};

/* Data that a chart borrows. */
struct race {
    cli_chart_series *series;
    cli_chart_tick *ticks;
    char **names;    /* owned, like the others */
    double *numbers; /* x, y and error of all */
    int count, points;
};

static void open_race(struct race *race, const cli_contest *c)
{
    const hiss_racer *racer;

    *race = (struct race){0};
    while ((racer = hiss_comparison_racer(c->comparison, race->count))) {
        race->points += racer->points + 1;
        race->count++;
    }
    race->series = cli_alloc((size_t)race->count, sizeof *race->series);
    race->ticks = cli_alloc((size_t)race->count, sizeof *race->ticks);
    race->names = cli_alloc((size_t)race->count, sizeof *race->names);
    race->numbers = cli_alloc(3 * (size_t)race->points, sizeof(double));
    for (int n = 0; n < race->count; n++) {
        racer = hiss_comparison_racer(c->comparison, n);
        race->names[n] = cli_text("%s%s", racer->sampler, suffix[racer->race]);
        race->ticks[n] = (cli_chart_tick){n, race->names[n]};
    }
}

static void close_race(struct race *race)
{
    for (int n = 0; n < race->count; n++)
        free(race->names[n]);
    free(race->names);
    free(race->ticks);
    free(race->series);
    free(race->numbers);
}

static void put_curves(const cli_contest *c, struct race *race,
                       cli_chart *chart)
{
    double *at = race->numbers;

    for (int n = 0; n < race->count; n++) {
        const hiss_racer *racer = hiss_comparison_racer(c->comparison, n);
        cli_chart_series *s = &race->series[n];

        *s = (cli_chart_series){.title = race->ticks[n].text,
                                .style = CLI_CHART_LINE,
                                .color = n % COLORS,
                                .dashes = n / COLORS,
                                .x = at,
                                .y = at + race->points,
                                .se = at + 2 * race->points,
                                .count = racer->points};
        for (int k = 0; k < racer->points; k++, at++) {
            at[0] = racer->curve[k].evals;
            at[race->points] = racer->curve[k].mean;
            at[2 * race->points] = racer->curve[k].se;
        }
    }
    chart->x = (cli_chart_axis){.label = "evaluations", .is_log = true};
    chart->y = (cli_chart_axis){.is_log = true};
    chart->count = race->count;
}

static void put_points(const cli_contest *c, struct race *race,
                       cli_chart *chart)
{
    double *x = race->numbers, *y = x + race->points, *se = y + race->points;

    for (int n = 0; n < race->count; n++) {
        const hiss_racer *racer = hiss_comparison_racer(c->comparison, n);

        x[n] = racer->ess_per_eval.mean;
        se[n] = racer->ess_per_eval.se;
        y[n] = n;
    }
    race->series[0] = (cli_chart_series){.style = CLI_CHART_POINTS,
                                         .x = x,
                                         .y = y,
                                         .se = se,
                                         .count = race->count,
                                         .is_across = true};
    chart->x = (cli_chart_axis){.label = "effective draws per evaluation",
                                .has_low = true};
    chart->y = (cli_chart_axis){.ticks = race->ticks,
                                .tick_count = race->count,
                                .has_low = true,
                                .low = -0.5,
                                .has_high = true,
                                .high = race->count - 0.5,
                                .is_reversed = true,
                                .has_strips = true};
    chart->count = 1;
    chart->height = 90 + 26 * race->count;
}

int cli_contest_figure(const cli_contest *contest, const char *path,
                       bool is_forced)
{
    const char *metric = hiss_comparison_metric(contest->comparison);
    cli_chart chart = {.title = hiss_model_name(contest->model),
                       .shows_title = true,
                       .width = WIDTH};
    struct race race;
    cli_text_file file;
    char *text;
    int code;

    open_race(&race, contest);
    if (metric) {
        put_curves(contest, &race, &chart);
        chart.y.label = strcmp(metric, "tvd") == 0
                            ? "total variation distance"
                            : "total variation of marginals";
    } else {
        put_points(contest, &race, &chart);
    }
    chart.series = race.series;
    cli_text_file_open(&file);
    cli_chart_write(file.to, &chart);
    text = cli_text_file_close(&file);
    code = cli_output_write(path, is_forced, text, strlen(text));
    free(text);
    close_race(&race);
    return code;
}
