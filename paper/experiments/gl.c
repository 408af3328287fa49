/* gl.c - sweeps against refinement steps: all factor pairs of G L = 50 on the
 * 3 x 3 Ising model, TVD against samples and against run time.
 *
 * The paper does not state alpha and eta of this study; alpha = 0.2 and
 * eta = 4 are those of its Ising experiment. */
#include <stdlib.h>

#include "paper/experiments/small.h"
#include "paper/support/figure.h"

#define MODEL "cross(side=3,diagonal=kept)"
#define PAIR(g, l)                                                             \
  {                                                                            \
    "g" #g "_l" #l, "G = " #g ", L = " #l, MODEL,                              \
        "hiss(eta=4,sweeps=" #g ",steps=" #l ",inner=dmala(alpha=0.2))", 1,    \
        50 + g, 0                                                              \
  }

static const paper_row rows[] = {
    PAIR(1, 50), PAIR(2, 25), PAIR(5, 10), PAIR(10, 5),
    PAIR(25, 2), PAIR(50, 1), {0},
};

enum {
    COUNT = sizeof rows / sizeof *rows - 1,
    POINTS = 70
};

static int draw(paper_run *run, const char *name, const char *title,
                const char *caption, const paper_trace *traces,
                const double *scales)
{
    paper_figure figure = {
        .name = name,
        .title = title,
        .caption = caption,
        .x = {.label = scales ? "processor seconds" : "samples per chain",
              .is_log = true},
        .y = {.label = "TVD"},
    };

    for (int r = 0; r < COUNT; r++)
        paper_figure_add_trace(&figure, rows[r].title, CLI_CHART_LINE,
                               (paper_color)r, &traces[r], PAPER_TVD,
                               scales ? scales[r] : 1);
    return paper_figure_draw(&figure, run);
}

static int run_gl(paper_run *run)
{
    paper_trace traces[COUNT] = {0};
    double scales[COUNT] = {0};
    paper_small small;
    int code = paper_small_init(&small, MODEL, POINTS);

    paper_pace_plan(run->pace, paper_rows_work(rows));
    for (int r = 0; r < COUNT && code == CLI_DONE; r++) {
        paper_mean seconds;

        code = paper_small_row(&small, run, &rows[r], &traces[r]);
        if (code == CLI_DONE)
            code = paper_small_time(run, &rows[r], &seconds);
        if (code == CLI_DONE)
            scales[r] = seconds.mean / paper_run_size(run)->samples;
    }
    if (code == CLI_DONE)
        code = draw(run, "gl-samples", "TVD against samples",
                    "More sweeps, more jumps, lower error per sample.", traces,
                    NULL);
    if (code == CLI_DONE)
        code =
            draw(run, "gl-runtime", "TVD against run time",
                 "Processor seconds of 5 chains on one thread of the machine "
                 "that made this report.",
                 traces, scales);
    for (int r = 0; r < COUNT; r++)
        paper_trace_clear(&traces[r]);
    paper_small_clear(&small);
    return code;
}

const paper_experiment paper_experiment_gl = {
    .name = "gl",
    .title = "Sweeps against refinement steps",
    .about = "All factor pairs of G L = 50 on the 3 x 3 Ising model, 5 chains "
             "of 2500 samples per repetition. The paper states neither alpha "
             "nor eta of this study: alpha = 0.2 and eta = 4 here.",
    .seconds = {13, 3},
    .rows = rows,
    .size = {{5, 100, 2500}, {5, 20, 2500}},
    .revision = 2,
    .run = run_gl,
};
