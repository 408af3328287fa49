/* theory.c - the paper's mathematics, measured on targets small enough for
 * exact matrices: invariance, detailed balance, the rate of its theorem, its
 * condition for fast mixing and the central limit theorem.
 *
 * Theorem: max_x TV(P^k(x,.), pi) <= (1 - eps)^k with ln eps =
 *     (-M (LG/2 + G) - LG/alpha + mLG/4) D^2
 *     + ((G sqrt(d) (3L - 2) + LG) / eta - (LG/2 + G) |grad U(a)|) D,
 * D = diam, M the Lipschitz constant of the gradient, m that of strong
 * concavity, |grad U(a)| the least norm of the gradient.  The lemma that it is
 * made from has the 1/eta term with a minus: -(G sqrt(d) (3L + 2) + LG) / eta
 * when the jump's own -2 sqrt(d) / eta is added.  Both are evaluated.
 *
 * The corollary promises fast mixing where
 *     |grad U(a)| <= (sqrt(d) (3L - 2) + L) / (eta (L/2 + 1)). */
#include <stdlib.h>

#include "cli/print/interrupt.h"
#include "paper/experiments/bridge.h"
#include "paper/experiments/sweep.h"
#include "paper/support/figure.h"
#include "paper/support/random.h"

/* Two modes, d = 2 and d = 3: the assumption of concavity fails. */
static const double PLANE[] = {0.5, 0.03, 0.07, 0.4};
static const double CUBE[] = {0.45, 0.02, 0.02, 0.01, 0.02, 0.01, 0.02, 0.45};
/* A concave quadratic, eigenvalues m = 1 and M = 2, centre (1/2, 1/2): every
 * assumption holds for alpha < 2 / M = 1. */
static const double CONCAVE[] = {1.5, 0.5, 0.5, 1.5};
static const double CENTRE[] = {0.5, 0.5};
static const double CONCAVE_M = 2, CONCAVE_m = 1;
static const double ALPHA = 0.5;

static const struct balance {
    const char *row, *title;
    int dim, refine;
    bool is_palindrome;
    double step;
} balances[] = {
    {"plane_l0", "d = 2, L = 0", 2, 0, false, 0.0625},
    {"plane_l1", "d = 2, L = 1", 2, 1, false, 0.0625},
    {"plane_l2", "d = 2, L = 2", 2, 2, false, 0.0625},
    {"plane_palindrome", "d = 2, L = 1, palindrome", 2, 1, true, 0.0625},
    {"cube_l0", "d = 3, L = 0", 3, 0, false, 0.6},
    {"cube_l2", "d = 3, L = 2", 3, 2, false, 0.6},
    {"cube_palindrome", "d = 3, L = 2, palindrome", 3, 2, true, 0.6},
};

static const double ETAS[] = {0.25, 0.32, 0.35, 0.5, 1, 4};

static const struct check {
    const char *row, *title, *sampler;
} checks[] = {
    {"verify_paper_order", "hiss verify, paper's order",
     "hiss(eta=2,steps=1,inner=dmala(alpha=2))"},
    {"verify_palindrome", "hiss verify, palindrome",
     "hiss(eta=2,steps=1,order=palindrome,inner=dmala(alpha=2))"},
};

#define CHECKED "ising(side=3,beta=0.3)"

enum {
    BALANCES = sizeof balances / sizeof *balances,
    RATES = sizeof ETAS / sizeof *ETAS,
    CHECKS = sizeof checks / sizeof *checks,
    SWEEPS = 200,
    NODES = 24,
    BITS = 4
};

/* Chains of the central limit theorem: means of the first bit over MEANT
 * sweeps, in units of their exact deviation. */
static const struct limit {
    const char *row, *title;
    bool is_concave;
    int refine;
} limits[] = {
    {"clt_concave", "concave target, L = 1", true, 1},
    {"clt_cube", "two modes, d = 3, L = 2", false, 2},
};

enum {
    LIMITS = sizeof limits / sizeof *limits,
    MEANT = 1000
};

static const int LIMIT_CHAINS[PAPER_MODES] = {40000, 4000};
static const double BEYOND = 1.959964; /* 5 % of a normal variable */

static const int64_t REPLICATES[PAPER_MODES] = {4000000, 1000000};

static int ask(paper_run *run, const char *what, double work)
{
    paper_pace_part(run->pace, "theory", what, work);
    if (paper_pace_show(run->pace, 0))
        return CLI_SIGNAL + cli_interrupt_signal();
    return CLI_DONE;
}

static int put_balance(paper_run *run, const struct balance *b)
{
    paper_sweep sweep = {1, ALPHA, b->refine, b->is_palindrome, b->step};
    paper_target target;
    paper_matrix p;
    double relative, violation;
    int code = ask(run, b->title, b->dim == 3 ? 5 : 1);

    if (code != CLI_DONE)
        return code;
    paper_target_table(&target, b->dim, b->dim == 3 ? CUBE : PLANE);
    paper_sweep_matrix(&target, &sweep, p);
    violation = paper_sweep_balance(&target, p, &relative);
    paper_put_title(run, b->row, b->title);
    paper_put_exact(run, b->row, "invariance_error",
                    paper_sweep_invariance(&target, p));
    paper_put_exact(run, b->row, "balance_violation", violation);
    paper_put_exact(run, b->row, "balance_relative", relative);
    paper_put_exact(run, b->row, "smallest_entry",
                    paper_sweep_smallest(&target, p));
    return CLI_DONE;
}

/* Least norm of the gradient over the states. */
static double least_gradient(const paper_target *t)
{
    double least = INFINITY;

    for (int s = 0; s < t->states; s++) {
        double sum = 0;

        for (int i = 0; i < t->dim; i++)
            sum += t->gradient[s][i] * t->gradient[s][i];
        least = fmin(least, sqrt(sum));
    }
    return least;
}

/* eps of the theorem for G = 1; sign +1 as printed, -1 as in the lemma. */
static double epsilon(const paper_target *t, double eta, double L, double sign)
{
    double diam = sqrt(t->dim), root = sqrt(t->dim);
    double quadratic = -CONCAVE_M * (L / 2 + 1) - L / ALPHA + CONCAVE_m * L / 4;
    double jump = root * (3 * L - sign * 2) + L;

    return exp(quadratic * diam * diam +
               (sign * jump / eta - (L / 2 + 1) * least_gradient(t)) * diam);
}

/* Gradients up to which the corollary promises fast mixing. */
static double fast_limit(const paper_target *t, double eta, double L)
{
    return (sqrt(t->dim) * (3 * L - 2) + L) / (eta * (L / 2 + 1));
}

/* Sweeps until the distance is below 0.01, 0: never. */
static int sweeps_needed(const double *tv)
{
    for (int k = 0; k < SWEEPS; k++)
        if (tv[k] < 0.01)
            return k + 1;
    return 0;
}

/* Distances below 1e-7 are left to the quadrature. */
static bool is_violated(const double *tv, double eps)
{
    for (int k = 0; k < SWEEPS; k++)
        if (tv[k] > 1e-7 && tv[k] > pow(1 - eps, k + 1))
            return true;
    return false;
}

static int put_rate(paper_run *run, const paper_target *target, double eta,
                    double *tv)
{
    paper_sweep sweep = {eta, ALPHA, 1, false, 0.0625};
    double printed = epsilon(target, eta, 1, 1);
    double lemma = epsilon(target, eta, 1, -1);
    char *row = cli_text("rate_eta_%g", eta);
    char *title = cli_text("concave target, eta = %g", eta);
    paper_matrix p;
    int code = ask(run, title, 1);

    if (code == CLI_DONE) {
        paper_sweep_matrix(target, &sweep, p);
        paper_sweep_decay(target, p, SWEEPS, tv);
        paper_put_title(run, row, title);
        paper_put_exact(run, row, "epsilon_printed", printed);
        paper_put_exact(run, row, "epsilon_lemma", lemma);
        paper_put_exact(run, row, "epsilon_exact",
                        paper_sweep_doeblin(target, p));
        paper_put_exact(run, row, "tv_after_1", tv[0]);
        paper_put_exact(run, row, "tv_after_10", tv[9]);
        paper_put_exact(run, row, "sweeps_to_0.01", sweeps_needed(tv));
        paper_put_exact(run, row, "least_gradient", least_gradient(target));
        paper_put_exact(run, row, "fast_mixing_limit",
                        fast_limit(target, eta, 1));
        paper_put_exact(run, row, "printed_bound_violated",
                        is_violated(tv, printed));
        paper_put_exact(run, row, "lemma_bound_violated",
                        is_violated(tv, lemma));
    }
    free(row);
    free(title);
    return code;
}

static int draw_decay(paper_run *run, const paper_target *target,
                      double tv[RATES][SWEEPS])
{
    paper_figure figure = {
        .name = "theory-decay",
        .title = "Convergence against the theorem",
        .caption = "Distance from the target after k sweeps from the worst "
                   "start, exact (lines), and the printed bound at the same "
                   "eta (dashed), on a target that satisfies every assumption. "
                   "A dashed line below its solid one is a violation.",
        .x = {.label = "sweeps",
              .has_low = true,
              .low = 0,
              .has_high = true,
              .high = 40},
        .y = {.label = "total variation",
              .is_log = true,
              .has_low = true,
              .low = 1e-6,
              .has_high = true,
              .high = 1.5},
    };
    static const int shown[] = {1, 2, 3, 5};
    double x[SWEEPS], bound[SWEEPS];

    for (int i = 0; i < 4; i++) {
        double eps = epsilon(target, ETAS[shown[i]], 1, 1);
        char *title = cli_text("\u03b7 = %g", ETAS[shown[i]]);
        char *other = cli_text("bound, \u03b7 = %g", ETAS[shown[i]]);

        for (int k = 0; k < SWEEPS; k++) {
            x[k] = k + 1;
            bound[k] = pow(fabs(1 - eps), k + 1);
        }
        paper_figure_add(&figure, title, CLI_CHART_LINE, (paper_color)i, x,
                         tv[shown[i]], NULL, 40);
        paper_figure_add(&figure, other, CLI_CHART_DASHES, (paper_color)i, x,
                         bound, NULL, 40);
        free(title);
        free(other);
    }
    return paper_figure_draw(&figure, run);
}

static int draw_epsilon(paper_run *run, const paper_target *target)
{
    paper_figure figure = {
        .name = "theory-epsilon",
        .title = "The constant of the theorem",
        .caption = "The contraction per sweep. As printed it exceeds 1 for "
                   "small eta, which no contraction can; with the sign of the "
                   "lemma it is far below the exact minorisation.",
        .x = {.label = "\u03b7", .is_log = true},
        .y = {.label = "\u03b5",
              .is_log = true,
              .has_low = true,
              .low = 1e-20,
              .has_high = true,
              .high = 1e6},
    };
    double x[NODES], printed[NODES], lemma[NODES], exact[NODES];

    for (int i = 0; i < NODES; i++) {
        paper_sweep sweep = {0.2 * pow(50, (double)i / (NODES - 1)), ALPHA, 1,
                             false, 0.25};
        paper_matrix p;

        paper_sweep_matrix(target, &sweep, p);
        x[i] = sweep.eta;
        printed[i] = epsilon(target, sweep.eta, 1, 1);
        lemma[i] = epsilon(target, sweep.eta, 1, -1);
        exact[i] = paper_sweep_doeblin(target, p);
    }
    paper_figure_add(&figure, "as printed", CLI_CHART_LINE, PAPER_BROWN, x,
                     printed, NULL, NODES);
    paper_figure_add(&figure, "exact", CLI_CHART_LINE, PAPER_BLUE, x, exact,
                     NULL, NODES);
    paper_figure_add(&figure, "sign of the lemma", CLI_CHART_LINE, PAPER_ORANGE,
                     x, lemma, NULL, NODES);
    paper_figure_add_level(&figure, "1", 1, x[0], x[NODES - 1]);
    return paper_figure_draw(&figure, run);
}

static int draw_balance(paper_run *run)
{
    paper_figure figure = {
        .name = "theory-balance",
        .title = "Failure of detailed balance",
        .caption = "max |pi_x P_xy - pi_y P_yx| of one sweep on the "
                   "two-dimensional target, by quadrature.",
        .x = {.label = "\u03b7", .is_log = true},
        .y = {.label = "violation",
              .is_log = true,
              .has_low = true,
              .low = 1e-18,
              .has_high = true,
              .high = 1e-1},
    };
    static const char *const titles[] = {"L = 0", "L = 1", "L = 2",
                                         "L = 1, palindrome"};
    double x[NODES], y[4][NODES], relative;
    paper_target target;

    paper_target_table(&target, 2, PLANE);
    for (int i = 0; i < NODES; i++) {
        x[i] = 0.1 * pow(100, (double)i / (NODES - 1));
        for (int k = 0; k < 4; k++) {
            paper_sweep sweep = {x[i], ALPHA, k == 3 ? 1 : k, k == 3, 0.25};
            paper_matrix p;

            paper_sweep_matrix(&target, &sweep, p);
            y[k][i] = fmax(paper_sweep_balance(&target, p, &relative), 1e-18);
        }
    }
    for (int k = 0; k < 4; k++)
        paper_figure_add(&figure, titles[k], CLI_CHART_MARKED, (paper_color)k,
                         x, y[k], NULL, NODES);
    return paper_figure_draw(&figure, run);
}

static int measure_rates(paper_run *run)
{
    double tv[RATES][SWEEPS];
    paper_target target;
    int code = CLI_DONE;

    paper_target_quadratic(&target, 2, CONCAVE, CENTRE);
    for (int i = 0; i < RATES && code == CLI_DONE; i++)
        code = put_rate(run, &target, ETAS[i], tv[i]);
    if (code == CLI_DONE)
        code = draw_decay(run, &target, tv);
    if (code == CLI_DONE)
        code = draw_epsilon(run, &target);
    if (code == CLI_DONE)
        code = draw_balance(run);
    return code;
}

/* The mean of the first bit along one chain of MEANT sweeps. */
static double mean_bit(const paper_target *target, const paper_matrix p,
                       paper_random *random)
{
    int state = paper_random_state(random, target->law, target->states),
        sum = 0;

    for (int t = 0; t < MEANT; t++) {
        state = paper_random_state(random, p[state], target->states);
        sum += state >> (target->dim - 1) & 1;
    }
    return (double)sum / MEANT;
}

static int put_limit(paper_run *run, const struct limit *limit, uint64_t stream)
{
    int chains = LIMIT_CHAINS[run->mode], code = ask(run, limit->title, 5);
    double *square = cli_alloc((size_t)chains, sizeof *square);
    double *beyond = cli_alloc((size_t)chains, sizeof *beyond);
    double first[PAPER_SWEEP_STATES], exact = 0, variance;
    paper_sweep sweep = {1, ALPHA, limit->refine, false,
                         limit->is_concave ? 0.0625 : 0.6};
    paper_target target;
    paper_random random;
    paper_matrix p;

    if (limit->is_concave)
        paper_target_quadratic(&target, 2, CONCAVE, CENTRE);
    else
        paper_target_table(&target, 3, CUBE);
    paper_sweep_matrix(&target, &sweep, p);
    for (int s = 0; s < target.states; s++) {
        first[s] = s >> (target.dim - 1) & 1;
        exact += target.law[s] * first[s];
    }
    variance = paper_sweep_variance(&target, p, first);
    paper_random_init(&random, run->seed, stream);
    for (int c = 0; c < chains; c++) {
        double z =
            (mean_bit(&target, p, &random) - exact) * sqrt(MEANT / variance);

        square[c] = z * z;
        beyond[c] = fabs(z) > BEYOND;
    }
    paper_put_title(run, limit->row, limit->title);
    paper_put_exact(run, limit->row, "asymptotic_variance", variance);
    paper_put_mean(run, limit->row, "variance_ratio",
                   paper_mean_of(square, chains), NULL);
    paper_put_mean(run, limit->row, "beyond_1.96",
                   paper_mean_of(beyond, chains), NULL);
    free(square);
    free(beyond);
    return code;
}

static int verify(paper_run *run, const struct check *check,
                  hiss_verify_result *result)
{
    hiss_verify_settings settings;
    hiss_model *model = NULL;
    hiss_sampler *sampler = NULL;
    hiss_verdict *verdict = NULL;
    hiss_error err = {0};
    hiss_status status = hiss_model_create(&model, CHECKED, &err);

    hiss_verify_settings_init(&settings);
    settings.replicates = REPLICATES[run->mode];
    settings.seed = run->seed;
    settings.threads = run->threads;
    settings.progress = paper_pace_progress;
    settings.context = run->pace;
    if (status == HISS_OK)
        status = hiss_sampler_create(&sampler, check->sampler, &err);
    if (status == HISS_OK)
        status = hiss_verify(&verdict, model, sampler, &settings, &err);
    if (status == HISS_OK)
        hiss_verdict_result(verdict, result);
    hiss_verdict_destroy(verdict);
    hiss_sampler_destroy(sampler);
    hiss_model_destroy(model);
    if (cli_interrupt_signal())
        return CLI_SIGNAL + cli_interrupt_signal();
    return status == HISS_OK ? CLI_DONE : cli_fail_status(status, &err);
}

static int check_one(paper_run *run, const struct check *check)
{
    hiss_verify_result result = HISS_INIT(hiss_verify_result);
    int code = verify(run, check, &result);
    char *command = cli_text("hiss verify '" CHECKED "' --sampler '%s' "
                             "--replicates %lld --seed %llu --json",
                             check->sampler, (long long)REPLICATES[run->mode],
                             (unsigned long long)run->seed);
    paper_value value = PAPER_VALUE(result.p_value);

    if (code == CLI_DONE) {
        value.repetitions = (double)result.replicates;
        value.command = command;
        paper_put_title(run, check->row, check->title);
        paper_put(run, check->row, "invariance_p_value", value);
        value.mean = result.reversible_p_value;
        paper_put(run, check->row, "reversibility_p_value", value);
    }
    free(command);
    return code;
}

/* Largest eigenvalue of a symmetric matrix of the four bits' Hessian, by
 * iterating H + shift; shift is at least the norm. */
static double largest(double h[BITS][BITS], double sign)
{
    double v[BITS] = {1, 0.7, 0.4, 0.2}, shift = 0, value = 0;

    for (int i = 0; i < BITS; i++)
        for (int j = 0; j < BITS; j++)
            shift += fabs(h[i][j]);
    for (int n = 0; n < 5000; n++) {
        double w[BITS], norm = 0;

        for (int i = 0; i < BITS; i++) {
            w[i] = shift * v[i];
            for (int j = 0; j < BITS; j++)
                w[i] += sign * h[i][j] * v[j];
            norm += w[i] * w[i];
        }
        norm = sqrt(norm);
        value = norm - shift;
        for (int i = 0; i < BITS; i++)
            v[i] = norm > 0 ? w[i] / norm : v[i];
    }
    return sign * value;
}

/* Second differences of the multilinear U at a corner. */
static void hessian(const double *law, int state, double h[BITS][BITS])
{
    for (int i = 0; i < BITS; i++)
        for (int j = 0; j < BITS; j++) {
            int mi = 1 << (BITS - 1 - i), mj = 1 << (BITS - 1 - j);
            int base = state & ~mi & ~mj;

            h[i][j] = i == j ? 0
                             : log(law[base | mi | mj]) - log(law[base | mi]) -
                                   log(law[base | mj]) + log(law[base]);
        }
}

/* Does U of the experiments satisfy the assumptions?  The Hessian of the
 * Bernoulli's U is linear in every coordinate and its largest eigenvalue convex
 * in the Hessian, so the extremes over the cube are at corners. */
static int put_assumptions(paper_run *run)
{
    double *law = NULL, up = 0, down = 0;
    int dim, code = paper_law_make("bernoulli4", &law, &dim);

    if (code != CLI_DONE)
        return code;
    for (int s = 0; s < 1 << dim; s++) {
        double h[BITS][BITS];

        hessian(law, s, h);
        up = fmax(up, largest(h, 1));
        down = fmin(down, largest(h, -1));
    }
    free(law);
    paper_put_title(run, "curvature_bernoulli", "U of the Bernoulli");
    paper_put_exact(run, "curvature_bernoulli", "largest_curvature", up);
    paper_put_exact(run, "curvature_bernoulli", "smallest_curvature", down);
    paper_put_exact(run, "curvature_bernoulli", "alpha_limit",
                    2 / fmax(up, -down));
    /* in units of {0,1} the Hessian is 4 W, W = 10 (I + reversal): 80 and 0 */
    paper_put_title(run, "curvature_ising", "U of the 3 x 3 Ising model");
    paper_put_exact(run, "curvature_ising", "largest_curvature", 80);
    paper_put_exact(run, "curvature_ising", "smallest_curvature", 0);
    paper_put_exact(run, "curvature_ising", "alpha_limit", 2.0 / 80);
    return CLI_DONE;
}

static int run_theory(paper_run *run)
{
    int code = CLI_DONE;

    paper_pace_plan(run->pace, 19 + RATES + 5 * LIMITS + 10 * CHECKS);
    for (int i = 0; i < BALANCES && code == CLI_DONE; i++)
        code = put_balance(run, &balances[i]);
    if (code == CLI_DONE)
        code = measure_rates(run);
    for (int i = 0; i < LIMITS && code == CLI_DONE; i++)
        code = put_limit(run, &limits[i], (uint64_t)i);
    for (int i = 0; i < CHECKS && code == CLI_DONE; i++) {
        paper_pace_part(run->pace, "theory", checks[i].title, 10);
        code = check_one(run, &checks[i]);
    }
    if (code == CLI_DONE)
        code = put_assumptions(run);
    return code;
}

const paper_experiment paper_experiment_theory = {
    .name = "theory",
    .title = "Invariance, detailed balance and the rate of convergence",
    .about = "One sweep as an exact matrix, the noise integrated out by "
             "quadrature, on targets of two and three bits: two modes "
             "(0.5, 0.03, 0.07, 0.4) with eta = 1 and alpha = 0.5, and a "
             "concave quadratic that satisfies every assumption of the "
             "theorem. The same property is measured on 512 states by hiss "
             "verify.",
    .seconds = {12, 8},
    .revision = 3,
    .run = run_theory,
};
