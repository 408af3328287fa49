/* mixture.c - hiss's own mixtures of product laws.
 *
 * size is the number of components, that of spins, and the seed of instance 1.
 * The components' fields are scaled by `scale`, or evenly from 1 - spread to 1
 * + spread: a large scale makes a mode narrow.  All have the same mass. */
#include <stdio.h>

#include "arena/targets/product.h"
#include "model/draw.h"

#define TEXT 4096

static double scale_of(const target *t, int k)
{
    if (t->scale[0] > 0.0)
        return t->scale[k];
    return 1.0 + t->spread * (2.0 * k / (t->size[0] - 1.0) - 1.0);
}

static hiss_model *from_spec(const target *t, int seed)
{
    char text[TEXT];
    hiss_model *m = NULL;
    int at = snprintf(text, TEXT, "mixture(k=%d,d=%d,seed=%d,scales=[",
                      t->size[0], t->size[1], seed);

    for (int k = 0; k < t->size[0]; k++)
        at += snprintf(text + at, TEXT - (size_t)at, "%s%.17g", k ? "," : "",
                       scale_of(t, k));
    snprintf(text + at, TEXT - (size_t)at, "])");
    return hiss_model_create(&m, text, NULL) == HISS_OK ? m : NULL;
}

/* The fields of spin i in all components, as model/law/mixture.c draws them. */
static void set_spin(product *p, const target *t, int seed, int i)
{
    for (int k = 0; k < p->components; k++) {
        double sign, uniform, u[2];

        hs_draw_sign((uint64_t)seed, k, i, &sign, &uniform);
        u[1] = scale_of(t, k) * sign * (0.3 + 1.4 * uniform);
        u[0] = -u[1];
        product_set(p, k, i, u);
    }
}

static int mixture(instance *at)
{
    const target *t = at->of;
    int dim = t->size[1], seed = t->size[2] + at->number - 1;
    product *p = product_create(t->size[0], dim, NULL, NULL);

    for (int i = 0; p && i < dim; i++)
        set_spin(p, t, seed, i);
    at->model = from_spec(t, seed);
    if (!at->model) {
        product_destroy(p);
        return 0;
    }
    return product_use(at, p);
}

#define MODES .peers = peers_mixture, .is_disjoint = 1

const target targets_mixture[] = {
    {"ten_0", mixture, .size = {10, 200, 1}, .is_alike = 1, MODES},
    {"ten_10", mixture, .size = {10, 200, 1}, .spread = 0.1, MODES},
    {"ten_20", mixture, .size = {10, 200, 1}, .spread = 0.2, MODES},
    {"ten_30", mixture, .size = {10, 200, 1}, .spread = 0.3, MODES},
    {"two_200", mixture, .size = {2, 200, 5}, .scale = {0.8, 1.2}, MODES},
    {"two_1000", mixture, .size = {2, 1000, 1}, .scale = {1, 1.2}, MODES},
    {"k20", mixture, .size = {20, 300, 1}, .is_alike = 1, MODES},
    {"k30", mixture, .size = {30, 300, 1}, .is_alike = 1, MODES},
    {"k50", mixture, .size = {50, 300, 1}, .is_alike = 1, MODES},
    {"mix4_1e4", mixture, .size = {4, 10000, 1}, .is_alike = 1, MODES},
    {"mix4_1e5", mixture, .size = {4, 100000, 1}, .is_alike = 1, MODES,
     .longer = 0.1},
    {0},
};
