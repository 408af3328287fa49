/* markov.c - mixtures of laws along trees, as functions: U and a gradient.
 *
 *     U(x) = ln sum_k exp a_k(x),
 *     a_k(x) = ln w_k + sum_i ln p_ki(x_i | x_parent(k, i)),
 * size[0] components of masses .4 .3 .2 .1 in size[1] binary coordinates.  The
 * logit of x_i = 1 is h_ki, and J_ki more or less by what the parent has, both
 * of random sign: |h| from 1 to 3, |J| from 1 to 2.5.
 *
 * chains4   the parent of i is i - 1
 * trees4    it is one of the eight before i, another in every component
 * Classes are the shares exp(a_k - U), as in product.h. */
#include <math.h>
#include <stdlib.h>

#include "arena/targets/families.h"

#define COMPONENTS 4
#define LOOKS      4096 /* draws that measure how much components overlap */
#define REACH      8    /* of parents in trees4 */

static const double masses[COMPONENTS] = {0.4, 0.3, 0.2, 0.1};

typedef struct markov {
    int dim;
    int *parent;        /* owned, [COMPONENTS][dim]; -1: none */
    double *log_p;      /* owned, [COMPONENTS][dim][2][2]: given the parent */
    int *first, *child; /* owned: children of i are child[first[i]] ... */
} markov;

static void markov_destroy(void *own)
{
    markov *c = own;

    if (!c)
        return;
    free(c->parent);
    free(c->log_p);
    free(c->first);
    free(c->child);
    free(c);
}

static int parent_of(const markov *c, int k, int i)
{
    return c->parent[k * c->dim + i];
}

/* ln p_ki(v | w). */
static double log_p(const markov *c, int k, int i, int w, int v)
{
    return c->log_p[((k * c->dim + i) * 2 + w) * 2 + v];
}

static int given(const markov *c, int k, int i, const int16_t *x, int stride)
{
    int parent = parent_of(c, k, i);

    return parent < 0 ? 0 : x[(size_t)parent * (size_t)stride];
}

/* U and the shares of the components. */
static double shares(const markov *c, const int16_t *x, int stride, double *r)
{
    double most = -HUGE_VAL, sum = 0.0;

    for (int k = 0; k < COMPONENTS; k++) {
        r[k] = log(masses[k]);
        for (int i = 0; i < c->dim; i++)
            r[k] += log_p(c, k, i, given(c, k, i, x, stride),
                          x[(size_t)i * (size_t)stride]);
        most = fmax(most, r[k]);
    }
    for (int k = 0; k < COMPONENTS; k++)
        sum += r[k] = exp(r[k] - most);
    for (int k = 0; k < COMPONENTS; k++)
        r[k] /= sum;
    return most + log(sum);
}

/* a_k with x_i = 1 less that with x_i = 0. */
static double step(const markov *c, int k, int i, const int16_t *x, int stride)
{
    int w = given(c, k, i, x, stride), at = k * (c->dim + 1) + i;
    double sum = log_p(c, k, i, w, 1) - log_p(c, k, i, w, 0);

    for (int n = c->first[at]; n < c->first[at + 1]; n++) {
        int j = c->child[n], v = x[(size_t)j * (size_t)stride];

        sum += log_p(c, k, j, 1, v) - log_p(c, k, j, 0, v);
    }
    return sum;
}

static int evaluate(const void *context, const int16_t *x, int lanes, double *u,
                    float *gradient)
{
    const markov *c = context;

    for (int l = 0; l < lanes; l++) {
        double r[COMPONENTS];

        u[l] = shares(c, x + l, lanes, r);
        for (int i = 0; gradient && i < c->dim; i++) {
            double sum = 0.0;

            for (int k = 0; k < COMPONENTS; k++)
                if (r[k] > 1e-12)
                    sum += r[k] * step(c, k, i, x + l, lanes);
            gradient[(size_t)i * (size_t)lanes + (size_t)l] = (float)sum;
        }
    }
    return 0;
}

static void classify(const instance *at, const double *x, double *out)
{
    const markov *c = at->own;
    int16_t index[TARGET_CLASSES];

    for (int i = 0; i < c->dim; i++)
        index[i] = x[i] > 0.0;
    shares(c, index, 1, out);
}

/* Children of every coordinate, component by component. */
static void list_children(markov *c)
{
    int next = 0;

    for (int k = 0; k < COMPONENTS; k++) {
        int *first = c->first + k * (c->dim + 1);

        for (int i = 0; i < c->dim; i++) {
            first[i] = next;
            for (int j = i + 1; j < c->dim; j++)
                if (parent_of(c, k, j) == i)
                    c->child[next++] = j;
        }
        first[c->dim] = next;
    }
}

static double of_random_sign(uint64_t *seed, double low, double high)
{
    double size = low + (high - low) * family_uniform(seed);

    return family_uniform(seed) < 0.5 ? -size : size;
}

static void fill(markov *c, int reach, uint64_t *seed)
{
    for (int k = 0; k < COMPONENTS; k++)
        for (int i = 0; i < c->dim; i++) {
            double h = of_random_sign(seed, 1.0, 3.0);
            double strength = of_random_sign(seed, 1.0, 2.5);
            int back = i < reach ? i : reach;

            c->parent[k * c->dim + i] =
                i == 0 ? -1 : i - 1 - family_below(seed, back);
            for (int w = 0; w < 2; w++)
                for (int v = 0; v < 2; v++) {
                    double logit = h + (w ? strength : -strength);

                    c->log_p[((k * c->dim + i) * 2 + w) * 2 + v] =
                        -log1p(exp(v ? -logit : logit));
                }
        }
    list_children(c);
}

static markov *markov_create(int dim, int reach, uint64_t seed)
{
    markov *c = calloc(1, sizeof *c);
    size_t sites = (size_t)dim * COMPONENTS;

    if (!c)
        return NULL;
    c->dim = dim;
    c->parent = malloc(sizeof *c->parent * sites);
    c->log_p = malloc(sizeof *c->log_p * sites * 4);
    c->first = malloc(sizeof *c->first * (sites + COMPONENTS));
    c->child = malloc(sizeof *c->child * sites);
    if (!c->parent || !c->log_p || !c->first || !c->child) {
        markov_destroy(c);
        return NULL;
    }
    fill(c, reach, &seed);
    return c;
}

/* w (1 - w) - E r (1 - r), the last one from exact draws. */
static void variances(instance *at, const markov *c)
{
    int16_t x[TARGET_CLASSES];
    double r[COMPONENTS], u[LOOKS];
    uint64_t seed = 1;

    family_indicators(at);
    for (int n = 0; n < LOOKS; n++) {
        double left = family_uniform(&seed);
        int k = 0;

        while (k < COMPONENTS - 1 && (left -= masses[k]) > 0.0)
            k++;
        for (int i = 0; i < c->dim; i++)
            x[i] = family_uniform(&seed) <
                   exp(log_p(c, k, i, given(c, k, i, x, 1), 1));
        u[n] = shares(c, x, 1, r);
        for (int j = 0; j < COMPONENTS; j++)
            at->variance[j] -= r[j] * (1.0 - r[j]) / LOOKS;
    }
    family_energies(at, u, LOOKS);
}

static int make(instance *at, int reach)
{
    hiss_kind kind[TARGET_CLASSES];
    int states[TARGET_CLASSES];
    hiss_domain domain = HISS_INIT(hiss_domain);
    hiss_callback callback = HISS_INIT(hiss_callback);
    markov *c = markov_create(at->of->size[1], reach, family_seed(at));

    at->own = c;
    at->clear = markov_destroy;
    if (!c)
        return 0;
    for (int i = 0; i < c->dim; i++) {
        kind[i] = HISS_BINARY;
        states[i] = 2;
    }
    at->classes = COMPONENTS;
    at->classify = classify;
    at->log_z = 0.0;
    for (int k = 0; k < COMPONENTS; k++)
        at->mean[k] = masses[k];
    domain.dim = c->dim;
    domain.kind = kind;
    domain.states = states;
    callback.name = at->of->name;
    callback.domain = &domain;
    callback.evaluate = evaluate;
    callback.context = c;
    callback.has_gradient = 1;
    variances(at, c);
    return hiss_model_callback(&at->model, &callback, NULL) == HISS_OK;
}

static int chains(instance *at)
{
    return make(at, 1);
}

static int trees(instance *at)
{
    return make(at, REACH);
}

#define MODES .peers = peers_black_box, .is_disjoint = 1

const target targets_markov[] = {
    {"chains4", chains, .size = {COMPONENTS, 200}, MODES},
    {"trees4", trees, .size = {COMPONENTS, 200}, MODES},
    {0},
};
