/* hiss.h - sampling multimodal discrete distributions.
 *
 *     hiss_model *model;      what to sample: U = ln of the probability
 *     hiss_sampler *sampler;  how, from a spec such as
 *                             "pt(base=hiss(eta=4,inner=dmala(alpha=0.2)))"
 *     hiss_result *result;    draws, counts and diagnostics
 *
 * Objects are opaque.  Who creates destroys; destroy(NULL) is fine.  Functions
 * that can fail return a hiss_status and take a hiss_error last, which may be
 * NULL.  The library never prints and never ends the process.
 *
 * NULL is an argument where a comment says so.  Where it is not, and for a
 * number that is out of range, a function that returns a status fails with
 * HISS_EARG (HISS_ELIMIT for one that is too large), its outputs NULL.  Other
 * functions return 0, NULL or NaN, by their type, unless a comment says
 * otherwise; structs that they fill are all zero, arrays stay what they were.
 *
 * Draws depend on (seed, chain, model, sampler, settings) and on nothing else:
 * not on threads or ranks and not on the number of other chains. */
#ifndef HISS_HISS_H
#define HISS_HISS_H

#include <stddef.h>
#include <stdint.h>

#include <hiss/diagnose.h>
#include <hiss/format.h>
#include <hiss/kind.h>
#include <hiss/model.h>
#include <hiss/network.h>
#include <hiss/optimize.h>
#include <hiss/ranks.h>
#include <hiss/result.h>
#include <hiss/run.h>
#include <hiss/status.h>
#include <hiss/trust.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct hiss_model hiss_model;
typedef struct hiss_sampler hiss_sampler;
typedef struct hiss_result hiss_result;
typedef struct hiss_exact hiss_exact;
typedef struct hiss_verdict hiss_verdict;

HISS_API const char *hiss_version(void);

/** Instruction set of the inner loops: "avx512", "avx2" or "base". */
HISS_API const char *hiss_isa(void);

/* --- what there is ------------------------------------------------------ */

typedef struct hiss_option_info {
    const char *name;
    const char *type;     /* "real", "real|auto", "integer", ... */
    const char *standard; /* default as text; NULL: must be given */
    const char *range;    /* NULL when any value will do */
    const char *help;
} hiss_option_info;

typedef struct hiss_type_info {
    const char *name;
    const char *summary;
    int options;
} hiss_type_info;

/** Samplers and models by number, 0 ... until 0 (false) is returned. */
HISS_API int hiss_sampler_info(int number, hiss_type_info *out);
HISS_API int hiss_sampler_option(int number, int option, hiss_option_info *out);
HISS_API int hiss_model_info(int number, hiss_type_info *out);
HISS_API int hiss_model_option(int number, int option, hiss_option_info *out);

/* --- models ------------------------------------------------------------- */

/** From a built-in spec such as "ising(side=8,beta=0.4)" or "table(FILE)". */
HISS_API hiss_status hiss_model_create(hiss_model **out, const char *spec,
                                       hiss_error *err);
HISS_API void hiss_model_destroy(hiss_model *model);

/** Ising: U = 1/2 s'Js + h's, s in {-1,+1}.  J is dim x dim, row by row, and
 * is symmetrised; its diagonal is a constant.  h may be NULL.  Copied. */
HISS_API hiss_status hiss_model_ising(hiss_model **out, int dim,
                                      const double *j, const double *h,
                                      hiss_error *err);
/** The same with the entries (row[e], column[e], value[e]) of J; entries of
 * one pair, in either order, are summed: give each bond once with its full
 * coupling, U = sum_<ij> value s_i s_j + h's.  h may be NULL. */
HISS_API hiss_status hiss_model_ising_sparse(hiss_model **out, int dim,
                                             int64_t entries, const int *row,
                                             const int *column,
                                             const double *value,
                                             const double *h, hiss_error *err);
/** QUBO: U = x'Qx, x in {0,1}; the diagonal is linear.  Copied. */
HISS_API hiss_status hiss_model_qubo(hiss_model **out, int dim, const double *q,
                                     hiss_error *err);

/** Conditions the model, in place, on a UAI evidence file: `k v_1 x_1 ...`,
 * coordinates and states counted from 0; or on a text such as "3=1,x.7=-1",
 * coordinates counted from 1, and their values.  A fixed coordinate keeps its
 * number and has one state.  HISS_EINFEASIBLE if that is seen to have
 * probability 0.  On failure the model is as it was. */
HISS_API hiss_status hiss_model_evidence(hiss_model *model, const char *path,
                                         hiss_error *err);
HISS_API hiss_status hiss_model_fix(hiss_model *model, const char *text,
                                    hiss_error *err);
/** Which of the states that it had before it was fixed at, -1 if it is free
 * or there is no such coordinate. */
HISS_API int hiss_model_fixed(const hiss_model *model, int coordinate);

HISS_API const char *hiss_model_name(const hiss_model *model);
/** Something the user should know (a table was normalised), or NULL. */
HISS_API const char *hiss_model_note(const hiss_model *model);
/** In which precision it is computed and why, in words.  Free with
 *  hiss_free. */
HISS_API char *hiss_model_precision(const hiss_model *model);
HISS_API int hiss_model_dim(const hiss_model *model);
/** HISS_BINARY, with 0 states, where there is no such coordinate. */
HISS_API hiss_kind hiss_model_kind(const hiss_model *model, int coordinate);
HISS_API int hiss_model_states(const hiss_model *model, int coordinate);
HISS_API double hiss_model_value(const hiss_model *model, int coordinate,
                                 int index);
/** U of a state given by its values (labels for categorical coordinates). */
HISS_API hiss_status hiss_model_energy(const hiss_model *model,
                                       const double *state, double *u,
                                       hiss_error *err);
/** Never NULL. */
HISS_API const char *hiss_kind_name(hiss_kind kind);

/* --- samplers ----------------------------------------------------------- */

HISS_API hiss_status hiss_sampler_create(hiss_sampler **out, const char *spec,
                                         hiss_error *err);
HISS_API void hiss_sampler_destroy(hiss_sampler *sampler);
/** The spec with every default written out. */
HISS_API const char *hiss_sampler_spec(const hiss_sampler *sampler);
/** Properties of the built tree: does it keep the law? detailed balance? */
HISS_API int hiss_sampler_is_exact(const hiss_sampler *sampler);
HISS_API int hiss_sampler_is_reversible(const hiss_sampler *sampler);
HISS_API int hiss_sampler_replicas(const hiss_sampler *sampler);
/** The tree in words, one kernel per line, indented.  Free with hiss_free. */
HISS_API char *hiss_sampler_explain(const hiss_sampler *sampler);
HISS_API void hiss_free(void *text);

/* --- sampling ----------------------------------------------------------- */

HISS_API void hiss_settings_init(hiss_settings *settings);

/** Runs all chains.  HISS_OK also when the run was stopped or a budget ended
 * it (hiss_result_ended says which), as long as there is a result.  Of a run
 * that ranks share, rank 0 alone gets it. */
HISS_API hiss_status hiss_sample(hiss_result **out, const hiss_model *model,
                                 const hiss_sampler *sampler,
                                 const hiss_settings *settings,
                                 hiss_error *err);
HISS_API void hiss_result_destroy(hiss_result *result);
/** The text that a checkpoint was given; free it with hiss_free. */
HISS_API hiss_status hiss_checkpoint_text(const char *path, char **text,
                                          hiss_error *err);

HISS_API void hiss_result_info(const hiss_result *result, hiss_run_info *out);
/** Values as [chain][draw][coordinate], of info.element; borrowed. */
HISS_API const void *hiss_result_draws(const hiss_result *result);
/** U as [chain][draw]; borrowed. */
HISS_API const double *hiss_result_lp(const hiss_result *result);
/** Values of one draw as doubles, [dim]. */
HISS_API void hiss_result_draw(const hiss_result *result, int chain,
                               int64_t draw, double *values);

/** Acceptance of each kernel in the kept part, by number; 0 at the end. */
HISS_API int hiss_result_acceptance(const hiss_result *result, int number,
                                    const char **name, double *rate);
/** What was tuned, as text ("dmala: alpha=0.31"), or NULL. */
HISS_API const char *hiss_result_tuning(const hiss_result *result);

/** Something that went wrong beside the draws (a checkpoint could not be
 * written), or NULL. */
HISS_API const char *hiss_result_warning(const hiss_result *result);

/** What parallel tempering found; 0 (false) if there were no levels. */
HISS_API int hiss_result_tempering(const hiss_result *result,
                                   hiss_tempering *out);
/** The sampler that was run, with what a pilot found written out. */
HISS_API const char *hiss_result_resolved(const hiss_result *result);
/** What the pilot found and decided, a line each, or NULL without a pilot. */
HISS_API const char *hiss_result_pilot(const hiss_result *result);

/* --- ground truth ------------------------------------------------------- */

/** log Z, marginals and the most probable states, by the method that promises
 * to be the cheapest: enumeration of every state, up to about 2^26 of them, or
 * elimination of one coordinate after the other, for models that are sums of
 * small tables.  HISS_ELIMIT when there are too many states to enumerate and
 * no tables, HISS_ENOMEM when elimination needs more than a quarter of the
 * machine's memory. */
HISS_API hiss_status hiss_exact_create(hiss_exact **out,
                                       const hiss_model *model, int threads,
                                       hiss_error *err);

typedef struct hiss_exact_cost {
    const char *method;
    const char *order;  /* of elimination; NULL: enumeration */
    double seconds;     /* on one thread, roughly */
    double bytes;       /* of memory that elimination needs */
    double largest;     /* entries of its largest table */
    double bytes_limit; /* what it may need */
} hiss_exact_cost;

typedef struct hiss_exact_settings {
    int threads; /* 0: all processors; changes nothing but the time */
    /* Called once, before the work begins, with what it will take; not 0 stops
     * it: HISS_ESTOP.  May be NULL. */
    int (*begin)(void *context, const hiss_exact_cost *cost);
    void *context;
    /* Called about ten times a second while the work goes on, from any thread
     * but from one at a time; not 0 stops it: HISS_ESTOP.  May be NULL. */
    int (*poll)(void *context);
    int quick; /* HISS_ESTOP at once if it might take more than some seconds */
} hiss_exact_settings;

/** The same, telling beforehand what it will take. */
HISS_API hiss_status hiss_exact_solve(hiss_exact **out, const hiss_model *model,
                                      const hiss_exact_settings *settings,
                                      hiss_error *err);
HISS_API void hiss_exact_destroy(hiss_exact *exact);
HISS_API double hiss_exact_log_z(const hiss_exact *exact);
HISS_API double hiss_exact_states(const hiss_exact *exact);
HISS_API double hiss_exact_max_u(const hiss_exact *exact);
HISS_API double hiss_exact_seconds(const hiss_exact *exact);
/** "enumeration" or "elimination". */
HISS_API const char *hiss_exact_method(const hiss_exact *exact);
/** The order of elimination that was used, or NULL. */
HISS_API const char *hiss_exact_order(const hiss_exact *exact);
/** Probability of each index of a coordinate, [states]; borrowed. */
HISS_API const double *hiss_exact_marginal(const hiss_exact *exact,
                                           int coordinate);
HISS_API double hiss_exact_mean_u(const hiss_exact *exact);
/** The most probable states by number (0 = best): values and probability,
 * either of which may be NULL; 0 (false) past the last one kept.  Elimination
 * keeps one. */
HISS_API int hiss_exact_top(const hiss_exact *exact, int number, double *state,
                            double *probability);
/** The marginals as a .MAR file of the UAI competitions; model is the one that
 * the answers belong to.  Appears under its name only when it is whole; an
 * existing file is HISS_EARG unless replace. */
HISS_API hiss_status hiss_exact_write_mar(const hiss_exact *exact,
                                          const hiss_model *model,
                                          const char *path, int replace,
                                          hiss_error *err);

/* --- is the law kept? --------------------------------------------------- */

HISS_API void hiss_verify_settings_init(hiss_verify_settings *settings);

/** Draws replicates exactly from the model, applies the sampler, once and then
 * several times in a row, and compares where they end with the law and with
 * where they began (docs/verify.md). */
HISS_API hiss_status hiss_verify(hiss_verdict **out, const hiss_model *model,
                                 const hiss_sampler *sampler,
                                 const hiss_verify_settings *settings,
                                 hiss_error *err);
HISS_API void hiss_verdict_result(const hiss_verdict *verdict,
                                  hiss_verify_result *out);
HISS_API int hiss_verdict_test(const hiss_verdict *verdict, int number,
                               hiss_verify_test *out);
HISS_API void hiss_verdict_destroy(hiss_verdict *verdict);

#ifdef __cplusplus
}
#endif
#endif
