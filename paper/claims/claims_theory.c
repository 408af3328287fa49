/* claims_theory.c - the claims about kernels and the paper's mathematics. */
#include <math.h>

#include "paper/claims/claims.h"
#include "paper/support/results.h"

#define K "kernels"
#define T "theory"

static double mean_of(const json_t *data, const char *experiment,
                      const char *row, const char *metric)
{
    return paper_results_mean(data, experiment, row, metric);
}

static double ratio(const json_t *data, const char *row)
{
    return mean_of(data, K, row, "mass_formula") /
           mean_of(data, K, row, "mass_exact");
}

static paper_verdict judge_formulas(const json_t *data, FILE *out)
{
    double far = ratio(data, "mass_logistic_mu_4");
    double gaussian = ratio(data, "mass_gaussian_mu_4");
    double bits = ratio(data, "mass_bits_logistic");

    fprintf(out,
            "Approximation divided by the exact mass: logistic %.2f at mu = 1, "
            "%.3f at mu = 4 (eta = 0.5); Gaussian %.3f at mu = 4. On bits with "
            "eta = 4 the logistic formula is %.1f times too large. Measured "
            "masses agree with the exact ones.",
            ratio(data, "mass_logistic_mu_1"), far, gaussian, bits);
    return fabs(far - 1) < 0.1 && fabs(gaussian - 1) < 0.1 ? PAPER_HOLDS
                                                           : PAPER_FAILS;
}

static paper_verdict judge_tails(const json_t *data, FILE *out)
{
    double logistic = mean_of(data, K, "mass_logistic_mu_4", "mass_exact");
    double gaussian = mean_of(data, K, "mass_gaussian_mu_4", "mass_exact");

    fprintf(out,
            "Mass between two points at mu = 4: logistic %.2g, Gaussian %.2g; "
            "at mu = 1: %.2g and %.2g; on bits at the paper's parameters: %.2g "
            "and %.2g.",
            logistic, gaussian,
            mean_of(data, K, "mass_logistic_mu_1", "mass_exact"),
            mean_of(data, K, "mass_gaussian_mu_1", "mass_exact"),
            mean_of(data, K, "mass_bits_logistic", "mass_exact"),
            mean_of(data, K, "mass_bits_gaussian", "mass_exact"));
    return logistic > gaussian ? PAPER_HOLDS : PAPER_FAILS;
}

static paper_verdict judge_sensitive(const json_t *data, FILE *out)
{
    double logistic = mean_of(data, K, "sensitivity_rho_0.01", "logistic");
    double gaussian = mean_of(data, K, "sensitivity_rho_0.01", "gaussian");

    fprintf(out,
            "d ln(flip probability) / d ln(scale) where a bit flips in 1 %%: "
            "logistic %.2f, Gaussian %.2f; where it flips in 10 %%: %.2f and "
            "%.2f.",
            logistic, gaussian,
            mean_of(data, K, "sensitivity_rho_0.1", "logistic"),
            mean_of(data, K, "sensitivity_rho_0.1", "gaussian"));
    return gaussian > logistic ? PAPER_HOLDS : PAPER_FAILS;
}

static paper_verdict judge_shapes(const json_t *data, FILE *out)
{
    double logistic = mean_of(data, K, "shape_logistic", "squared_distance");
    double gumbel = mean_of(data, K, "shape_gumbel", "squared_distance");
    double skewed = mean_of(data, K, "shape_skewed", "squared_distance");

    fprintf(
        out,
        "Mean squared distance of a jump at the best scale: logistic %.4f, "
        "Gaussian %.4f, Gumbel %.4f, skewed logistic %.4f; at half that "
        "scale %.4f, %.4f, %.4f and %.4f.",
        logistic, mean_of(data, K, "shape_gaussian", "squared_distance"),
        gumbel, skewed,
        mean_of(data, K, "shape_logistic", "squared_distance_at_half_scale"),
        mean_of(data, K, "shape_gaussian", "squared_distance_at_half_scale"),
        mean_of(data, K, "shape_gumbel", "squared_distance_at_half_scale"),
        mean_of(data, K, "shape_skewed", "squared_distance_at_half_scale"));
    return fmax(gumbel, skewed) > 1.05 * logistic ? PAPER_HOLDS : PAPER_FAILS;
}

static paper_verdict judge_invariance(const json_t *data, FILE *out)
{
    double plane = mean_of(data, T, "plane_l2", "invariance_error");
    double cube = mean_of(data, T, "cube_l2", "invariance_error");
    double p = mean_of(data, T, "verify_paper_order", "invariance_p_value");
    double least = mean_of(data, T, "cube_l2", "smallest_entry");

    fprintf(out,
            "Largest change of the law by one sweep with L = 2: %.1g (d = 2) "
            "and %.1g (d = 3), the error of the quadrature. On 512 states, "
            "measured: p = %.2g that the law is kept. Every state follows "
            "every other in one sweep with probability %.2g or more (d = 3).",
            plane, cube, p, least);
    return plane < 1e-8 && cube < 1e-8 && p > 1e-4 && least > 0 ? PAPER_HOLDS
                                                                : PAPER_FAILS;
}

static const char *spell_p(double p, char *room, size_t size)
{
    snprintf(room, size, p > 0 ? "p = %.2g" : "p < 1e-300", p);
    return room;
}

static paper_verdict judge_balance(const json_t *data, FILE *out)
{
    double one = mean_of(data, T, "plane_l1", "balance_violation");
    char order[32], palindrome[32];

    fprintf(
        out,
        "max |pi_x P_xy - pi_y P_yx|: L = 0 %.1g, L = 1 %.3g (%.1f %% of a "
        "flow), L = 2 %.3g; d = 3, L = 2 %.3g (%.0f %%); palindrome %.1g. "
        "On 512 states, measured: %s for the paper's order, %s for the "
        "palindrome.",
        mean_of(data, T, "plane_l0", "balance_violation"), one,
        100 * mean_of(data, T, "plane_l1", "balance_relative"),
        mean_of(data, T, "plane_l2", "balance_violation"),
        mean_of(data, T, "cube_l2", "balance_violation"),
        100 * mean_of(data, T, "cube_l2", "balance_relative"),
        mean_of(data, T, "plane_palindrome", "balance_violation"),
        spell_p(mean_of(data, T, "verify_paper_order", "reversibility_p_value"),
                order, sizeof order),
        spell_p(mean_of(data, T, "verify_palindrome", "reversibility_p_value"),
                palindrome, sizeof palindrome));
    return one > 1e-6 ? PAPER_FAILS : PAPER_HOLDS;
}

static paper_verdict judge_theorem(const json_t *data, FILE *out)
{
    double printed = mean_of(data, T, "rate_eta_0.25", "epsilon_printed");
    double broken =
        mean_of(data, T, "rate_eta_0.25", "printed_bound_violated") +
        mean_of(data, T, "rate_eta_0.32", "printed_bound_violated");
    double lemma = mean_of(data, T, "rate_eta_1", "epsilon_lemma");

    fprintf(out,
            "On a concave target that satisfies every assumption: eta = 0.25 "
            "gives eps = %.3g, above 1; eta = 0.32 gives %.2f, a bound of %.2f "
            "after one sweep where the distance is %.2f. With the sign of the "
            "lemma the bound holds, but eps = %.1g at eta = 1, where the exact "
            "minorisation is %.2f and %.0f sweeps suffice for a distance of "
            "0.01.",
            printed, mean_of(data, T, "rate_eta_0.32", "epsilon_printed"),
            1 - mean_of(data, T, "rate_eta_0.32", "epsilon_printed"),
            mean_of(data, T, "rate_eta_0.32", "tv_after_1"), lemma,
            mean_of(data, T, "rate_eta_1", "epsilon_exact"),
            mean_of(data, T, "rate_eta_1", "sweeps_to_0.01"));
    return printed > 1 || broken > 0 ? PAPER_FAILS : PAPER_HOLDS;
}

static paper_verdict judge_limit(const json_t *data, FILE *out)
{
    static const char *const rows[] = {"clt_concave", "clt_cube"};
    bool is_normal = true;

    fputs("Means of 1000 sweeps, in units of the exact asymptotic deviation:",
          out);
    for (int i = 0; i < 2; i++) {
        double ratio = mean_of(data, T, rows[i], "variance_ratio");
        double beyond = mean_of(data, T, rows[i], "beyond_1.96");

        is_normal = is_normal &&
                    fabs(ratio - 1) <= 4 * paper_results_se(data, T, rows[i],
                                                            "variance_ratio") &&
                    fabs(beyond - 0.05) <=
                        4 * paper_results_se(data, T, rows[i], "beyond_1.96");
        fprintf(out, "%s %s variance %s, beyond 1.96 %s of the chains",
                i ? ";" : "",
                i ? "two modes, L = 2," : "concave target, L = 1,",
                paper_spell_metric(data, T, rows[i], "variance_ratio"),
                paper_spell_metric(data, T, rows[i], "beyond_1.96"));
    }
    fputs(". A normal law has 1 and 0.05.", out);
    return is_normal ? PAPER_HOLDS : PAPER_FAILS;
}

static paper_verdict judge_fast(const json_t *data, FILE *out)
{
    static const char *const near = "rate_eta_0.25", *const far = "rate_eta_4";
    double gradient = mean_of(data, T, far, "least_gradient");
    double low = mean_of(data, T, near, "fast_mixing_limit");
    double high = mean_of(data, T, far, "fast_mixing_limit");
    double slow = mean_of(data, T, near, "sweeps_to_0.01");
    double fast = mean_of(data, T, far, "sweeps_to_0.01");

    fprintf(out,
            "On the concave target the least gradient is %.3f. The condition "
            "allows %.3f at eta = 0.25, where %.0f sweeps are needed for a "
            "distance of 0.01, and %.3f at eta = 4, where %.0f are.",
            gradient, low, slow, high, fast);
    /* a condition for fast mixing is met where mixing is faster */
    return (gradient <= low) == (slow <= fast) &&
                   (gradient <= high) == (fast <= slow)
               ? PAPER_HOLDS
               : PAPER_FAILS;
}

static paper_verdict judge_assumptions(const json_t *data, FILE *out)
{
    double bernoulli =
        mean_of(data, T, "curvature_bernoulli", "largest_curvature");
    double ising = mean_of(data, T, "curvature_ising", "largest_curvature");

    fprintf(out,
            "Curvature of U over the cube: from %.1f to %.1f on the Bernoulli, "
            "from %.0f to %.0f on the Ising model; strong concavity needs all "
            "below 0. alpha < 2/M allows %.3f and %.3f; the experiments use "
            "0.2.",
            mean_of(data, T, "curvature_bernoulli", "smallest_curvature"),
            bernoulli,
            mean_of(data, T, "curvature_ising", "smallest_curvature"), ising,
            mean_of(data, T, "curvature_bernoulli", "alpha_limit"),
            mean_of(data, T, "curvature_ising", "alpha_limit"));
    return PAPER_NO_CLAIM;
}

const paper_claim paper_claims_theory[] = {
    {"K1", K, "appendix A.4",
     "Approximate intermediate masses: 2 (eps/eta) exp(-mu/eta) for the "
     "logistic kernel, and its Gaussian counterpart.",
     judge_formulas,
     "Both are right for modes many scales apart, as stated. Bits are half a "
     "unit from their middle and eta = 4, the opposite case.",
     "The formulas of appendix A.4, against exact masses."},
    {"K2", K, "appendix A.4",
     "The slower tail of the logistic kernel keeps more mass between distant "
     "modes.",
     judge_tails,
     "exp(-mu) beats exp(-mu^2) once mu is several scales. Nearer by, and on "
     "bits, the narrower Gaussian of the paper has more.",
     "Figure \"Intermediate Mass for Kernels\": masses between two points."},
    {"K3", K, "appendix A.3",
     "The Gaussian kernel is more sensitive to its parameter.", judge_sensitive,
     "True, by a factor below 1.5 where bits flip at all often; both are "
     "insensitive once the proposal is uniform.",
     "The text of appendix A.3: derivatives of the flip probability."},
    {"K4", K, "section 6.5, limitations",
     "Asymmetric kernels (Gumbel, skewed) can enhance efficiency.",
     judge_shapes,
     "On bits a kernel acts through one flip probability, the same for 0 to 1 "
     "and for 1 to 0 whether the kernel is symmetric or not. Its shape moves "
     "the scale and leaves the best jump as it is. Noise along directions "
     "that a pilot learns does help (A9).",
     "The text of the limitations, by the distance of jumps; better by a "
     "twentieth would hold."},
    {"T1", T, "proposition 5.3, lemma 4.1",
     "The chain is irreducible, and its marginal law is the target.",
     judge_invariance,
     "Noise given the state, then kernels that keep the law of the state given "
     "the noise: the composition keeps the target for every L.",
     "Proposition 5.3 and lemma 4.1, by quadrature and by a test on 512 "
     "states."},
    {"T2", T, "proposition 5.4",
     "HiSS satisfies detailed balance with respect to the target.",
     judge_balance,
     "Jump and refinement do not commute, so their composition is invariant "
     "but not reversible for L > 0. The proof reinterprets the algorithm as a "
     "delayed acceptance that is not run. Refining before and after the jump "
     "(order=palindrome) is reversible. Ergodicity and the central limit "
     "theorem need no reversibility.",
     "Proposition 5.4, by quadrature and by a test on 512 states."},
    {"T3", T, "theorem 5.5",
     "The total variation distance falls at least like (1 - eps)^k with the "
     "printed eps.",
     judge_theorem,
     "The theorem has +1/eta where its lemma has -1/eta, and drops a factor of "
     "2^-12 per sweep; the corollary on fast mixing rests on the same sign. "
     "With the minus, larger eta helps, as the text says, but the bound is too "
     "weak to be of use.",
     "The printed epsilon of theorem 5.5, on a target that meets its "
     "assumptions."},
    {"T4", T, "assumptions 5.1 and 5.2",
     "The assumptions of the theorem (strong concavity, alpha < 2/M) are met "
     "by the distributions studied.",
     judge_assumptions,
     "A multilinear U has a Hessian of trace zero and cannot be concave; the "
     "Ising U is convex. The theorem says nothing about the experiments.",
     "Nothing printed: whether the assumptions fit the experiments."},
    {"T5", T, "theorem 5.6",
     "Means along the chain obey a central limit theorem.", judge_limit,
     "An irreducible and aperiodic chain on finitely many states has one, "
     "reversible or not and whatever the constant of theorem 5.5 is. The "
     "deviation is above 0 unless f is constant.",
     "Theorem 5.6: variance and tails of standardized means."},
    {"T6", T, "appendix, corollary on fast mixing",
     "Mixing is fast whenever the least gradient is at most (sqrt(d) (3L - 2) "
     "+ L) / (eta (L/2 + 1)).",
     judge_fast,
     "The condition asks for small eta, where the chain is slow, and fails for "
     "large eta, where it is fast: it rests on the sign of 1/eta in theorem "
     "5.5.",
     "The condition of the corollary, against the exact sweeps to a distance "
     "of 0.01."},
    {0},
};
