/* small.h - rows on models small enough that their law is known. */
#ifndef HISS_PAPER_EXPERIMENTS_SMALL_H
#define HISS_PAPER_EXPERIMENTS_SMALL_H

#include "paper/support/run.h"

typedef struct paper_small {
    double *law;    /* owned, [states] */
    double *pooled; /* owned, [states]: shares of all draws of the last row */
    int dim, states;
    int points; /* points of the traces: samples for every one of them */
} paper_small;

int paper_small_init(paper_small *small, const char *model, int points);
void paper_small_clear(paper_small *small);

/* Draws a row, puts log_mae, tvd, coverage and the acceptances, and leaves the
 * curves in trace (to be cleared by the caller, also after a failure). */
int paper_small_row(const paper_small *small, paper_run *run,
                    const paper_row *row, paper_trace *trace);

/* The same with independent exact draws: the floor of every sampler. */
void paper_small_exact(const paper_small *small, paper_run *run,
                       const char *row, const char *title, paper_trace *trace);

/* Measures and puts `seconds`, processor time of one repetition on one thread.
 * After paper_small_row, whose evaluations it takes over. */
int paper_small_time(paper_run *run, const paper_row *row, paper_mean *seconds);

/* A figure: a metric of the rows [from, to), and of independent draws, against
 * samples per chain, or of the rows alone against processor seconds. */
typedef struct paper_plot {
    const char *name, *title, *caption;
    int from, to;
    paper_metric metric;
    bool in_seconds;
} paper_plot;

/* plots: up to one without a name; seconds: of one sample, by row; floor: of
 * independent draws. */
int paper_small_draw(paper_run *run, const paper_plot *plots,
                     const paper_row *rows, const paper_trace *traces,
                     const double *seconds, const paper_trace *floor);

#endif
