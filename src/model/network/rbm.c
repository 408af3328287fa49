/* rbm.c - random restricted Boltzmann machines, with or without planted modes.
 *
 * Free hidden units: W_ij uniform of mean 0 and variance scale^2 / visible,
 * c_j = -1/2 sum_i W_ij and b_i = -1/2 sum_j W_ij over the free units, so that
 *     U = constant + sum_j ln cosh(1/4 sum_i W_ij s_i),   s = 2v - 1,
 * is even.  The first `modes` hidden units are planted: W_ij = g xi_ij with
 * random signs xi and g = strength.  Summing out v as well, the unit that is
 * on alone has the weight exp(kappa) (2 cosh(g/2))^visible, against 2^visible
 * for none, where c_j = kappa - 1/2 sum_i W_ij.  With
 *     kappa = -2/3 visible ln cosh(g/2)
 * either all off or two on are exponentially rarer: one mode around each xi,
 * all of the same mass, in which v_i agrees with xi with probability
 * sigma(g). */
#include <math.h>
#include <stddef.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "model/builders.h"
#include "model/draw.h"
#include "model/model.h"

struct rbm_options {
    int visible, hidden;
    uint64_t seed;
    int modes;
    double scale, strength;
};

#define AT(field) offsetof(struct rbm_options, field)
static const hs_option rbm_options[] = {
    {"visible", HS_INTEGER, AT(visible), NULL, "[1,1000000]", "coordinates"},
    {"hidden", HS_INTEGER, AT(hidden), NULL, "[1,1000000]", "hidden units"},
    {"seed", HS_SEED, AT(seed), "1", NULL, "of the random weights"},
    {"modes", HS_INTEGER, AT(modes), "0", "[0,1000000]",
     "hidden units that plant a mode"},
    {"scale", HS_REAL, AT(scale), "1", "[0,1000]",
     "spread of what a free hidden unit sees"},
    {"strength", HS_REAL, AT(strength), "3", "(0,80]",
     "weights of a planted mode"},
    {0},
};

struct arrays {
    float *weight, *b, *c; /* owned */
};

static hiss_status arrays_init(struct arrays *a, const struct rbm_options *o,
                               hiss_error *err)
{
    size_t visible = (size_t)o->visible, hidden = (size_t)o->hidden;

    a->weight = hs_alloc_array(visible, hidden * sizeof *a->weight);
    a->b = hs_alloc_array(visible, sizeof *a->b);
    a->c = hs_alloc_array(hidden, sizeof *a->c);
    return a->weight && a->b && a->c ? HISS_OK : hs_fail_memory(err);
}

static void arrays_clear(struct arrays *a)
{
    hs_free(a->weight);
    hs_free(a->b);
    hs_free(a->c);
}

/* Draws unit j: its weights are entries i of part j (draw.h). */
static void draw_unit(struct arrays *a, const struct rbm_options *o, int j)
{
    bool is_planted = j < o->modes;
    double width = o->scale * sqrt(12.0 / o->visible);
    double kappa = -2.0 / 3.0 * o->visible * log(cosh(0.5 * o->strength));
    double sum = 0.0;

    for (int i = 0; i < o->visible; i++) {
        double sign, uniform, w;

        hs_draw_sign(o->seed, j, i, &sign, &uniform);
        w = is_planted ? sign * o->strength : width * (uniform - 0.5);
        a->weight[(size_t)i * (size_t)o->hidden + (size_t)j] = (float)w;
        sum += w;
        if (!is_planted)
            a->b[i] -= (float)(0.5 * w);
    }
    a->c[j] = (float)((is_planted ? kappa : 0.0) - 0.5 * sum);
}

static hiss_status rbm_create(hs_model **out, const void *options,
                              hiss_error *err)
{
    const struct rbm_options *o = options;
    struct arrays a;
    hiss_status rc;

    if (o->modes > o->hidden)
        return hs_fail(err, HISS_EARG,
                       "model rbm: modes is %d, expected at most hidden = %d",
                       o->modes, o->hidden);
    rc = arrays_init(&a, o, err);
    for (int j = 0; rc == HISS_OK && j < o->hidden; j++)
        draw_unit(&a, o, j);
    if (rc == HISS_OK)
        rc = hs_build_rbm(out, NULL, o->visible, o->hidden, a.weight, a.b, a.c,
                          err);
    arrays_clear(&a);
    return rc;
}

const hs_model_type hs_model_rbm = {
    .name = "rbm",
    .summary = "random restricted Boltzmann machine, visible units (binary)",
    .size = sizeof(struct rbm_options),
    .options = rbm_options,
    .create = rbm_create,
};
