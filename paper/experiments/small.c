/* small.c - from draws to log MAE, TVD, coverage and acceptance. */
#include "paper/experiments/small.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "paper/support/figure.h"
#include "paper/support/random.h"

static const char *const NAMES[PAPER_METRICS] = {"log_mae", "tvd", "coverage"};

int paper_small_init(paper_small *small, const char *model, int points)
{
    int code;

    *small = (paper_small){.points = points};
    code = paper_law_make(model, &small->law, &small->dim);
    small->states = 1 << small->dim;
    small->pooled = cli_alloc((size_t)small->states, sizeof *small->pooled);
    return code;
}

void paper_small_clear(paper_small *small)
{
    free(small->law);
    free(small->pooled);
    *small = (paper_small){0};
}

/* tries per sample and chain, 0: not known, no error is put.
 * Tries are nearly independent, so the error of the rate is that of as many
 * coins; the share of the variance that this leaves out is below a tenth. */
static void put_rate(paper_run *run, const char *metric,
                     const paper_draws *draws, const char *part, double tries)
{
    const paper_size *size = paper_run_size(run);
    double rate = paper_draws_acceptance(draws, part);
    double all = tries * size->chains * size->samples;
    paper_value value = PAPER_VALUE(rate);

    if (isnan(rate))
        return;
    if (tries > 0) {
        value.std = sqrt(rate * (1 - rate) / all);
        value.se = sqrt(rate * (1 - rate) / (all * size->repetitions));
    }
    value.repetitions = size->repetitions;
    value.evaluations = draws->evaluations;
    value.command = draws->command;
    paper_put(run, draws->row->name, metric, value);
}

/* Jumps per kept sample. */
static double jumps_of(const paper_row *row)
{
    const char *sweeps = strstr(row->sampler, "sweeps=");

    return row->thin * (sweeps ? strtod(sweeps + strlen("sweeps="), NULL) : 1);
}

static void put_trace(paper_run *run, const char *row, const paper_trace *trace,
                      const paper_draws *draws)
{
    for (int m = 0; m < PAPER_METRICS; m++)
        paper_put_mean(run, row, NAMES[m],
                       paper_trace_at(trace, (paper_metric)m, -1), draws);
}

/* The metrics of every chain, and the pooled shares of the states. */
static void fill(const paper_small *small, const paper_draws *draws,
                 const paper_size *size, paper_trace *trace)
{
    int *states = cli_alloc((size_t)size->samples, sizeof *states);
    double each = 1.0 / ((double)draws->info.chains * size->samples);

    paper_trace_init(trace, size->samples, small->points, size->repetitions,
                     size->chains);
    memset(small->pooled, 0, (size_t)small->states * sizeof *small->pooled);
    for (int c = 0; c < draws->info.chains; c++) {
        paper_draws_states(draws, c, states);
        for (int t = 0; t < size->samples; t++)
            small->pooled[states[t]] += each;
        paper_trace_add(trace, c / size->chains, states, small->law,
                        small->states);
    }
    free(states);
}

int paper_small_row(const paper_small *small, paper_run *run,
                    const paper_row *row, paper_trace *trace)
{
    paper_draws draws;
    int code = paper_draws_make(&draws, run, row);

    *trace = (paper_trace){0};
    if (code == CLI_DONE) {
        fill(small, &draws, paper_run_size(run), trace);
        put_trace(run, row->name, trace, &draws);
        put_rate(run, "jump_acceptance", &draws, "jump", jumps_of(row));
        put_rate(run, "swap_acceptance", &draws, "swap", 0);
    }
    paper_draws_clear(&draws);
    return code;
}

void paper_small_exact(const paper_small *small, paper_run *run,
                       const char *row, const char *title, paper_trace *trace)
{
    const paper_size *size = paper_run_size(run);
    int *states = cli_alloc((size_t)size->samples, sizeof *states);
    paper_random random;

    paper_put_title(run, row, title);
    paper_trace_init(trace, size->samples, small->points, size->repetitions,
                     size->chains);
    for (int c = 0; c < size->chains * size->repetitions; c++) {
        paper_random_init(&random, run->seed, (uint64_t)c);
        for (int t = 0; t < size->samples; t++)
            states[t] = paper_random_state(&random, small->law, small->states);
        paper_trace_add(trace, c / size->chains, states, small->law,
                        small->states);
    }
    free(states);
    put_trace(run, row, trace, NULL);
}

int paper_small_time(paper_run *run, const paper_row *row, paper_mean *seconds)
{
    int code = paper_draws_time(run, row, seconds);

    if (code == CLI_DONE) {
        paper_put_mean(run, row->name, "seconds", *seconds, NULL);
        paper_put_spent(run, row->name, "seconds");
    }
    return code;
}

static int draw(paper_run *run, const paper_plot *plot, const paper_row *rows,
                const paper_trace *traces, const double *seconds,
                const paper_trace *floor)
{
    static const char *const axes[PAPER_METRICS] = {"log MAE", "TVD",
                                                    "coverage"};
    paper_figure figure = {
        .name = plot->name,
        .title = plot->title,
        .caption = plot->caption,
        .x = {.label =
                  plot->in_seconds ? "processor seconds" : "samples per chain",
              .is_log = true},
        .y = {.label = axes[plot->metric]},
    };

    for (int r = plot->from; r < plot->to; r++)
        paper_figure_add_trace(&figure, rows[r].title, CLI_CHART_LINE,
                               paper_color_of(rows[r].name), &traces[r],
                               plot->metric,
                               plot->in_seconds ? seconds[r] : 1.0);
    if (!plot->in_seconds)
        paper_figure_add_trace(&figure, "independent draws", CLI_CHART_DASHES,
                               PAPER_GRAY, floor, plot->metric, 1.0);
    return paper_figure_draw(&figure, run);
}

int paper_small_draw(paper_run *run, const paper_plot *plots,
                     const paper_row *rows, const paper_trace *traces,
                     const double *seconds, const paper_trace *floor)
{
    int code = CLI_DONE;

    for (const paper_plot *p = plots; p->name && code == CLI_DONE; p++)
        code = draw(run, p, rows, traces, seconds, floor);
    return code;
}
