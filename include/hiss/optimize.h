/* optimize.h - the best states of a model: settings and result.
 *
 * The method is restarts of simulated annealing, sixteen at a time, with
 * temperatures from the model's own energies.  With a budget of evaluations or
 * restarts the result depends on (seed, model, settings) alone. */
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
    /* The kernel to be cooled, or the whole method,
     * anneal(base=gibbs,sweeps=0,hot=auto,cold=auto,breed=yes); NULL chooses
     * one for the model. */
    const char *sampler;
    const double *target; /* objective to reach, or NULL */
    double time_limit;    /* seconds, 0 for none */
    double evals;         /* evaluations, 0 for no limit */
    int64_t restarts;     /* number of independent restarts, whether the target
                             is reached or not; 0: until it is reached or the
                             budget ends */
    uint64_t seed;        /* 1 */
    int threads;          /* 0 for all processors */
    int top;              /* distinct solutions to store, 10 */
    /* See hiss_settings; hiss_progress.best is the best U so far. */
    int (*progress)(void *context, const hiss_progress *progress);
    void *context;
    const char *device; /* see hiss_settings: a GPU can cool gibbs and
                           metropolis, with the same outcome */
} hiss_optimize_settings;

/** Statistics of a search. */
typedef struct hiss_search_info {
    size_t size;      /* sizeof(hiss_search_info) */
    double objective; /* of the best state, see hiss_model_objective */
    double u;
    int is_minimised; /* whether a smaller objective is better */
    int has_target, target_hit;
    double target;
    double seconds;
    double best_seconds; /* time when the best state was found */
    double evals;
    int64_t restarts;
    int solutions; /* kept */
    int rows;
    double hot, cold; /* beta at the start and at the end of an anneal */
    uint64_t seed;
    int threads;
    hiss_ended ended;
    const char *sampler; /* the method, with every default; borrowed */
    const char *device;  /* device of the steps; borrowed */
} hiss_search_info;

/** Statistics of restarts of one length. */
typedef struct hiss_search_row {
    size_t size;      /* sizeof(hiss_search_row) */
    int is_bred;      /* batches whose restarts were combined */
    int64_t sweeps;   /* steps of the kernel */
    int64_t restarts; /* or batches */
    int64_t hits;     /* number that reached the target or, without one, the
                         best U */
    double evals;     /* evaluations of each */
    /* Evaluations to reach the target with probability 0.99, and their 95 %
     * interval; infinite if no restart reached it. */
    double tts, tts_low, tts_high;
} hiss_search_row;

/** Writes the defaults into a struct of `size` bytes; callers use
 * hiss_optimize_settings_init. */
HISS_API void hiss_optimize_settings_defaults(hiss_optimize_settings *settings,
                                              size_t size);
/** Sets every field to its default, and the size. */
#define hiss_optimize_settings_init(settings)                                  \
  hiss_optimize_settings_defaults((settings), sizeof *(settings))

/** Searches for the best states.  Also HISS_OK if the target was not reached or
 * the search was stopped. */
HISS_API hiss_status hiss_optimize(hiss_optimum **out, const hiss_model *model,
                                   const hiss_optimize_settings *settings,
                                   hiss_error *err);
/** Frees it; NULL is allowed. */
HISS_API void hiss_optimum_destroy(hiss_optimum *optimum);

/** Reads the statistics of the search; 0 (false) without one. */
HISS_API int hiss_optimum_info(const hiss_optimum *optimum,
                               hiss_search_info *out);
/** Distinct states, the best first, by number; values [dim], u and hits may be
 * NULL; 0 (false) past the last.  If U(x) = U(-x) in a model of two values, x
 * and -x count as one. */
HISS_API int hiss_optimum_solution(const hiss_optimum *optimum, int number,
                                   double *values, double *u, int64_t *hits);
/** Rows by number; 0 (false) past the last. */
HISS_API int hiss_optimum_row(const hiss_optimum *optimum, int number,
                              hiss_search_row *out);

/** Writes the best state as a line of values, after the lines of the header
 * (NULL: none) as comments.  If the name ends with .tour, writes a tour like
 * TSPLIB.  The file appears under its name only when it is complete; an
 * existing one is HISS_EARG unless replace. */
HISS_API hiss_status hiss_optimum_write(const hiss_optimum *optimum,
                                        const char *path, const char *header,
                                        int replace, hiss_error *err);

#ifdef __cplusplus
}
#endif
#endif
