/* model.h - a model: what to sample.
 *
 * U is the logarithm of the unnormalized probability of a state: to minimize
 * an energy E at temperature T, give U = -E / T.  A model is made from a spec
 * (here), from arrays and functions (arrays.h) or from a file (format.h), and
 * may be used by any number of threads at once while none changes it. */
#ifndef HISS_MODEL_H
#define HISS_MODEL_H

#include <hiss/kind.h>
#include <hiss/status.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct hiss_model hiss_model;

/** Makes a model from a built-in spec such as "ising(side=8,beta=0.4)" or
 * "table(FILE)". */
HISS_API hiss_status hiss_model_create(hiss_model **out, const char *spec,
                                       hiss_error *err);
/** Frees it; NULL is allowed. */
HISS_API void hiss_model_destroy(hiss_model *model);

/* --- conditions --------------------------------------------------------- */

/** Conditions the model, in place, on a UAI evidence file: `k v_1 x_1 ...`,
 * coordinates and states counted from 0.  A fixed coordinate keeps its number
 * and has one state.  HISS_EINFEASIBLE if the evidence is found to have
 * probability 0.  On failure the model is unchanged. */
HISS_API hiss_status hiss_model_evidence(hiss_model *model, const char *path,
                                         hiss_error *err);
/** Like hiss_model_evidence, from a text such as "3=1,x.7=-1": coordinates
 * counted from 1, and their values. */
HISS_API hiss_status hiss_model_fix(hiss_model *model, const char *text,
                                    hiss_error *err);
/** Multiplies log p by beta, in place, which multiplies the model's inverse
 * temperature by beta; 0 < beta < infinity.  The objective, such as an energy,
 * does not change.  On failure the model is unchanged. */
HISS_API hiss_status hiss_model_temper(hiss_model *model, double beta,
                                       hiss_error *err);
/** The product of all beta given to hiss_model_temper; 1 without calls. */
HISS_API double hiss_model_beta(const hiss_model *model);
/** The state at which a coordinate is fixed, by its original index; -1 if it is
 * free or does not exist. */
HISS_API int hiss_model_fixed(const hiss_model *model, int coordinate);

/* --- what it is --------------------------------------------------------- */

/** A name for messages and results: a spec, the name of a file or one word. */
HISS_API const char *hiss_model_name(const hiss_model *model);
/** A note for the user (a table was normalized), or NULL. */
HISS_API const char *hiss_model_note(const hiss_model *model);
/** For a model from a file: a summary of the file, in one line with the sign in
 * a formula, such as "ea.txt: 3 couplings, 4 spins, read as rudy max-cut: log p
 * = ...".  NULL for other models, unless hiss_model_describe set one. */
HISS_API const char *hiss_model_reads_as(const hiss_model *model);
/** Sets the text of hiss_model_reads_as, for models that a program makes from
 * its own input; text is copied. */
HISS_API hiss_status hiss_model_describe(hiss_model *model, const char *text,
                                         hiss_error *err);
/** Describes the precision of the computation, and why.  Free with
 * hiss_free. */
HISS_API char *hiss_model_precision(const hiss_model *model);
/** Number of coordinates. */
HISS_API int hiss_model_dim(const hiss_model *model);
/** HISS_BINARY, with 0 states, if there is no such coordinate. */
HISS_API hiss_kind hiss_model_kind(const hiss_model *model, int coordinate);
/** Number of values of a coordinate. */
HISS_API int hiss_model_states(const hiss_model *model, int coordinate);
/** One of its values, by its index from 0. */
HISS_API double hiss_model_value(const hiss_model *model, int coordinate,
                                 int index);
/** Name of a coordinate, such as a column of the data; NULL if it has none.
 * Borrowed from the model. */
HISS_API const char *hiss_model_coordinate_name(const hiss_model *model,
                                                int coordinate);
/** Name of one of its values, such as "true"; NULL if it has none.  Borrowed
 * from the model. */
HISS_API const char *hiss_model_state_name(const hiss_model *model,
                                           int coordinate, int index);
/** Names the coordinates, [dim], and their values, coordinate after coordinate;
 * either may be NULL.  Earlier names are dropped.  HISS_EARG if two
 * coordinates, or two values of one, have the same name. */
HISS_API hiss_status hiss_model_set_names(hiss_model *model,
                                          const char *const *names,
                                          const char *const *states,
                                          hiss_error *err);
/** U of a state given by its values (labels for categorical coordinates). */
HISS_API hiss_status hiss_model_energy(const hiss_model *model,
                                       const double *state, double *u,
                                       hiss_error *err);

#ifdef __cplusplus
}
#endif
#endif
