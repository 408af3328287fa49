/* plugin_odd.c - a plug-in with all kinds of coordinates and no gradient, and
 * with every fault that a plug-in can have.
 *
 *     U(x) = 0.3 x0 x1 - 0.2 (x2 - 1)^2 x1 + 0.5 [x3 = 2] x0 + 0.1 x3
 * with x0 binary, x1 spin, x2 in {0, 1, 3}, x3 of four labels; U is -infinity
 * where x0 = 1 and x3 = 3.
 *
 * HISS_TEST_FAULT in the environment spoils the table, or has it offer changes
 * of single coordinates; the argument text
 * spoils the instance. */
#include <hiss/plugin.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int is_word(const void *instance, const char *word)
{
    return strcmp(instance, word) == 0;
}

static void *odd_create(const char *arguments, char *message, size_t room)
{
    if (strcmp(arguments, "silent") == 0)
        return NULL;
    if (strcmp(arguments, "create") == 0) {
        snprintf(message, room, "the moon is not full");
        return NULL;
    }
    return strdup(arguments);
}

static void odd_destroy(void *instance)
{
    free(instance);
}

static int odd_dim(const void *instance)
{
    return is_word(instance, "dim") ? 0 : 4;
}

static hiss_kind odd_kind(const void *instance, int i)
{
    static const hiss_kind kinds[] = {HISS_BINARY, HISS_SPIN, HISS_ORDINAL,
                                      HISS_CATEGORICAL};

    return is_word(instance, "kind") ? (hiss_kind)9 : kinds[i];
}

static int odd_states(const void *instance, int i)
{
    static const int states[] = {2, 2, 3, 4};

    return is_word(instance, "states") ? -5 : states[i];
}

static double odd_level(const void *instance, int i, int index)
{
    static const double levels[] = {0, 1, 3};

    (void)i;
    return is_word(instance, "level") ? 1.0 : levels[index];
}

static double odd_u(int x0, int x1, int x2, int x3)
{
    static const double levels[] = {0, 1, 3};
    double s = 2 * x1 - 1, v = levels[x2] - 1.0;

    if (x0 == 1 && x3 == 3)
        return -INFINITY;
    return 0.3 * x0 * s - 0.2 * v * v * s + 0.5 * (x3 == 2) * x0 + 0.1 * x3;
}

static int by_state; /* the layout that the table says */

static int at(const int16_t *x, int lanes, int i, int l)
{
    return by_state ? x[4 * l + i] : x[i * lanes + l];
}

static int odd_evaluate(const void *instance, const int16_t *x, int lanes,
                        double *u, float *gradient)
{
    if (is_word(instance, "code"))
        return 7;
    for (int l = 0; l < lanes; l++) {
        u[l] = odd_u(at(x, lanes, 0, l), at(x, lanes, 1, l), at(x, lanes, 2, l),
                     at(x, lanes, 3, l));
        if (is_word(instance, "nan"))
            u[l] = NAN;
    }
    for (int k = 0; gradient && k < 7 * lanes; k++)
        gradient[k] = NAN;
    return 0;
}

static int odd_change(const void *instance, const int16_t *x, int lanes, int i,
                      double *change)
{
    if (is_word(instance, "change code"))
        return 8;
    for (int v = 0; v < odd_states(instance, i); v++)
        for (int l = 0; l < lanes; l++) {
            int place =
                by_state ? l * odd_states(instance, i) + v : v * lanes + l;
            int y[4], z[4];

            for (int k = 0; k < 4; k++) {
                z[k] = at(x, lanes, k, l);
                y[k] = k == i ? v : z[k];
            }
            change[place] =
                odd_u(y[0], y[1], y[2], y[3]) - odd_u(z[0], z[1], z[2], z[3]);
            if (is_word(instance, "change nan"))
                change[place] = NAN;
        }
    return 0;
}

static int odd_width(const void *instance)
{
    return is_word(instance, "width") ? -1 : 100;
}

/* A table with a field more than hiss knows. */
static struct {
    hiss_plugin_table known;
    int64_t more;
} newer;

static void spoil(hiss_plugin_table *table, const char *fault)
{
    if (strcmp(fault, "abi") == 0)
        table->abi = 99;
    if (strcmp(fault, "size") == 0)
        table->size = 8;
    if (strcmp(fault, "odd size") == 0)
        table->size = sizeof *table + 1;
    if (strcmp(fault, "no size") == 0)
        table->size = SIZE_MAX;
    if (strncmp(fault, "newer", 5) == 0)
        table->size = sizeof newer;
    if (strcmp(fault, "newer wants") == 0)
        newer.more = INT64_MIN; /* its last byte alone is not 0 */
    if (strcmp(fault, "function") == 0)
        table->evaluate = NULL;
    if (strcmp(fault, "gradient") == 0)
        table->has_gradient = 1;
    if (strcmp(fault, "change") == 0 || strcmp(fault, "states change") == 0)
        table->change = odd_change;
    if (strncmp(fault, "states", 6) == 0)
        table->by_state = by_state = 1;
    if (strstr(fault, "wide"))
        table->width = odd_width;
    if (strcmp(fault, "wide first") == 0)
        table->abi = table->by_state = 1;
}

const hiss_plugin_table *hiss_plugin(void)
{
    const char *fault = getenv("HISS_TEST_FAULT");

    newer.more = by_state = 0;
    newer.known = (hiss_plugin_table){
        .abi = HISS_PLUGIN_ABI,
        .size = sizeof newer.known,
        .name = "odd",
        .create = odd_create,
        .destroy = odd_destroy,
        .dim = odd_dim,
        .evaluate = odd_evaluate,
        .kind = odd_kind,
        .states = odd_states,
        .level = odd_level,
    };
    if (fault && strcmp(fault, "null") == 0)
        return NULL;
    if (fault)
        spoil(&newer.known, fault);
    return &newer.known;
}
