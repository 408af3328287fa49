/* exact.h - exact answers, if they are available. */
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
    size_t size; /* known to the library */
    const char *method;
    const char *order;  /* order of elimination; NULL for enumeration */
    double seconds;     /* on one thread, roughly */
    double bytes;       /* bytes of memory that elimination needs */
    double largest;     /* entries of its largest table */
    double bytes_limit; /* the most that it may use */
} hiss_exact_cost;

/** Settings of exact answers. */
typedef struct hiss_exact_settings {
    size_t size; /* sizeof(hiss_exact_settings) */
    int threads; /* 0 for all processors; affects only the time */
    /* Called once, before the work begins, with its cost; a nonzero return
     * stops it: HISS_ESTOP.  May be NULL. */
    int (*begin)(void *context, const hiss_exact_cost *cost);
    void *context;
    /* Called about ten times a second during the work, from any thread but only
     * one at a time; a nonzero return stops it: HISS_ESTOP.  May be NULL. */
    int (*poll)(void *context);
    int quick; /* HISS_ESTOP at once if it might take more than a few seconds */
    /* Called like poll, with the finished share of counting, 0 to 1; a nonzero
     * return stops it.  May be NULL. */
    int (*progress)(void *context, double share);
    /* If exact answers would take too much: estimates from weighted independent
     * draws, with errors (hiss_exact_is_nearly). */
    int nearly;
} hiss_exact_settings;

/** Writes the defaults into a struct of `size` bytes; callers use
 * hiss_exact_settings_init. */
HISS_API void hiss_exact_settings_defaults(hiss_exact_settings *settings,
                                           size_t size);
/** Sets every field to its default, and the size. */
#define hiss_exact_settings_init(settings)                                     \
  hiss_exact_settings_defaults((settings), sizeof *(settings))

/** Computes log Z, marginals and the most probable states, by the method with
 * the smallest estimated cost: enumeration of every state, up to about 2^26 of
 * them; elimination of one coordinate after the other, for models that are sums
 * of small tables; or counting, for tables with zeros.  HISS_ELIMIT if there
 * are too many states to enumerate and no tables, HISS_ENOMEM if elimination or
 * counting needs more than a quarter of the machine's memory. */
HISS_API hiss_status hiss_exact_create(hiss_exact **out,
                                       const hiss_model *model, int threads,
                                       hiss_error *err);

/** Like hiss_exact_create, but reports the cost beforehand. */
HISS_API hiss_status hiss_exact_solve(hiss_exact **out, const hiss_model *model,
                                      const hiss_exact_settings *settings,
                                      hiss_error *err);
/** Estimates the cost of hiss_exact_solve in milliseconds, from an order of
 * elimination that is nearly as good.  seconds assume this many threads (0 for
 * all processors).  0 (false) if it would take more than ten minutes or more
 * memory than allowed, or if the model is too large to estimate. */
HISS_API int hiss_exact_estimate(const hiss_model *model, int threads,
                                 hiss_exact_cost *out);
/** Computes exact answers if they take only some seconds; else *out is NULL,
 * without a failure. */
HISS_API hiss_status hiss_exact_quick(hiss_exact **out, const hiss_model *model,
                                      int threads, hiss_error *err);

/** Frees it; NULL is allowed. */
HISS_API void hiss_exact_destroy(hiss_exact *exact);

/** Whether the answers are estimates from weighted independent draws of a
 * truncated tensor network (settings.nearly).  The most probable state is then
 * the best one that was drawn. */
HISS_API int hiss_exact_is_nearly(const hiss_exact *exact);
/** Number of weighted draws behind nearly exact answers; 0 if answers are
 * exact. */
HISS_API double hiss_exact_draws(const hiss_exact *exact);
/** Effective number of independent draws; 0 if answers are exact. */
HISS_API double hiss_exact_effective(const hiss_exact *exact);
/** Standard error of log Z; 0 if answers are exact. */
HISS_API double hiss_exact_log_z_se(const hiss_exact *exact);
/** Standard error of the mean of U; 0 if answers are exact. */
HISS_API double hiss_exact_mean_u_se(const hiss_exact *exact);
/** Standard errors of hiss_exact_marginal; NULL if answers are exact. */
HISS_API const double *hiss_exact_marginal_se(const hiss_exact *exact,
                                              int coordinate);

/** ln of the sum of exp(U) over all states. */
HISS_API double hiss_exact_log_z(const hiss_exact *exact);
/** The number of states. */
HISS_API double hiss_exact_states(const hiss_exact *exact);
/** U of the most probable state. */
HISS_API double hiss_exact_max_u(const hiss_exact *exact);
/** The time that it took. */
HISS_API double hiss_exact_seconds(const hiss_exact *exact);
/** The number of possible states in decimal digits, borrowed; NULL unless the
 * model is a sum of tables and all possible states are equally probable, and
 * after elimination. */
HISS_API const char *hiss_exact_count(const hiss_exact *exact);
/** "enumeration", "elimination" or "counting". */
HISS_API const char *hiss_exact_method(const hiss_exact *exact);
/** The order of elimination, or NULL. */
HISS_API const char *hiss_exact_order(const hiss_exact *exact);
/** Probability of each index of a coordinate, [states]; borrowed. */
HISS_API const double *hiss_exact_marginal(const hiss_exact *exact,
                                           int coordinate);
/** The mean of U. */
HISS_API double hiss_exact_mean_u(const hiss_exact *exact);
/** The most probable states by number (0 is the best): values and probability,
 * either of which may be NULL; 0 (false) past the last.  Elimination and
 * counting have one. */
HISS_API int hiss_exact_top(const hiss_exact *exact, int number, double *state,
                            double *probability);
/** Writes the marginals as a .MAR file of the UAI competitions; model is the
 * one that the answers belong to.  The file appears under its name only when it
 * is complete; an existing file is HISS_EARG unless replace. */
HISS_API hiss_status hiss_exact_write_mar(const hiss_exact *exact,
                                          const hiss_model *model,
                                          const char *path, int replace,
                                          hiss_error *err);

#ifdef __cplusplus
}
#endif
#endif
