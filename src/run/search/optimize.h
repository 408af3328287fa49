/* optimize.h - searches for the best states of a model.
 *
 * Batches of sixteen restarts (anneal.h) are numbered, begun in order, spread
 * over the threads, and their results taken in order.  Unless the restarts are
 * counted, every second batch is bred, and the number of steps doubles every
 * PER_ROUND batches, so short and long anneals are both tried for any budget.
 * Each outcome is combined with the best state so far, component by component
 * (recombine.h).
 *
 * A budget of evaluations or restarts fixes the result for a seed: neither
 * threads nor the clock matter.  With a time limit the last batches are made to
 * fit into the time that is left. */
#ifndef HS_RUN_SEARCH_OPTIMIZE_H
#define HS_RUN_SEARCH_OPTIMIZE_H

#include <stdbool.h>
#include <stdint.h>

#include <hiss/run.h>
#include <hiss/status.h>

#include "kernel/sampler.h"
#include "model/model.h"
#include "run/search/solutions.h"

#define HS_ROWS_MAX 128

typedef struct hs_search {
    const hs_sampler *kernel; /* borrowed */
    double goal;              /* U to reach; infinity for none */
    double time_limit;        /* seconds; 0 for none */
    double evals;             /* 0 for no limit */
    int64_t restarts;         /* 0: as many as the budget allows */
    int64_t sweeps;           /* steps of a restart; 0: chosen automatically */
    double hot, cold;         /* NaN: from the model's energies */
    bool breeds;              /* some batches combine their lanes */
    uint64_t seed;
    int threads;
    const char *device; /* as in hiss_settings */
    int top;            /* number of solutions to keep */
    int (*progress)(void *context, const hiss_progress *progress);
    void *context;
} hs_search;

/* Statistics of restarts of one kind and length. */
typedef struct hs_search_row {
    bool is_bred;     /* counted by the batch, because its lanes are not
                         independent */
    int64_t sweeps;   /* steps */
    int64_t restarts; /* or batches */
    int64_t hits;     /* number that reached the goal or, without one, the best
                         U */
    double evals;     /* evaluations of all of them */
} hs_search_row;

typedef struct hs_optimum {
    hs_solutions solutions; /* owned; at least one */
    hs_search_row row[HS_ROWS_MAX];
    int rows;
    double hot, cold;
    double seconds;
    double best_seconds; /* time when the best state was found */
    double evals;
    int64_t restarts;
    bool is_hit;
    hiss_ended ended;
    char *device; /* owned: the device, and the reason for it */
} hs_optimum;

/* The settings must be checked already.  On failure *out is empty. */
hiss_status hs_optimize(hs_optimum *out, const hs_model *m,
                        const hs_search *search, hiss_error *err);
void hs_optimum_clear(hs_optimum *o);

/* Tolerance within which U counts as equal to u: sums in another order differ
 * by less. */
double hs_optimum_tolerance(double u);

#endif
