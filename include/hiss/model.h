/* model.h - a model: what to sample.
 *
 * U is the logarithm of the unnormalized probability of a state: to minimize
 * an energy E at temperature T, give U = -E / T.  A model is made from a spec
 * (here), from arrays and functions (arrays.h) or from a file (format.h), and
 * may be used by any number of threads at once as long as none changes it. */
#ifndef HISS_MODEL_H
#define HISS_MODEL_H

#include <hiss/kind.h>
#include <hiss/status.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct hiss_model hiss_model;

/** From a built-in spec such as "ising(side=8,beta=0.4)" or "table(FILE)". */
HISS_API hiss_status hiss_model_create(hiss_model **out, const char *spec,
                                       hiss_error *err);
/** Frees it; NULL is fine. */
HISS_API void hiss_model_destroy(hiss_model *model);

/* --- conditions --------------------------------------------------------- */

/** Conditions the model, in place, on a UAI evidence file: `k v_1 x_1 ...`,
 * coordinates and states counted from 0.  A fixed coordinate keeps its number
 * and has one state.  HISS_EINFEASIBLE if that is seen to have probability 0.
 * On failure the model is as it was. */
HISS_API hiss_status hiss_model_evidence(hiss_model *model, const char *path,
                                         hiss_error *err);
/** As hiss_model_evidence, on a text such as "3=1,x.7=-1": coordinates counted
 * from 1, and their values. */
HISS_API hiss_status hiss_model_fix(hiss_model *model, const char *text,
                                    hiss_error *err);
/** Multiplies log p by beta, in place, so that the model is at the inverse
 * temperature beta times what it was; 0 < beta < infinity.  Its objective, such
 * as an energy, does not change.  On failure the model is unchanged. */
HISS_API hiss_status hiss_model_temper(hiss_model *model, double beta,
                                       hiss_error *err);
/** The product of what hiss_model_temper was given; 1 if it was not called. */
HISS_API double hiss_model_beta(const hiss_model *model);
/** Which of the states that it had before it was fixed at, -1 if it is free
 * or there is no such coordinate. */
HISS_API int hiss_model_fixed(const hiss_model *model, int coordinate);

/* --- what it is --------------------------------------------------------- */

/** For messages and results: a spec, the name of a file or one word. */
HISS_API const char *hiss_model_name(const hiss_model *model);
/** Something the user should know (a table was normalized), or NULL. */
HISS_API const char *hiss_model_note(const hiss_model *model);
/** For a model from a file: a summary of the file, in one line with the sign in
 * a formula, such as "ea.txt: 3 couplings, 4 spins, read as rudy max-cut: log p
 * = ...".  NULL elsewhere, unless hiss_model_describe gave one. */
HISS_API const char *hiss_model_reads_as(const hiss_model *model);
/** Sets what hiss_model_reads_as returns, for models that a program makes from
 * something that it read itself; text is copied. */
HISS_API hiss_status hiss_model_describe(hiss_model *model, const char *text,
                                         hiss_error *err);
/** In which precision it is computed and why, in words.  Free with
 *  hiss_free. */
HISS_API char *hiss_model_precision(const hiss_model *model);
/** How many coordinates a state has. */
HISS_API int hiss_model_dim(const hiss_model *model);
/** HISS_BINARY, with 0 states, where there is no such coordinate. */
HISS_API hiss_kind hiss_model_kind(const hiss_model *model, int coordinate);
/** How many values a coordinate has. */
HISS_API int hiss_model_states(const hiss_model *model, int coordinate);
/** One of its values, by its index from 0. */
HISS_API double hiss_model_value(const hiss_model *model, int coordinate,
                                 int index);
/** Its name, such as a column of the data; NULL if it has no name.  Borrowed
 * from the model. */
HISS_API const char *hiss_model_coordinate_name(const hiss_model *model,
                                                int coordinate);
/** The name of one of its values, such as "true"; NULL if it has no name.
 * Borrowed from the model. */
HISS_API const char *hiss_model_state_name(const hiss_model *model,
                                           int coordinate, int index);
/** Names the coordinates, [dim], and their values, those of one coordinate
 * after those of the other; either may be NULL.  Earlier names are forgotten.
 * HISS_EARG where two coordinates, or two values of one, are called alike. */
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
