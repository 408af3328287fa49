/* diag_draws.h - draws for the tests of src/diag, and what ArviZ says of them.
 *
 * The recipes repeat golden/make_arviz_golden.py operation by operation, so
 * both make the same bits. */
#ifndef TEST_DIAG_DRAWS_H
#define TEST_DIAG_DRAWS_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum draws_kind {
    AR,
    TINY,
    TAIL,
    RARE,
    WALK,
    STUCK,
    PARTLY,
    BITS
};

struct golden {
    const char *name;
    enum draws_kind kind;
    int chains;
    int64_t n;
    uint64_t seed;
    double p, shift;
    double sum; /* of the draws, so that a wrong recipe is seen first */
    double bulk, tail, mean, rhat, mcse;
};

/* splitmix64 [Steele, Lea and Flood 2014] */
static inline uint64_t draw_bits(uint64_t *state)
{
    uint64_t z = *state += 0x9E3779B97F4A7C15u;

    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
}

/* Uniform in (0, 1). */
static inline double draw_uniform(uint64_t *state)
{
    return ((double)(draw_bits(state) >> 11) + 0.5) * 0x1p-53;
}

static inline void draw_chain(const struct golden *g, int c, uint64_t *state,
                              double *out)
{
    double x = draw_uniform(state) - 0.5;
    int bit = x < 0.0;
    int level = 2;

    for (int64_t i = 0; i < g->n; i++) {
        double u = g->kind == STUCK ? 0.0 : draw_uniform(state);

        switch (g->kind) {
        case AR:
        case TINY:
            x = g->p * x + (u - 0.5);
            out[i] = g->kind == AR ? x + g->shift * c : x * 1e-17;
            break;
        case TAIL:
            out[i] = 1.0 / u;
            break;
        case RARE:
            out[i] = u < g->p;
            break;
        case WALK:
            if (u < 0.5 * g->p)
                level = level > 0 ? level - 1 : 0;
            else if (u < g->p)
                level = level < 4 ? level + 1 : 4;
            out[i] = 1.7 * level + g->shift * c;
            break;
        case STUCK:
            out[i] = 0.3 + g->shift * c;
            break;
        case PARTLY:
        case BITS:
            if (u < g->p && (g->kind == BITS || c >= g->shift))
                bit = !bit;
            out[i] = bit;
            break;
        }
    }
}

/* The draws [chain][n] of a recipe; the caller frees them. */
static inline double *draw_all(const struct golden *g)
{
    size_t count = (size_t)g->chains * (size_t)g->n;
    double *x = malloc(count * sizeof *x);
    uint64_t state = g->seed;

    for (int c = 0; x && c < g->chains; c++)
        draw_chain(g, c, &state, x + c * g->n);
    return x;
}

/* Equal to a relative 1e-6; NaN equals NaN.  Chains that never moved have an
 * R-hat of +inf, of which rounding may leave ArviZ a huge number. */
static inline bool agrees(double ours, double theirs)
{
    if (isnan(ours) || isnan(theirs))
        return isnan(ours) && isnan(theirs);
    if (isinf(ours))
        return theirs > 1e10;
    return fabs(ours - theirs) <= 1e-6 * fabs(theirs) + 1e-17;
}

static const struct golden goldens[] = {
#include "golden/arviz.inc"
};

#define GOLDENS ((int)(sizeof goldens / sizeof *goldens))

#endif
