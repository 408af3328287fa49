/* prior.c - the sparsity prior of appendix D.5, whose strength lambda the paper
 * does not print, on the network for HIV at its settings: which weights are at
 * +1, and what the ensemble predicts.
 *
 * With every weight at -1 the network says 1 of every case: a test error of
 * 242/325 = .7446, the printed number of three of its samplers. */
#include <stdlib.h>

#include "paper/networks/bnn.h"
#include "paper/support/data.h"
#include "paper/support/figure.h"

#define MODEL(lambda) "bnn(data=hiv,energy=mean100,lambda=" #lambda ")"
#define ROW(lambda)                                                            \
  {                                                                            \
    "dmala_" #lambda, "DMALA, lambda = " #lambda, MODEL(lambda),               \
        "dmala(alpha=0.1)", 10, 20, 200                                        \
  }
#define HISS "hiss(eta=4,sweeps=2,steps=5,inner=dmala(alpha=0.1))"

static const paper_row rows[] = {
    ROW(0),
    ROW(1),
    ROW(3),
    ROW(10),
    ROW(30),
    {"gwg_10", "GWG, lambda = 10", MODEL(10), "gwg", 10, 20, 200},
    {"acs_10", "ACS, lambda = 10", MODEL(10),
     "acs(tune=no,alpha=0.1,cycle=1,hold=10)", 10, 20, 200},
    {"hiss_10", "HiSS, lambda = 10", MODEL(10), HISS, 1, 22, 20},
    {0},
};

static const double LAMBDAS[] = {0, 1, 3, 10, 30};

enum {
    SWEPT = sizeof LAMBDAS / sizeof *LAMBDAS
};

static const paper_file files[] = {
    {"bnn/hiv-1625.txt|bnn/1625Data.txt",
     "https://archive.ics.uci.edu/dataset/330",
     "c7b962810e927bf4874d596bfccbdaa89c9fb199cb9a00f844cb75a8a442b8ea", NULL},
    {0},
};

/* The last state of every chain. */
static int8_t *take_last(const paper_draws *draws)
{
    size_t dim = (size_t)draws->info.dim;
    const int8_t *x = hiss_result_draws(draws->result);
    int8_t *last = cli_alloc((size_t)draws->info.chains * dim, 1);

    for (int64_t c = 0; c < draws->info.chains; c++)
        for (size_t i = 0; i < dim; i++)
            last[(size_t)c * dim + i] =
                x[(size_t)((c + 1) * draws->info.samples - 1) * dim + i];
    return last;
}

static double share_of(const int8_t *states, size_t count)
{
    double ones = 0;

    for (size_t i = 0; i < count; i++)
        ones += states[i] != 0;
    return ones / (double)count;
}

static int put_row(paper_run *run, const paper_row *row)
{
    const paper_size *size = paper_run_size(run);
    double share[8], error[8], score[BNN_SCORES];
    paper_draws draws;
    int code = paper_draws_make(&draws, run, row);

    if (code == CLI_DONE) {
        int8_t *last = take_last(&draws);
        size_t each = (size_t)size->chains * (size_t)draws.info.dim;

        for (int r = 0; r < size->repetitions && code == CLI_DONE; r++) {
            share[r] = share_of(last + (size_t)r * each, each);
            code = bnn_score_states(draws.model, last + (size_t)r * each,
                                    size->chains, score);
            error[r] = score[BNN_TEST_MSE];
        }
        free(last);
    }
    if (code == CLI_DONE) {
        paper_put_mean(run, row->name, "share_of_ones",
                       paper_mean_of(share, size->repetitions), &draws);
        paper_put_mean(run, row->name, "hiv_test_mse",
                       paper_mean_of(error, size->repetitions), &draws);
    }
    paper_draws_clear(&draws);
    return code;
}

static int draw_sweep(paper_run *run)
{
    paper_figure figure = {
        .name = "prior-error",
        .title = "Test error on HIV against the prior",
        .caption = "DMALA at the paper's step size. The dashed line is what "
                   "weights that are all -1 predict, 242/325, and what the "
                   "paper prints for three samplers.",
        .x = {.label = "\u03bb, nats per weight at +1"},
        .y = {.label = "test MSE"},
    };
    double y[SWEPT];

    for (int i = 0; i < SWEPT; i++)
        y[i] = json_number_value(json_object_get(
            json_object_get(json_object_get(run->rows, rows[i].name),
                            "hiv_test_mse"),
            "mean"));
    paper_figure_add(&figure, "DMALA", CLI_CHART_MARKED, PAPER_BLUE, LAMBDAS, y,
                     NULL, SWEPT);
    paper_figure_add_level(&figure, "all weights equal", 242.0 / 325, 0, 30);
    return paper_figure_draw(&figure, run);
}

static int run_prior(paper_run *run)
{
    int code = CLI_DONE;

    paper_pace_plan(run->pace, paper_rows_work(rows));
    for (const paper_row *r = rows; r->name && code == CLI_DONE; r++)
        code = put_row(run, r);
    if (code == CLI_DONE) {
        paper_put_printed(run, "dmala_10", "hiv_test_mse", .7446);
        paper_put_printed(run, "gwg_10", "hiv_test_mse", .7025);
        paper_put_printed(run, "acs_10", "hiv_test_mse", .7446);
        paper_put_printed(run, "hiss_10", "hiv_test_mse", .2551);
        code = draw_sweep(run);
    }
    return code;
}

const paper_experiment paper_experiment_prior = {
    .name = "prior",
    .title = "The sparsity prior of the networks",
    .about = "Appendix D.5 states a Laplace prior and prints no strength. On "
             "HIV, with 100 times the mean squared error, alpha = 0.1 and eta "
             "= 4 as in the paper's runs, lambda nats are taken for each "
             "weight at +1. Ensembles are the last states of the chains, after "
             "200 steps and 2 samples.",
    .seconds = {120, 20},
    .rows = rows,
    .size = {{8, 3, 2}, {4, 2, 2}},
    .revision = 1,
    .run = run_prior,
    .files = files,
};
