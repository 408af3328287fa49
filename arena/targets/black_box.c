/* black_box.c - mixtures that hiss sees as a function of the user: U and a
 * gradient, and nothing to look into.
 *
 * box*     binary, size[0] components of equal mass in size[1] coordinates,
 *          logits of strength .6 to 3.4 scaled evenly from 1 - spread to 1 +
 *          spread
 * labels   categorical coordinates, each component prefers a label of each
 * levels   ordinal ones, each component is a bell round a level of each
 * kinds    all three kinds, a third each */
#include <math.h>

#include "arena/targets/product.h"

#define DIM_MAX    1000
#define STATES_MAX 16

static const double masses[4] = {0.4, 0.3, 0.2, 0.1};

static double scale_of(const target *t, int k)
{
    return 1.0 + t->spread * (2.0 * k / (t->size[0] - 1.0) - 1.0);
}

/* Logits of one coordinate in one component. */
static void preference(hiss_kind kind, int states, double scale, uint64_t *seed,
                       double *u)
{
    int likes = family_below(seed, states);
    double strength = family_uniform(seed);

    for (int v = 0; v < states; v++)
        if (kind == HISS_ORDINAL) {
            double z = (v - likes) / (1.0 + strength);

            u[v] = -0.5 * z * z;
        } else if (kind == HISS_CATEGORICAL) {
            u[v] = v == likes ? 1.0 + 2.0 * strength : 0.0;
        } else {
            u[v] = v == likes ? scale * (0.6 + 2.8 * strength) : 0.0;
        }
}

static int make(instance *at, const hiss_kind *kind, const int *states)
{
    const target *t = at->of;
    uint64_t seed = family_seed(at);
    product *p = product_create(t->size[0], t->size[1], kind, states);
    double u[STATES_MAX];

    for (int k = 0; p && k < p->components; k++)
        for (int i = 0; i < p->dim; i++) {
            preference(kind[i], states[i], scale_of(t, k), &seed, u);
            product_set(p, k, i, u);
        }
    for (int k = 0; p && !t->is_alike && t->size[0] == 4 && k < 4; k++)
        p->log_weight[k] = log(masses[k]);
    return product_use(at, p);
}

/* Coordinates of three kinds in turn. */
static int make_kinds(instance *at, const hiss_kind of[3], const int count[3])
{
    hiss_kind kind[DIM_MAX];
    int states[DIM_MAX];

    for (int i = 0; i < at->of->size[1]; i++) {
        kind[i] = of[i % 3];
        states[i] = count[i % 3];
    }
    return make(at, kind, states);
}

static int box(instance *at)
{
    const hiss_kind bits[3] = {HISS_BINARY, HISS_BINARY, HISS_BINARY};

    return make_kinds(at, bits, (const int[3]){2, 2, 2});
}

static int labels(instance *at)
{
    const hiss_kind all[3] = {HISS_CATEGORICAL, HISS_CATEGORICAL,
                              HISS_CATEGORICAL};

    return make_kinds(at, all, (const int[3]){5, 5, 5});
}

static int levels(instance *at)
{
    const hiss_kind all[3] = {HISS_ORDINAL, HISS_ORDINAL, HISS_ORDINAL};

    return make_kinds(at, all, (const int[3]){9, 9, 9});
}

static int kinds(instance *at)
{
    const hiss_kind all[3] = {HISS_BINARY, HISS_CATEGORICAL, HISS_ORDINAL};

    return make_kinds(at, all, (const int[3]){2, 4, 7});
}

#define MODES .peers = peers_black_box, .is_disjoint = 1

const target targets_black_box[] = {
    {"box2", box, .size = {2, 200}, .spread = 0.1, MODES},
    {"box10", box, .size = {10, 200}, .is_alike = 1, MODES},
    {"box10w", box, .size = {10, 200}, .spread = 0.1, MODES},
    {"narrow60", box, .size = {2, 60}, .spread = 0.8, MODES},
    {"narrow100", box, .size = {2, 100}, .spread = 0.5, MODES},
    {"labels", labels, .size = {4, 50}, MODES},
    {"levels", levels, .size = {4, 40}, MODES},
    {"kinds", kinds, .size = {4, 60}, MODES},
    {0},
};
