/* experiment.h - what an experiment of the paper is: a name, a table of rows
 * and a function.
 *
 * A row is a sampler on a model.  Chains are independent, so the repetitions
 * of a row are one long call of the sampler whose chains are grouped: chain c
 * belongs to repetition c / chains. */
#ifndef HISS_PAPER_SUPPORT_EXPERIMENT_H
#define HISS_PAPER_SUPPORT_EXPERIMENT_H

#include <stdbool.h>
#include <stdint.h>

#include "paper/support/data.h"

typedef struct paper_run paper_run;

typedef struct paper_row {
    const char *name;    /* row of results.json; NULL ends a table */
    const char *title;   /* in figures and tables */
    const char *model;   /* spec */
    const char *sampler; /* spec */
    int thin;            /* steps per kept sample */
    int work;            /* evaluations of U per kept sample: progress only */
    int64_t warmup;      /* steps, for rows that tune */
} paper_row;

typedef struct paper_size {
    int chains; /* chains of one repetition */
    int repetitions;
    int samples; /* per chain */
} paper_size;

enum {
    PAPER_FULL,
    PAPER_QUICK,
    PAPER_CARD, /* at the paper's own scale, on a card */
    PAPER_MODES
};

typedef struct paper_experiment {
    const char *name;
    const char *title;
    const char *about;           /* settings in words, for the report */
    double seconds[PAPER_MODES]; /* rough, shares of the progress bar */
    const paper_row *rows;       /* NULL: none */
    paper_size size[PAPER_MODES];
    int revision; /* raised when the code changes what comes out */
    /* CLI_DONE, or the exit code of a message that was printed. */
    int (*run)(paper_run *run);
    const paper_file *files; /* data that it needs; NULL: none */
    bool has_card;           /* PAPER_CARD can be asked for */
} paper_experiment;

/* In the order in which they run and are reported. */
#define PAPER_EXPERIMENT_LIST(X)                                               \
  X(bernoulli)                                                                 \
  X(ablation)                                                                  \
  X(ising)                                                                     \
  X(gl)                                                                        \
  X(critical)                                                                  \
  X(bnn)                                                                       \
  X(prior)                                                                     \
  X(tsp)                                                                       \
  X(evaluations)                                                               \
  X(kernels)                                                                   \
  X(theory)

#define PAPER_EXPERIMENT_EXTERN(name)                                          \
  extern const paper_experiment paper_experiment_##name;
PAPER_EXPERIMENT_LIST(PAPER_EXPERIMENT_EXTERN)
#undef PAPER_EXPERIMENT_EXTERN

/* All of them, ended by NULL. */
extern const paper_experiment *const paper_experiments[];

const paper_experiment *paper_experiment_find(const char *name);

/* Changes whenever a row, a size, the revision, the seed, the mode or the
 * version of hiss does; free() it. */
char *paper_experiment_print(const paper_experiment *experiment, int mode,
                             uint64_t seed);

/* The part that cannot be run, and how to get its file; free() it.  NULL: all
 * can be. */
char *paper_experiment_left_out(const paper_experiment *experiment);

#endif
