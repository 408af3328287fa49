/* matrix.h - transition matrices from the definitions, in double.
 *
 * Nothing here calls a kernel or a lane primitive.  A matrix is [from][to];
 * states are numbered with the last coordinate fastest. */
#ifndef HS_TESTS_MATRIX_H
#define HS_TESTS_MATRIX_H

#include <stdbool.h>

#include "model/model.h"
#include "run/verify/verify.h"

#define SPACE_DIM    9
#define SPACE_VALUES 4
#define SPACE_STATES 512

typedef struct space {
    int dim;
    int n; /* states */
    int states[SPACE_DIM];
    bool is_labels[SPACE_DIM];
    double value[SPACE_DIM][SPACE_VALUES];
    double u[SPACE_STATES];
} space;

typedef double matrix[SPACE_STATES][SPACE_STATES];

/* Of a model whose gradient is the slope through neighboring values. */
void space_init(space *s, const hs_model *m);
/* Index of coordinate i in state x. */
int space_index(const space *s, int x, int i);
/* State x with coordinate i set to index v. */
int space_changed(const space *s, int x, int i, int v);
/* What that gains to first order. */
double space_gain(const space *s, int x, int i, int v);

typedef enum noise_shape {
    LOGISTIC,
    GAUSSIAN
} noise_shape;

/* P(v -> w) of noise and denoise on one coordinate, to about 1e-6. */
void matrix_noise(const space *s, int i, noise_shape shape, double eta,
                  double out[SPACE_VALUES][SPACE_VALUES]);

/* p(x -> y) = q(x -> y) min(1, pi(y) q(y -> x) / pi(x) q(x -> y)) for the law
 * e^u; what is not accepted stays. */
void matrix_adjust(int n, const double *u, matrix q, matrix p);

void matrix_jump(const space *s, noise_shape shape, double eta, matrix p);
void matrix_dmala(const space *s, double alpha, matrix p);
void matrix_gwg(const space *s, matrix p);
void matrix_metropolis(const space *s, matrix p);
/* A systematic scan: all sites in this order, or one after the other. */
void matrix_metropolis_scan(const space *s, const int *order,
                            matrix p);       /* one random site */
void matrix_gibbs(const space *s, matrix p); /* one random site */

/* One sweep of HiSS with DMALA inside, by quadrature over the noise of two
 * numeric coordinates. */
typedef struct sweep {
    noise_shape shape;
    double eta, alpha;
    int steps;
    bool is_palindrome;
    bool is_linear; /* proposals see the slope of phi, not its differences */
    bool is_still;  /* no jump: only the refinement */
} sweep;

void matrix_sweep(const space *s, const sweep *w, matrix p);

/* r = p q */
void matrix_multiply(int n, matrix p, matrix q, matrix r);

/* Chi-square of the transitions of a verdict against the rows of p, given
 * where they began: its p-value. */
double matrix_p_value(int n, matrix p, const hs_verdict *v);

/* 1 if the transitions of the sampler are not those of p, from n replicates
 * and, in case of doubt, once more from ten times as many; prints a line. */
int matrix_complaints(const char *name, const hs_model *m, const space *s,
                      const char *sampler, matrix p, int64_t n, uint64_t seed);

#endif
