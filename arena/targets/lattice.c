/* lattice.c - Ising and Potts models on the square torus, without a field: what
 * learned samplers are shown on.
 *
 * Z of the Ising model on n x n sites at coupling K [Kaufman 1949]:
 *     Z = 1/2 (2 sinh 2K)^(n n / 2) [prod 2 cosh(n g_{2r+1} / 2)
 *         + prod 2 sinh(n g_{2r+1} / 2) + prod 2 cosh(n g_{2r} / 2)
 *         + prod 2 sinh(n g_{2r} / 2)],  r = 0 .. n - 1,
 *     cosh g_l = cosh 2K coth 2K - cos(pi l / n),  g_0 = 2K + ln tanh K.
 * U = K sum s s', so that its mean is K (ln Z)' and its variance K^2 (ln Z)''.
 * Those of the Potts models were measured: `scale` has mean, standard error
 * and variance, of `hiss sample 'potts(side=16,states=3,beta=...)' --sampler
 * cluster --chains 16 --samples 20000 --thin 5`.
 *
 * Classes: the mass of each phase, which symmetry makes equal, and U, brought
 * to mean 1/2 and variance 1/4 so that it counts as much as an indicator. */
#include <math.h>
#include <stdlib.h>

#include "arena/targets/families.h"

#define STEP 2e-3L /* of the differences that give derivatives */

/* ln of a product of 2 cosh or 2 sinh, and its sign. */
struct term {
    long double log;
    int sign;
};

static long double angle(long double k, int l, int side)
{
    long double c = coshl(2.0L * k) / tanhl(2.0L * k) -
                    cosl(acosl(-1.0L) * (long double)l / side);

    return l == 0 ? 2.0L * k + logl(tanhl(k)) : acoshl(c);
}

static struct term factors(long double k, int side, int odd, int is_sinh)
{
    struct term t = {0.0L, 1};

    for (int r = 0; r < side; r++) {
        long double x = 0.5L * side * angle(k, 2 * r + odd, side);
        long double tail = expl(-2.0L * fabsl(x));

        t.log += fabsl(x) + (is_sinh ? log1pl(-tail) : log1pl(tail));
        if (is_sinh && x < 0.0L)
            t.sign = -t.sign;
    }
    return t;
}

static long double log_z(long double k, int side)
{
    struct term t[4] = {factors(k, side, 1, 0), factors(k, side, 1, 1),
                        factors(k, side, 0, 0), factors(k, side, 0, 1)};
    long double most = t[0].log, sum = 0.0L;

    for (int n = 1; n < 4; n++)
        most = fmaxl(most, t[n].log);
    for (int n = 0; n < 4; n++)
        sum += t[n].sign * expl(t[n].log - most);
    return most + logl(0.5L * sum) +
           0.5L * side * side * logl(2.0L * sinhl(2.0L * k));
}

/* Mean and variance of U, by differences of fourth order. */
static void energies(const target *t, double *mean, double *variance)
{
    long double f[5], k = (long double)t->beta;

    for (int n = 0; n < 5; n++)
        f[n] = log_z(k + (n - 2) * STEP, t->size[0]);
    *mean = (double)(k * (f[0] - 8.0L * f[1] + 8.0L * f[3] - f[4]) /
                     (12.0L * STEP));
    *variance =
        (double)(k * k *
                 (-f[0] + 16.0L * f[1] - 30.0L * f[2] + 16.0L * f[3] - f[4]) /
                 (12.0L * STEP * STEP));
}

/* The last class: U, whose mean and deviation stand in `own`. */
struct moments {
    double mean, deviation;
};

static double energy_class(const instance *at, const double *x)
{
    const struct moments *own = at->own;
    double u = 0.0;

    hiss_model_energy(at->model, x, &u, NULL);
    return 0.5 + 0.5 * (u - own->mean) / own->deviation;
}

static void classify_sign(const instance *at, const double *x, double *out)
{
    double sum = 0.0;

    for (int i = 0; i < at->of->size[0] * at->of->size[0]; i++)
        sum += x[i];
    out[0] = sum > 0.0 ? 1.0 : sum < 0.0 ? 0.0 : 0.5;
    out[1] = energy_class(at, x);
}

static void classify_label(const instance *at, const double *x, double *out)
{
    int count[TARGET_MODES] = {0}, best = 0, ties = 0, labels = at->modes;

    for (int i = 0; i < at->of->size[0] * at->of->size[0]; i++)
        count[(int)x[i]]++;
    for (int k = 0; k < labels; k++)
        best = count[k] > best ? count[k] : best;
    for (int k = 0; k < labels; k++)
        ties += count[k] == best;
    for (int k = 0; k < labels; k++)
        out[k] = count[k] == best ? 1.0 / ties : 0.0;
    out[labels] = energy_class(at, x);
}

static int use(instance *at, struct moments of)
{
    struct moments *own = malloc(sizeof *own);

    at->own = own;
    at->clear = free;
    if (!own)
        return 0;
    *own = of;
    for (int k = 0; k < at->modes; k++)
        at->mean[k] = at->modes == 1 ? 0.5 : 1.0 / at->modes;
    at->classes = at->modes + 1;
    at->mean[at->modes] = 0.5;
    at->u = (energy_law){of.mean, 2.0 * of.deviation * at->mean_se,
                         of.deviation * of.deviation};
    family_symmetric(at);
    family_indicators(at);
    return hiss_model_create(&at->model, at->of->words, NULL) == HISS_OK;
}

static int ising(instance *at)
{
    struct moments own;

    energies(at->of, &own.mean, &own.deviation);
    own.deviation = sqrt(own.deviation);
    at->log_z = (double)log_z((long double)at->of->beta, at->of->size[0]);
    at->modes = 1;
    at->classify = classify_sign;
    return use(at, own);
}

static int potts(instance *at)
{
    const double *known = at->of->scale;
    struct moments own = {known[0], sqrt(known[2])};

    at->mean_se = 0.5 * known[1] / own.deviation;
    at->modes = at->of->size[1];
    at->classify = classify_label;
    return use(at, own);
}

#define TABLES .peers = peers_tables, .has_tables = 2
#define ISING(side, k)                                                         \
  ising, "ising(side=" #side ",beta=" #k ")", .size = {side}, .beta = k, TABLES
#define POTTS(k)                                                               \
  potts, "potts(side=16,states=3,beta=" #k ")", .size = {16, 3}, .beta = k,    \
                                                TABLES

const target targets_lattice[] = {
    {"ising16_28", ISING(16, 0.28)},
    {"ising16_44", ISING(16, 0.4407)},
    {"ising16_60", ISING(16, 0.6)},
    {"ising24_28", ISING(24, 0.28)},
    {"ising24_44", ISING(24, 0.4407)},
    {"ising24_60", ISING(24, 0.6)},
    {"potts16_50", POTTS(0.5), .scale = {118.0693, 0.0126, 39.959}},
    {"potts16_100", POTTS(1.005), .scale = {416.9039, 0.1498, 954.04}},
    {"potts16_120", POTTS(1.2), .scale = {583.0920, 0.0438, 200.246}},
    {0},
};
