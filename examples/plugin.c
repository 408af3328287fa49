/* plugin.c - a model of your own: spins on a ring with three-body terms.
 *
 *     U(s) = coupling sum_i s_i s_{i+1} s_{i+2} + field sum_i s_i,   s = +-1,
 * indices modulo n.  Flipping two of every three spins leaves the first sum
 * alone, so with n a multiple of 3 and no field there are four ground states.
 *
 *     cc -shared -fPIC -O2 -o ring.so plugin.c $(pkg-config --cflags hiss)
 *     hiss sample "plugin(./ring.so,arguments=\"12 0.8 0.1\")" */
#include <hiss/plugin.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

struct ring {
    int n;
    double coupling, field;
};

/* "n coupling field"; the last two may be left out. */
static void *ring_create(const char *arguments, char *message, size_t room)
{
    struct ring *r = malloc(sizeof *r);
    char rest;
    int given;

    if (!r) {
        snprintf(message, room, "out of memory");
        return NULL;
    }
    *r = (struct ring){12, 0.5, 0.0};
    given = sscanf(arguments, "%d %lf %lf %c", &r->n, &r->coupling, &r->field,
                   &rest);
    if (given > 3 || given == 0 || r->n < 3 || !isfinite(r->coupling) ||
        !isfinite(r->field)) {
        snprintf(message, room,
                 "'%s' is not \"n coupling field\" with n at least 3",
                 arguments);
        free(r);
        return NULL;
    }
    return r;
}

static void ring_destroy(void *instance)
{
    free(instance);
}

static int ring_dim(const void *instance)
{
    const struct ring *r = instance;

    return r->n;
}

static hiss_kind ring_kind(const void *instance, int i)
{
    (void)instance;
    (void)i;
    return HISS_SPIN;
}

/* Spin i (modulo n) of a state: an index of 0 or 1 stands for -1 or +1. */
static int spin(const struct ring *r, const int16_t *x, int lanes, int i,
                int lane)
{
    return 2 * x[(i + r->n) % r->n * lanes + lane] - 1;
}

/* U is linear in each spin, so the gradient is exact: the field and the three
 * products that spin i takes part in. */
static int ring_evaluate(const void *instance, const int16_t *x, int lanes,
                         double *u, float *gradient)
{
    const struct ring *r = instance;

    for (int l = 0; l < lanes; l++) {
        u[l] = 0.0;
        for (int i = 0; i < r->n; i++) {
            int a = spin(r, x, lanes, i - 2, l);
            int b = spin(r, x, lanes, i - 1, l);
            int s = spin(r, x, lanes, i, l);
            int c = spin(r, x, lanes, i + 1, l);
            int d = spin(r, x, lanes, i + 2, l);

            u[l] += r->coupling * (s * c * d) + r->field * s;
            if (gradient)
                gradient[i * lanes + l] =
                    (float)(r->coupling * (a * b + b * c + c * d) + r->field);
        }
    }
    return 0;
}

/* What a spin that is turned over adds: O(1), where U costs O(n). */
static int ring_change(const void *instance, const int16_t *x, int lanes, int i,
                       double *change)
{
    const struct ring *r = instance;

    for (int l = 0; l < lanes; l++) {
        int a = spin(r, x, lanes, i - 2, l);
        int b = spin(r, x, lanes, i - 1, l);
        int s = spin(r, x, lanes, i, l);
        int c = spin(r, x, lanes, i + 1, l);
        int d = spin(r, x, lanes, i + 2, l);
        double slope = r->coupling * (a * b + b * c + c * d) + r->field;

        change[l] = (-1 - s) * slope;
        change[lanes + l] = (1 - s) * slope;
    }
    return 0;
}

const hiss_plugin_table *hiss_plugin(void)
{
    static const hiss_plugin_table table = {
        .abi = HISS_PLUGIN_ABI,
        .size = sizeof(hiss_plugin_table),
        .name = "ring",
        .create = ring_create,
        .destroy = ring_destroy,
        .dim = ring_dim,
        .evaluate = ring_evaluate,
        .kind = ring_kind,
        .has_gradient = 1,
        .change = ring_change,
    };

    return &table;
}
