/* draws.c - the rows of an experiment, drawn by the library.
 *
 * Every row of an experiment has the same seed, so its samplers start from the
 * same states; each set of draws is what one call of `hiss sample` makes. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/print/interrupt.h"
#include "paper/support/data.h"
#include "paper/support/run.h"

enum {
    TIME_TRIES = 5,
    DIM_MAX = 20
};

static int open_row(const paper_row *row, hiss_model **model,
                    hiss_sampler **sampler)
{
    hiss_error err = {0};
    hiss_status status = hiss_model_create(model, row->model, &err);

    if (status == HISS_OK)
        status = hiss_sampler_create(sampler, row->sampler, &err);
    return status == HISS_OK ? CLI_DONE : cli_fail_status(status, &err);
}

static void settings_of(const paper_run *run, const paper_row *row,
                        int repetitions, hiss_settings *settings)
{
    const paper_size *size = paper_run_size(run);

    hiss_settings_init(settings);
    settings->chains = size->chains * repetitions;
    settings->samples = size->samples;
    settings->warmup = row->warmup;
    settings->thin = row->thin;
    settings->seed = run->seed;
    settings->threads = run->threads;
}

static char *command_of(const paper_row *row, const hiss_settings *settings)
{
    char *model = paper_data_neutral(row->model);
    char *command = cli_text(
        "hiss sample '%s' --sampler '%s' --chains %d --samples "
        "%lld --thin %d --warmup %lld --seed %llu -o draws.csv",
        model, row->sampler, settings->chains, (long long)settings->samples,
        row->thin, (long long)row->warmup, (unsigned long long)settings->seed);

    free(model);
    return command;
}

static double work_of(const paper_row *row)
{
    return row->work * (1 + (double)row->warmup / (1000.0 * row->thin));
}

double paper_rows_work(const paper_row *rows)
{
    double work = 0;

    for (const paper_row *r = rows; r->name; r++)
        work += work_of(r);
    return work;
}

int paper_draws_make(paper_draws *draws, paper_run *run, const paper_row *row)
{
    int repetitions = paper_run_size(run)->repetitions;
    hiss_settings settings;
    hiss_error err = {0};
    hiss_status status;
    int code;

    *draws = (paper_draws){.row = row};
    paper_put_title(run, row->name, row->title);
    code = open_row(row, &draws->model, &draws->sampler);
    if (code != CLI_DONE)
        return code;
    settings_of(run, row, repetitions, &settings);
    settings.device = run->device;
    settings.progress = paper_pace_progress;
    settings.context = run->pace;
    paper_pace_part(run->pace, run->experiment->name, row->title, work_of(row));
    status = hiss_sample(&draws->result, draws->model, draws->sampler,
                         &settings, &err);
    if (cli_interrupt_signal())
        return CLI_SIGNAL + cli_interrupt_signal();
    if (status != HISS_OK)
        return cli_fail_status(status, &err);
    draws->info = HISS_INIT(hiss_run_info);
    hiss_result_info(draws->result, &draws->info);
    if (draws->info.element != HISS_INT8)
        return cli_fail(CLI_FAULT, "%s: draws are not single bytes",
                        row->model);
    draws->command = command_of(row, &settings);
    draws->evaluations =
        (draws->info.energy_evals + draws->info.gradient_evals) / repetitions;
    return CLI_DONE;
}

void paper_draws_clear(paper_draws *draws)
{
    hiss_result_destroy(draws->result);
    hiss_sampler_destroy(draws->sampler);
    hiss_model_destroy(draws->model);
    free(draws->command);
    *draws = (paper_draws){0};
}

int paper_draws_time(paper_run *run, const paper_row *row, paper_mean *seconds)
{
    hiss_model *model = NULL;
    hiss_sampler *sampler = NULL;
    double tries[TIME_TRIES];
    int code = open_row(row, &model, &sampler);

    for (int t = 0; t < TIME_TRIES && code == CLI_DONE; t++) {
        hiss_result *result = NULL;
        hiss_settings settings;
        hiss_error err = {0};
        hiss_status status;
        double start = paper_cpu();

        settings_of(run, row, 1, &settings);
        settings.threads = 1;
        status = hiss_sample(&result, model, sampler, &settings, &err);
        tries[t] = paper_cpu() - start;
        if (status != HISS_OK)
            code = cli_fail_status(status, &err);
        hiss_result_destroy(result);
        if (paper_pace_show(run->pace, 1) && code == CLI_DONE)
            code = CLI_SIGNAL + cli_interrupt_signal();
    }
    if (code == CLI_DONE)
        *seconds = paper_mean_of(tries, TIME_TRIES);
    hiss_sampler_destroy(sampler);
    hiss_model_destroy(model);
    return code;
}

void paper_draws_states(const paper_draws *draws, int chain, int *states)
{
    int dim = draws->info.dim;
    const int8_t *x = hiss_result_draws(draws->result);

    x += (size_t)chain * (size_t)draws->info.samples * dim;
    for (int64_t t = 0; t < draws->info.samples; t++, x += dim) {
        int s = 0;

        for (int i = 0; i < dim; i++)
            s = 2 * s + x[i];
        states[t] = s;
    }
}

double paper_draws_acceptance(const paper_draws *draws, const char *part)
{
    const char *name;
    double rate;

    for (int k = 0; hiss_result_acceptance(draws->result, k, &name, &rate); k++)
        if (strstr(name, part))
            return rate;
    return NAN;
}

static void fill_law(const hiss_model *model, double *law, int dim)
{
    double x[DIM_MAX], largest = -INFINITY, sum = 0;
    int states = 1 << dim;

    for (int s = 0; s < states; s++) {
        for (int i = 0; i < dim; i++)
            x[i] = s >> (dim - 1 - i) & 1;
        law[s] = -INFINITY;
        hiss_model_energy(model, x, &law[s], NULL);
        largest = fmax(largest, law[s]);
    }
    for (int s = 0; s < states; s++)
        sum += law[s] = exp(law[s] - largest);
    for (int s = 0; s < states; s++)
        law[s] /= sum;
}

int paper_law_make(const char *spec, double **law, int *dim)
{
    hiss_model *model = NULL;
    hiss_error err = {0};
    hiss_status status = hiss_model_create(&model, spec, &err);

    *law = NULL;
    if (status != HISS_OK)
        return cli_fail_status(status, &err);
    *dim = hiss_model_dim(model);
    if (*dim > DIM_MAX) {
        hiss_model_destroy(model);
        return cli_fail(CLI_FAULT, "%s is too large to enumerate", spec);
    }
    *law = cli_alloc((size_t)1 << *dim, sizeof **law);
    fill_law(model, *law, *dim);
    hiss_model_destroy(model);
    return CLI_DONE;
}
