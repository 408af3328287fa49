/* gamma.c - the regularized upper incomplete gamma function.
 *
 * Below x = a + 1 the power series of P = 1 - Q, where Q is not small; above
 * it Legendre's continued fraction of Q.  Both take O(sqrt a) terms at worst
 * and are multiplied by
 *     x^a e^-x / Gamma(a + 1),
 * whose factors are huge and cancel when a is large.  There it is written as
 *     exp(-a (u - ln(1 + u))) / (sqrt(2 pi a) e^s),    u = (x - a) / a,
 * with s the Stirling correction 1/12a - 1/360a^3 + ..., which keeps the
 * absolute error of the exponent near |x - a| times the machine epsilon. */
#include "diag/maths/gamma.h"

#include <math.h>

#define TWO_PI    6.28318530717958647693
#define STIRLING  16.0 /* from here on the series below is exact to 1e-16 */
#define MAX_TERMS 10000000

/* x^a e^-x / Gamma(a + 1) */
static double prefactor(double a, double x)
{
    if (a < STIRLING)
        return exp(a * log(x) - x) / tgamma(a + 1.0);

    double u = (x - a) / a;
    double b = 1.0 / (a * a);
    double s = 1.0 / 1260.0 - b * (1.0 / 1680.0 - b / 1188.0);

    s = (1.0 / 12.0 - b * (1.0 / 360.0 - b * s)) / a;
    return exp(-a * (u - log1p(u)) - s) / sqrt(TWO_PI * a);
}

/* P = prefactor (1 + x/(a+1) + x^2/((a+1)(a+2)) + ...) */
static double series(double a, double x)
{
    double term = 1.0;
    double sum = 1.0;

    for (int k = 1; k < MAX_TERMS && term > sum * 1e-17; k++) {
        term *= x / (a + k);
        sum += term;
    }
    return sum;
}

/* Q = prefactor a / (x+1-a - 1(1-a)/(x+3-a - 2(2-a)/(x+5-a - ...))), by the
 * algorithm of Lentz. */
static double fraction(double a, double x)
{
    const double tiny = 1e-300; /* stands for a denominator of 0 */
    double b = x + 1.0 - a;
    double c = 1.0 / tiny;
    double d = 1.0 / b;
    double h = d;

    for (int k = 1; k < MAX_TERMS; k++) {
        double an = -k * (k - a);
        double factor;

        b += 2.0;
        d = an * d + b;
        d = 1.0 / (fabs(d) < tiny ? tiny : d);
        c = b + an / c;
        c = fabs(c) < tiny ? tiny : c;
        factor = c * d;
        h *= factor;
        if (fabs(factor - 1.0) < 1e-16)
            break;
    }
    return h;
}

double hs_gamma_q(double a, double x)
{
    if (isnan(a) || isnan(x))
        return NAN;
    if (x <= 0.0)
        return 1.0;
    if (isinf(x))
        return 0.0;
    if (x < a + 1.0)
        return 1.0 - prefactor(a, x) * series(a, x);
    return prefactor(a, x) * a * fraction(a, x);
}
