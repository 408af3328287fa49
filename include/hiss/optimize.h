/* optimize.h - the best states of a model: settings and result.
 *
 * Restarts of simulated annealing, sixteen at a time, whose temperatures come
 * from the model's own energies.  With a budget of evaluations or restarts the
 * result depends on (seed, model, settings) alone. */
#ifndef HISS_OPTIMIZE_H
#define HISS_OPTIMIZE_H

#include <stdint.h>

#include <hiss/run.h>
#include <hiss/status.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct hiss_optimum hiss_optimum;

/** How to search. */
typedef struct hiss_optimize_settings {
    size_t size; /* sizeof(hiss_optimize_settings) */
    /* The kernel whose temperature falls, or the whole method,
     *     anneal(base=gibbs,sweeps=0,hot=auto,cold=auto,breed=yes);
     * NULL: what suits the model. */
    const char *sampler;
    const double *target; /* objective to reach, or NULL */
    double time_limit;    /* seconds, 0: none */
    double evals;         /* evaluations, 0: no limit */
    int64_t restarts;     /* so many, independent of each other and whether the
                             target is reached or not; 0: until it is reached or
                             the budget ends */
    uint64_t seed;        /* 1 */
    int threads;          /* 0: all processors */
    int top;              /* distinct solutions to keep, 10 */
    /* As in hiss_settings; hiss_progress.best is the best U so far. */
    int (*progress)(void *context, const hiss_progress *progress);
    void *context;
    const char *device; /* as in hiss_settings: gibbs and metropolis can be
                           cooled on a GPU, with the same outcome */
} hiss_optimize_settings;

/** A search in numbers. */
typedef struct hiss_search_info {
    size_t size;      /* sizeof(hiss_search_info) */
    double objective; /* of the best state, as hiss_model_objective has it */
    double u;
    int is_minimised; /* the smaller objective is the better one */
    int has_target, target_hit;
    double target;
    double seconds;
    double best_seconds; /* after which the best state was known */
    double evals;
    int64_t restarts;
    int solutions; /* kept */
    int rows;
    double hot, cold; /* beta at the start and at the end of an anneal */
    uint64_t seed;
    int threads;
    hiss_ended ended;
    const char *sampler; /* the method, every default written out; borrowed */
    const char *device;  /* who made the steps; borrowed */
} hiss_search_info;

/** Restarts of one length. */
typedef struct hiss_search_row {
    size_t size;      /* sizeof(hiss_search_row) */
    int is_bred;      /* batches of restarts that were put together */
    int64_t sweeps;   /* steps of the kernel */
    int64_t restarts; /* or batches */
    int64_t hits;     /* reached the target or, without one, the best U */
    double evals;     /* of each */
    /* Evaluations after which the target is reached with probability 0.99,
     * and their 95 % interval; infinite where nothing was hit. */
    double tts, tts_low, tts_high;
} hiss_search_row;

/** Writes the defaults into a struct of `size` bytes; what callers use is
 * hiss_optimize_settings_init. */
HISS_API void hiss_optimize_settings_defaults(hiss_optimize_settings *settings,
                                              size_t size);
/** The defaults: every field, and the size. */
#define hiss_optimize_settings_init(settings)                                  \
  hiss_optimize_settings_defaults((settings), sizeof *(settings))

/** Searches for the best states.  HISS_OK also when the target was not reached,
 * or the search was stopped. */
HISS_API hiss_status hiss_optimize(hiss_optimum **out, const hiss_model *model,
                                   const hiss_optimize_settings *settings,
                                   hiss_error *err);
/** Frees it; NULL is fine. */
HISS_API void hiss_optimum_destroy(hiss_optimum *optimum);

/** The search in numbers; 0 (false) without one. */
HISS_API int hiss_optimum_info(const hiss_optimum *optimum,
                               hiss_search_info *out);
/** Distinct states, the best first, by number; values [dim] and u and hits may
 * be NULL; 0 (false) past the last.  Where U(x) = U(-x) in a model of two
 * values, x and -x count as one. */
HISS_API int hiss_optimum_solution(const hiss_optimum *optimum, int number,
                                   double *values, double *u, int64_t *hits);
/** Rows by number; 0 (false) past the last. */
HISS_API int hiss_optimum_row(const hiss_optimum *optimum, int number,
                              hiss_search_row *out);

/** Writes the best state as a line of values, after lines of the header (NULL:
 * none) as comments; a tour, where the name ends with .tour, as TSPLIB does.
 * The file appears under its name only when it is whole; an existing one is
 * HISS_EARG unless replace. */
HISS_API hiss_status hiss_optimum_write(const hiss_optimum *optimum,
                                        const char *path, const char *header,
                                        int replace, hiss_error *err);

#ifdef __cplusplus
}
#endif
#endif
