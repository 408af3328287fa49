/* metrics.c - log MAE, TVD and coverage of chains, at the end and on the way.
 *
 * Counts are updated draw by draw and the metrics are taken at the points, so
 * a chain costs O(draws + points * states). */
#include "paper/support/metrics.h"

#include <hiss/compare.h>

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "cli/print/fail.h"

paper_mean paper_mean_of(const double *values, int count)
{
    paper_mean m = {NAN, NAN, NAN, count};
    double squares = 0;

    if (count < 1)
        return m;
    m.mean = 0;
    for (int i = 0; i < count; i++)
        m.mean += values[i] / count;
    if (count < 2)
        return m;
    for (int i = 0; i < count; i++)
        squares += (values[i] - m.mean) * (values[i] - m.mean);
    m.std = sqrt(squares / (count - 1));
    m.se = m.std / sqrt(count);
    return m;
}

static double coverage(const int64_t *counts, int states)
{
    int seen = 0;

    for (int s = 0; s < states; s++)
        seen += counts[s] > 0;
    return (double)seen / states;
}

/* 1, 2, 3, ... while the steps of the sequence are below one draw. */
static int spread_points(int *at, int draws, int points)
{
    int used = 0, last = 0;

    for (int p = 0; p < points; p++) {
        double share = points > 1 ? (double)p / (points - 1) : 1;
        int next = (int)lround(pow(draws, share));

        next = next > last ? next : last + 1;
        if (next > draws)
            break;
        at[used++] = last = next;
    }
    if (last < draws) /* cannot be: the last step lands on draws */
        at[used - 1] = draws;
    return used;
}

void paper_trace_init(paper_trace *trace, int draws, int points,
                      int repetitions, int group)
{
    points = points > draws ? draws : points;
    *trace = (paper_trace){.repetitions = repetitions, .group = group};
    trace->at = cli_alloc((size_t)points, sizeof *trace->at);
    trace->points = spread_points(trace->at, draws, points);
    for (int m = 0; m < PAPER_METRICS; m++)
        trace->value[m] = cli_alloc((size_t)trace->points * repetitions,
                                    sizeof *trace->value[m]);
}

void paper_trace_clear(paper_trace *trace)
{
    free(trace->at);
    for (int m = 0; m < PAPER_METRICS; m++)
        free(trace->value[m]);
    *trace = (paper_trace){0};
}

void paper_trace_add(paper_trace *trace, int repetition, const int *visited,
                     const double *law, int states)
{
    int64_t *counts = cli_alloc((size_t)states, sizeof *counts);
    int t = 0;

    for (int p = 0; p < trace->points; p++) {
        size_t place = (size_t)p * trace->repetitions + repetition;
        double tvd;

        for (; t < trace->at[p]; t++)
            counts[visited[t]]++;
        tvd = hiss_tvd(counts, law, states);
        trace->value[PAPER_LOG_MAE][place] +=
            log(2 * tvd / states) / trace->group;
        trace->value[PAPER_TVD][place] += tvd / trace->group;
        trace->value[PAPER_COVERAGE][place] +=
            coverage(counts, states) / trace->group;
    }
    free(counts);
}

paper_mean paper_trace_at(const paper_trace *trace, paper_metric metric,
                          int point)
{
    size_t row = (size_t)(point < 0 ? trace->points - 1 : point);

    return paper_mean_of(trace->value[metric] + row * trace->repetitions,
                         trace->repetitions);
}

/* The points of one repetition, as mean or standard deviation (n). */
static double along(const paper_trace *trace, paper_metric metric,
                    int repetition, bool is_spread)
{
    double sum = 0, squares = 0;

    for (int p = 0; p < trace->points; p++) {
        double v =
            trace->value[metric][(size_t)p * trace->repetitions + repetition];

        sum += v / trace->points;
        squares += v * v / trace->points;
    }
    return is_spread ? sqrt(fmax(squares - sum * sum, 0)) : sum;
}

static paper_mean over_time(const paper_trace *trace, paper_metric metric,
                            bool is_spread)
{
    double *each = cli_alloc((size_t)trace->repetitions, sizeof *each);
    paper_mean mean;

    for (int r = 0; r < trace->repetitions; r++)
        each[r] = along(trace, metric, r, is_spread);
    mean = paper_mean_of(each, trace->repetitions);
    free(each);
    return mean;
}

paper_mean paper_trace_average(const paper_trace *trace, paper_metric metric)
{
    return over_time(trace, metric, false);
}

paper_mean paper_trace_spread(const paper_trace *trace, paper_metric metric)
{
    return over_time(trace, metric, true);
}

/* The first entry of at[] from which on the curve of a repetition stays at or
 * above the level; NaN: none. */
static double first_from(const paper_trace *trace, paper_metric metric,
                         int repetition, double level)
{
    double first = NAN;

    for (int p = trace->points - 1; p >= 0; p--) {
        size_t place = (size_t)p * trace->repetitions + repetition;

        if (trace->value[metric][place] < level)
            break;
        first = trace->at[p];
    }
    return first;
}

paper_mean paper_trace_arrival(const paper_trace *trace, paper_metric metric,
                               double level)
{
    double *each = cli_alloc((size_t)trace->repetitions, sizeof *each);
    paper_mean mean;

    for (int r = 0; r < trace->repetitions; r++)
        each[r] = first_from(trace, metric, r, level);
    mean = paper_mean_of(each, trace->repetitions);
    free(each);
    return mean;
}
