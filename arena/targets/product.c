/* product.c - mixtures of product laws over coordinates of any kinds. */
#include "arena/targets/product.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define LOOKS 4096      /* draws that measure how much components overlap */
#define ROOM  (1 << 24) /* coordinates of all of them */

void product_destroy(void *own)
{
    product *p = own;

    if (!p)
        return;
    free(p->kind);
    free(p->states);
    free(p->first);
    free(p->log_p);
    free(p);
}

product *product_create(int components, int dim, const hiss_kind *kind,
                        const int *states)
{
    product *p = calloc(1, sizeof *p);
    size_t d = (size_t)dim, rows = 0;

    if (!p)
        return NULL;
    p->components = components;
    p->dim = dim;
    p->kind = malloc(sizeof *p->kind * d);
    p->states = malloc(sizeof *p->states * d);
    p->first = malloc(sizeof *p->first * d);
    if (!p->kind || !p->states || !p->first) {
        product_destroy(p);
        return NULL;
    }
    for (int i = 0; i < dim; i++) {
        p->kind[i] = kind ? kind[i] : HISS_SPIN;
        p->states[i] = states ? states[i] : 2;
        p->first[i] = (int)rows;
        rows += (size_t)p->states[i];
    }
    for (int k = 0; k < components; k++)
        p->log_weight[k] = -log(components);
    p->log_p = calloc(rows * (size_t)components, sizeof *p->log_p);
    if (!p->log_p) {
        product_destroy(p);
        return NULL;
    }
    return p;
}

double *product_row(const product *p, int i, int v)
{
    return p->log_p + (size_t)(p->first[i] + v) * (size_t)p->components;
}

void product_set(product *p, int k, int i, const double *u)
{
    double sum = 0.0;

    for (int v = 0; v < p->states[i]; v++)
        sum += exp(u[v]);
    for (int v = 0; v < p->states[i]; v++)
        product_row(p, i, v)[k] = u[v] - log(sum);
}

/* U and the shares of the components; x[i * stride] is the index of
 * coordinate i. */
static double shares(const product *p, const int16_t *x, int stride, double *r)
{
    double most = -HUGE_VAL, sum = 0.0;

    memcpy(r, p->log_weight, sizeof *r * (size_t)p->components);
    for (int i = 0; i < p->dim; i++) {
        const double *row = product_row(p, i, x[(size_t)i * (size_t)stride]);

        for (int k = 0; k < p->components; k++)
            r[k] += row[k];
    }
    for (int k = 0; k < p->components; k++)
        most = fmax(most, r[k]);
    for (int k = 0; k < p->components; k++)
        sum += r[k] = exp(r[k] - most);
    for (int k = 0; k < p->components; k++)
        r[k] /= sum;
    return most + log(sum);
}

/* sum_k r_k ln p_ki(v). */
static double mean_log(const product *p, const double *r, int i, int v)
{
    const double *row = product_row(p, i, v);
    double sum = 0.0;

    for (int k = 0; k < p->components; k++)
        sum += r[k] * row[k];
    return sum;
}

/* The rows of coordinate i in one lane: labels of a categorical one, else the
 * slope between the neighbors of the present value. */
static int slope(const product *p, const double *r, int i, int at, int lanes,
                 float *out)
{
    int low = at > 0 ? at - 1 : at;
    int high = at < p->states[i] - 1 ? at + 1 : at;

    if (p->kind[i] == HISS_CATEGORICAL) {
        for (int v = 0; v < p->states[i]; v++)
            out[v * lanes] = (float)mean_log(p, r, i, v);
        return p->states[i];
    }
    *out = (float)((mean_log(p, r, i, high) - mean_log(p, r, i, low)) /
                   (high - low));
    return 1;
}

static int evaluate(const void *context, const int16_t *x, int lanes, double *u,
                    float *gradient)
{
    const product *p = context;
    double r[PRODUCT_COMPONENTS];

    for (int l = 0; l < lanes; l++) {
        float *out = gradient ? gradient + l : NULL;

        u[l] = shares(p, x + l, lanes, r);
        for (int i = 0; out && i < p->dim; i++)
            out += lanes * slope(p, r, i, x[i * lanes + l], lanes, out);
    }
    return 0;
}

static void classify(const instance *at, const double *x, double *out)
{
    const product *p = at->own;
    static int16_t *index;
    static int room;

    if (room < p->dim) {
        free(index);
        index = malloc(sizeof *index * (size_t)p->dim);
        if (!index)
            abort();
        room = p->dim;
    }
    for (int i = 0; i < p->dim; i++)
        index[i] = (int16_t)(p->kind[i] == HISS_SPIN ? x[i] > 0.0 : x[i]);
    shares(p, index, 1, out);
}

static void marginal(const instance *at, int i, double *out)
{
    const product *p = at->own;

    for (int v = 0; v < p->states[i]; v++) {
        const double *row = product_row(p, i, v);

        out[v] = 0.0;
        for (int k = 0; k < p->components; k++)
            out[v] += exp(p->log_weight[k] + row[k]);
    }
}

/* An index of the law e^log_p[0], e^log_p[stride], ... */
static int draw_one(const double *log_p, int stride, int count, uint64_t *seed)
{
    double left = family_uniform(seed);
    int v = 0;

    while (v < count - 1 && (left -= exp(log_p[v * stride])) > 0.0)
        v++;
    return v;
}

/* E r^2 - w^2 = w (1 - w) - E r (1 - r), the last one from exact draws: it is
 * nearly 0 where components are far apart. */
static int variances(instance *at, const product *p)
{
    int looks = p->dim > ROOM / LOOKS ? ROOM / p->dim : LOOKS;
    int16_t *x = malloc(sizeof *x * (size_t)p->dim);
    double r[PRODUCT_COMPONENTS], u[LOOKS];
    uint64_t seed = 1;

    family_indicators(at);
    for (int n = 0; x && n < looks; n++) {
        int k = draw_one(p->log_weight, 1, p->components, &seed);

        for (int i = 0; i < p->dim; i++)
            x[i] = (int16_t)draw_one(product_row(p, i, 0) + k, p->components,
                                     p->states[i], &seed);
        shares(p, x, 1, r);
        u[n] = family_energy(at, x);
        for (int j = 0; j < p->components; j++)
            at->variance[j] -= r[j] * (1.0 - r[j]) / looks;
    }
    if (x)
        family_energies(at, u, looks);
    free(x);
    return x != NULL;
}

int product_use(instance *at, product *p)
{
    hiss_domain domain = HISS_INIT(hiss_domain);
    hiss_callback callback = HISS_INIT(hiss_callback);

    at->own = p;
    at->clear = product_destroy;
    if (!p)
        return 0;
    at->classes = p->components;
    at->classify = classify;
    at->marginal = marginal;
    at->log_z = 0.0;
    for (int k = 0; k < p->components; k++)
        at->mean[k] = exp(p->log_weight[k]);
    domain.dim = p->dim;
    domain.kind = p->kind;
    domain.states = p->states;
    callback.name = at->of->name;
    callback.domain = &domain;
    callback.evaluate = evaluate;
    callback.context = p;
    callback.has_gradient = 1;
    if (!at->model)
        hiss_model_callback(&at->model, &callback, NULL);
    return at->model && variances(at, p);
}
