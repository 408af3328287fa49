/* bnn_reference.c - what needs no sampler: the mean, a straight line, networks
 * with all weights equal, and random ones. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "paper/networks/bnn.h"
#include "paper/support/random.h"

/* What makes one-hot inputs, whose sums are all 1, solvable; by the mean of
 * the diagonal. */
static const double RIDGE = 1e-9;

void bnn_base_rate(const hiss_model *model, double score[BNN_SCORES])
{
    const float *y = hiss_network_targets(model, HISS_FITTED);
    float *said[HISS_PARTS];
    hiss_network network = HISS_INIT(hiss_network);
    double mean = 0;

    hiss_model_network(model, &network);
    for (int n = 0; n < network.cases[HISS_FITTED]; n++)
        mean += (double)y[n] / network.cases[HISS_FITTED];
    for (int p = 0; p < HISS_PARTS; p++) {
        said[p] = cli_alloc((size_t)network.cases[p] + 1, sizeof *said[p]);
        for (int n = 0; n < network.cases[p]; n++)
            said[p][n] = (float)mean;
    }
    bnn_score_predictions(model, said[HISS_FITTED], said[HISS_TEST], score);
    for (int p = 0; p < HISS_PARTS; p++)
        free(said[p]);
}

/* Solves a x = b in place, a symmetric and positive; x is left in b. */
static void solve(double *a, double *b, int width)
{
    for (int i = 0; i < width; i++)
        for (int j = 0; j <= i; j++) {
            double sum = a[i * width + j];

            for (int k = 0; k < j; k++)
                sum -= a[i * width + k] * a[j * width + k];
            a[i * width + j] = i == j ? sqrt(sum) : sum / a[j * width + j];
        }
    for (int i = 0; i < width; i++) {
        for (int k = 0; k < i; k++)
            b[i] -= a[i * width + k] * b[k];
        b[i] /= a[i * width + i];
    }
    for (int i = width - 1; i >= 0; i--) {
        for (int k = i + 1; k < width; k++)
            b[i] -= a[k * width + i] * b[k];
        b[i] /= a[i * width + i];
    }
}

static void fill_normal(const hiss_model *model, int cases, int width,
                        double *a, double *b)
{
    const float *z = hiss_network_inputs(model, HISS_FITTED);
    const float *y = hiss_network_targets(model, HISS_FITTED);
    double trace = 0;

    for (int n = 0; n < cases; n++, z += width)
        for (int i = 0; i < width; i++) {
            b[i] += (double)z[i] * (double)y[n];
            for (int j = 0; j <= i && z[i] != 0.0f; j++)
                a[i * width + j] += (double)z[i] * (double)z[j];
        }
    for (int i = 0; i < width; i++)
        trace += a[i * width + i];
    for (int i = 0; i < width; i++)
        a[i * width + i] += RIDGE * trace / width;
}

void bnn_least_squares(const hiss_model *model, double score[BNN_SCORES])
{
    float *said[HISS_PARTS];
    hiss_network network = HISS_INIT(hiss_network);
    double *a, *b;
    int width;

    hiss_model_network(model, &network);
    width = network.inputs + 1;
    a = cli_alloc((size_t)width * (size_t)width, sizeof *a);
    b = cli_alloc((size_t)width, sizeof *b);
    fill_normal(model, network.cases[HISS_FITTED], width, a, b);
    solve(a, b, width);
    for (int p = 0; p < HISS_PARTS; p++) {
        const float *z = hiss_network_inputs(model, (hiss_part)p);

        said[p] = cli_alloc((size_t)network.cases[p] + 1, sizeof *said[p]);
        for (int n = 0; n < network.cases[p]; n++, z += width) {
            double sum = 0;

            for (int i = 0; i < width; i++)
                sum += (double)z[i] * b[i];
            said[p][n] = (float)fmin(fmax(sum, 0), 1);
        }
    }
    bnn_score_predictions(model, said[HISS_FITTED], said[HISS_TEST], score);
    for (int p = 0; p < HISS_PARTS; p++)
        free(said[p]);
    free(a);
    free(b);
}

int bnn_all_equal(const hiss_model *model, double score[BNN_SCORES])
{
    size_t dim = (size_t)hiss_model_dim(model);
    int8_t *state = cli_alloc(dim, 1);
    int code;

    memset(state, 1, dim);
    code = bnn_score_states(model, state, 1, score);
    free(state);
    return code;
}

int bnn_random(const hiss_model *model, uint64_t seed, int networks,
               int repetitions, double (*score)[BNN_SCORES])
{
    size_t size = (size_t)networks * (size_t)hiss_model_dim(model);
    int8_t *states = cli_alloc(size, 1);
    paper_random random;
    int code = CLI_DONE;

    paper_random_init(&random, seed, 0);
    for (int r = 0; r < repetitions && code == CLI_DONE; r++) {
        for (size_t i = 0; i < size; i++)
            states[i] = paper_random_uniform(&random) < 0.5;
        code = bnn_score_states(model, states, networks, score[r]);
    }
    free(states);
    return code;
}
