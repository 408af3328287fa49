/* run.h - an experiment under way: it draws, puts numbers and adds figures. */
#ifndef HISS_PAPER_SUPPORT_RUN_H
#define HISS_PAPER_SUPPORT_RUN_H

#include <hiss/hiss.h>

#include <jansson.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>

#include "cli/files/folder.h"
#include "paper/support/experiment.h"
#include "paper/support/metrics.h"
#include "paper/support/pace.h"

struct paper_run {
    const paper_experiment *experiment; /* borrowed, as are the others */
    const cli_folder *folder;
    paper_pace *pace;
    int mode;         /* PAPER_FULL, PAPER_QUICK, PAPER_CARD */
    const char *only; /* the part to be run, or NULL: all */
    bool is_partial;  /* set by an experiment of which there is more to do */
    uint64_t seed;
    int threads;
    const char *device; /* device of runs, as in hiss_settings */
    bool is_forced;     /* nothing found before is to be used */
    json_t *rows;       /* owned: what goes into results.json */
    json_t *titles;     /* owned: {row: title} */
    json_t *figures;    /* owned */
};

void paper_run_init(paper_run *run, const paper_experiment *experiment);
void paper_run_clear(paper_run *run);

const paper_size *paper_run_size(const paper_run *run);

/* --- numbers ------------------------------------------------------------- */

/* NaN becomes null in the file. */
typedef struct paper_value {
    double mean, se, std;
    double repetitions;
    double paper;        /* what the paper prints */
    double evaluations;  /* of U and of its gradient, of one repetition */
    const char *command; /* that recomputes it; NULL: hiss reproduce NAME */
} paper_value;

typedef struct paper_draws paper_draws;

#define PAPER_VALUE(number)                                                    \
  {                                                                            \
    .mean = (number), .se = (double)NAN, .std = (double)NAN, .repetitions = 1, \
    .paper = (double)NAN, .evaluations = (double)NAN                           \
  }

void paper_put(paper_run *run, const char *row, const char *metric,
               paper_value value);
/* With its error; draws, which may be NULL, say what it took and how it was
 * made. */
void paper_put_mean(paper_run *run, const char *row, const char *metric,
                    paper_mean mean, const paper_draws *draws);
/* A number without error: computed, not estimated. */
void paper_put_exact(paper_run *run, const char *row, const char *metric,
                     double value);
/* What the paper prints for a metric that was put before. */
void paper_put_printed(paper_run *run, const char *row, const char *metric,
                       double paper);
/* The evaluations of the row's first metric, for one that follows from it. */
void paper_put_spent(paper_run *run, const char *row, const char *metric);
void paper_put_title(paper_run *run, const char *row, const char *title);

/* --- draws --------------------------------------------------------------- */

struct paper_draws {
    const paper_row *row; /* borrowed */
    hiss_model *model;    /* owned, as are the others */
    hiss_sampler *sampler;
    hiss_result *result;
    hiss_run_info info;
    char *command;      /* the call of hiss sample that makes these draws */
    double evaluations; /* energy and gradient, of one repetition */
};

/* Runs a row at the size of the experiment, under the progress bar.  CLI_DONE,
 * or the code of a message; 128 + n, without one, after a signal. */
int paper_draws_make(paper_draws *draws, paper_run *run, const paper_row *row);
void paper_draws_clear(paper_draws *draws);

/* Processor seconds of one repetition on one thread: mean over a few tries. */
int paper_draws_time(paper_run *run, const paper_row *row, paper_mean *seconds);

/* Work of all rows, for the plan of the progress bar. */
double paper_rows_work(const paper_row *rows);

/* State numbers of a chain on {0,1}^d, the first coordinate most significant;
 * room for info.samples. */
void paper_draws_states(const paper_draws *draws, int chain, int *states);

/* Acceptance of a kernel whose name contains `part`; NaN: no such kernel. */
double paper_draws_acceptance(const paper_draws *draws, const char *part);

/* The law of a binary model, [2^dim], normalized; *dim <= 20. */
int paper_law_make(const char *spec, double **law, int *dim);

/* The command that recomputes an experiment; free() it. */
char *paper_run_command(const paper_run *run);

#endif
