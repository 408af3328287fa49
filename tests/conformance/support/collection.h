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

/* Weights at both ends alone, coordinates without replacement.  Its own fault:
 * on the way back what was drawn stays among what is drawn from. */
void matrix_ends(const space *s, const collection_walk *w,
                 collection_fault fault, matrix p);

/* All coordinates at once, by jumps at rates.  Its own fault: the way back has
 * half the time. */
typedef struct collection_rates {
    double (*balance)(double t);
    double time;
    bool is_euler;
} collection_rates;

void matrix_rates(const space *s, const collection_rates *r,
                  collection_fault fault, matrix p);

/* Hamming balls in a block from a random coordinate on.  Faults: from the ball
 * around x, not u; from 1 / p; u has any number of differences. */
typedef struct collection_ball {
    int block, radius;
} collection_ball;

void matrix_ball(const space *s, const collection_ball *b,
                 collection_fault fault, matrix p);

/* All coordinates of a random color at once; there is no rule.  Faults: two
 * colors that are coupled, each coordinate from its own conditional; from
 * 1 / p; as if all others had their first value. */
void matrix_colors(const space *s, const void *rule, collection_fault fault,
                   matrix p);

/* A jump process after a time: by a balancing function, with signs that forbid
 * to undo a change (tabu) or without, or tempered Gibbs if that is NULL.
 * Faults: states after jumps, not times, or signs that never turn; rates by
 * 1 / p; a rate that is not balanced, or signs that turn when they should not.
 */
typedef struct collection_process {
    double (*balance)(double t);
    double power; /* of tempered Gibbs */
    double time;
    bool has_signs;
} collection_process;

void matrix_process(const space *s, const void *rule, collection_fault fault,
                    matrix p);

/* Two tries by the balancing function of a collection_process.  Its own fault:
 * x is not among those that it came from. */
void matrix_tries(const space *s, const void *rule, collection_fault fault,
                  matrix p);

/* Any-scale balanced, of rank 1 and balance=auto; the rule is sigma, and the
 * model's own B is taken.  By quadrature: balanced to 1e-4 or so.  Its own
 * fault: on the way back sigma is a fifth. */
extern const hs_model *collection_model;
void matrix_scale(const space *s, const void *rule, collection_fault fault,
                  matrix p);

/* Moves by a matrix over the states of a model: "tabled". */
extern const double (*collection_table)[SPACE_STATES];
extern const hs_kernel_type *const collection_kernels[];

#endif
