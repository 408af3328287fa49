/* bridge.h - kernels that join a state to its noisy copy, on one bit.
 *
 * Logistic of scale eta: density sech^2((a - x) / 2 eta) / 4 eta.  Gaussian of
 * scale eta: a = x + eta z.  (The paper's Gaussian, a = alpha x + sigma z with
 * alpha^2 + sigma^2 = 1, is eta = sigma / alpha after division by alpha.)  Two
 * that are not symmetric: Gumbel, density exp(-t - exp(-t)) / eta, and skewed,
 * whose cdf is the logistic one to the power 4.
 *
 * Noise and denoise together flip a bit with probability
 *     rho(eta) = int k(a|0) k(a|1) / (k(a|0) + k(a|1)) da,
 * and the jump of HiSS is: flip every bit with probability rho, accept with
 * min(1, pi'/pi).  So on bits rho is all that a kernel can change there.  The
 * integrand is symmetric in the two bits, so rho is one number for 0 -> 1 and
 * 1 -> 0, whether the kernel is symmetric or not. */
#ifndef HISS_PAPER_EXPERIMENTS_BRIDGE_H
#define HISS_PAPER_EXPERIMENTS_BRIDGE_H

typedef enum paper_bridge {
    PAPER_LOGISTIC,
    PAPER_GAUSSIAN,
    PAPER_GUMBEL,
    PAPER_SKEWED
} paper_bridge;

double paper_bridge_density(paper_bridge kernel, double z, double eta);
/* Of the two symmetric kernels. */
double paper_bridge_cdf(paper_bridge kernel, double z, double eta);

/* By the trapezoid rule, which converges geometrically here: 1e-12. */
double paper_bridge_rho(paper_bridge kernel, double eta);

/* The scale with a given rho in (0, 1/2), by bisection. */
double paper_bridge_scale(paper_bridge kernel, double rho);

/* Exact stationary acceptance of the jump on {0,1}^dim, dim <= 20. */
double paper_bridge_acceptance(const double *law, int dim, double rho);
/* Mean of |x' - x|^2 (Hamming) over stationary jumps, 0 where refused. */
double paper_bridge_distance(const double *law, int dim, double rho);

#endif
