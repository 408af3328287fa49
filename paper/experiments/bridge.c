/* bridge.c - densities, flip probability and acceptance of the kernels. */
#include "paper/experiments/bridge.h"

#include <math.h>

static const double REACH = 45; /* scales; e^-45 is below a double's grain */
static const double STEP = 0.05;
static const double SKEW = 4; /* power of the logistic cdf */

static double log_density(paper_bridge kernel, double z, double eta)
{
    double t = fabs(z / eta);

    if (kernel == PAPER_GUMBEL)
        return -z / eta - exp(-z / eta) - log(eta);
    if (kernel == PAPER_SKEWED)
        return log(SKEW / eta) - (z < 0 ? SKEW : 1) * t -
               (SKEW + 1) * log1p(exp(-t));
    if (kernel == PAPER_GAUSSIAN)
        return -t * t / 2 - log(eta * sqrt(2 * M_PI));
    /* -2 ln cosh(t/2) - ln(4 eta), without overflow */
    return -t - 2 * log1p(exp(-t)) - log(eta);
}

double paper_bridge_density(paper_bridge kernel, double z, double eta)
{
    return exp(log_density(kernel, z, eta));
}

double paper_bridge_cdf(paper_bridge kernel, double z, double eta)
{
    if (kernel == PAPER_GAUSSIAN)
        return erfc(-z / eta / sqrt(2)) / 2;
    return z < 0 ? exp(z / eta) / (1 + exp(z / eta)) : 1 / (1 + exp(-z / eta));
}

double paper_bridge_rho(paper_bridge kernel, double eta)
{
    double low = -REACH * eta, high = 1 + REACH * eta;
    double step = STEP * eta, sum = 0;
    long nodes = lround(ceil((high - low) / step));

    for (long i = 0; i <= nodes; i++) {
        double a = low + step * (double)i;
        double at0 = log_density(kernel, a, eta);
        double at1 = log_density(kernel, a - 1, eta);

        /* k0 k1 / (k0 + k1) = 1 / (1/k0 + 1/k1) */
        sum += exp(at0 + at1 - fmax(at0, at1)) / (1 + exp(-fabs(at0 - at1)));
    }
    return sum * step;
}

double paper_bridge_scale(paper_bridge kernel, double rho)
{
    double low = 1e-3, high = 1e3;

    for (int i = 0; i < 200; i++) {
        double middle = sqrt(low * high);

        if (paper_bridge_rho(kernel, middle) < rho)
            low = middle;
        else
            high = middle;
    }
    return sqrt(low * high);
}

enum {
    DIM_MAX = 20
};

/* Mean of |x' - x|^power over stationary jumps, 0 where refused. */
static double mean_jump(const double *law, int dim, double rho, int power)
{
    int states = 1 << dim;
    double weight[DIM_MAX + 1], sum = 0; /* by the number of flips */

    for (int flips = 0; flips <= dim; flips++)
        weight[flips] =
            pow(flips, power) * pow(rho, flips) * pow(1 - rho, dim - flips);
    for (int x = 0; x < states; x++)
        for (int y = 0; y < states; y++)
            sum += fmin(law[x], law[y]) *
                   weight[__builtin_popcount((unsigned)(x ^ y))];
    return sum;
}

double paper_bridge_acceptance(const double *law, int dim, double rho)
{
    return mean_jump(law, dim, rho, 0);
}

double paper_bridge_distance(const double *law, int dim, double rho)
{
    return mean_jump(law, dim, rho, 2);
}
