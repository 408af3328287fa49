/* critical.c - the 24 x 24 periodic Ising model at beta = 0.4407: energy per
 * site against the exact value.
 *
 * The paper states no settings here.  Its usual alpha = 0.2 and eta = 4 are in
 * units of {0,1}; on spins these are alpha = 0.8 and eta = 8.  A repetition is
 * one chain, so the standard error is over independent chains and needs no
 * estimate of autocorrelation. */
#include <stdlib.h>

#include "paper/support/figure.h"

#define MODEL "ising(side=24,beta=0.4407)"

static const double BETA = 0.4407;
static const double SITES = 24 * 24;
/* Kaufman's solution of the periodic 24 x 24 lattice at this beta, evaluated
 * by the oracle that the unit test test_kaufman checks. */
static const double EXACT = -1.440249;
static const double PRINTED = -1.4402;

/* Two refinement steps per sweep: 100 steps of DMALA or 50 sweeps of HiSS per
 * sample. */
static const paper_row rows[] = {
    {"dmala", "DMALA", MODEL, "dmala(alpha=0.8)", 100, 100, 40000},
    {"hiss", "HiSS", MODEL, "hiss(eta=8,steps=2,inner=dmala(alpha=0.8))", 50,
     150, 20000},
    {"dmala_tuned", "DMALA, tuned", MODEL, "dmala(alpha=auto)", 100, 100,
     40000},
    {"hiss_tuned", "HiSS, alpha tuned", MODEL,
     "hiss(eta=8,steps=2,inner=dmala(alpha=auto))", 50, 150, 20000},
    {"hiss_eta_auto", "HiSS, eta tuned", MODEL,
     "hiss(eta=auto,steps=2,inner=dmala(alpha=auto))", 50, 150, 20000},
    {"gibbs", "Gibbs", MODEL, "gibbs", 10, 30, 4000},
    {"pt_gibbs", "PT on Gibbs", MODEL,
     "pt(base=gibbs,levels=6,max_temperature=1.5)", 5, 60, 2000},
    {0},
};

enum {
    COUNT = sizeof rows / sizeof *rows - 1,
    POINTS = 60
};

/* Running mean of the energy per site over chains, in steps. */
struct course {
    double steps[POINTS], mean[POINTS], se[POINTS];
    int points;
};

static void fill_course(struct course *course, const paper_draws *draws)
{
    int chains = draws->info.chains;
    int64_t samples = draws->info.samples;
    const double *lp = hiss_result_lp(draws->result);
    double *sums = cli_alloc((size_t)chains, sizeof *sums);
    double *means = cli_alloc((size_t)chains, sizeof *means);
    int64_t t = 0;

    course->points = 0;
    for (int p = 0; p < POINTS; p++) {
        int64_t to = samples * (p + 1) / POINTS;
        paper_mean mean;

        if (to == t)
            continue;
        for (; t < to; t++)
            for (int c = 0; c < chains; c++)
                sums[c] -= lp[c * samples + t] / (BETA * SITES);
        for (int c = 0; c < chains; c++)
            means[c] = sums[c] / (double)t;
        mean = paper_mean_of(means, chains);
        course->steps[course->points] = (double)(t * draws->info.thin);
        course->mean[course->points] = mean.mean;
        course->se[course->points++] = mean.se;
    }
    free(sums);
    free(means);
}

/* A number that follows from the draws, without an error of its own. */
static void put_derived(paper_run *run, const char *row, const char *metric,
                        double number, paper_value like)
{
    like.mean = number;
    like.se = like.std = like.paper = NAN;
    paper_put(run, row, metric, like);
}

/* Tries are nearly independent where almost none succeeds. */
static void put_jumps(paper_run *run, const paper_draws *draws,
                      paper_value like)
{
    double rate = paper_draws_acceptance(draws, "jump");
    double tries = (double)draws->info.samples * (double)draws->info.thin;

    if (isnan(rate))
        return;
    like.mean = rate;
    like.std = sqrt(rate * (1 - rate) / tries);
    like.se = like.std / sqrt(draws->info.chains);
    like.paper = NAN;
    paper_put(run, draws->row->name, "jump_acceptance", like);
}

static int put_row(paper_run *run, const paper_draws *draws,
                   const struct course *course)
{
    const char *row = draws->row->name;
    paper_value value = PAPER_VALUE(course->mean[course->points - 1]);
    hiss_column column = HISS_INIT(hiss_column);
    hiss_error err = {0};
    hiss_status status = hiss_result_energy(draws->result, &column, &err);

    if (status != HISS_OK)
        return cli_fail_status(status, &err);
    value.se = course->se[course->points - 1];
    value.std = value.se * sqrt(draws->info.chains);
    value.repetitions = draws->info.chains;
    value.paper = PRINTED;
    value.evaluations = draws->evaluations;
    value.command = draws->command;
    paper_put(run, row, "energy_per_site", value);
    put_derived(run, row, "errors_from_exact", (value.mean - EXACT) / value.se,
                value);
    put_derived(run, row, "rhat", column.rhat, value);
    put_derived(run, row, "ess_per_million_evaluations",
                1e6 * column.ess_bulk /
                    (draws->evaluations * draws->info.chains),
                value);
    put_jumps(run, draws, value);
    return CLI_DONE;
}

static int draw(paper_run *run, const struct course *courses)
{
    paper_figure figure = {
        .name = "critical-energy",
        .title = "Energy per site",
        .caption = "Running mean over independent chains after warm-up, band "
                   "of one standard error. A step of HiSS is a sweep with two "
                   "steps of DMALA.",
        .x = {.label = "steps per chain after warm-up", .is_log = true},
        .y = {.label = "energy per site"},
    };
    double last = 0;

    for (int r = 0; r < COUNT; r++) {
        const struct course *c = &courses[r];

        last = fmax(last, c->steps[c->points - 1]);
        paper_figure_add(&figure, rows[r].title, CLI_CHART_LINE,
                         paper_color_of(rows[r].name), c->steps, c->mean, c->se,
                         c->points);
    }
    paper_figure_add_level(&figure, "exact", EXACT, 100, last);
    return paper_figure_draw(&figure, run);
}

static int run_critical(paper_run *run)
{
    struct course *courses = cli_alloc(COUNT, sizeof *courses);
    int code = CLI_DONE;

    paper_pace_plan(run->pace, paper_rows_work(rows));
    for (int r = 0; r < COUNT && code == CLI_DONE; r++) {
        paper_draws draws;

        code = paper_draws_make(&draws, run, &rows[r]);
        if (code == CLI_DONE) {
            fill_course(&courses[r], &draws);
            code = put_row(run, &draws, &courses[r]);
        }
        paper_draws_clear(&draws);
    }
    if (code == CLI_DONE) {
        paper_put_title(run, "exact", "Exact (Kaufman)");
        paper_put_exact(run, "exact", "energy_per_site", EXACT);
        code = draw(run, courses);
    }
    free(courses);
    return code;
}

const paper_experiment paper_experiment_critical = {
    .name = "critical",
    .title = "Critical 24 x 24 Ising model",
    .about = "Periodic square lattice at beta = 0.4407. The paper states no "
             "settings; its usual alpha = 0.2 and eta = 4 for bits are "
             "alpha = 0.8 and eta = 8 for spins. Independent chains from "
             "random states, long warm-up, standard error over chains. Gibbs "
             "and parallel tempering stand by as references.",
    .seconds = {80, 25},
    .rows = rows,
    .size = {{1, 64, 2500}, {1, 64, 500}},
    .revision = 2,
    .run = run_critical,
};
