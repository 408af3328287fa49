/* arrays.h - models from arrays and from a function of your own.
 *
 * Arrays are copied. */
#ifndef HISS_ARRAYS_H
#define HISS_ARRAYS_H

#include <stdint.h>

#include <hiss/kind.h>
#include <hiss/status.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct hiss_model hiss_model;

/* --- pairs and hidden units --------------------------------------------- */

/** Ising: U = 1/2 s'Js + h's, s in {-1,+1}.  J is dim x dim, row by row, and is
 * symmetrized; its diagonal is a constant.  h may be NULL.  Copied. */
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

/** QUBO: U = sum_e value_e x_row x_column + linear'x, x in {0,1}; entries on
 * the diagonal are linear, those of one pair, in either order, are summed.
 * linear may be NULL. */
HISS_API hiss_status hiss_model_qubo_sparse(hiss_model **out, int dim,
                                            int64_t entries, const int *row,
                                            const int *column,
                                            const double *value,
                                            const double *linear,
                                            hiss_error *err);

/** A restricted Boltzmann machine, its hidden units summed out:
 * U(v) = b'v + sum_j ln(1 + exp(c_j + sum_i W_ij v_i)), v in {0,1}.  weight is
 * W, visible x hidden, row by row; b and c may be NULL. */
HISS_API hiss_status hiss_model_rbm(hiss_model **out, int visible, int hidden,
                                    const double *weight, const double *b,
                                    const double *c, hiss_error *err);

/** The same machine of the same numbers, given in single precision; b and c may
 * be NULL. */
HISS_API hiss_status hiss_model_rbm_floats(hiss_model **out, int visible,
                                           int hidden, const float *weight,
                                           const float *b, const float *c,
                                           hiss_error *err);

/* --- over any coordinates ----------------------------------------------- */

/** The finite set of states. */
typedef struct hiss_domain {
    size_t size;           /**< sizeof(hiss_domain) */
    int dim;               /**< coordinates, at least 1 */
    const hiss_kind *kind; /**< [dim], NULL if all are binary */
    const int *states;     /**< [dim], number of values of each, NULL if 2 */
    const double *levels;  /**< values of all ordinal coordinates, one
                                coordinate after the other, ascending in each;
                                NULL: 0, 1, 2, ... */
} hiss_domain;

/** A distribution given state by state: U of all states, the last coordinate
 * fastest; -infinity is an impossible state.  At most 20 coordinates and 2^22
 * states. */
HISS_API hiss_status hiss_model_table(hiss_model **out,
                                      const hiss_domain *domain,
                                      const double *u, hiss_error *err);

/**
 * A sum of tables over a few coordinates each: graphical models, Potts models.
 *
 * @param count  factors
 * @param size   [count], coordinates of each factor
 * @param scope  their numbers, from 0, one factor after the other
 * @param table  U of all combinations of a scope, its last coordinate fastest,
 *               one factor after the other; -infinity is impossible
 */
HISS_API hiss_status hiss_model_factors(hiss_model **out,
                                        const hiss_domain *domain,
                                        int64_t count, const int *size,
                                        const int *scope, const double *table,
                                        hiss_error *err);

/* --- a function -------------------------------------------------------- */

/** States in the memory of a GPU, of all its chains and replicas. */
typedef struct hiss_card_states {
    size_t size; /**< sizeof(hiss_card_states) of the library */
    int card;    /**< number of the GPU; -1 for memory of the processor, in
                    tests */
    int count;   /**< number of states */
    int rows;    /**< numbers of each state, as in a gradient */
    /** [count][rows]: the value of a number; for a label 1 in the row of its
     * value, and 0 in the others. */
    const float *x;
    double *u;       /**< [count], to be filled */
    float *gradient; /**< [count][rows], to be filled; NULL if not requested */
    /** Instead of copying, the function may set arrays of its own, which must
     * stay valid until the next call: U, as one of these two types, and the
     * gradient. */
    const double *own_u;
    const float *own_u_float;
    const float *own_gradient;
    /** For functions that work on other streams than 0: waits until the states
     * are ready, */
    void (*wait)(void);
    /** or makes another stream, a cudaStream_t, wait for them. */
    void (*join)(void *stream);
} hiss_card_states;

/** A function of your own, without a plug-in (plugin.h). */
typedef struct hiss_callback {
    size_t size;               /**< sizeof(hiss_callback) */
    const char *name;          /**< for messages and results, or NULL */
    const hiss_domain *domain; /**< copied */
    /**
     * U of `lanes` states, and their gradient, exactly as `evaluate` of
     * plugin.h: x[i * lanes + l] is the index of coordinate i of state l, and
     * gradient[r * lanes + l] is row r, or gradient is NULL.  `lanes` is a
     * multiple of 16 and differs between calls.  Called from several threads
     * at once.
     *
     * @return 0, or a code of your own, which ends the run with HISS_EPLUGIN.
     */
    int (*evaluate)(const void *context, const int16_t *x, int lanes, double *u,
                    float *gradient);
    const void *context; /**< borrowed; must outlive the model */
    int has_gradient;    /**< 0: computed from differences of U */
    /** Changes of U when one coordinate takes another value, exactly as
     * `change` of plugin.h, or NULL. */
    int (*change)(const void *context, const int16_t *x, int lanes, int i,
                  double *change);
    int width;    /**< states at once, as `width` of plugin.h; 0 for a tile */
    int by_state; /**< one state after the other, as `by_state` of plugin.h */
    /**
     * The same law on a GPU, with its gradient, or NULL: chains are then not
     * put there.  Called by one thread at a time, for states in the GPU's
     * memory; launches what it does on stream 0, or on others that wait for
     * that one and that it waits for, and need not wait itself.
     *
     * @return 0, or a code of your own, which ends the run with HISS_EPLUGIN.
     */
    int (*on_card)(const void *context, hiss_card_states *states);
} hiss_callback;

/** Makes a model from a function; the name is copied, the context borrowed. */
HISS_API hiss_status hiss_model_callback(hiss_model **out,
                                         const hiss_callback *callback,
                                         hiss_error *err);

#ifdef __cplusplus
}
#endif
#endif
