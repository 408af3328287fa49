/* collection.h - transition matrices of the samplers of the literature, from
 * their definitions, right and with faults; and a kernel that moves by any
 * matrix, through which the suite must see the faults. */
#ifndef HS_TESTS_COLLECTION_H
#define HS_TESTS_COLLECTION_H

#include "conformance/support/matrix.h"
#include "kernel/kernel.h"

typedef enum collection_fault {
    RIGHT,
    NO_REVERSE, /* accepts with p(y) / p(x), whatever the ways */
    WRONG_SIGN, /* accepts with p(x) / p(y) times the ways */
    ITS_OWN,    /* what each function says */
    FAULTS
} collection_fault;

/* A proposal by weights of single-site changes. */
typedef struct collection_walk {
    double (*balance)(double t);
    bool is_exact; /* t exact, not to first order */
    int length;    /* changes: uniform from 1 to 2 length - 1 */
} collection_walk;

double balance_sqrt(double t);
double balance_barker(double t);
double balance_min(double t);
double balance_max(double t);

/* Weights of every state on the way; informed is length = 1.  Its own fault:
 * the way back is weighed at the wrong ends. */
void matrix_path(const space *s, const collection_walk *w,
                 collection_fault fault, matrix p);

/* Moves by a matrix over the states of a model: "tabled". */
extern const double (*collection_table)[SPACE_STATES];
extern const hs_kernel_type *const collection_kernels[];

#endif
