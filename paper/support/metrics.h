/* metrics.h - how far samples are from a law that is known: arrays in,
 * numbers out.
 *
 * With p the law over S states and n the counts of N draws of one chain:
 *     log MAE   ln (1/S) sum_s |p_s - n_s/N|
 *     TVD       1/2 sum_s |p_s - n_s/N|
 *     coverage  share of the S states that were visited
 * The initial state is no draw.  A number is reported as the mean over the
 * chains of a repetition, then as mean and standard error over repetitions. */
#ifndef HISS_PAPER_SUPPORT_METRICS_H
#define HISS_PAPER_SUPPORT_METRICS_H

typedef enum paper_metric {
    PAPER_LOG_MAE,
    PAPER_TVD,
    PAPER_COVERAGE,
    PAPER_METRICS
} paper_metric;

typedef struct paper_mean {
    double mean;
    double std; /* n - 1; NaN for a single value */
    double se;  /* std / sqrt(count) */
    int count;
} paper_mean;

paper_mean paper_mean_of(const double *values, int count);

/* The metrics along the chains, at chosen numbers of draws. */
typedef struct paper_trace {
    int points;
    int *at; /* owned, rising: metrics are taken after so many draws */
    int repetitions;
    int group;                    /* chains per repetition */
    double *value[PAPER_METRICS]; /* owned, [point][repetition] */
} paper_trace;

/* points = draws: after every draw; fewer: at a geometric sequence. */
void paper_trace_init(paper_trace *trace, int draws, int points,
                      int repetitions, int group);
void paper_trace_clear(paper_trace *trace);

/* Adds a chain to its repetition: states visited[0 .. draws), draws being the
 * last entry of trace->at. */
void paper_trace_add(paper_trace *trace, int repetition, const int *visited,
                     const double *law, int states);

/* Over repetitions, at one point; point -1 is the last. */
paper_mean paper_trace_at(const paper_trace *trace, paper_metric metric,
                          int point);

/* Over repetitions, of the average (or standard deviation) along the curve. */
paper_mean paper_trace_average(const paper_trace *trace, paper_metric metric);
paper_mean paper_trace_spread(const paper_trace *trace, paper_metric metric);

/* Over repetitions, of the first entry of at[] from which on the curve stays at
 * or above the level; NaN when one of them never does. */
paper_mean paper_trace_arrival(const paper_trace *trace, paper_metric metric,
                               double level);

#endif
