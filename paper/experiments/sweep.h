/* sweep.h - one sweep of HiSS as a matrix, exactly: small targets on {0,1}^d,
 * d <= 3, the noise a integrated out by quadrature.
 *
 *     P = int k(a|x) M_a D_a^L da         (the paper's order)
 *     P = int k(a|x) D_a^L M_a D_a^L da   (palindrome)
 * M_a: denoise, accept with min(1, pi'/pi).  D_a: a step of DMALA on
 * U(x) - 2 sum ln cosh((a - x) / 2 eta), its proposal with the paper's tanh.
 *
 * The trapezoid rule is exact to rounding for the smooth part k(a|x), which is
 * what invariance needs; the kinks of min(1, .) in D_a make single entries of
 * P accurate to about the square of the step. */
#ifndef HISS_PAPER_EXPERIMENTS_SWEEP_H
#define HISS_PAPER_EXPERIMENTS_SWEEP_H

#include <stdbool.h>

enum {
    PAPER_SWEEP_DIM = 3,
    PAPER_SWEEP_STATES = 8
};

typedef struct paper_target {
    int dim,
        states; /* state s: bit i is coordinate i, first most significant */
    double u[PAPER_SWEEP_STATES];
    double gradient[PAPER_SWEEP_STATES][PAPER_SWEEP_DIM];
    double law[PAPER_SWEEP_STATES];
} paper_target;

typedef struct paper_sweep {
    double eta, alpha;
    int refine; /* L */
    bool is_palindrome;
    double step; /* step of the quadrature, in units of eta */
} paper_sweep;

typedef double paper_matrix[PAPER_SWEEP_STATES][PAPER_SWEEP_STATES];

/* The multilinear extension of ln p, as for the paper's Bernoulli. */
void paper_target_table(paper_target *target, int dim, const double *law);
/* U = -1/2 (x - b)' A (x - b), A symmetric, row by row. */
void paper_target_quadratic(paper_target *target, int dim, const double *a,
                            const double *b);

void paper_sweep_matrix(const paper_target *target, const paper_sweep *sweep,
                        paper_matrix out);

/* max_y |sum_x pi_x P_xy - pi_y| */
double paper_sweep_invariance(const paper_target *target, const paper_matrix p);
/* max |pi_x P_xy - pi_y P_yx|; *relative: max of the same by the larger of the
 * two flows. */
double paper_sweep_balance(const paper_target *target, const paper_matrix p,
                           double *relative);
/* max_x TV(P^k(x,.), pi) for k = 1 .. count. */
void paper_sweep_decay(const paper_target *target, const paper_matrix p,
                       int count, double *tv);
/* Variance of sqrt(n) times the mean of f along a long chain:
 *     var f + 2 sum_k cov(f(X_0), f(X_k)), X_0 from the target. */
double paper_sweep_variance(const paper_target *target, const paper_matrix p,
                            const double *f);
/* The smallest entry: above 0, every state is reached in one sweep. */
double paper_sweep_smallest(const paper_target *target, const paper_matrix p);
/* sum_y min_x P_xy: the largest constant of a one-step minorisation. */
double paper_sweep_doeblin(const paper_target *target, const paper_matrix p);

#endif
