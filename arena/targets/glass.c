/* glass.c - Ising spin glasses.
 *
 * U = beta (sum_<ij> J_ij s_i s_j + sum_i h_i s_i) on a lattice of size[0] x
 * size[1] x size[2] sites with open ends, J +-1 (spread 0) or normal (spread
 * 1), h normal of deviation FIELD: marginals by elimination.  With one size
 * only every pair is coupled (Sherrington and Kirkpatrick), J of variance 1/n:
 * by enumeration.
 *
 * The periodic one without field has no exact answers but P(s_i) = 1/2, which
 * a sampler of symmetric moves has for nothing.  Its statistic is U: mean,
 * standard error and variance from a long run of tempering are kept in `scale`
 * for instance 1, and measured anew for others. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "arena/targets/families.h"
#include "arena/targets/uai.h"

#define FIELD 0.1
#define LONG  2e7 /* evaluations of the run that measures U */

struct bonds {
    int *row, *column;
    double *value, *field;
    int64_t count;
    int dim;
};

static int bonds_make(struct bonds *b, int dim, int64_t most)
{
    b->row = malloc(sizeof *b->row * (size_t)most);
    b->column = malloc(sizeof *b->column * (size_t)most);
    b->value = malloc(sizeof *b->value * (size_t)most);
    b->field = calloc((size_t)dim, sizeof *b->field);
    b->count = 0;
    b->dim = dim;
    return b->row && b->column && b->value && b->field;
}

static void bonds_clear(struct bonds *b)
{
    free(b->row);
    free(b->column);
    free(b->value);
    free(b->field);
}

static void bond(struct bonds *b, int i, int j, double value)
{
    b->row[b->count] = i;
    b->column[b->count] = j;
    b->value[b->count++] = value;
}

static double coupling(const target *t, uint64_t *seed)
{
    if (t->spread > 0.0)
        return t->beta * t->spread * family_normal(seed);
    return family_uniform(seed) < 0.5 ? -t->beta : t->beta;
}

/* Bonds to the next site in every direction; at the end none, or to the first
 * site. */
static void lattice(struct bonds *b, const target *t, int is_periodic,
                    uint64_t *seed)
{
    int stride[3] = {1, t->size[0], t->size[0] * t->size[1]};

    for (int i = 0; i < b->dim; i++)
        for (int a = 0; a < 3; a++) {
            int at = i / stride[a] % t->size[a];
            int is_last = at == t->size[a] - 1;

            if (t->size[a] < 2 || (is_last && !is_periodic))
                continue;
            bond(b, i, i + (is_last ? -at : 1) * stride[a], coupling(t, seed));
        }
}

static void fields(struct bonds *b, double beta, uint64_t *seed)
{
    for (int i = 0; i < b->dim; i++)
        b->field[i] = beta * FIELD * family_normal(seed);
}

static void use(instance *at, const struct bonds *b)
{
    at->uai = uai_of_pairs(b->dim, 1, b->count, b->row, b->column, b->value,
                           b->field);
    hiss_model_ising_sparse(&at->model, b->dim, b->count, b->row, b->column,
                            b->value, b->field, NULL);
}

static int glass(instance *at)
{
    const target *t = at->of;
    int dim = t->size[0] * t->size[1] * t->size[2];
    uint64_t seed = family_seed(at);
    struct bonds b = {0};

    if (bonds_make(&b, dim, 3 * (int64_t)dim)) {
        lattice(&b, t, 0, &seed);
        fields(&b, t->beta, &seed);
        use(at, &b);
    }
    bonds_clear(&b);
    return at->model && family_marginals(at);
}

static int all_pairs(instance *at)
{
    const target *t = at->of;
    int dim = t->size[0];
    uint64_t seed = family_seed(at);
    struct bonds b = {0};

    if (bonds_make(&b, dim, (int64_t)dim * dim)) {
        for (int i = 0; i < dim; i++)
            for (int j = i + 1; j < dim; j++)
                bond(&b, i, j, coupling(t, &seed) / sqrt(dim));
        fields(&b, t->beta, &seed);
        use(at, &b);
    }
    bonds_clear(&b);
    return at->model && family_marginals(at);
}

static void classify_energy(const instance *at, const double *x, double *out)
{
    hiss_model_energy(at->model, x, out, NULL);
}

/* Mean and variance of U from a long run, no hotter than what forgets fast: up
 * to infinite temperature replicas have not come down by its end. */
static int measure(instance *at)
{
    hiss_settings set;
    hiss_sampler *s = NULL;
    hiss_result *r = NULL;
    hiss_column u = HISS_INIT(hiss_column);
    int good;

    hiss_settings_init(&set);
    set.chains = 16;
    set.samples = 0;
    set.evals = LONG;
    set.seed = 1;
    set.threads = 1;
    good =
        hiss_sampler_create(&s, "pt(base=gibbs,levels=auto,max_temperature=2)",
                            NULL) == HISS_OK &&
        hiss_sample(&r, at->model, s, &set, NULL) == HISS_OK &&
        hiss_result_energy(r, &u, NULL) == HISS_OK;
    at->mean[0] = u.mean;
    at->mean_se = u.mcse;
    at->variance[0] = u.sd * u.sd;
    fprintf(stderr, "%s, instance %d: U = %.4f +- %.4f, variance %.3f\n",
            at->of->name, at->number, u.mean, u.mcse, u.sd * u.sd);
    hiss_result_destroy(r);
    hiss_sampler_destroy(s);
    return good;
}

static int energy(instance *at)
{
    const target *t = at->of;
    int dim = t->size[0] * t->size[1] * t->size[2];
    uint64_t seed = family_seed(at);
    struct bonds b = {0};

    if (bonds_make(&b, dim, 3 * (int64_t)dim)) {
        lattice(&b, t, 1, &seed);
        use(at, &b);
    }
    bonds_clear(&b);
    at->classes = 1;
    at->classify = classify_energy;
    if (!at->model || at->number != 1)
        return at->model && measure(at);
    at->mean[0] = t->scale[0];
    at->mean_se = t->scale[1];
    at->variance[0] = t->scale[2];
    return 1;
}

#define TABLES .peers = peers_tables, .has_tables = 2, .is_marginal = 1

#define SYMMETRIC .peers = peers_tables, .has_tables = 2, .is_energy = 1

const target targets_glass[] = {
    {"pm10_b3", glass, .size = {10, 10, 1}, .beta = 3, TABLES},
    {"ga10_b3", glass, .size = {10, 10, 1}, .beta = 3, .spread = 1, TABLES},
    {"pm16_b15", glass, .size = {16, 16, 1}, .beta = 1.5, TABLES},
    {"pm16_b2", glass, .size = {16, 16, 1}, .beta = 2, TABLES},
    {"pm16_b3", glass, .size = {16, 16, 1}, .beta = 3, TABLES},
    {"ga16_b15", glass, .size = {16, 16, 1}, .beta = 1.5, .spread = 1, TABLES},
    {"ga16_b2", glass, .size = {16, 16, 1}, .beta = 2, .spread = 1, TABLES},
    {"ga16_b3", glass, .size = {16, 16, 1}, .beta = 3, .spread = 1, TABLES},
    {"slab_b1", glass, .size = {4, 4, 12}, .beta = 1, .spread = 1, TABLES},
    {"slab_b2", glass, .size = {4, 4, 12}, .beta = 2, .spread = 1, TABLES},
    {"sk22", all_pairs, .size = {22}, .beta = 4, .spread = 1, TABLES},
    {"glass1000", energy, .size = {10, 10, 10}, .beta = 1,
     .scale = {1737.2482, 0.0845, 197.164}, SYMMETRIC},
    {"glass1000h", energy, .size = {10, 10, 10}, .beta = 0.7,
     .scale = {1122.9688, 0.0893, 368.488}, SYMMETRIC},
    {0},
};
