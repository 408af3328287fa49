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
 * Draws depend on (seed, chain, model, sampler, settings) and on nothing else:
 * not on threads and not on the number of other chains. */
#ifndef HISS_HISS_H
#define HISS_HISS_H

#include <stddef.h>
#include <stdint.h>

#include <hiss/kind.h>
#include <hiss/run.h>
#include <hiss/status.h>

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
 * coupling, U = sum_<ij> value s_i s_j + h's. */
HISS_API hiss_status hiss_model_ising_sparse(hiss_model **out, int dim,
                                             int64_t entries, const int *row,
                                             const int *column,
                                             const double *value,
                                             const double *h, hiss_error *err);
/** QUBO: U = x'Qx, x in {0,1}; the diagonal is linear.  Copied. */
HISS_API hiss_status hiss_model_qubo(hiss_model **out, int dim, const double *q,
                                     hiss_error *err);

HISS_API const char *hiss_model_name(const hiss_model *model);
/** Something the user should know (a table was normalised), or NULL. */
HISS_API const char *hiss_model_note(const hiss_model *model);
HISS_API int hiss_model_dim(const hiss_model *model);
HISS_API hiss_kind hiss_model_kind(const hiss_model *model, int coordinate);
HISS_API int hiss_model_states(const hiss_model *model, int coordinate);
HISS_API double hiss_model_value(const hiss_model *model, int coordinate,
                                 int index);
/** U of a state given by its values (labels for categorical coordinates). */
HISS_API hiss_status hiss_model_energy(const hiss_model *model,
                                       const double *state, double *u,
                                       hiss_error *err);
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
 * it (hiss_result_ended says which), as long as there is a result. */
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
/** What was tuned, as text ("alpha=0.31 (0.28 .. 0.33)"), or NULL. */
HISS_API const char *hiss_result_tuning(const hiss_result *result);

/** Something that went wrong beside the draws (a checkpoint could not be
 * written), or NULL. */
HISS_API const char *hiss_result_warning(const hiss_result *result);

/* --- can it be believed? ------------------------------------------------ */

typedef enum hiss_column_state {
    HISS_VARIES,
    HISS_CONSTANT,   /* one value in all chains so far */
    HISS_STUCK,      /* no chain moves, and chains disagree */
    HISS_TOO_SHORT,  /* fewer than 4 draws per chain */
    HISS_NOT_FINITE, /* an infinity among the draws */
} hiss_column_state;

typedef struct hiss_column {
    hiss_column_state state;
    int still; /* chains that never moved */
    double mean, sd, mcse;
    double ess_bulk, ess_tail, rhat; /* NaN unless it varies */
} hiss_column;

/** Of one coordinate's values. */
HISS_API hiss_status hiss_result_coordinate(const hiss_result *result,
                                            int coordinate, hiss_column *out,
                                            hiss_error *err);
/** Of U. */
HISS_API hiss_status hiss_result_energy(const hiss_result *result,
                                        hiss_column *out, hiss_error *err);

/** Ascends draws to their local optima by best single-site moves; modes by
 * falling mass.  exact may be NULL.  At most `most` modes are kept. */
HISS_API hiss_status hiss_result_modes(const hiss_result *result,
                                       const hiss_model *model,
                                       const hiss_exact *exact, int most,
                                       int *count, hiss_mode *modes,
                                       double *states, hiss_error *err);

/* --- writing ------------------------------------------------------------ */

/** Tidy CSV: chain,draw,lp,x.1,...; `header` lines are written as comments.
 * The file appears under its name only when it is whole; an existing one is
 * HISS_EARG unless replace. */
HISS_API hiss_status hiss_result_write_csv(const hiss_result *result,
                                           const char *path, const char *header,
                                           int replace, hiss_error *err);

/* --- ground truth ------------------------------------------------------- */

/** Enumerates every state; HISS_ELIMIT past about 2^26 of them. */
HISS_API hiss_status hiss_exact_create(hiss_exact **out,
                                       const hiss_model *model, int threads,
                                       hiss_error *err);
HISS_API void hiss_exact_destroy(hiss_exact *exact);
HISS_API double hiss_exact_log_z(const hiss_exact *exact);
HISS_API double hiss_exact_states(const hiss_exact *exact);
HISS_API double hiss_exact_max_u(const hiss_exact *exact);
HISS_API double hiss_exact_seconds(const hiss_exact *exact);
HISS_API const char *hiss_exact_method(const hiss_exact *exact);
/** Probability of each index of a coordinate, [states]; borrowed. */
HISS_API const double *hiss_exact_marginal(const hiss_exact *exact,
                                           int coordinate);
HISS_API double hiss_exact_mean_u(const hiss_exact *exact);
/** The most probable states by number (0 = best): values and probability;
 * 0 (false) past the last one kept. */
HISS_API int hiss_exact_top(const hiss_exact *exact, int number, double *state,
                            double *probability);

/* --- is the law kept? --------------------------------------------------- */

HISS_API void hiss_verify_settings_init(hiss_verify_settings *settings);

/** Draws replicates exactly from the model, applies the sampler once, and
 * compares the counts with the law. */
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
