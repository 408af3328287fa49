/* plugin_first.c - a plug-in as it was compiled for ABI 1, whose table is
 * written down here: U(x) = x0 + x1 + x2, three binary coordinates. */
#include <stddef.h>
#include <stdint.h>

struct table {
    int abi;
    size_t size;
    const char *name;
    void *(*create)(const char *arguments, char *message, size_t room);
    void (*destroy)(void *instance);
    int (*dim)(const void *instance);
    int (*evaluate)(const void *instance, const int16_t *x, int lanes,
                    double *u, float *gradient);
    int (*kind)(const void *instance, int i);
    int (*states)(const void *instance, int i);
    double (*level)(const void *instance, int i, int index);
    int has_gradient;
};

const struct table *hiss_plugin(void);

static char own;

static void *first_create(const char *arguments, char *message, size_t room)
{
    (void)arguments;
    (void)message;
    (void)room;
    return &own;
}

static void first_destroy(void *instance)
{
    (void)instance;
}

static int first_dim(const void *instance)
{
    (void)instance;
    return 3;
}

/* Only a multiple of 16 states, side by side. */
static int first_evaluate(const void *instance, const int16_t *x, int lanes,
                          double *u, float *gradient)
{
    (void)instance;
    (void)gradient;
    for (int l = 0; l < lanes; l++)
        u[l] = x[l] + x[lanes + l] + x[2 * lanes + l];
    return lanes % 16;
}

__attribute__((visibility("default"))) const struct table *hiss_plugin(void)
{
    static const struct table table = {.abi = 1,
                                       .size = sizeof table,
                                       .name = "first",
                                       .create = first_create,
                                       .destroy = first_destroy,
                                       .dim = first_dim,
                                       .evaluate = first_evaluate};

    return &table;
}
