/* plugin.h - a model of your own, in a shared library, without rebuilding
 * hiss: `hiss sample "plugin(./my.so,arguments=\"n=12\")"`.
 *
 * The library exports one function, hiss_plugin, that returns a table.  What
 * hiss asks of a model is U, the logarithm of its unnormalized probability,
 * for many states at once, and the gradient of U if there is one.
 * examples/plugin.c is a complete one; compile with
 *     cc -shared -fPIC -O2 -o plugin.so plugin.c */
#ifndef HISS_PLUGIN_H
#define HISS_PLUGIN_H

#include <stddef.h>
#include <stdint.h>

#include <hiss/kind.h>
#include <hiss/status.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Version of the table.  Version 2 added `width` and `by_state`; tables of
 * version 1 still work. */
#define HISS_PLUGIN_ABI 2

/** The table of a plug-in.  It begins with the version above, which tells how
 * to read the rest. */
typedef struct hiss_plugin_table {
    int abi;          /**< HISS_PLUGIN_ABI */
    size_t size;      /**< sizeof(hiss_plugin_table) */
    const char *name; /**< for messages */

    /* required */
    /** 
     * Makes a model from the user's text (never NULL, often empty). Returns
     * NULL on failure, with the reason, NUL-terminated, in message (room
     * bytes). */
    void *(*create)(const char *arguments, char *message, size_t room);
    void (*destroy)(void *instance);
    /** Number of coordinates, at least 1. */
    int (*dim)(const void *instance);
    /**
     * U of `lanes` states, a multiple of 16 that differs between calls (see
     * width for another number, and by_state for another order).
     * x[i * lanes + l] is coordinate i of state l, as an index: 0, 1 for
     * binary; 0, 1 for -1, +1 of a spin; 0, 1, ... for the levels of an ordinal
     * coordinate and for labels.  u[l] may be -infinity; NaN and +infinity are
     * faults.
     *
     * gradient is NULL when it is not wanted, and always when has_gradient is
     * 0.  Else gradient[r * lanes + l] is row r: one row per coordinate, dU/dx
     * in units of its values, and one row per label for a categorical one, of
     * which only the differences matter.  It steers proposals and need not be
     * exact; U alone decides what is sampled.  Where U is finite, so is it:
     * NaN and infinities are faults.
     *
     * Called from several threads at once with the same instance.
     *
     * @return 0, or a code of your own, which ends the run and is named in
     *         its message.
     */
    int (*evaluate)(const void *instance, const int16_t *x, int lanes,
                    double *u, float *gradient);

    /* optional */
    /** Kind of coordinate i; NULL: all binary. */
    hiss_kind (*kind)(const void *instance, int i);
    /** Number of values; NULL if 2. */
    int (*states)(const void *instance, int i);
    /** Value of an index of an ordinal coordinate, ascending; NULL if it is the
     * index. */
    double (*level)(const void *instance, int i, int index);
    /**
     * Not 0: evaluate fills the gradient.  0: hiss takes the differences of U
     * to the states that differ in one coordinate, at one evaluation for each
     * other value of a two-valued or categorical coordinate, and two for the
     * neighboring levels of an ordinal one.
     */
    int has_gradient;
    /**
     * Changes of U when coordinate i alone takes another value, for hiss to
     * visit coordinate by coordinate: change[v * lanes + l] is U with x_i at
     * index v less U, of state l, for every index v; 0 at the present one,
     * -infinity where that is impossible, anything where U itself is
     * -infinity.  x and lanes as of evaluate, with which it must agree to
     * 1e-6.  Worth it where it costs about 1/dim of evaluate: `gibbs` and
     * gradients then do, too.  NULL: evaluate is called for each other
     * value.
     */
    int (*change)(const void *instance, const int16_t *x, int lanes, int i,
                  double *change);

    /* optional, since ABI 2 */
    /**
     * How many states it wants at once; NULL or 0: those of 16 chains.  Else a
     * run calls evaluate and change for all its chains and replicas together,
     * up to this number, from one thread, and `lanes` is any number from 1 on.
     * Worth it where a call costs much and a state little.  What U of a state
     * is must not depend on the others.
     */
    int (*width)(const void *instance);
    /**
     * Not 0: arrays have state after state.  Then x[l * dim + i],
     * gradient[l * rows + r] and change[l * n + v], with n values of the
     * coordinate.
     */
    int by_state;
} hiss_plugin_table;

/** The one symbol that a plug-in exports; the table must stay valid while it is
 * loaded. */
HISS_API const hiss_plugin_table *hiss_plugin(void);

#ifdef __cplusplus
}
#endif
#endif
