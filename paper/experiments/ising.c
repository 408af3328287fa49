/* ising.c - the paper's 3 x 3 Ising model with a cross-diagonal matrix: four
 * pairs of spins coupled by 10 and a free centre, 32 modes among 512 states.
 *
 * The main diagonal of the matrix is a constant of U on spins, but not of its
 * gradient, where it freezes every gradient sampler even in the free spin.
 * The rows that end in _dropped leave it out of the gradient; the law is the
 * same.
 *
 * The paper prints spins, its code has bits, in which the same alpha is four
 * times and the same eta twice as large.  The rows that end in _spins have the
 * printed reading, the others that of the code. */
#include <stdlib.h>

#include "paper/experiments/small.h"
#include "paper/support/figure.h"

#define KEPT      "cross(side=3,diagonal=kept)"
#define DROPPED   "cross(side=3,diagonal=dropped)"
#define LADDER    "ladder=[1,10,100,1000,10000]"
#define PT        "pt(base=dmala(alpha=0.2)," LADDER ",swap_every=2)"
#define PT_AUTO   "pt(base=dmala(alpha=auto),levels=5,max_temperature=20)"
#define ACS       "acs(tune=no,alpha=0.2,cycle=1,hold=20)"
#define HISS      "hiss(eta=4,sweeps=10,steps=2,inner=dmala(alpha=0.2))"
#define HISS_AUTO "hiss(eta=auto,sweeps=10,steps=2,inner=dmala(alpha=auto))"

/* pt_equal spends the evaluations of hiss, after its warm-up: 6 steps of 5
 * replicas. */
static const paper_row rows[] = {
    {"gwg", "GWG", KEPT, "gwg", 20, 20, 0},
    {"dmala", "DMALA", KEPT, "dmala(alpha=0.2)", 20, 20, 0},
    {"acs", "ACS", KEPT, ACS, 20, 20, 0},
    {"pt", "PT", KEPT, PT, 20, 100, 0},
    {"hiss", "HiSS", KEPT, HISS, 1, 30, 0},
    {"dmala_tuned", "DMALA, tuned", KEPT, "dmala(alpha=auto)", 20, 20, 4000},
    {"acs_tuned", "ACS, tuned", KEPT, "acs(tune=yes,cycle=4,hold=20)", 20, 20,
     8000},
    {"pt_tuned", "PT, tuned", KEPT, PT_AUTO, 20, 100, 4000},
    {"pt_equal", "PT, tuned, cost of HiSS", KEPT, PT_AUTO, 6, 30, 4000},
    {"hiss_tuned", "HiSS, tuned", KEPT, HISS_AUTO, 1, 30, 400},
    {"hiss_l0", "HiSS, L=0, G=50", KEPT, "hiss(eta=4,sweeps=50,steps=0)", 1, 50,
     0},
    {"gwg_dropped", "GWG", DROPPED, "gwg", 20, 20, 0},
    {"dmala_dropped", "DMALA", DROPPED, "dmala(alpha=0.2)", 20, 20, 0},
    {"acs_dropped", "ACS", DROPPED, ACS, 20, 20, 0},
    {"pt_dropped", "PT", DROPPED, PT, 20, 100, 0},
    {"hiss_dropped", "HiSS", DROPPED, HISS, 1, 30, 0},
    {"dmala_tuned_dropped", "DMALA, tuned", DROPPED, "dmala(alpha=auto)", 20,
     20, 4000},
    {"dmala_spins", "DMALA", KEPT, "dmala(alpha=0.05)", 20, 20, 0},
    {"acs_spins", "ACS", KEPT, "acs(tune=no,alpha=0.05,cycle=1,hold=20)", 20,
     20, 0},
    {"pt_spins", "PT", KEPT,
     "pt(base=dmala(alpha=0.05)," LADDER ",swap_every=2)", 20, 100, 0},
    {"hiss_spins", "HiSS", KEPT,
     "hiss(eta=2,sweeps=10,steps=2,inner=dmala(alpha=0.05))", 1, 30, 0},
    {0},
};

enum {
    COUNT = sizeof rows / sizeof *rows - 1,
    PAPERS = 5,
    ROW_HISS = 4,
    TUNED_TO = 11,   /* then the rows without the diagonal */
    DROPPED_TO = 17, /* then the parameters as printed, on spins */
    STATES = 512,
    POINTS = 200
};

static const double CEILING = 32.0 / STATES;

static int draw_law(paper_run *run, const double *law, const double *pooled)
{
    paper_figure figure = {
        .name = "ising-law",
        .title = "The target with its 32 modes",
        .caption = "Exact probabilities as bars, shares of all draws of HiSS "
                   "as points. The other 480 states have 8.1e-9 together.",
        .x = {.label = "state",
              .has_low = true,
              .low = -4,
              .has_high = true,
              .high = 516},
        .y = {.label = "probability",
              .has_low = true,
              .low = 0,
              .has_high = true,
              .high = 0.08},
        .wide = 5,
    };
    double x[STATES], y[STATES], shares[STATES];
    int used = 0;

    for (int s = 0; s < STATES; s++)
        if (law[s] > 1e-6) {
            x[used] = s;
            y[used] = law[s];
            shares[used++] = pooled[s];
        }
    paper_figure_add(&figure, "exact", CLI_CHART_BARS, PAPER_INDIGO, x, y, NULL,
                     used);
    paper_figure_add(&figure, "HiSS", CLI_CHART_POINTS, PAPER_BLUE, x, shares,
                     NULL, used);
    return paper_figure_draw(&figure, run);
}

static const paper_plot plots[] = {
    {.name = "ising-tvd",
     .title = "TVD against samples",
     .caption =
         "Mean over repetitions of 5 chains, band of one standard error; the "
         "paper's settings, diagonal kept.",
     .from = 0,
     .to = PAPERS,
     .metric = PAPER_TVD},
    {.name = "ising-runtime",
     .title = "TVD against run time",
     .caption =
         "The same curves; processor seconds of 5 chains on one thread of "
         "the machine that made this report.",
     .from = 0,
     .to = PAPERS,
     .metric = PAPER_TVD,
     .in_seconds = true},
    {.name = "ising-coverage",
     .title = "Coverage against samples",
     .caption = "Share of the 512 states visited; the 32 modes are 0.0625.",
     .from = 0,
     .to = PAPERS,
     .metric = PAPER_COVERAGE},
    {.name = "ising-tuned",
     .title = "TVD with every sampler tuned",
     .caption =
         "Step sizes, ladder and schedule tuned by a pilot; HiSS with L=0 "
         "spends its evaluations on jumps alone.",
     .from = PAPERS,
     .to = TUNED_TO,
     .metric = PAPER_TVD},
    {.name = "ising-dropped",
     .title = "TVD, diagonal dropped",
     .caption =
         "The misleading diagonal left out of the gradient: the free spin "
         "thaws, the pairs do not.",
     .from = TUNED_TO,
     .to = DROPPED_TO,
     .metric = PAPER_TVD},
    {.name = "ising-spins",
     .title = "TVD, parameters on spins",
     .caption =
         "alpha = 0.2 and eta = 4 read in units of spins, as the paper prints "
         "them: 0.05 and 2 in bits.",
     .from = DROPPED_TO,
     .to = COUNT,
     .metric = PAPER_TVD},
    {0},
};

static void put_arrival(paper_run *run, const paper_row *row,
                        const paper_trace *trace)
{
    paper_mean mean =
        paper_trace_arrival(trace, PAPER_COVERAGE, 0.99 * CEILING);
    paper_value value = PAPER_VALUE(mean.mean);

    value.se = mean.se;
    value.std = mean.std;
    value.repetitions = mean.count;
    paper_put(run, row->name, "samples_to_all_modes", value);
    paper_put_spent(run, row->name, "samples_to_all_modes");
}

static int run_rows(paper_run *run, const paper_small *small,
                    paper_trace *traces, double *scales)
{
    int code = CLI_DONE;

    for (int r = 0; r < COUNT && code == CLI_DONE; r++) {
        paper_mean seconds;

        code = paper_small_row(small, run, &rows[r], &traces[r]);
        if (code == CLI_DONE)
            put_arrival(run, &rows[r], &traces[r]);
        if (code == CLI_DONE && r == ROW_HISS)
            code = draw_law(run, small->law, small->pooled);
        if (code == CLI_DONE && r < PAPERS) {
            code = paper_small_time(run, &rows[r], &seconds);
            scales[r] = seconds.mean / paper_run_size(run)->samples;
        }
    }
    return code;
}

/* How many modes there are, and what lies outside of them. */
static void put_law(paper_run *run, const double *law)
{
    double outside = 0;
    int modes = 0;

    for (int s = 0; s < STATES; s++) {
        modes += law[s] > 1e-3;
        outside += law[s] > 1e-3 ? 0 : law[s];
    }
    paper_put_title(run, "target", "The target");
    paper_put_exact(run, "target", "modes", modes);
    paper_put_printed(run, "target", "modes", 32);
    paper_put_exact(run, "target", "mass_outside", outside);
}

static int run_ising(paper_run *run)
{
    paper_trace traces[COUNT] = {0}, floor = {0};
    double scales[COUNT] = {0};
    paper_small small;
    int code = paper_small_init(&small, KEPT, POINTS);

    paper_pace_plan(run->pace, paper_rows_work(rows));
    if (code == CLI_DONE)
        code = run_rows(run, &small, traces, scales);
    if (code == CLI_DONE) {
        paper_small_exact(&small, run, "independent", "Independent draws",
                          &floor);
        put_law(run, small.law);
        paper_put_printed(run, "hiss", "tvd", 0.15);
        code = paper_small_draw(run, plots, rows, traces, scales, &floor);
    }
    for (int r = 0; r < COUNT; r++)
        paper_trace_clear(&traces[r]);
    paper_trace_clear(&floor);
    paper_small_clear(&small);
    return code;
}

const paper_experiment paper_experiment_ising = {
    .name = "ising",
    .title = "3 x 3 Ising model with 32 modes",
    .about = "5 chains of 2500 samples per repetition from random states. "
             "Baselines take 20 steps per sample, HiSS G = 10 sweeps of L = 2 "
             "with eta = 4; alpha = 0.2. ACS has the constant step 0.4 that "
             "its schedule gave in the paper's run; PT the temperatures 1, 10, "
             "..., 10000 with a swap every 2 steps. The metric is the total "
             "variation distance of each chain.",
    .seconds = {68, 15},
    .rows = rows,
    .size = {{5, 200, 2500}, {5, 40, 2500}},
    .revision = 3,
    .run = run_ising,
};
