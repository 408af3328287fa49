/* exact.h - ground truth, where it is available. */
#ifndef HISS_EXACT_H
#define HISS_EXACT_H

#include <hiss/status.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct hiss_model hiss_model;
typedef struct hiss_exact hiss_exact;

/** Cost of exact answers; the library allocates it. */
typedef struct hiss_exact_cost {
    size_t size; /* of what the library knows */
    const char *method;
    const char *order;  /* of elimination; NULL: enumeration */
    double seconds;     /* on one thread, roughly */
    double bytes;       /* of memory that elimination needs */
    double largest;     /* entries of its largest table */
    double bytes_limit; /* what it may need */
} hiss_exact_cost;

/** How to find exact answers. */
typedef struct hiss_exact_settings {
    size_t size; /* sizeof(hiss_exact_settings) */
    int threads; /* 0: all processors; changes nothing but the time */
    /* Called once, before the work begins, with what it will take; not 0 stops
     * it: HISS_ESTOP.  May be NULL. */
    int (*begin)(void *context, const hiss_exact_cost *cost);
    void *context;
    /* Called about ten times a second while the work goes on, from any thread
     * but from one at a time; not 0 stops it: HISS_ESTOP.  May be NULL. */
    int (*poll)(void *context);
    int quick; /* HISS_ESTOP at once if it might take more than some seconds */
    /* Called as poll is, with the share of counting that is done, 0 to 1; not
     * 0 stops it.  May be NULL. */
    int (*progress)(void *context, double share);
    /* Where exact answers would take too much: estimates from weighted
     * independent draws, with errors (hiss_exact_is_nearly). */
    int nearly;
} hiss_exact_settings;

/** Writes the defaults into a struct of `size` bytes; what callers use is
 * hiss_exact_settings_init. */
HISS_API void hiss_exact_settings_defaults(hiss_exact_settings *settings,
                                           size_t size);
/** The defaults: every field, and the size. */
#define hiss_exact_settings_init(settings)                                     \
  hiss_exact_settings_defaults((settings), sizeof *(settings))

/** log Z, marginals and the most probable states, by the method that promises
 * to be the cheapest: enumeration of every state, up to about 2^26 of them;
 * elimination of one coordinate after the other, for models that are sums of
 * small tables; or counting, for tables with zeros.  HISS_ELIMIT when there are
 * too many states to enumerate and no tables, HISS_ENOMEM when elimination or
 * counting needs more than a quarter of the machine's memory. */
HISS_API hiss_status hiss_exact_create(hiss_exact **out,
                                       const hiss_model *model, int threads,
                                       hiss_error *err);

/** As hiss_exact_create, saying beforehand what it will take. */
HISS_API hiss_status hiss_exact_solve(hiss_exact **out, const hiss_model *model,
                                      const hiss_exact_settings *settings,
                                      hiss_error *err);
/** Estimates the cost of hiss_exact_solve in milliseconds, from an order of
 * elimination that is nearly as good. seconds are on so many threads (0: all
 * processors). 0 (false) if it would take more than ten minutes or more memory
 * than allowed, or if the model is too large to estimate. */
HISS_API int hiss_exact_estimate(const hiss_model *model, int threads,
                                 hiss_exact_cost *out);
/** Exact answers, if they take no more than some seconds; else *out is NULL,
 * and that is no failure. */
HISS_API hiss_status hiss_exact_quick(hiss_exact **out, const hiss_model *model,
                                      int threads, hiss_error *err);

/** Frees it; NULL is fine. */
HISS_API void hiss_exact_destroy(hiss_exact *exact);

/** Whether the answers are estimates from weighted independent draws of a
 * truncated tensor network: of a call with settings.nearly.  Then the most
 * probable state is the best one that was drawn. */
HISS_API int hiss_exact_is_nearly(const hiss_exact *exact);
/** Number of weighted draws behind nearly exact answers; 0 where answers are
 * exact. */
HISS_API double hiss_exact_draws(const hiss_exact *exact);
/** Number of independent draws of the model that these are worth; 0 where
 * answers are exact. */
HISS_API double hiss_exact_effective(const hiss_exact *exact);
/** Standard error of log Z; 0 where answers are exact. */
HISS_API double hiss_exact_log_z_se(const hiss_exact *exact);
/** Standard error of the mean of U; 0 where answers are exact. */
HISS_API double hiss_exact_mean_u_se(const hiss_exact *exact);
/** Those of hiss_exact_marginal; NULL where answers are exact. */
HISS_API const double *hiss_exact_marginal_se(const hiss_exact *exact,
                                              int coordinate);

/** ln of the sum of exp(U) over all states. */
HISS_API double hiss_exact_log_z(const hiss_exact *exact);
/** How many states there are. */
HISS_API double hiss_exact_states(const hiss_exact *exact);
/** U of the most probable state. */
HISS_API double hiss_exact_max_u(const hiss_exact *exact);
/** How long it took. */
HISS_API double hiss_exact_seconds(const hiss_exact *exact);
/** The number of possible states in decimal digits, borrowed; NULL unless the
 * model is a sum of tables and all possible states are equally probable, or
 * where elimination was used. */
HISS_API const char *hiss_exact_count(const hiss_exact *exact);
/** "enumeration", "elimination" or "counting". */
HISS_API const char *hiss_exact_method(const hiss_exact *exact);
/** The order of elimination that was used, or NULL. */
HISS_API const char *hiss_exact_order(const hiss_exact *exact);
/** Probability of each index of a coordinate, [states]; borrowed. */
HISS_API const double *hiss_exact_marginal(const hiss_exact *exact,
                                           int coordinate);
/** The mean of U. */
HISS_API double hiss_exact_mean_u(const hiss_exact *exact);
/** The most probable states by number (0 = best): values and probability,
 * either of which may be NULL; 0 (false) past the last one kept.  Elimination
 * and counting keep one. */
HISS_API int hiss_exact_top(const hiss_exact *exact, int number, double *state,
                            double *probability);
/** The marginals as a .MAR file of the UAI competitions; model is the one that
 * the answers belong to.  Appears under its name only when it is whole; an
 * existing file is HISS_EARG unless replace. */
HISS_API hiss_status hiss_exact_write_mar(const hiss_exact *exact,
                                          const hiss_model *model,
                                          const char *path, int replace,
                                          hiss_error *err);

#ifdef __cplusplus
}
#endif
#endif
