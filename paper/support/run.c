/* run.c - the numbers of an experiment on their way into results.json. */
#include "paper/support/run.h"

#include <stdlib.h>

#include "cli/print/json.h"

void paper_run_init(paper_run *run, const paper_experiment *experiment)
{
    run->experiment = experiment;
    run->rows = cli_json_object();
    run->titles = cli_json_object();
    run->figures = cli_json_array();
}

void paper_run_clear(paper_run *run)
{
    json_decref(run->rows);
    json_decref(run->titles);
    json_decref(run->figures);
}

const paper_size *paper_run_size(const paper_run *run)
{
    return &run->experiment->size[run->mode];
}

char *paper_run_command(const paper_run *run)
{
    return cli_text(
        "hiss reproduce %s%s --seed %llu%s%s", run->experiment->name,
        run->mode == PAPER_QUICK ? " --quick" : "",
        (unsigned long long)run->seed, run->device ? " --device " : "",
        run->device ? run->device : "");
}

void paper_put_title(paper_run *run, const char *row, const char *title)
{
    cli_json_put_text(run->titles, row, title);
}

void paper_put(paper_run *run, const char *row, const char *metric,
               paper_value value)
{
    json_t *metrics = json_object_get(run->rows, row);
    json_t *out = cli_json_object();

    if (!metrics) {
        metrics = cli_json_object();
        cli_json_put(run->rows, row, metrics);
    }
    cli_json_put_real(out, "mean", value.mean);
    cli_json_put_real(out, "se", value.se);
    cli_json_put_real(out, "std", value.std);
    cli_json_put_number(out, "repetitions", value.repetitions);
    cli_json_put_real(out, "paper", value.paper);
    cli_json_put_number(out, "evaluations", value.evaluations);
    if (value.command) {
        cli_json_put_text(out, "command", value.command);
    } else {
        char *command = paper_run_command(run);

        cli_json_put_text(out, "command", command);
        free(command);
    }
    cli_json_put(metrics, metric, out);
}

void paper_put_mean(paper_run *run, const char *row, const char *metric,
                    paper_mean mean, const paper_draws *draws)
{
    paper_value value = PAPER_VALUE(mean.mean);

    value.se = mean.se;
    value.std = mean.std;
    value.repetitions = mean.count;
    if (draws) {
        value.evaluations = draws->evaluations;
        value.command = draws->command;
    }
    paper_put(run, row, metric, value);
}

void paper_put_exact(paper_run *run, const char *row, const char *metric,
                     double number)
{
    paper_value value = PAPER_VALUE(number);

    value.se = 0;
    paper_put(run, row, metric, value);
}

void paper_put_printed(paper_run *run, const char *row, const char *metric,
                       double paper)
{
    json_t *out = json_object_get(json_object_get(run->rows, row), metric);

    if (out)
        cli_json_put_real(out, "paper", paper);
}

void paper_put_spent(paper_run *run, const char *row, const char *metric)
{
    json_t *metrics = json_object_get(run->rows, row);
    json_t *first = json_object_iter_value(json_object_iter(metrics));
    json_t *spent = json_object_get(first, "evaluations");
    json_t *out = json_object_get(metrics, metric);

    if (out && spent)
        cli_json_put(out, "evaluations", json_incref(spent));
}
