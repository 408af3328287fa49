/* known.c - the targets that the samplers were built on.  There is one instance
 * of each.
 *
 * pairs      sign of every pair, 1 / (1 + exp(-4 bias))
 * ferro      sign of the magnetisation, 1/2
 * mix        component of the largest density, its weight
 * wide       the same, components of different mass (10 times) and width: the
 *            numbers exp(S) of their typical states differ by e^10 and e^20
 * potts      majority label, 1 / states
 * rbm        nearest planted pattern, 1 / modes
 * hopfield   nearest of the stored patterns and their opposites: the sum of
 *            a pattern and its opposite is known, 1/2 each, by symmetry
 * grid       every coordinate, marginals that came with the file */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "arena/targets/families.h"
#include "model/draw.h"

static void classify_pairs(const instance *at, const double *x, double *out)
{
    const target *t = at->of;
    for (int k = 0; k < t->classes; k++)
        out[k] = x[2 * k];
}

static int means_pairs(const target *t, double *out)
{
    for (int k = 0; k < t->classes; k++)
        out[k] = 1.0 / (1.0 + exp(-0.4));
    return 1;
}

static void classify_sign(const instance *at, const double *x, double *out)
{
    const target *t = at->of;
    double sum = 0.0;

    for (int i = 0; i < t->dim; i++)
        sum += x[i];
    out[0] = sum > 0.0 ? 1.0 : sum < 0.0 ? 0.0 : 0.5;
}

static int means_equal(const target *t, double *out)
{
    for (int k = 0; k < t->classes; k++)
        out[k] = t->classes == 1 ? 0.5 : 1.0 / t->classes;
    return 1;
}

/* Field i of component k as model/law/mixture.c draws it. */
static double field(const target *t, int k, int i)
{
    double sign, uniform;

    hs_draw_sign(1, k, i, &sign, &uniform);
    return t->scale[k] * sign * (0.3 + 1.4 * uniform);
}

static void classify_mixture(const instance *at, const double *x, double *out)
{
    const target *t = at->of;
    static const target *known;
    static float *h; /* fields of the target asked for last */
    static double constant[TARGET_MODES];
    double best = -HUGE_VAL;
    int nearest = 0, d = t->dim;

    if (known != t) {
        free(h);
        h = malloc(sizeof *h * (size_t)t->classes * (size_t)d);
        if (!h)
            abort();
        for (int k = 0; k < t->classes; k++) {
            constant[k] = log(t->weight[k]);
            for (int i = 0; i < d; i++) {
                double f = field(t, k, i);

                h[k * d + i] = (float)f;
                constant[k] -= log(2.0 * cosh(f));
            }
        }
        known = t;
    }
    for (int k = 0; k < t->classes; k++) {
        double a = constant[k];

        for (int i = 0; i < d; i++)
            a += (double)h[k * d + i] * x[i];
        if (a > best) {
            best = a;
            nearest = k;
        }
    }
    for (int k = 0; k < t->classes; k++)
        out[k] = k == nearest;
}

static int means_mixture(const target *t, double *out)
{
    double all = 0.0;

    for (int k = 0; k < t->classes; k++)
        all += t->weight[k];
    for (int k = 0; k < t->classes; k++)
        out[k] = t->weight[k] / all;
    return 1;
}

static void classify_label(const instance *at, const double *x, double *out)
{
    const target *t = at->of;
    int count[64] = {0}, best = 0, ties = 0;

    for (int i = 0; i < t->dim; i++)
        count[(int)x[i]]++;
    for (int k = 0; k < t->classes; k++)
        best = count[k] > best ? count[k] : best;
    for (int k = 0; k < t->classes; k++)
        ties += count[k] == best;
    for (int k = 0; k < t->classes; k++)
        out[k] = count[k] == best ? 1.0 / ties : 0.0;
}

/* Overlap with random pattern k, drawn as model/network/rbm.c does. */
static double overlap(const target *t, int k, const double *x)
{
    double sum = 0.0;

    for (int i = 0; i < t->dim; i++) {
        double sign, uniform;

        hs_draw_sign(1, k, i, &sign, &uniform);
        sum += sign * x[i];
    }
    return sum;
}

static void classify_pattern(const instance *at, const double *x, double *out)
{
    const target *t = at->of;
    double zero[1024] = {0}, best = -HUGE_VAL;
    int nearest = 0;

    for (int i = 0; i < t->dim; i++)
        zero[i] = 2.0 * x[i] - 1.0;
    for (int k = 0; k < t->classes; k++) {
        double o = overlap(t, k, zero);

        if (o > best) {
            best = o;
            nearest = k;
        }
    }
    for (int k = 0; k < t->classes; k++)
        out[k] = k == nearest;
}

/* The sign of the overlap with each stored pattern. */
static void classify_hopfield(const instance *at, const double *x, double *out)
{
    const target *t = at->of;
    for (int k = 0; k < t->classes; k++) {
        double o = overlap(t, k, x);

        out[k] = o > 0.0 ? 1.0 : o < 0.0 ? 0.0 : 0.5;
    }
}

static int means_half(const target *t, double *out)
{
    for (int k = 0; k < t->classes; k++)
        out[k] = 0.5;
    return 1;
}

static void classify_bits(const instance *at, const double *x, double *out)
{
    const target *t = at->of;
    for (int i = 0; i < t->classes; i++)
        out[i] = x[i];
}

/* A file of the data folder; hiss_free it. */
static char *data_path(const char *folder, const char *name, const char *suffix)
{
    char file[64], *path = NULL;

    snprintf(file, sizeof file, "%s/%s%s", folder, name, suffix);
    return hiss_find_data(file, &path, NULL) == HISS_OK ? path : NULL;
}

/* P(x_i = 1) of a .MAR file of binary coordinates. */
static int means_file(const target *t, double *out)
{
    char *path = data_path("uai", t->words, ".uai.MAR");
    FILE *in = path ? fopen(path, "r") : NULL;
    int good = in && fscanf(in, "MAR %*d") == 0;

    for (int i = 0; good && i < t->classes; i++)
        good = fscanf(in, "%*d %*f %lf", &out[i]) == 1;
    if (in)
        fclose(in);
    hiss_free(path);
    return good;
}

/* J = strength / dim sum_k xi_k xi_k', no diagonal. */
static hiss_model *stored(const target *t)
{
    size_t d = (size_t)t->dim;
    double *j = calloc(d * d, sizeof *j);
    hiss_model *m = NULL;

    for (int k = 0; j && k < t->classes; k++)
        for (size_t a = 0; a < d; a++)
            for (size_t b = 0; b < d; b++) {
                double p, q, uniform;

                hs_draw_sign(1, k, (int)a, &p, &uniform);
                hs_draw_sign(1, k, (int)b, &q, &uniform);
                if (a != b)
                    j[a * d + b] += t->scale[0] * p * q / t->dim;
            }
    if (j)
        hiss_model_ising(&m, t->dim, j, NULL, NULL);
    free(j);
    return m;
}

static hiss_model *open_model(const char *folder, const char *name,
                              const char *suffix)
{
    hiss_model *m = NULL;
    char *path = data_path(folder, name, suffix);

    if (path)
        hiss_model_open(&m, path, NULL, NULL);
    hiss_free(path);
    return m;
}

/* Whether a tour of eil14 is the shortest; lengths are not rounded. */
static void classify_shortest(const instance *at, const double *x, double *out)
{
    const target *t = at->of;
    static hiss_model *m;
    double u = 0.0;

    if (!m)
        m = open_model("tsp", t->words, ".tsp");
    out[0] = m && hiss_model_energy(m, x, &u, NULL) == HISS_OK && u > -191.8504;
}

/* Its probability, by a sum over all tours. */
static int means_shortest(const target *t, double *out)
{
    (void)t;
    out[0] = 0.9799;
    return 1;
}

typedef void classifier(const instance *at, const double *x, double *out);

/* An instance with this model, whose classes are indicators. */
static int known(instance *at, hiss_model *model, classifier *classify,
                 int (*means)(const target *t, double *out))
{
    at->model = model;
    at->classes = at->of->classes;
    at->classify = classify;
    if (!model || !means(at->of, at->mean))
        return 0;
    family_indicators(at);
    return 1;
}

static hiss_model *from_spec(const target *t)
{
    hiss_model *m = NULL;

    return hiss_model_create(&m, t->words, NULL) ? NULL : m;
}

static int pairs(instance *at)
{
    return known(at, from_spec(at->of), classify_pairs, means_pairs);
}

static int ferro(instance *at)
{
    return known(at, from_spec(at->of), classify_sign, means_equal);
}

static int mixture(instance *at)
{
    return known(at, from_spec(at->of), classify_mixture, means_mixture);
}

static int potts(instance *at)
{
    return known(at, from_spec(at->of), classify_label, means_equal);
}

static int rbm(instance *at)
{
    return known(at, from_spec(at->of), classify_pattern, means_equal);
}

static int hopfield(instance *at)
{
    return known(at, stored(at->of), classify_hopfield, means_half);
}

static int tours(instance *at)
{
    return known(at, open_model("tsp", at->of->words, ".tsp"),
                 classify_shortest, means_shortest);
}

static void marginal_bit(const instance *at, int i, double *out)
{
    out[1] = at->mean[i];
    out[0] = 1.0 - at->mean[i];
}

static int grid(instance *at)
{
    at->marginal = marginal_bit;
    return known(at, open_model("uai", at->of->words, ".uai"), classify_bits,
                 means_file);
}

const target targets_known[] = {
    {"pairs64", pairs, "pairs(d=64)", .classes = 32, .dim = 64, .is_alike = 1,
     .has_tables = 2},
    {"pairs256", pairs, "pairs(d=256)", .classes = 128, .dim = 256,
     .is_alike = 1, .has_tables = 2},
    {"ferro8", ferro, "ising(side=8,beta=0.55)", .classes = 1, .dim = 64,
     .is_alike = 1, .has_tables = 2},
    {"ferro16", ferro, "ising(side=16,beta=0.55)", .classes = 1, .dim = 256,
     .is_alike = 1, .has_tables = 2},
    {"mix4h_100", mixture, "mixture(4,100)", .classes = 4, .dim = 100,
     .scale = {1, 1, 1, 1}, .weight = {1, 1, 1, 1}, .is_alike = 1,
     .is_disjoint = 1},
    {"mix4h_1000", mixture, "mixture(4,1000)", .classes = 4, .dim = 1000,
     .scale = {1, 1, 1, 1}, .weight = {1, 1, 1, 1}, .is_alike = 1,
     .is_disjoint = 1},
    {"mix2_100", mixture, "mixture(2,100,symmetric=yes)", .classes = 2,
     .dim = 100, .scale = {1, -1}, .weight = {1, 1}, .is_alike = 1,
     .is_disjoint = 1},
    {"wide_a", mixture, "mixture(3,40,weights=[10,3,1],scales=[1,1.5,0.8])",
     .classes = 3, .dim = 40, .scale = {1, 1.5, 0.8}, .weight = {10, 3, 1},
     .is_disjoint = 1},
    {"wide_b", mixture, "mixture(2,100,weights=[1,10],scales=[0.8,1.3])",
     .classes = 2, .dim = 100, .scale = {0.8, 1.3}, .weight = {1, 10},
     .is_disjoint = 1},
    {"potts4", potts, "potts(side=16,states=4,beta=1.2)", .classes = 4,
     .dim = 256, .is_alike = 1, .is_disjoint = 1, .has_tables = 2},
    {"rbm6", rbm, "rbm(visible=80,hidden=6,modes=6,strength=3)", .classes = 6,
     .dim = 80, .is_alike = 1, .is_disjoint = 1},
    {"hopfield", hopfield, "Hopfield, 3 patterns of 120 spins, beta 2.2",
     .classes = 3, .dim = 120, .scale = {2.2}, .is_alike = 1},
    {"eil14", tours, "eil14", .classes = 1, .dim = 14, .is_tour = 1},
    {"grid10", grid, "Grids_11", .classes = 100, .dim = 100, .has_tables = 2,
     .is_marginal = 1},
    {"grid20", grid, "Grids_15", .classes = 400, .dim = 400, .has_tables = 2,
     .is_marginal = 1},
    {"grid10_1e7", grid, "Grids_11", .classes = 100, .dim = 100,
     .has_tables = 2, .is_marginal = 1, .longer = 10, .seeds = 2},
    {"grid20_1e7", grid, "Grids_15", .classes = 400, .dim = 400,
     .has_tables = 2, .is_marginal = 1, .longer = 10, .seeds = 2},
    {0},
};
