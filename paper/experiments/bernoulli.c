/* bernoulli.c - the joint law of four bits: every sampler at the paper's
 * setting, tuned, and at equal evaluations.
 *
 * 10 chains x 1000 samples per repetition, no warm-up unless something is
 * tuned.  Baselines take 10 steps per sample, HiSS G = 5 sweeps of L = 2. */
#include <stdlib.h>

#include "paper/experiments/small.h"
#include "paper/support/figure.h"

#define MODEL  "bernoulli4"
#define LADDER "ladder=[1,10,100,1000,10000]"

/* One evaluation of U and of its gradient per step of a baseline and replica;
 * HiSS: 1 + L per sweep.  pt_equal spends what hiss does, after its warm-up. */
static const paper_row rows[] = {
    {"gwg", "GWG", MODEL, "gwg", 10, 10, 0},
    {"dmala", "DMALA", MODEL, "dmala(alpha=0.2)", 10, 10, 0},
    {"acs", "ACS", MODEL, "acs(tune=no,alpha=0.2,cycle=4,hold=10)", 10, 10, 0},
    {"pt", "PT", MODEL, "pt(base=dmala(alpha=0.2)," LADDER ",swap_every=4)", 10,
     50, 0},
    {"hiss", "HiSS", MODEL,
     "hiss(eta=4,sweeps=5,steps=2,inner=dmala(alpha=0.2))", 1, 15, 0},
    {"dmala_tuned", "DMALA, tuned", MODEL, "dmala(alpha=auto)", 10, 10, 2000},
    {"acs_tuned", "ACS, tuned", MODEL, "acs(tune=yes,cycle=4,hold=10)", 10, 10,
     4000},
    {"pt_tuned", "PT, tuned", MODEL,
     "pt(base=dmala(alpha=auto),levels=5,max_temperature=20)", 10, 50, 2000},
    {"pt_equal", "PT, tuned, cost of HiSS", MODEL,
     "pt(base=dmala(alpha=auto),levels=5,max_temperature=20)", 3, 15, 2000},
    {"hiss_tuned", "HiSS, tuned", MODEL,
     "hiss(eta=auto,sweeps=5,steps=2,inner=dmala(alpha=auto))", 1, 15, 400},
    {"hiss_l0", "HiSS, L=0, G=25", MODEL, "hiss(eta=4,sweeps=25,steps=0)", 1,
     25, 0},
    {0},
};

enum {
    COUNT = sizeof rows / sizeof *rows - 1,
    PAPERS = 5, /* rows at the paper's setting come first */
    BITS = 4,
    STATES = 16,
    POINTS = 150
};

static const double TEMPERATURES[] = {1, 5, 20};
static const double ETAS[] = {0.1, 0.2, 0.5, 4};

static const cli_chart_tick STATE_TICKS[] = {
    {0, "0000"}, {4, "0100"}, {8, "1000"}, {14, "1110"}};
static const cli_chart_axis STATES_AXIS = {.label = "state",
                                           .has_low = true,
                                           .low = -0.7,
                                           .has_high = true,
                                           .high = 15.7,
                                           .ticks = STATE_TICKS,
                                           .tick_count = 4};

static int draw_target(paper_run *run, const double *law)
{
    paper_figure figure = {
        .name = "bernoulli-target",
        .title = "The target",
        .caption = "Probabilities of the 16 states on a logarithmic scale: "
                   "three modes, 13 states of 5.9e-6 each.",
        .x = STATES_AXIS,
        .y = {.label = "probability",
              .is_log = true,
              .has_low = true,
              .low = 1e-6,
              .has_high = true,
              .high = 2},
    };
    double x[STATES];

    for (int s = 0; s < STATES; s++)
        x[s] = s;
    paper_figure_add(&figure, "", CLI_CHART_BARS, PAPER_BLUE, x, law, NULL,
                     STATES);
    return paper_figure_draw(&figure, run);
}

/* p^(1/T), normalized; its mass outside of the three modes. */
static double temper(const double *law, double temperature, double *out)
{
    double sum = 0;

    for (int s = 0; s < STATES; s++)
        sum += out[s] = pow(law[s], 1 / temperature);
    for (int s = 0; s < STATES; s++)
        out[s] /= sum;
    return 1 - out[0] - out[14] - out[15];
}

static int draw_tempered(paper_run *run, const double *law)
{
    paper_figure figure = {
        .name = "bernoulli-tempered",
        .title = "Tempered targets",
        .caption = "p(x)^(1/T), normalized. No state has probability 0, so "
                   "tempering does raise the states between the modes.",
        .x = STATES_AXIS,
        .y = {.label = "probability", .is_log = true},
    };
    static const paper_color colors[] = {PAPER_BLUE, PAPER_ORANGE, PAPER_BROWN};
    double x[STATES], p[STATES];

    for (int s = 0; s < STATES; s++)
        x[s] = s;
    for (int t = 0; t < 3; t++) {
        char *row = cli_text("tempered_t%g", TEMPERATURES[t]);
        char *title = cli_text("T = %g", TEMPERATURES[t]);

        paper_put_exact(run, row, "mass_between",
                        temper(law, TEMPERATURES[t], p));
        paper_put_exact(run, row, "smallest_mass", fmin(p[1], p[15]));
        paper_put_title(run, row, title);
        paper_figure_add(&figure, title, CLI_CHART_MARKED, colors[t], x, p,
                         NULL, STATES);
        free(row);
        free(title);
    }
    return paper_figure_draw(&figure, run);
}

/* Density of the noisy copy at (t,t,t,t). */
static double smoothed(const double *law, double t, double eta)
{
    double zero = pow(cosh(t / (2 * eta)), -2) / (4 * eta);
    double one = pow(cosh((t - 1) / (2 * eta)), -2) / (4 * eta);
    double sum = 0;

    for (int s = 0; s < STATES; s++) {
        int ones = __builtin_popcount((unsigned)s);

        sum += law[s] * pow(one, ones) * pow(zero, BITS - ones);
    }
    return sum;
}

static int draw_smoothed(paper_run *run, const double *law)
{
    enum {
        NODES = 81
    };
    paper_figure figure = {
        .name = "bernoulli-smoothed",
        .title = "Smoothed targets",
        .caption = "Density of the noisy copy along the line from 0000 (t = 0) "
                   "to 1111 (t = 1), divided by its largest value there.",
        .x = {.label = "t"},
        .y = {.label = "density, relative",
              .is_log = true,
              .has_low = true,
              .low = 1e-8,
              .has_high = true,
              .high = 2},
    };
    double x[NODES], y[NODES];

    for (int e = 0; e < 4; e++) {
        char *row = cli_text("smoothed_eta_%g", ETAS[e]);
        char *title = cli_text("\u03b7 = %g", ETAS[e]);
        char *plain = cli_text("eta = %g", ETAS[e]);
        double top = 0, dip = INFINITY;

        for (int i = 0; i < NODES; i++) {
            x[i] = -0.5 + 2.0 * i / (NODES - 1);
            y[i] = smoothed(law, x[i], ETAS[e]);
            top = fmax(top, y[i]);
            if (x[i] >= 0 && x[i] <= 1)
                dip = fmin(dip, y[i]);
        }
        for (int i = 0; i < NODES; i++)
            y[i] /= top;
        paper_put_exact(run, row, "dip", dip / smoothed(law, 1, ETAS[e]));
        paper_put_title(run, row, plain);
        paper_figure_add(&figure, title, CLI_CHART_LINE, (paper_color)e, x, y,
                         NULL, NODES);
        free(row);
        free(title);
        free(plain);
    }
    return paper_figure_draw(&figure, run);
}

static const paper_plot plots[] = {
    {.name = "bernoulli-log-mae",
     .title = "log MAE against samples",
     .caption =
         "Mean over repetitions of 10 chains, band of one standard error; the "
         "paper's settings.",
     .from = 0,
     .to = PAPERS,
     .metric = PAPER_LOG_MAE},
    {.name = "bernoulli-runtime",
     .title = "log MAE against run time",
     .caption =
         "The same curves; processor seconds of 10 chains on one thread of "
         "the machine that made this report.",
     .from = 0,
     .to = PAPERS,
     .metric = PAPER_LOG_MAE,
     .in_seconds = true},
    {.name = "bernoulli-coverage",
     .title = "Coverage against samples",
     .caption =
         "Share of the 16 states visited, the initial state not counted.",
     .from = 0,
     .to = PAPERS,
     .metric = PAPER_COVERAGE},
    {.name = "bernoulli-coverage-runtime",
     .title = "Coverage against run time",
     .caption = "The same curves against processor seconds.",
     .from = 0,
     .to = PAPERS,
     .metric = PAPER_COVERAGE,
     .in_seconds = true},
    {.name = "bernoulli-tuned",
     .title = "log MAE with every sampler tuned",
     .caption =
         "Step sizes, ladder and schedule tuned by a pilot; HiSS with L=0 "
         "spends its evaluations on jumps alone.",
     .from = PAPERS,
     .to = COUNT,
     .metric = PAPER_LOG_MAE},
    {0},
};

static int run_rows(paper_run *run, const paper_small *small,
                    paper_trace *traces, double *scales)
{
    int code = CLI_DONE;

    for (int r = 0; r < COUNT && code == CLI_DONE; r++) {
        paper_mean seconds;

        code = paper_small_row(small, run, &rows[r], &traces[r]);
        if (code == CLI_DONE)
            code = paper_small_time(run, &rows[r], &seconds);
        if (code == CLI_DONE)
            scales[r] = seconds.mean / paper_run_size(run)->samples;
    }
    return code;
}

static int run_bernoulli(paper_run *run)
{
    paper_trace traces[COUNT] = {0}, floor = {0};
    double scales[COUNT];
    paper_small small;
    int code = paper_small_init(&small, MODEL, POINTS);

    paper_pace_plan(run->pace, paper_rows_work(rows));
    if (code == CLI_DONE)
        code = run_rows(run, &small, traces, scales);
    if (code == CLI_DONE) {
        paper_small_exact(&small, run, "independent", "Independent draws",
                          &floor);
        paper_put_printed(run, "hiss", "jump_acceptance", 0.136);
        code = draw_target(run, small.law);
    }
    if (code == CLI_DONE)
        code = paper_small_draw(run, plots, rows, traces, scales, &floor);
    if (code == CLI_DONE)
        code = draw_tempered(run, small.law);
    if (code == CLI_DONE)
        code = draw_smoothed(run, small.law);
    for (int r = 0; r < COUNT; r++)
        paper_trace_clear(&traces[r]);
    paper_trace_clear(&floor);
    paper_small_clear(&small);
    return code;
}

const paper_experiment paper_experiment_bernoulli = {
    .name = "bernoulli",
    .title = "Four-dimensional joint Bernoulli",
    .about = "10 chains of 1000 samples per repetition, started from random "
             "states, without warm-up unless something is tuned. Baselines "
             "take 10 steps per sample, HiSS G = 5 sweeps of L = 2 refinement "
             "steps with eta = 4; alpha = 0.2 throughout. PT is the correct "
             "algorithm (persistent replicas, tempered targets) on the paper's "
             "temperatures 1, 10, ..., 10000; GWG has nothing to tune.",
    .seconds = {110, 45},
    .rows = rows,
    .size = {{10, 1000, 1000}, {10, 400, 1000}},
    .revision = 2,
    .run = run_bernoulli,
};
