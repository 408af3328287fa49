/* bnn.c - binary networks on four data sets: how well ensembles of sampled
 * networks predict, beside references that need no sampler.
 *
 * Three kinds of rows.  The paper's: 100 times the mean squared error, as its
 * experiments were run, step size 0.1, its eta, no prior.  `_sum`: the paper's
 * formula, the sum of squared errors, everything else as before.  `_tuned`:
 * the sum, step sizes tuned in burn-in, lambda and eta chosen on validation
 * cases (bnn_job.c).  Every sampler has the same number of gradients per
 * network: the four replicas of parallel tempering share them.  `gibbs`: a few
 * sweeps of single-site heat bath on the sum, a sweep to a sample. */
#include "paper/networks/bnn.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const bnn_set bnn_sets[BNN_SETS] = {
    {"wdbc",
     "WDBC",
     0.005,
     {10, 50, 50},
     {100, 6, 200},
     {1001, 8, 1000},
     {101, 8, 400},
     {.0241, .0240, .0280, .0246, .0237},
     {.0283, .0276, .0315, .0287, .0291},
     {.0708, .0693, .0938, .0721, .0728}},
    {"compas",
     "COMPAS",
     2,
     {10, 10, 50},
     {20, 10, 100},
     {20, 8, 1000},
     {20, 8, 400},
     {.2265, .2271, .2284, .2265, .2237},
     {.2213, .2219, .2230, .2215, .2172},
     {.3130, .3121, .3139, .3149, .3697}},
    {"hiv",
     "HIV",
     4,
     {10, 10, 50},
     {20, 6, 100},
     {12, 4, 1000},
     {12, 4, 400},
     {.7025, .7446, .7446, .7446, .2551},
     {.7299, .7746, .7746, .7746, .2554},
     {.7453, .7746, .7746, .7746, .4578}},
    {"blog",
     "Blog",
     5,
     {5, 5, 50},
     {8, 2, 50},
     {4, 1, 1000},
     {4, 1, 100},
     {.2799, .2919, .2919, .2919, .2136},
     {.3320, .3476, .3476, .3476, .2043},
     {.3458, .3476, .3476, .3476, .4094}},
};

enum {
    AS_RUN,
    SUM,
    TUNED
};

static const struct row {
    const char *name, *title;
    int sampler;
    int kind;
} rows[] = {
    {"gwg", "GWG", 0, AS_RUN},
    {"dmala", "DMALA", 1, AS_RUN},
    {"acs", "ACS", 2, AS_RUN},
    {"pt", "PT", 3, AS_RUN},
    {"hiss", "HiSS", 4, AS_RUN},
    {"dmala_sum", "DMALA, sum of squares, alpha 0.1", 1, SUM},
    {"gwg_tuned", "GWG, sum of squares", 0, TUNED},
    {"dmala_tuned", "DMALA, sum of squares, tuned", 1, TUNED},
    {"acs_tuned", "ACS, sum of squares, tuned", 2, TUNED},
    {"pt_tuned", "PT, sum of squares, tuned", 3, TUNED},
    {"hiss_tuned", "HiSS, sum of squares, tuned", 4, TUNED},
    {"gibbs", "Gibbs, sum of squares", BNN_GIBBS, TUNED},
};

/* Without a sampler. */
enum {
    BASE_RATE,
    RANDOM,
    ALL_EQUAL,
    LEAST_SQUARES,
    REFERENCES
};

static const char *const reference_names[REFERENCES] = {
    "base_rate", "random", "all_equal", "least_squares"};
static const char *const reference_titles[REFERENCES] = {
    "Mean of the training targets", "Random networks", "All weights +1",
    "Linear least squares"};

enum {
    ROWS = sizeof rows / sizeof *rows,
    REPETITIONS_MAX = 8,
    SWEEPS = 1, /* of heat bath before the first sample */
    RANDOM_NETWORKS = 50,
    EVERY = 5 /* samples of a card to one that is kept, as in the paper */
};

/* What was found: of a row on a set, repetition by repetition. */
struct cell {
    double score[BNN_SCORES][REPETITIONS_MAX];
    double samples, burn_in, acceptance, jump, rhat, evaluations;
    double prediction_rhat;
    char *command; /* owned, or NULL */
    int repetitions;
};

struct table {
    struct cell cell[ROWS + REFERENCES][BNN_SETS];
    double lambda[BNN_SETS], eta[BNN_SETS];
    bool is_there[BNN_SETS]; /* else nothing is run or put */
};

/* The next set after s that is there. */
static int next(const struct table *table, int s)
{
    do
        s++;
    while (s < BNN_SETS && !table->is_there[s]);
    return s;
}

static const char *row_name(int r)
{
    return r < ROWS ? rows[r].name : reference_names[r - ROWS];
}

static const char *row_title(int r)
{
    return r < ROWS ? rows[r].title : reference_titles[r - ROWS];
}

/* --- sampling ------------------------------------------------------------ */

/* Of `count` numbers and one more. */
static double mean_with(double mean, double next, int count)
{
    return count ? mean + (next - mean) / (count + 1) : next;
}

static void keep(struct cell *cell, const json_t *numbers, int repetition)
{
    const char *command =
        json_string_value(json_object_get(numbers, "command"));

    for (int s = 0; s < BNN_SCORES; s++)
        cell->score[s][repetition] = bnn_number(numbers, bnn_score_names[s]);
    cell->samples = bnn_number(numbers, "samples");
    cell->burn_in = bnn_number(numbers, "burn_in");
    cell->acceptance = mean_with(cell->acceptance,
                                 bnn_number(numbers, "acceptance"), repetition);
    cell->jump = mean_with(cell->jump, bnn_number(numbers, "jump_acceptance"),
                           repetition);
    cell->rhat =
        fmax(repetition ? cell->rhat : -HUGE_VAL, bnn_number(numbers, "rhat"));
    cell->prediction_rhat = fmax(repetition ? cell->prediction_rhat : -HUGE_VAL,
                                 bnn_number(numbers, "prediction_rhat"));
    cell->evaluations = mean_with(
        cell->evaluations, bnn_number(numbers, "evaluations"), repetition);
    if (!cell->command && command)
        cell->command = cli_text("%s", command);
    cell->repetitions = repetition + 1;
}

static char *model_of(const bnn_set *set, int kind, double lambda)
{
    if (kind == AS_RUN)
        return cli_text("bnn(data=%s,energy=mean100)", set->name);
    return cli_text("bnn(data=%s,lambda=%g)", set->name,
                    kind == TUNED ? lambda : 0);
}

/* Repetition n of row r on set s, with a seed of its own. */
static int sample(bnn_parts *parts, paper_run *run, struct table *table, int r,
                  int s, int n)
{
    const bnn_set *set = &bnn_sets[s];
    const struct row *row = &rows[r];
    bool is_tuned = row->kind == TUNED, is_gibbs = row->sampler == BNN_GIBBS;
    int sweeps = run->mode == PAPER_FULL ? 4 * SWEEPS : SWEEPS;
    int thin = set->thin[run->mode];
    char *model = model_of(set, row->kind, table->lambda[s]);
    char *sampler = bnn_sampler(row->sampler, is_tuned, thin,
                                is_tuned ? table->eta[s] : set->eta);
    char *part =
        cli_text("%s: %s, repetition %d", set->title, row->name, n + 1);
    bnn_job job = {.part = part,
                   .model = model,
                   .sampler = sampler,
                   .networks = paper_run_size(run)->chains,
                   .burn = is_gibbs ? SWEEPS : set->burn[run->mode],
                   .samples = is_gibbs              ? sweeps
                              : row->kind == AS_RUN ? set->samples[run->mode]
                                                    : set->fewer[run->mode],
                   .steps = bnn_steps(row->sampler, thin),
                   .every = run->mode == PAPER_CARD && !is_gibbs ? EVERY : 1,
                   .device = is_gibbs ? NULL : run->device,
                   .seed = run->seed + (uint64_t)n};
    int code = bnn_job_run(parts, run, &job);

    if (code == CLI_DONE)
        keep(&table->cell[r][s], bnn_job_numbers(parts, &job), n);
    free(model);
    free(sampler);
    free(part);
    return code;
}

static int sample_set(bnn_parts *parts, paper_run *run, struct table *table,
                      int s)
{
    int code = bnn_choose_lambda(parts, run, &bnn_sets[s], &table->lambda[s]);

    if (code == CLI_DONE)
        code = bnn_choose_eta(parts, run, &bnn_sets[s], table->lambda[s],
                              &table->eta[s]);
    for (int n = 0; n < paper_run_size(run)->repetitions; n++)
        for (int r = 0; r < ROWS && code == CLI_DONE; r++)
            code = sample(parts, run, table, r, s, n);
    return code;
}

/* --- references ---------------------------------------------------------- */

static void keep_score(struct cell *cell, const double score[BNN_SCORES],
                       int repetition)
{
    for (int k = 0; k < BNN_SCORES; k++)
        cell->score[k][repetition] = score[k];
    cell->samples = cell->burn_in = cell->acceptance = cell->jump = NAN;
    cell->rhat = cell->prediction_rhat = cell->evaluations = NAN;
    cell->repetitions = repetition + 1;
}

static int refer(const paper_run *run, struct table *table, int s)
{
    int repetitions = run->mode == PAPER_QUICK ? 3 : REPETITIONS_MAX;
    char *spec = cli_text("bnn(data=%s)", bnn_sets[s].name);
    double score[BNN_SCORES], each[REPETITIONS_MAX][BNN_SCORES];
    hiss_model *model = NULL;
    hiss_error err = {0};
    hiss_status status = hiss_model_create(&model, spec, &err);
    int code = status == HISS_OK ? CLI_DONE : cli_fail_status(status, &err);

    free(spec);
    if (code != CLI_DONE)
        return code;
    bnn_base_rate(model, score);
    keep_score(&table->cell[ROWS + BASE_RATE][s], score, 0);
    bnn_least_squares(model, score);
    keep_score(&table->cell[ROWS + LEAST_SQUARES][s], score, 0);
    code = bnn_all_equal(model, score);
    keep_score(&table->cell[ROWS + ALL_EQUAL][s], score, 0);
    if (code == CLI_DONE)
        code = bnn_random(model, run->seed, RANDOM_NETWORKS, repetitions, each);
    for (int n = 0; n < repetitions && code == CLI_DONE; n++)
        keep_score(&table->cell[ROWS + RANDOM][s], each[n], n);
    hiss_model_destroy(model);
    return code;
}

/* --- telling ------------------------------------------------------------- */

static void put(paper_run *run, const char *row, const char *set,
                const char *metric, paper_value value)
{
    char *name = cli_text("%s_%s", set, metric);

    paper_put(run, row, name, value);
    free(name);
}

static double printed(const struct row *row, const bnn_set *set, int score)
{
    if (row->kind != AS_RUN)
        return NAN;
    return score == BNN_TEST_MSE     ? set->test[row->sampler]
           : score == BNN_TRAIN_MSE  ? set->train[row->sampler]
           : score == BNN_TRAIN_EACH ? set->each[row->sampler]
                                     : (double)NAN;
}

static paper_value value_of(const struct cell *cell, int score)
{
    paper_mean mean = paper_mean_of(cell->score[score], cell->repetitions);
    paper_value value = PAPER_VALUE(mean.mean);

    value.repetitions = cell->repetitions;
    value.evaluations = cell->evaluations;
    value.command = cell->command;
    if (cell->repetitions > 1) {
        value.se = mean.se;
        value.std = mean.std;
    }
    return value;
}

/* A metric for all sets side by side. */
static void put_scores(paper_run *run, const struct table *table, int r,
                       const char *row, int score)
{
    for (int s = next(table, -1); s < BNN_SETS; s = next(table, s)) {
        paper_value value = value_of(&table->cell[r][s], score);

        if (r < ROWS)
            value.paper = printed(&rows[r], &bnn_sets[s], score);
        put(run, row, bnn_sets[s].name, bnn_score_names[score], value);
    }
}

/* Errors of single networks, and the root of the ensemble's. */
static void put_each(paper_run *run, const struct table *table, int r)
{
    char *row = cli_text("%s_each", row_name(r));
    char *title = cli_text("%s: single networks", row_title(r));

    paper_put_title(run, row, title);
    put_scores(run, table, r, row, BNN_TEST_EACH);
    put_scores(run, table, r, row, BNN_TRAIN_EACH);
    for (int s = next(table, -1); s < BNN_SETS; s = next(table, s)) {
        paper_value value = value_of(&table->cell[r][s], BNN_TEST_MSE);
        double mse = value.mean;

        value.mean = sqrt(mse);
        value.se /= 2 * value.mean;
        value.std /= 2 * value.mean;
        if (r < ROWS)
            value.paper = sqrt(printed(&rows[r], &bnn_sets[s], BNN_TEST_MSE));
        put(run, row, bnn_sets[s].name, "test_rmse", value);
    }
    free(title);
    free(row);
}

/* Below 0: better than the reference. */
static void put_against(paper_run *run, const struct table *table, int r)
{
    char *row = cli_text("%s_against", row_name(r));
    char *title = cli_text("%s: test MSE less that of", row_title(r));

    paper_put_title(run, row, title);
    for (int k = 0; k < REFERENCES; k++)
        for (int s = next(table, -1); s < BNN_SETS; s = next(table, s)) {
            paper_value value = value_of(&table->cell[r][s], BNN_TEST_MSE);
            paper_value other =
                value_of(&table->cell[ROWS + k][s], BNN_TEST_MSE);
            char *metric = cli_text("minus_%s", reference_names[k]);

            value.mean -= other.mean;
            if (!isnan(other.se))
                value.se = hypot(value.se, other.se);
            put(run, row, bnn_sets[s].name, metric, value);
            free(metric);
        }
    free(title);
    free(row);
}

/* How long it was, and how well its chains mixed: tables have room for three
 * metrics of four sets. */
static void put_run(paper_run *run, const struct table *table, int r,
                    bool is_length)
{
    static const char *const metrics[2][3] = {
        {"prediction_rhat", "rhat", "acceptance"}, {"samples", "burn_in"}};
    char *row = cli_text("%s_%s", row_name(r), is_length ? "length" : "run");
    char *title = cli_text("%s: %s", row_title(r),
                           is_length ? "length of the run" : "the run");

    paper_put_title(run, row, title);
    for (int m = 0; m < 3 && metrics[is_length][m]; m++)
        for (int s = next(table, -1); s < BNN_SETS; s = next(table, s)) {
            const struct cell *cell = &table->cell[r][s];
            const double at[2][3] = {
                {cell->prediction_rhat, cell->rhat, cell->acceptance},
                {cell->samples, cell->burn_in}};
            paper_value value = PAPER_VALUE(at[is_length][m]);

            value.repetitions = cell->repetitions;
            value.command = is_length ? NULL : cell->command;
            put(run, row, bnn_sets[s].name, metrics[is_length][m], value);
        }
    free(title);
    free(row);
}

static void put_jumps(paper_run *run, const struct table *table, int r)
{
    char *row = cli_text("%s_jump", row_name(r));
    char *title = cli_text("%s: jumps accepted", row_title(r));

    paper_put_title(run, row, title);
    for (int s = next(table, -1); s < BNN_SETS; s = next(table, s))
        put(run, row, bnn_sets[s].name, "jump_acceptance",
            (paper_value)PAPER_VALUE(table->cell[r][s].jump));
    free(title);
    free(row);
}

static void print(paper_run *run, const struct table *table)
{
    static const int first[] = {BNN_TEST_MSE, BNN_TRAIN_MSE,
                                BNN_TEST_LOG_LIKELIHOOD,
                                BNN_TRAIN_LOG_LIKELIHOOD};

    for (int r = 0; r < ROWS + REFERENCES; r++) {
        paper_put_title(run, row_name(r), row_title(r));
        for (int k = 0; k < 4; k++)
            put_scores(run, table, r, row_name(r), first[k]);
    }
    for (int r = 0; r < ROWS; r++)
        put_against(run, table, r);
    for (int r = 0; r < ROWS; r++)
        put_each(run, table, r);
    for (int r = 0; r < ROWS; r++)
        put_run(run, table, r, false);
    for (int r = 0; r < ROWS; r++)
        put_run(run, table, r, true);
    for (int r = 0; r < ROWS; r++)
        if (!isnan(table->cell[r][next(table, -1)].jump))
            put_jumps(run, table, r);
    paper_put_title(run, "chosen", "Chosen on validation cases");
    for (int s = next(table, -1); s < BNN_SETS; s = next(table, s))
        put(run, "chosen", bnn_sets[s].name, "lambda",
            (paper_value)PAPER_VALUE(table->lambda[s]));
    for (int s = next(table, -1); s < BNN_SETS; s = next(table, s))
        put(run, "chosen", bnn_sets[s].name, "eta",
            (paper_value)PAPER_VALUE(table->eta[s]));
}

/* --- the experiment ------------------------------------------------------ */

bool bnn_is_there(const paper_run *run, const bnn_set *set)
{
    return !paper_data_left_out(run->experiment->files, set->title);
}

static bool is_set(const char *name)
{
    for (int s = 0; s < BNN_SETS; s++)
        if (strcmp(bnn_sets[s].name, name) == 0)
            return true;
    return false;
}

static int run_bnn(paper_run *run)
{
    struct table *table = cli_alloc(1, sizeof *table);
    int each = bnn_choices(run) + ROWS * paper_run_size(run)->repetitions;
    int code = CLI_DONE, sets = 0;
    bnn_parts parts = {0};

    if (run->only && !is_set(run->only))
        code = cli_fail(CLI_BAD_CALL,
                        "--only: unknown data set '%.64s', expected wdbc, "
                        "compas, hiv or blog",
                        run->only);

    for (int s = 0; s < BNN_SETS; s++) {
        table->is_there[s] =
            bnn_is_there(run, &bnn_sets[s]) &&
            (!run->only || strcmp(run->only, bnn_sets[s].name) == 0);
        sets += table->is_there[s];
    }
    bnn_parts_open(&parts, run);
    paper_pace_plan(run->pace, sets * each);
    for (int s = next(table, -1); s < BNN_SETS && code == CLI_DONE;
         s = next(table, s)) {
        code = refer(run, table, s);
        if (code == CLI_DONE)
            code = sample_set(&parts, run, table, s);
    }
    run->is_partial = run->only != NULL;
    if (code == CLI_DONE && !run->is_partial) {
        print(run, table);
        code = bnn_figures(run);
    }
    if (code == CLI_DONE && !run->is_partial)
        bnn_parts_remove(&parts);
    for (int r = 0; r < ROWS; r++)
        for (int s = next(table, -1); s < BNN_SETS; s = next(table, s))
            free(table->cell[r][s].command);
    bnn_parts_close(&parts);
    free(table);
    return code;
}

/* The files of all sets but COMPAS, which has no licence, come with hiss. */
static const paper_file files[] = {
    {"bnn/wdbc.data", "https://archive.ics.uci.edu/dataset/17",
     "a906fc5c0c27c1ff5abb84df814dd29743c24a7eedd6cac902d2b68a171cf41d", NULL},
    {"bnn/compas-scores-two-years.csv|bnn/compas_scores_two_years.csv",
     "tools/get_data compas, from "
     "https://github.com/propublica/compas-analysis",
     "d180e410066da845eceb452417fbf8b119633f05526bcb29ef2c5b546d8946c5",
     "COMPAS"},
    {"bnn/hiv-1625.txt|bnn/1625Data.txt",
     "https://archive.ics.uci.edu/dataset/330",
     "c7b962810e927bf4874d596bfccbdaa89c9fb199cb9a00f844cb75a8a442b8ea", NULL},
    {"bnn/blogfeedback-2012-test.csv|bnn/blogData_train.csv",
     "https://archive.ics.uci.edu/dataset/304, the 60 files of 2012 joined",
     "b8143cca9c76597c0ab8b433e2dd3a547c20276771e1fc24f8804349d85160c9", NULL},
    {0},
};

const paper_experiment paper_experiment_bnn = {
    .name = "bnn",
    .title = "Binary neural networks",
    .about =
        "Networks of 100 tanh units and a sigmoid whose weights and biases are "
        "all -1 or 1; a chain is a network, an ensemble averages what the "
        "networks of all chains say. mse is the mean squared error of the "
        "ensemble, mse each that of single networks. The paper's test "
        "log-likelihood is minus the first, its RMSE the root of the first, "
        "its training RMSE the first without a root, its training "
        "log-likelihood minus the second; log likelihood here is the mean "
        "logarithm of the probability that the ensemble gives to the target. "
        "Rows named after a sampler: 100 times the mean squared error, as the "
        "paper's experiments were run, alpha = 0.1, its eta, no prior, whose "
        "strength the paper does not print; "
        "dmala_sum: the paper's formula, the sum; tuned: the sum, step sizes "
        "tuned in burn-in, lambda and eta with the smallest error on a fifth "
        "of the training cases set aside, never on test cases. Each sampler "
        "has the same gradients per network (replicas share them); gibbs is a "
        "few sweeps of single-site heat bath, beside the paper, each of which "
        "takes the time of 15 to 85 gradients. HIV has "
        "raw one-hot inputs, the others mean 0 and deviation 1. Blog is its "
        "2012 part, a fifth of it for testing, unless the whole is there.",
    .seconds = {7200, 120, 900},
    .size = {{50, 3, 1001}, {16, 1, 8}, {50, 3, 1000}},
    .revision = 7,
    .has_card = true,
    .run = run_bnn,
    .files = files,
};
