/* kernels.c - the appendix on kernels: auxiliary densities of a Bernoulli(0.7)
 * and the mass between two point masses, in closed form and measured; and the
 * one number through which a kernel acts on bits, its flip probability.
 *
 * Intermediate mass of two points at +-mu, |a| < eps:
 *     logistic  F((eps + mu)/eta) - F((mu - eps)/eta),
 *               in the paper 2 (eps/eta) exp(-mu/eta)
 *     Gaussian  the same with a = alpha x + sigma z, in the paper
 *               sqrt(2/pi) (eps/sigma) exp(-mu^2 (1-sigma^2)/(2 sigma^2)) */
#include <stdlib.h>
#include <string.h>

#include "cli/print/interrupt.h"
#include "paper/experiments/bridge.h"
#include "paper/support/figure.h"
#include "paper/support/random.h"

#define FLAT "pairs(d=64,coupling=0,bias=0)"
#define FLIPS(eta)                                                             \
  {                                                                            \
    "rho_eta_" #eta, "logistic, eta = " #eta, FLAT,                            \
        "hiss(eta=" #eta ",steps=0)", 1, 1, 0                                  \
  }

/* On a flat law every jump is taken, so draws show the flips themselves. */
static const paper_row rows[] = {
    FLIPS(0.1),
    FLIPS(0.2),
    FLIPS(0.5),
    FLIPS(1),
    FLIPS(2),
    FLIPS(4),
    FLIPS(10),
    {"rho_gaussian_3", "Gaussian, sigma^2 = 0.9", FLAT,
     "hiss(eta=3,kernel=gaussian,steps=0)", 1, 1, 0},
    {0},
};

/* Auxiliary densities: logistic by eta, Gaussian by alpha. */
static const struct density {
    const char *row, *title, *label;
    paper_bridge kernel;
    double signal; /* alpha; 1 for the logistic kernel */
    double scale;  /* eta, sigma */
} densities[] = {
    {"aux_eta_0.1", "logistic, eta = 0.1", "\u03b7 = 0.1", PAPER_LOGISTIC, 1,
     0.1},
    {"aux_eta_0.2", "logistic, eta = 0.2", "\u03b7 = 0.2", PAPER_LOGISTIC, 1,
     0.2},
    {"aux_eta_0.5", "logistic, eta = 0.5", "\u03b7 = 0.5", PAPER_LOGISTIC, 1,
     0.5},
    {"aux_eta_1", "logistic, eta = 1", "\u03b7 = 1", PAPER_LOGISTIC, 1, 1},
    {"aux_alpha_0.99", "Gaussian, alpha = 0.99", "\u03b1 = 0.99",
     PAPER_GAUSSIAN, 0.99, 0.141067},
    {"aux_alpha_0.95", "Gaussian, alpha = 0.95", "\u03b1 = 0.95",
     PAPER_GAUSSIAN, 0.95, 0.312250},
    {"aux_alpha_0.8", "Gaussian, alpha = 0.8", "\u03b1 = 0.8", PAPER_GAUSSIAN,
     0.8, 0.6},
    {"aux_alpha_0.316", "Gaussian, sigma^2 = 0.9", "\u03c3\u00b2 = 0.9",
     PAPER_GAUSSIAN, 0.316228, 0.948683},
};

/* Intermediate mass, eps = 0.1.  The last two are the paper's parameters on
 * bits, whose points are half a unit from their middle. */
static const struct mass {
    const char *row, *title;
    paper_bridge kernel;
    double signal, scale, mu;
} masses[] = {
    {"mass_logistic_mu_1", "logistic, eta = 0.5, mu = 1", PAPER_LOGISTIC, 1,
     0.5, 1},
    {"mass_logistic_mu_2", "logistic, eta = 0.5, mu = 2", PAPER_LOGISTIC, 1,
     0.5, 2},
    {"mass_logistic_mu_4", "logistic, eta = 0.5, mu = 4", PAPER_LOGISTIC, 1,
     0.5, 4},
    {"mass_gaussian_mu_1", "Gaussian, sigma^2 = 0.5, mu = 1", PAPER_GAUSSIAN,
     0.707107, 0.707107, 1},
    {"mass_gaussian_mu_2", "Gaussian, sigma^2 = 0.5, mu = 2", PAPER_GAUSSIAN,
     0.707107, 0.707107, 2},
    {"mass_gaussian_mu_4", "Gaussian, sigma^2 = 0.5, mu = 4", PAPER_GAUSSIAN,
     0.707107, 0.707107, 4},
    {"mass_bits_logistic", "logistic, eta = 4, bits", PAPER_LOGISTIC, 1, 4,
     0.5},
    {"mass_bits_gaussian", "Gaussian, sigma^2 = 0.9, bits", PAPER_GAUSSIAN,
     0.316228, 0.948683, 0.5},
};

/* On the paper's 3 x 3 Ising model, each at the scale whose jumps go
 * farthest. */
static const struct shape {
    const char *row, *title;
    paper_bridge kernel;
} shapes[] = {
    {"shape_logistic", "logistic", PAPER_LOGISTIC},
    {"shape_gaussian", "Gaussian", PAPER_GAUSSIAN},
    {"shape_gumbel", "Gumbel", PAPER_GUMBEL},
    {"shape_skewed", "skewed logistic", PAPER_SKEWED},
};

enum {
    ROWS = sizeof rows / sizeof *rows - 1,
    DENSITIES = sizeof densities / sizeof *densities,
    MASSES = sizeof masses / sizeof *masses,
    SHAPES = sizeof shapes / sizeof *shapes,
    SCALES = 120, /* 0.05 to 20 */
    SPLIT = 4,    /* densities of the logistic kernel come first */
    BINS = 60,
    NODES = 161
};

static const double SUCCESS = 0.7;
static const double LOW = -3, HIGH = 4; /* of the densities */
static const double STRIP = 0.1;        /* eps */
static const int TRIES[PAPER_MODES] = {20000000, 2000000};

/* --- flip probability ---------------------------------------------------- */

static void put_flips(paper_run *run, const paper_draws *draws)
{
    size_t dim = (size_t)draws->info.dim;
    const int8_t *x = hiss_result_draws(draws->result);
    double flips = 0, tries = 0;
    bool is_gaussian = strstr(draws->row->sampler, "gaussian");
    double eta = strtod(strstr(draws->row->sampler, "eta=") + 4, NULL);
    paper_value value;

    for (int c = 0; c < draws->info.chains; c++)
        for (int64_t t = 0; t < draws->info.samples; t++, x += dim)
            for (size_t i = 0; i < dim && t > 0; i++, tries++)
                flips += x[i] != (x - dim)[i];
    value = (paper_value)PAPER_VALUE(flips / tries);
    value.se = sqrt(value.mean * (1 - value.mean) / tries);
    value.repetitions = tries;
    value.evaluations = draws->evaluations;
    value.command = draws->command;
    paper_put(run, draws->row->name, "flip_probability", value);
    paper_put_exact(
        run, draws->row->name, "flip_probability_exact",
        paper_bridge_rho(is_gaussian ? PAPER_GAUSSIAN : PAPER_LOGISTIC, eta));
}

static int measure_flips(paper_run *run)
{
    int code = CLI_DONE;

    for (const paper_row *r = rows; r->name && code == CLI_DONE; r++) {
        paper_draws draws;

        code = paper_draws_make(&draws, run, r);
        if (code == CLI_DONE)
            put_flips(run, &draws);
        paper_draws_clear(&draws);
    }
    return code;
}

/* d ln rho / d ln scale where rho has a given value. */
static double sensitivity(paper_bridge kernel, double rho)
{
    double scale = paper_bridge_scale(kernel, rho), step = 1e-3;

    return log(paper_bridge_rho(kernel, scale * (1 + step)) /
               paper_bridge_rho(kernel, scale * (1 - step))) /
           (2 * step);
}

static void put_sensitivity(paper_run *run)
{
    static const double levels[] = {0.1, 0.01};

    for (int i = 0; i < 2; i++) {
        char *row = cli_text("sensitivity_rho_%g", levels[i]);
        char *title = cli_text("where a bit flips with %g", levels[i]);

        paper_put_title(run, row, title);
        paper_put_exact(run, row, "logistic",
                        sensitivity(PAPER_LOGISTIC, levels[i]));
        paper_put_exact(run, row, "gaussian",
                        sensitivity(PAPER_GAUSSIAN, levels[i]));
        free(row);
        free(title);
    }
}

static int draw_flips(paper_run *run)
{
    paper_figure figure = {
        .name = "kernels-flips",
        .title = "Flip probability",
        .caption = "Probability that noise and denoise flip a bit: lines by "
                   "quadrature, points measured. From a scale of about 1 on "
                   "the proposal is a uniformly random state.",
        .x = {.label = "scale of the noise", .is_log = true},
        .y = {.label = "flip probability"},
    };
    double x[NODES], logistic[NODES], gaussian[NODES], y[ROWS];

    for (int i = 0; i < NODES; i++) {
        x[i] = 0.05 * pow(200, (double)i / (NODES - 1));
        logistic[i] = paper_bridge_rho(PAPER_LOGISTIC, x[i]);
        gaussian[i] = paper_bridge_rho(PAPER_GAUSSIAN, x[i]);
    }
    paper_figure_add(&figure, "logistic", CLI_CHART_LINE, PAPER_BLUE, x,
                     logistic, NULL, NODES);
    paper_figure_add(&figure, "Gaussian", CLI_CHART_LINE, PAPER_ORANGE, x,
                     gaussian, NULL, NODES);
    for (int r = 0; r < ROWS; r++) {
        const json_t *metric = json_object_get(
            json_object_get(run->rows, rows[r].name), "flip_probability");

        x[r] = strtod(strstr(rows[r].sampler, "eta=") + 4, NULL);
        y[r] = json_number_value(json_object_get(metric, "mean"));
    }
    paper_figure_add(&figure, "measured", CLI_CHART_POINTS, PAPER_BROWN, x, y,
                     NULL, ROWS);
    return paper_figure_draw(&figure, run);
}

/* The scale of a kernel whose jumps go farthest, and what is lost at twice that
 * scale and at half of it. */
static void put_shape(paper_run *run, const struct shape *shape,
                      const double *law, int dim)
{
    double best = 0, scale = 0, rho = 0, half, twice;

    for (int i = 0; i < SCALES; i++) {
        double eta = 0.05 * pow(400, (double)i / (SCALES - 1));
        double flips = paper_bridge_rho(shape->kernel, eta);
        double distance = paper_bridge_distance(law, dim, flips);

        if (distance > best) {
            best = distance;
            scale = eta;
            rho = flips;
        }
    }
    half = paper_bridge_rho(shape->kernel, scale / 2);
    twice = paper_bridge_rho(shape->kernel, scale * 2);
    paper_put_title(run, shape->row, shape->title);
    paper_put_exact(run, shape->row, "best_scale", scale);
    paper_put_exact(run, shape->row, "flip_probability", rho);
    paper_put_exact(run, shape->row, "jump_acceptance_exact",
                    paper_bridge_acceptance(law, dim, rho));
    paper_put_exact(run, shape->row, "squared_distance", best);
    paper_put_exact(run, shape->row, "squared_distance_at_half_scale",
                    paper_bridge_distance(law, dim, half));
    paper_put_exact(run, shape->row, "squared_distance_at_twice_the_scale",
                    paper_bridge_distance(law, dim, twice));
}

static int put_shapes(paper_run *run)
{
    double *law = NULL;
    int dim, code = paper_law_make("cross(side=3)", &law, &dim);

    for (int i = 0; i < SHAPES && code == CLI_DONE; i++)
        put_shape(run, &shapes[i], law, dim);
    free(law);
    return code;
}

/* --- auxiliary densities ------------------------------------------------- */

static double density_at(const struct density *d, double a)
{
    return SUCCESS * paper_bridge_density(d->kernel, a - d->signal, d->scale) +
           (1 - SUCCESS) * paper_bridge_density(d->kernel, a, d->scale);
}

static double below(const struct density *d, double a)
{
    return SUCCESS * paper_bridge_cdf(d->kernel, a - d->signal, d->scale) +
           (1 - SUCCESS) * paper_bridge_cdf(d->kernel, a, d->scale);
}

static double noisy(paper_random *random, paper_bridge kernel, double scale)
{
    return scale * (kernel == PAPER_GAUSSIAN ? paper_random_normal(random)
                                             : paper_random_logistic(random));
}

/* Counts of TRIES noisy copies; the last cell holds those outside. */
static int histogram(paper_run *run, int number, double *counts)
{
    const struct density *d = &densities[number];
    int tries = TRIES[run->mode];
    paper_random random;

    memset(counts, 0, (BINS + 1) * sizeof *counts);
    paper_random_init(&random, run->seed, (uint64_t)(1000 + number));
    for (int t = 0; t < tries; t++) {
        bool is_one = paper_random_uniform(&random) < SUCCESS;
        double a =
            (is_one ? d->signal : 0) + noisy(&random, d->kernel, d->scale);
        int bin = BINS;

        if (a > LOW && a < HIGH)
            bin = (int)((a - LOW) / (HIGH - LOW) * BINS);
        counts[bin]++;
        if (t % 1000000 == 0 && paper_pace_show(run->pace, (double)t / tries))
            return CLI_SIGNAL + cli_interrupt_signal();
    }
    return CLI_DONE;
}

/* Chi-square per degree of freedom of the counts: 1 when all is well. */
static void put_density(paper_run *run, int number, const double *counts)
{
    const struct density *d = &densities[number];
    double tries = TRIES[run->mode], inside = 0, chi2 = 0;
    paper_value value;
    int cells = 0;

    for (int b = 0; b <= BINS; b++) {
        double low = LOW + (HIGH - LOW) * b / BINS;
        double p = below(d, low + (HIGH - LOW) / BINS) - below(d, low);

        p = b == BINS ? 1 - inside : p;
        inside += p;
        if (p * tries < 5)
            continue;
        chi2 += (counts[b] - p * tries) * (counts[b] - p * tries) / (p * tries);
        cells++;
    }
    value = (paper_value)PAPER_VALUE(chi2 / (cells - 1));
    value.se = sqrt(2.0 / (cells - 1));
    value.repetitions = tries;
    paper_put_title(run, d->row, d->title);
    paper_put(run, d->row, "chi2_per_cell", value);
    paper_put_exact(run, d->row, "density_in_the_middle",
                    density_at(d, d->signal / 2));
}

static int draw_densities(paper_run *run, int from, int to, const char *name,
                          const char *title, double counts[][BINS + 1])
{
    paper_figure figure = {
        .name = name,
        .title = title,
        .caption = "Density of the noisy copy of a Bernoulli(0.7): lines in "
                   "closed form, points from a histogram.",
        .x = {.label = "a"},
        .y = {.label = "density"},
    };
    double x[NODES], y[NODES], width = (HIGH - LOW) / BINS;

    for (int i = from; i < to; i++) {
        const struct density *d = &densities[i];

        for (int n = 0; n < NODES; n++) {
            x[n] = LOW + (HIGH - LOW) * n / (NODES - 1);
            y[n] = density_at(d, x[n]);
        }
        paper_figure_add(&figure, d->label, CLI_CHART_LINE,
                         (paper_color)(i - from), x, y, NULL, NODES);
    }
    for (int i = from; i < to; i++) {
        for (int b = 0; b < BINS; b++) {
            x[b] = LOW + (b + 0.5) * width;
            y[b] = counts[i][b] / TRIES[run->mode] / width;
        }
        paper_figure_add(&figure, "", CLI_CHART_POINTS, (paper_color)(i - from),
                         x, y, NULL, BINS);
    }
    return paper_figure_draw(&figure, run);
}

static int measure_densities(paper_run *run)
{
    double counts[DENSITIES][BINS + 1];
    int code = CLI_DONE;

    for (int i = 0; i < DENSITIES && code == CLI_DONE; i++) {
        paper_pace_part(run->pace, "kernels", densities[i].title, 1);
        code = histogram(run, i, counts[i]);
        if (code == CLI_DONE)
            put_density(run, i, counts[i]);
    }
    if (code == CLI_DONE)
        code = draw_densities(run, 0, SPLIT, "kernels-logistic",
                              "Auxiliary density, logistic", counts);
    if (code == CLI_DONE)
        code = draw_densities(run, SPLIT, DENSITIES, "kernels-gaussian",
                              "Auxiliary density, Gaussian", counts);
    return code;
}

/* --- intermediate mass --------------------------------------------------- */

static double mass_exact(const struct mass *m, double mu)
{
    double centre = m->signal * mu;

    return paper_bridge_cdf(m->kernel, centre + STRIP, m->scale) -
           paper_bridge_cdf(m->kernel, centre - STRIP, m->scale);
}

static double mass_formula(const struct mass *m)
{
    double s2 = m->scale * m->scale;

    if (m->kernel == PAPER_LOGISTIC)
        return 2 * STRIP / m->scale * exp(-m->mu / m->scale);
    return sqrt(2 / M_PI) * STRIP / m->scale *
           exp(-m->mu * m->mu * (1 - s2) / (2 * s2));
}

static int measure_mass(paper_run *run, int number)
{
    const struct mass *m = &masses[number];
    int tries = TRIES[run->mode];
    paper_random random;
    paper_value value;
    double hits = 0;

    paper_random_init(&random, run->seed, (uint64_t)(2000 + number));
    for (int t = 0; t < tries; t++) {
        double sign = paper_random_uniform(&random) < 0.5 ? -1 : 1;
        double a =
            sign * m->signal * m->mu + noisy(&random, m->kernel, m->scale);

        hits += fabs(a) < STRIP;
        if (t % 1000000 == 0 && paper_pace_show(run->pace, (double)t / tries))
            return CLI_SIGNAL + cli_interrupt_signal();
    }
    value = (paper_value)PAPER_VALUE(hits / tries);
    value.se = sqrt(value.mean * (1 - value.mean) / tries);
    value.repetitions = tries;
    paper_put_title(run, m->row, m->title);
    paper_put(run, m->row, "mass_measured", value);
    paper_put_exact(run, m->row, "mass_exact", mass_exact(m, m->mu));
    paper_put_exact(run, m->row, "mass_formula", mass_formula(m));
    return CLI_DONE;
}

static int draw_masses(paper_run *run)
{
    paper_figure figure = {
        .name = "kernels-mass",
        .title = "Intermediate mass",
        .caption = "Mass within 0.1 of the middle of two points at -mu and mu. "
                   "Far apart the logistic tail wins; on bits mu is 1/2.",
        .x = {.label = "\u03bc"},
        .y = {.label = "mass in the strip",
              .is_log = true,
              .has_low = true,
              .low = 1e-6,
              .has_high = true,
              .high = 1},
    };
    static const struct mass lines[] = {
        {NULL, "logistic, \u03b7 = 0.5", PAPER_LOGISTIC, 1, 0.5, 0},
        {NULL, "logistic, \u03b7 = 4", PAPER_LOGISTIC, 1, 4, 0},
        {NULL, "Gaussian, \u03c3\u00b2 = 0.5", PAPER_GAUSSIAN, 0.707107,
         0.707107, 0},
        {NULL, "Gaussian, \u03c3\u00b2 = 0.9", PAPER_GAUSSIAN, 0.316228,
         0.948683, 0},
    };
    static const paper_color colors[] = {PAPER_BLUE, PAPER_INDIGO, PAPER_BROWN,
                                         PAPER_ORANGE};
    double x[NODES], y[NODES];

    for (int i = 0; i < 4; i++) {
        for (int n = 0; n < NODES; n++) {
            x[n] = 6.0 * n / (NODES - 1);
            y[n] = mass_exact(&lines[i], x[n]);
        }
        paper_figure_add(&figure, lines[i].title, CLI_CHART_LINE, colors[i], x,
                         y, NULL, NODES);
    }
    for (int i = 0; i < MASSES; i++) {
        const json_t *metric = json_object_get(
            json_object_get(run->rows, masses[i].row), "mass_measured");

        x[i] = masses[i].mu;
        y[i] = json_number_value(json_object_get(metric, "mean"));
    }
    paper_figure_add(&figure, "measured", CLI_CHART_POINTS, PAPER_GRAY, x, y,
                     NULL, MASSES);
    return paper_figure_draw(&figure, run);
}

static int run_kernels(paper_run *run)
{
    int code;

    paper_pace_plan(run->pace,
                    paper_rows_work(rows) + DENSITIES + 0.5 * MASSES);
    code = measure_flips(run);
    if (code == CLI_DONE) {
        put_sensitivity(run);
        code = draw_flips(run);
    }
    if (code == CLI_DONE)
        code = put_shapes(run);
    if (code == CLI_DONE)
        code = measure_densities(run);
    for (int i = 0; i < MASSES && code == CLI_DONE; i++) {
        paper_pace_part(run->pace, "kernels", masses[i].title, 0.5);
        code = measure_mass(run, i);
    }
    if (code == CLI_DONE)
        code = draw_masses(run);
    return code;
}

const paper_experiment paper_experiment_kernels = {
    .name = "kernels",
    .title = "Logistic and Gaussian kernels",
    .about = "Closed forms of the paper's appendix beside measurements: flip "
             "probabilities by the sampler on a flat law, auxiliary densities "
             "and intermediate masses by direct simulation. The rows shape_ "
             "have symmetric and asymmetric kernels on the 3 x 3 Ising model.",
    .seconds = {16, 2},
    .rows = rows,
    .size = {{16, 1, 100000}, {16, 1, 10000}},
    .revision = 2,
    .run = run_kernels,
};
