/* builders.h - models from arrays, for the API and the file formats.
 *
 * Arrays are copied.  Numbers must be finite; the caller checks this, because
 * it knows their source.  `name` is the model's name in outputs, copied; NULL
 * if the caller sets it. */
#ifndef HS_MODEL_BUILDERS_H
#define HS_MODEL_BUILDERS_H

#include <stdint.h>

#include <hiss/kind.h>
#include <hiss/status.h>

#include "model/model.h"

/* The quadratic form of a matrix.  Only its symmetric part counts, so a matrix
 * with one triangle means half of what the full symmetric one means. */
typedef enum hs_quadratic {
    HS_ISING, /* spins: U = 1/2 s'Ms + h's; the diagonal adds 1/2 tr M */
    HS_QUBO,  /* 0/1: U = x'Mx + h'x; the diagonal acts as a field */
} hs_quadratic;

/* A matrix, either whole, row-major [dim * dim], or as compressed rows in any
 * order, where repeated entries are added; field [dim] may be NULL.  The model
 * is dense if dim >= HS_DENSE_DIM and a quarter of the entries is nonzero, else
 * sparse. */
#define HS_DENSE_DIM 64
hiss_status hs_build_dense(hs_model **out, const char *name, hs_quadratic form,
                           int dim, const double *matrix, const double *field,
                           hiss_error *err);
hiss_status hs_build_csr(hs_model **out, const char *name, hs_quadratic form,
                         int dim, const int64_t *start, const int *column,
                         const double *value, const double *field,
                         hiss_error *err);

/* Sorted, distinct pairs (row < column; rows and columns ascending): U = offset
 * + sum_i field_i x_i + sum_e sign value_e x_i x_j over x in {-1,+1} or {0,1},
 * according to kind.  sign is +1 or -1 for all terms, field and offset
 * included.  Pairs are not copied: memory beyond the model is O(dim). */
typedef struct hs_pair_list {
    hiss_kind kind;
    double sign;
    double offset;
    int dim;
    int64_t pairs;
    const int *row, *column; /* borrowed, [pairs] */
    const double *value;     /* borrowed, [pairs] */
    const double *field;     /* borrowed, [dim], or NULL */
    /* or NULL: called once rows, columns and values have been read, so that
     * large ones need not exist beside the whole model */
    void (*release)(void *owner);
    void *owner;
} hs_pair_list;

hiss_status hs_build_pairs(hs_model **out, const char *name,
                           const hs_pair_list *list, hiss_error *err);

/* A restricted Boltzmann machine with its hidden units summed out:
 *     U(v) = b.v + sum_j ln(1 + exp(c_j + sum_i W_ij v_i)),   v in {0,1}.
 * weight is row-major [visible * hidden]. */
hiss_status hs_build_rbm(hs_model **out, const char *name, int visible,
                         int hidden, const float *weight, const float *b,
                         const float *c, hiss_error *err);

/* The same for arrays from hs_alloc_array.  Takes ownership, also on failure;
 * NULL means that their allocation failed. */
hiss_status hs_build_rbm_of(hs_model **out, const char *name, int visible,
                            int hidden, float *weight, float *b, float *c,
                            hiss_error *err);

/* The same in double for any weights (precision.h); b and c may be NULL for
 * zeros. */
typedef struct hs_machine {
    int visible, hidden;
    const double *weight, *b, *c; /* borrowed */
} hs_machine;

hiss_status hs_build_machine(hs_model **out, const char *name,
                             const hs_machine *from, hiss_error *err);

/* The same model with its numbers given as floats. */
typedef struct hs_machine_floats {
    int visible, hidden;
    const float *weight, *b, *c; /* borrowed */
} hs_machine_floats;

hiss_status hs_build_machine_floats(hs_model **out, const char *name,
                                    const hs_machine_floats *from,
                                    hiss_error *err);

#endif
