/* train.h - a function of several variables as a tensor train, also called a
 * matrix product:
 *
 *     B(s_1 .. s_n) = e^log_scale A_1[s_1] A_2[s_2] ... A_n[s_n]
 *
 * with matrices A_p[s] of left x right entries. These sizes are the *bonds*.
 * Compression keeps the bonds and the error in the sum of squares small. Trains
 * share tensors and count their users. */
#ifndef HS_EXACT_NETWORK_TRAIN_H
#define HS_EXACT_NETWORK_TRAIN_H

#include <stddef.h>
#include <stdint.h>

#include <hiss/status.h>

typedef struct hs_tensor {
    int holders;
    int states, left, right;
    double *a; /* owned, [left][states][right] */
} hs_tensor;

typedef struct hs_train_site {
    int variable;      /* -1 for a matrix, which compression absorbs */
    hs_tensor *tensor; /* held */
} hs_train_site;

typedef struct hs_train {
    int count, room;
    hs_train_site *site; /* owned, [room] */
    double log_scale;
    /* Sites before `left_upto` are orthonormal from the left, and those after
     * `right_from` from the right. */
    int left_upto, right_from;
} hs_train;

/* Limits of compression, and what it did. */
typedef struct hs_train_limits {
    int bond;       /* largest bond */
    double discard; /* share of the squares that may be discarded at a bond */
    double lost;    /* sum of the discarded shares */
    double work;    /* sum of multiplications */
    double entries; /* entries of new tensors, summed */
} hs_train_limits;

hiss_status hs_tensor_create(hs_tensor **out, int left, int states, int right,
                             hiss_error *err);
void hs_tensor_release(hs_tensor *t);
static inline size_t hs_tensor_size(const hs_tensor *t)
{
    return (size_t)t->left * (size_t)t->states * (size_t)t->right;
}

/* Appends a site; takes ownership of the tensor, also on failure. */
hiss_status hs_train_append(hs_train *t, int variable, hs_tensor *tensor,
                            hiss_error *err);
void hs_train_clear(hs_train *t);

/* Absorbs matrices, makes tensors orthonormal and cuts bonds. */
hiss_status hs_train_compress(hs_train *t, hs_train_limits *limits,
                              hiss_error *err);

#endif
