/* gamma.h - the regularized upper incomplete gamma function. */
#ifndef HS_DIAG_MATHS_GAMMA_H
#define HS_DIAG_MATHS_GAMMA_H

/* Q(a, x) = integral from x to infinity of t^(a-1) e^-t dt / Gamma(a), for
 * a > 0 and x >= 0; relative error below 1e-10 for 1e-300 < Q and a < 1e8. */
double hs_gamma_q(double a, double x);

#endif
