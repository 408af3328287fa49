/* plugin_cliff.c - a model that fails where few chains come to: twelve free
 * spins, U = 0, and NaN where all are up, one state in 4096. */
#include <hiss/plugin.h>

#include <math.h>
#include <stdlib.h>

#define SPINS 12

static void *cliff_create(const char *arguments, char *message, size_t room)
{
    (void)arguments;
    (void)message;
    (void)room;
    return malloc(1);
}

static void cliff_destroy(void *instance)
{
    free(instance);
}

static int cliff_dim(const void *instance)
{
    (void)instance;
    return SPINS;
}

static hiss_kind cliff_kind(const void *instance, int i)
{
    (void)instance;
    (void)i;
    return HISS_SPIN;
}

static int cliff_evaluate(const void *instance, const int16_t *x, int lanes,
                          double *u, float *gradient)
{
    (void)instance;
    for (int l = 0; l < lanes; l++) {
        int up = 0;

        for (int i = 0; i < SPINS; i++) {
            up += x[i * lanes + l];
            if (gradient)
                gradient[i * lanes + l] = 0.0f;
        }
        u[l] = up == SPINS ? (double)NAN : 0.0;
    }
    return 0;
}

const hiss_plugin_table *hiss_plugin(void)
{
    static const hiss_plugin_table table = {
        .abi = HISS_PLUGIN_ABI,
        .size = sizeof(hiss_plugin_table),
        .name = "cliff",
        .create = cliff_create,
        .destroy = cliff_destroy,
        .dim = cliff_dim,
        .evaluate = cliff_evaluate,
        .kind = cliff_kind,
        .has_gradient = 1,
    };

    return &table;
}
