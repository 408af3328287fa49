/* ablation.c - what each part of HiSS does, on the law of four bits: the
 * kernel, the Metropolis step of the jump, the scale eta, the refinement and
 * the kernel that refines.
 *
 * hiss_default and hiss_learned are HiSS as it comes, at the evaluations of the
 * paper's setting: a step costs about two.
 *
 * The Gaussian of the paper, sigma^2 = 0.9, is eta = 3 here (bridge.h).  At
 * eta = 6.9247 it flips bits as often as the logistic kernel at eta = 4. */
#include <stdlib.h>
#include <string.h>

#include "paper/experiments/bridge.h"
#include "paper/experiments/small.h"
#include "paper/support/figure.h"

#define MODEL "bernoulli4"
#define REST  "sweeps=5,steps=2,inner=dmala(alpha=0.2)"
#define INNER(name, title, inner)                                              \
  {                                                                            \
    "inner_" name, "refined by " title, MODEL,                                 \
        "hiss(eta=4,sweeps=5,steps=2,inner=" inner ")", 1, 15, 0               \
  }
#define SWEEP(eta)                                                             \
  {                                                                            \
    "eta_" #eta, "eta = " #eta, MODEL, "hiss(eta=" #eta "," REST ")", 1, 15, 0 \
  }

static const paper_row rows[] = {
    {"hiss", "HiSS", MODEL, "hiss(eta=4," REST ")", 1, 15, 0},
    {"hiss_gaussian", "Gaussian kernel", MODEL,
     "hiss(eta=3,kernel=gaussian," REST ")", 1, 15, 0},
    {"hiss_gaussian_equal_rho", "Gaussian kernel, same flips", MODEL,
     "hiss(eta=6.9247,kernel=gaussian," REST ")", 1, 15, 0},
    {"hiss_no_mh", "no Metropolis step", MODEL,
     "hiss(eta=4,adjust=no," REST ")", 1, 15, 0},
    {"hiss_l0", "L=0, G=25", MODEL, "hiss(eta=4,sweeps=25,steps=0)", 1, 25, 0},
    {"hiss_l0_same_g", "L=0, G=5", MODEL, "hiss(eta=4,sweeps=5,steps=0)", 1, 5,
     0},
    INNER("gwg", "GWG", "gwg"),
    INNER("acs", "ACS", "acs(tune=no,alpha=0.2,cycle=4,hold=10)"),
    INNER("dula", "DULA", "dula(alpha=0.2)"),
    INNER("gibbs", "Gibbs", "gibbs"),
    {"hiss_default", "HiSS, own defaults", MODEL, "hiss", 7, 15, 400},
    {"hiss_learned", "HiSS, learned noise", MODEL, "hiss(kernel=learned)", 7,
     15, 400},
    SWEEP(0.01),
    SWEEP(0.02),
    SWEEP(0.05),
    SWEEP(0.08),
    SWEEP(0.1),
    SWEEP(0.2),
    SWEEP(0.5),
    SWEEP(0.8),
    SWEEP(1),
    SWEEP(2),
    SWEEP(4),
    SWEEP(5),
    SWEEP(8),
    SWEEP(10),
    {0},
};

enum {
    HISS,
    GAUSSIAN,
    EQUAL_RHO,
    NO_MH,
    L0,
    L0_SAME_G,
    INNER_FROM,
    SWEEPS_FROM = INNER_FROM + 6,
    COUNT = sizeof rows / sizeof *rows - 1,
    SWEEPS = COUNT - SWEEPS_FROM
};

/* The paper's figure of the acceptance; NaN: not in it. */
static const double PRINTED[SWEEPS] = {1,    1,    1,    .99, .965, .643, .216,
                                       .162, .154, .143, NAN, .136, .135, .134};

/* The number behind eta= in a spec. */
static double eta_of(const paper_row *row)
{
    return strtod(strstr(row->sampler, "eta=") + strlen("eta="), NULL);
}

static double rho_of(const paper_row *row)
{
    return paper_bridge_rho(strstr(row->sampler, "kernel=gaussian")
                                ? PAPER_GAUSSIAN
                                : PAPER_LOGISTIC,
                            eta_of(row));
}

static void put_average(paper_run *run, const paper_row *row,
                        const char *metric, paper_mean mean)
{
    paper_value value = PAPER_VALUE(mean.mean);

    value.se = mean.se;
    value.std = mean.std;
    value.repetitions = mean.count;
    paper_put(run, row->name, metric, value);
    paper_put_spent(run, row->name, metric);
}

static void put_more(paper_run *run, const paper_row *row,
                     const paper_small *small, const paper_trace *trace)
{
    double rho;

    put_average(run, row, "log_mae_average",
                paper_trace_average(trace, PAPER_LOG_MAE));
    put_average(run, row, "log_mae_spread",
                paper_trace_spread(trace, PAPER_LOG_MAE));
    put_average(run, row, "coverage_average",
                paper_trace_average(trace, PAPER_COVERAGE));
    if (!strstr(row->sampler, "eta="))
        return; /* many scales */
    rho = rho_of(row);
    paper_put_exact(run, row->name, "flip_probability", rho);
    if (!strstr(row->sampler, "adjust=no"))
        paper_put_exact(run, row->name, "jump_acceptance_exact",
                        paper_bridge_acceptance(small->law, small->dim, rho));
}

static void put_printed(paper_run *run)
{
    for (int s = 0; s < SWEEPS; s++)
        paper_put_printed(run, rows[SWEEPS_FROM + s].name, "jump_acceptance",
                          PRINTED[s]);
    paper_put_printed(run, "hiss", "jump_acceptance", 0.136);
    paper_put_printed(run, "hiss_gaussian", "jump_acceptance", 0.144);
}

/* Processor seconds of a run; the log MAE of the refined row once it has run
 * for as long as jumps alone take. */
static int put_times(paper_run *run, const paper_trace *traces, double *scales)
{
    static const int timed[] = {HISS, NO_MH, L0, L0_SAME_G};
    double seconds[COUNT] = {0};
    int code = CLI_DONE, samples = paper_run_size(run)->samples, at = 0;

    for (int i = 0; i < 4 && code == CLI_DONE; i++) {
        paper_mean mean;

        code = paper_small_time(run, &rows[timed[i]], &mean);
        seconds[timed[i]] = mean.mean;
        scales[timed[i]] = mean.mean / samples;
    }
    if (code != CLI_DONE)
        return code;
    while (at < traces[HISS].points - 1 &&
           traces[HISS].at[at + 1] * scales[HISS] <= seconds[L0_SAME_G])
        at++;
    put_average(run, &rows[HISS], "log_mae_in_the_seconds_of_l0",
                paper_trace_at(&traces[HISS], PAPER_LOG_MAE, at));
    return code;
}

/* Curves of some rows against samples, or against evaluations. */
static int draw_curves(paper_run *run, paper_figure figure,
                       const paper_trace *traces, const int *which, int count,
                       paper_metric metric, bool by_evaluations)
{
    static const paper_color colors[] = {PAPER_BLUE, PAPER_ORANGE, PAPER_GREEN};

    figure.x =
        (cli_chart_axis){.label = by_evaluations ? "evaluations of U per chain"
                                                 : "samples per chain",
                         .is_log = true};
    figure.y.label = metric == PAPER_COVERAGE ? "coverage" : "log MAE";
    for (int i = 0; i < count; i++)
        paper_figure_add_trace(&figure, rows[which[i]].title, CLI_CHART_LINE,
                               colors[i], &traces[which[i]], metric,
                               by_evaluations ? (double)rows[which[i]].work
                                              : 1);
    return paper_figure_draw(&figure, run);
}

static int draw_parts(paper_run *run, const paper_trace *traces)
{
    static const int kernels[] = {HISS, GAUSSIAN, EQUAL_RHO};
    static const int steps[] = {HISS, NO_MH};
    static const int refined[] = {HISS, L0, L0_SAME_G};
    int code = draw_curves(
        run,
        (paper_figure){.name = "ablation-kernel",
                       .title = "Logistic against Gaussian kernel",
                       .caption = "On bits a kernel acts only through how "
                                  "often it flips them: the three curves "
                                  "coincide.",
                       .is_nested = true},
        traces, kernels, 3, PAPER_LOG_MAE, false);

    if (code == CLI_DONE)
        code = draw_curves(
            run,
            (paper_figure){.name = "ablation-kernel-coverage",
                           .title = "Coverage of the two kernels",
                           .caption = "Share of the 16 states visited; the "
                                      "three curves coincide.",
                           .is_nested = true},
            traces, kernels, 3, PAPER_COVERAGE, false);
    if (code == CLI_DONE)
        code = draw_curves(
            run,
            (paper_figure){.name = "ablation-no-mh",
                           .title = "With and without the Metropolis step",
                           .caption = "Without it the law of the samples is "
                                      "another one, so the error does not "
                                      "fall."},
            traces, steps, 2, PAPER_LOG_MAE, false);
    if (code == CLI_DONE)
        code = draw_curves(
            run,
            (paper_figure){.name = "ablation-no-mh-coverage",
                           .title = "Coverage without the Metropolis step",
                           .caption = "Every jump is taken, so all 16 states "
                                      "are soon visited."},
            traces, steps, 2, PAPER_COVERAGE, false);
    if (code == CLI_DONE)
        code = draw_curves(
            run,
            (paper_figure){.name = "ablation-refinement",
                           .title = "With and without refinement",
                           .caption = "At equal evaluations of U the jumps "
                                      "alone are better on this target."},
            traces, refined, 3, PAPER_LOG_MAE, true);
    return code;
}

static void sweep_of(const paper_trace *traces, paper_metric metric,
                     bool is_average, double *x, double *y, double *se)
{
    for (int s = 0; s < SWEEPS; s++) {
        const paper_trace *trace = &traces[SWEEPS_FROM + s];
        paper_mean mean = is_average ? paper_trace_average(trace, metric)
                                     : paper_trace_at(trace, metric, -1);

        x[s] = eta_of(&rows[SWEEPS_FROM + s]);
        y[s] = mean.mean;
        se[s] = mean.se;
    }
}

static int draw_sweep(paper_run *run, const paper_trace *traces,
                      paper_metric metric, const char *name, const char *title)
{
    paper_figure figure = {
        .name = name,
        .title = title,
        .caption = "After 1000 samples, and averaged along the run as in the "
                   "paper.",
        .x = {.label = "\u03b7", .is_log = true},
        .y = {.label = metric == PAPER_COVERAGE ? "coverage" : "log MAE"},
    };
    double x[SWEEPS], y[SWEEPS], se[SWEEPS];

    sweep_of(traces, metric, false, x, y, se);
    paper_figure_add(&figure, "at the end", CLI_CHART_MARKED, PAPER_BLUE, x, y,
                     se, SWEEPS);
    sweep_of(traces, metric, true, x, y, se);
    paper_figure_add(&figure, "along the run", CLI_CHART_MARKED, PAPER_ORANGE,
                     x, y, se, SWEEPS);
    return paper_figure_draw(&figure, run);
}

static int draw_acceptance(paper_run *run, const paper_small *small)
{
    enum {
        NODES = 60
    };
    static const cli_chart_tick ticks[] = {{0.12, "0.12"}, {0.15, "0.15"},
                                           {0.2, "0.2"},   {0.3, "0.3"},
                                           {0.5, "0.5"},   {1, "1"}};
    paper_figure figure = {
        .name = "ablation-eta-acceptance",
        .title = "Acceptance of the jump against eta",
        .caption = "The line is exact; the paper's points lie above it, as the "
                   "exchanged denoise terms of its released code predict.",
        .x = {.label = "\u03b7", .is_log = true},
        .y = {.label = "acceptance of the jump",
              .is_log = true,
              .has_low = true,
              .low = 0.11,
              .has_high = true,
              .high = 1.1,
              .ticks = ticks,
              .tick_count = 6},
    };
    double x[NODES], y[NODES];

    for (int i = 0; i < NODES; i++) {
        x[i] = 0.01 * pow(1000, (double)i / (NODES - 1));
        y[i] = paper_bridge_acceptance(small->law, small->dim,
                                       paper_bridge_rho(PAPER_LOGISTIC, x[i]));
    }
    paper_figure_add(&figure, "exact", CLI_CHART_LINE, PAPER_GRAY, x, y, NULL,
                     NODES);
    for (int s = 0; s < SWEEPS; s++) {
        const json_t *metric = json_object_get(
            json_object_get(run->rows, rows[SWEEPS_FROM + s].name),
            "jump_acceptance");

        x[s] = eta_of(&rows[SWEEPS_FROM + s]);
        y[s] = json_number_value(json_object_get(metric, "mean"));
    }
    paper_figure_add(&figure, "measured", CLI_CHART_POINTS, PAPER_BLUE, x, y,
                     NULL, SWEEPS);
    paper_figure_add(&figure, "paper", CLI_CHART_OPEN, PAPER_BROWN, x, PRINTED,
                     NULL, SWEEPS);
    return paper_figure_draw(&figure, run);
}

/* Against processor seconds: the printed ablations in run time. */
static int draw_times(paper_run *run, const paper_trace *traces,
                      const double *scales)
{
    static const int shown[] = {HISS, NO_MH, L0, L0_SAME_G};
    static const paper_color colors[] = {PAPER_BLUE, PAPER_VIOLET, PAPER_ORANGE,
                                         PAPER_GREEN};
    paper_figure figure = {
        .name = "ablation-runtime",
        .title = "Run time of the ablations",
        .caption = "Processor seconds of 10 chains on one thread of the "
                   "machine that made this report.",
        .x = {.label = "processor seconds", .is_log = true},
        .y = {.label = "log MAE"},
    };

    for (int i = 0; i < 4; i++)
        paper_figure_add_trace(&figure, rows[shown[i]].title, CLI_CHART_LINE,
                               colors[i], &traces[shown[i]], PAPER_LOG_MAE,
                               scales[shown[i]]);
    return paper_figure_draw(&figure, run);
}

static int draw_inner(paper_run *run, const paper_trace *traces)
{
    static const paper_color colors[] = {PAPER_BLUE,   PAPER_GREEN,
                                         PAPER_VIOLET, PAPER_BROWN,
                                         PAPER_INDIGO, PAPER_ORANGE};
    paper_figure figure = {
        .name = "ablation-inner",
        .title = "Kernels that refine, and noise that is learned",
        .caption = "About 15 evaluations to a sample in every row.",
        .x = {.label = "samples per chain", .is_log = true},
        .y = {.label = "log MAE"},
    };

    paper_figure_add_trace(&figure, "refined by DMALA", CLI_CHART_LINE,
                           PAPER_GRAY, &traces[HISS], PAPER_LOG_MAE, 1);
    for (int r = INNER_FROM; r < SWEEPS_FROM; r++)
        paper_figure_add_trace(&figure, rows[r].title, CLI_CHART_LINE,
                               colors[r - INNER_FROM], &traces[r],
                               PAPER_LOG_MAE, 1);
    return paper_figure_draw(&figure, run);
}

static int draw_all(paper_run *run, const paper_small *small,
                    const paper_trace *traces, const double *scales)
{
    int code = draw_parts(run, traces);

    if (code == CLI_DONE)
        code = draw_times(run, traces, scales);
    if (code == CLI_DONE)
        code = draw_inner(run, traces);

    if (code == CLI_DONE)
        code = draw_sweep(run, traces, PAPER_LOG_MAE, "ablation-eta-log-mae",
                          "log MAE against eta");
    if (code == CLI_DONE)
        code = draw_acceptance(run, small);
    if (code == CLI_DONE)
        code = draw_sweep(run, traces, PAPER_COVERAGE, "ablation-eta-coverage",
                          "Coverage against eta");
    return code;
}

static int run_ablation(paper_run *run)
{
    paper_trace traces[COUNT] = {0};
    paper_small small;
    double scales[COUNT] = {0};
    int code = paper_small_init(&small, MODEL, paper_run_size(run)->samples);

    paper_pace_plan(run->pace, paper_rows_work(rows));
    for (int r = 0; r < COUNT && code == CLI_DONE; r++) {
        code = paper_small_row(&small, run, &rows[r], &traces[r]);
        if (code == CLI_DONE)
            put_more(run, &rows[r], &small, &traces[r]);
    }
    if (code == CLI_DONE)
        code = put_times(run, traces, scales);
    if (code == CLI_DONE) {
        put_printed(run);
        code = draw_all(run, &small, traces, scales);
    }
    for (int r = 0; r < COUNT; r++)
        paper_trace_clear(&traces[r]);
    paper_small_clear(&small);
    return code;
}

const paper_experiment paper_experiment_ablation = {
    .name = "ablation",
    .title = "Ablations on the joint Bernoulli",
    .about = "The setting of the first experiment with one part changed at a "
             "time: the kernel, the Metropolis step, eta, and the refinement. "
             "The paper's curves over eta are averages along the run, start "
             "included; the value at the end stands beside them.",
    .seconds = {22, 6},
    .rows = rows,
    .size = {{10, 400, 1000}, {10, 100, 1000}},
    .revision = 3,
    .run = run_ablation,
};
