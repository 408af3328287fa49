/* kaufman.c - the periodic 2D Ising model solved exactly [Kaufman 1949].
 *
 * With s = sinh 2 beta, n rows and m columns,
 *     Z = 1/2 (2s)^(nm/2) (Y1 + Y2 + Y3 + Y4),
 *     Y1 = prod 2 cosh(m g_r / 2), Y2 = prod 2 sinh(m g_r / 2) over odd r,
 *     Y3, Y4 likewise over even r, r < 2n,
 *     sinh^2(g_r / 2) = (s - 1)^2 / 2s + sin^2(pi r / 2n).
 * g_0 has the sign of s - 1, so Y4 changes sign at the critical point; all
 * other g_r are positive.  The form with sinh^2 keeps its digits near the
 * critical point, where cosh g_r = cosh 2b coth 2b - cos(pi r / n) loses them.
 * Everything is kept as logarithms, so size is no limit.
 *
 * Energy: minus the derivative of ln Z in beta, term by term, with
 *     dg_r/dbeta = 2 cosh(2 beta) (1 - 1/s^2) / sinh g_r,
 *     dg_0/dbeta = 2 + 2/s.
 * The factor of g_0 is kept apart because it is 0 at the critical point. */
#include "unit/kaufman.h"

#include <math.h>
#include <stdbool.h>

#define PI       3.14159265358979323846
#define BETA_MIN 1e-6  /* below it the terms of the energy cancel */
#define BETA_MAX 300.0 /* above it sinh 2 beta overflows */

enum {
    COSH_ODD,
    SINH_ODD,
    COSH_EVEN,
    SINH_EVEN,
    PRODUCTS
};

struct kaufman {
    double log_y[PRODUCTS]; /* ln of each product, without g_0 in the last */
    double slope[PRODUCTS]; /* derivative of log_y in beta */
    double zero;            /* m g_0 / 2 */
    double zero_slope;      /* its derivative in beta */
};

/* ln(2 cosh x), ln(2 sinh x) for x > 0 */
static double log_2cosh(double x)
{
    return fabs(x) + log1p(exp(-2.0 * fabs(x)));
}

static double log_2sinh(double x)
{
    return x + log(-expm1(-2.0 * x));
}

/* Adds the factors of x = m g_r / 2, whose derivative is dx. */
static void add(struct kaufman *k, int parity, double x, double dx)
{
    int c = parity ? COSH_ODD : COSH_EVEN;
    int s = parity ? SINH_ODD : SINH_EVEN;

    k->log_y[c] += log_2cosh(x);
    k->slope[c] += dx * tanh(x);
    k->log_y[s] += log_2sinh(x);
    k->slope[s] += dx / tanh(x);
}

static void products(struct kaufman *k, int rows, int cols, double beta)
{
    double s = sinh(2.0 * beta);
    double h0 = (s - 1.0) / sqrt(2.0 * s); /* sinh(g_0 / 2) */

    *k = (struct kaufman){0};
    k->zero = cols * asinh(h0);
    k->zero_slope = cols * (1.0 + 1.0 / s);
    k->log_y[COSH_EVEN] = log_2cosh(k->zero);
    k->slope[COSH_EVEN] = k->zero_slope * tanh(k->zero);
    for (int r = 1; r < 2 * rows; r++) {
        double sine = sin(PI * r / (2.0 * rows));
        double h = sqrt(h0 * h0 + sine * sine); /* sinh(g_r / 2) */
        double sinh_g = 2.0 * h * sqrt(1.0 + h * h);
        double dg = 2.0 * cosh(2.0 * beta) * (1.0 - 1.0 / (s * s)) / sinh_g;

        add(k, r % 2, cols * asinh(h), 0.5 * cols * dg);
    }
}

/* ln(Y1 + Y2 + Y3 + Y4) and its derivative */
static double log_sum(const struct kaufman *k, double *slope)
{
    double largest = fmax(k->log_y[COSH_ODD], k->log_y[COSH_EVEN]);
    double size = fabs(k->zero);
    /* Y4 is 2 sinh(zero) rest, and its derivative has 2 cosh(zero) rest. */
    double rest = exp(k->log_y[SINH_EVEN] + size - largest); /* times e^size */
    double sum = copysign(-expm1(-2.0 * size), k->zero) * rest;
    double derivative = sum * k->slope[SINH_EVEN] +
                        k->zero_slope * (1.0 + exp(-2.0 * size)) * rest;

    for (int i = COSH_ODD; i <= COSH_EVEN; i++) {
        double y = exp(k->log_y[i] - largest);

        sum += y;
        derivative += y * k->slope[i];
    }
    *slope = derivative / sum;
    return largest + log(sum);
}

static bool is_valid(int rows, int cols, double beta)
{
    return rows >= 2 && cols >= 2 &&
           (beta == 0.0 || (beta >= BETA_MIN && beta <= BETA_MAX));
}

double kaufman_log_z(int rows, int cols, double beta)
{
    struct kaufman k;
    double sites = (double)rows * cols;
    double slope;

    if (!is_valid(rows, cols, beta))
        return NAN;
    if (beta == 0.0)
        return sites * log(2.0);
    products(&k, rows, cols, beta);
    return 0.5 * sites * log(2.0 * sinh(2.0 * beta)) + log_sum(&k, &slope) -
           log(2.0);
}

double kaufman_energy(int rows, int cols, double beta)
{
    struct kaufman k;
    double sites = (double)rows * cols;
    double slope;

    if (!is_valid(rows, cols, beta))
        return NAN;
    if (beta == 0.0)
        return 0.0;
    products(&k, rows, cols, beta);
    log_sum(&k, &slope);
    return -1.0 / tanh(2.0 * beta) - slope / sites;
}
