/* targets.c - multimodal laws whose mode masses are known.
 *
 * pairs      sign of every pair, 1 / (1 + exp(-4 bias))
 * ferro      sign of the magnetisation, 1/2; with a field by summing over the
 *            states of a row, row by row, with the magnetisation as a label
 * mixture    component of the largest density, its weight
 * potts      majority label, 1 / states
 * rbm        nearest planted pattern, 1 / modes */
#include "targets.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "model/draw.h"

static void classify_pairs(const target *t, const double *x, double *out)
{
    for (int k = 0; k < t->classes; k++)
        out[k] = x[2 * k];
}

static void means_pairs(const target *t, double *out)
{
    for (int k = 0; k < t->classes; k++)
        out[k] = 1.0 / (1.0 + exp(-0.4));
}

static void classify_sign(const target *t, const double *x, double *out)
{
    double sum = 0.0;

    for (int i = 0; i < t->number; i++)
        sum += x[i];
    out[0] = sum > 0.0 ? 1.0 : sum < 0.0 ? 0.0 : 0.5;
}

static void means_half(const target *t, double *out)
{
    (void)t;
    out[0] = 0.5;
}

/* Field i of component k as model/mixture.c draws it. */
static double field(const target *t, int k, int i)
{
    double sign, uniform, low = 0.3, range = 1.4;

    if (t->parameter > 0.0) { /* modes of different width */
        low = k == 0 ? t->parameter : 0.3;
        range = 0.0;
    }
    hs_draw_sign(1, k, i, &sign, &uniform);
    return sign * (low + range * uniform);
}

static void classify_mixture(const target *t, const double *x, double *out)
{
    static const target *known;
    static float *h; /* of the target asked for last */
    static double constant[16];
    double best = -HUGE_VAL;
    int at = 0, d = t->number;

    if (known != t) {
        free(h);
        h = malloc(sizeof *h * (size_t)t->classes * (size_t)d);
        if (!h)
            abort();
        memset(constant, 0, sizeof constant);
        for (int k = 0; k < t->classes; k++)
            for (int i = 0; i < d; i++) {
                double f = field(t, k, i);

                h[k * d + i] = (float)f;
                constant[k] -= log(2.0 * cosh(f));
            }
        known = t;
    }
    for (int k = 0; k < t->classes; k++) {
        double a = constant[k];

        for (int i = 0; i < d; i++)
            a += (double)h[k * d + i] * x[i];
        if (a > best) {
            best = a;
            at = k;
        }
    }
    for (int k = 0; k < t->classes; k++)
        out[k] = k == at;
}

static void means_equal(const target *t, double *out)
{
    for (int k = 0; k < t->classes; k++)
        out[k] = 1.0 / t->classes;
}

static void classify_label(const target *t, const double *x, double *out)
{
    int count[64] = {0}, best = 0, ties = 0;

    for (int i = 0; i < t->number; i++)
        count[(int)x[i]]++;
    for (int k = 0; k < t->classes; k++)
        best = count[k] > best ? count[k] : best;
    for (int k = 0; k < t->classes; k++)
        ties += count[k] == best;
    for (int k = 0; k < t->classes; k++)
        out[k] = count[k] == best ? 1.0 / ties : 0.0;
}

static void classify_pattern(const target *t, const double *x, double *out)
{
    int at = 0;
    double best = -HUGE_VAL;

    for (int k = 0; k < t->classes; k++) {
        double overlap = 0.0;

        for (int i = 0; i < t->number; i++) {
            double sign, uniform;

            hs_draw_sign(1, k, i, &sign, &uniform);
            overlap += sign * (2.0 * x[i] - 1.0);
        }
        if (overlap > best) {
            best = overlap;
            at = k;
        }
    }
    for (int k = 0; k < t->classes; k++)
        out[k] = k == at;
}

const target targets[] = {
    {"pairs64", "pairs(d=64)", 32, classify_pairs, means_pairs, 64, 0, 0, 1},
    {"pairs256", "pairs(d=256)", 128, classify_pairs, means_pairs, 256, 0, 0,
     1},
    {"ferro8", "ising(side=8,beta=0.55)", 1, classify_sign, means_half, 64, 0,
     0, 1},
    {"ferro16", "ising(side=16,beta=0.55)", 1, classify_sign, means_half, 256,
     0, 0, 1},
    {"mix4h_100", "mixture(4,100)", 4, classify_mixture, means_equal, 100, 0, 0,
     1},
    {"mix4h_1000", "mixture(4,1000)", 4, classify_mixture, means_equal, 1000, 0,
     0, 1},
    {"potts4", "potts(side=16,states=4,beta=1.2)", 4, classify_label,
     means_equal, 256, 0, 0, 0},
    {"rbm6", "rbm(visible=80,hidden=6,modes=6,strength=3)", 6,
     classify_pattern, means_equal, 80, 0, 0, 0},
    {0},
};
