/* pace.h - one progress bar over all experiments.
 *
 * Shares of the bar come from rough seconds per experiment and, inside of one,
 * from the planned work of its parts. */
#ifndef HISS_PAPER_SUPPORT_PACE_H
#define HISS_PAPER_SUPPORT_PACE_H

#include <stdbool.h>

#include "cli/print/progress.h"

enum {
    PAPER_LABEL = 80
};

typedef struct paper_pace {
    cli_progress progress;
    char label[PAPER_LABEL];
    double start;     /* clock at the beginning */
    double total;     /* seconds planned for all experiments */
    double before;    /* of them, those of finished experiments */
    double seconds;   /* seconds of the current one */
    double plan;      /* its work in units of its own */
    double done;      /* finished part of the plan */
    double part;      /* work of the current part */
    double evals;     /* evaluations of finished samplings */
    double now_evals; /* evaluations of the current one */
} paper_pace;

/* A clock that only runs forward, in seconds. */
double paper_clock(void);
/* Processor seconds of this process and its children so far: what a run costs,
 * however busy the machine is. */
double paper_cpu(void);

void paper_pace_begin(paper_pace *pace, double total, bool is_quiet);
void paper_pace_end(paper_pace *pace);

void paper_pace_experiment(paper_pace *pace, double seconds);
/* The work of all parts of the current experiment. */
void paper_pace_plan(paper_pace *pace, double work);
void paper_pace_part(paper_pace *pace, const char *experiment, const char *what,
                     double work);

/* Shows the bar; not 0 when a signal asks to stop. */
int paper_pace_show(paper_pace *pace, double fraction);
/* The same as a callback of hiss_settings and hiss_verify_settings. */
int paper_pace_progress(void *pace, const hiss_progress *now);

#endif
