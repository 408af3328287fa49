/* pace.c - where the whole run stands. */
#include "paper/support/pace.h"

#include <stdio.h>
#include <sys/resource.h>
#include <time.h>

#include "cli/print/interrupt.h"

double paper_clock(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static double seconds_of(const struct timeval *t)
{
    return (double)t->tv_sec + 1e-6 * (double)t->tv_usec;
}

double paper_cpu(void)
{
    static const int whose[] = {RUSAGE_SELF, RUSAGE_CHILDREN};
    double sum = 0;

    for (int i = 0; i < 2; i++) {
        struct rusage used;

        if (getrusage(whose[i], &used) == 0)
            sum += seconds_of(&used.ru_utime) + seconds_of(&used.ru_stime);
    }
    return sum;
}

void paper_pace_begin(paper_pace *pace, double total, bool is_quiet)
{
    *pace = (paper_pace){.start = paper_clock(), .total = total, .plan = 1};
    snprintf(pace->label, sizeof pace->label, "reproducing");
    cli_progress_begin(&pace->progress, pace->label, is_quiet);
}

void paper_pace_end(paper_pace *pace)
{
    cli_progress_end(&pace->progress);
}

void paper_pace_experiment(paper_pace *pace, double seconds)
{
    pace->before += pace->seconds;
    pace->seconds = seconds;
    pace->plan = 1;
    pace->done = pace->part = 0;
}

void paper_pace_plan(paper_pace *pace, double work)
{
    pace->plan = work > 0 ? work : 1;
}

void paper_pace_part(paper_pace *pace, const char *experiment, const char *what,
                     double work)
{
    pace->done += pace->part;
    pace->part = work;
    pace->evals += pace->now_evals;
    pace->now_evals = 0;
    snprintf(pace->label, sizeof pace->label, "%s: %s", experiment, what);
}

int paper_pace_show(paper_pace *pace, double fraction)
{
    double inside = (pace->done + fraction * pace->part) / pace->plan;
    hiss_progress whole = {
        .size = sizeof whole,
        .seconds = paper_clock() - pace->start,
        .evaluations = pace->evals + pace->now_evals,
    };

    inside = inside < 1 ? inside : 1;
    if (pace->total > 0)
        whole.fraction = (pace->before + inside * pace->seconds) / pace->total;
    return cli_progress_show(&pace->progress, &whole);
}

int paper_pace_progress(void *context, const hiss_progress *now)
{
    paper_pace *pace = context;

    pace->now_evals = now->evaluations;
    return paper_pace_show(pace, now->fraction);
}
