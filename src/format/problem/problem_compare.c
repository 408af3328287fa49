/* problem_compare.c - whether two problems have the same distribution
 * (problem.h).
 *
 * 64 random states, the same each time, distinguish distributions that differ
 * anywhere except on a set of states of small measure. */
#include <math.h>
#include <stdint.h>

#include "base/alloc.h"
#include "format/problem/problem.h"

enum {
    STATES = 64
};

#define TOLERANCE 1e-10 /* relative to the sum of all terms */

/* splitmix64: repeatable; it samples nothing. */
static uint64_t next(uint64_t *state)
{
    uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);

    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

static void draw(const hs_problem *p, uint64_t *random, int16_t *state)
{
    for (int i = 0; i < p->dim; i++) {
        uint64_t states = (uint64_t)hs_problem_states(p, i);

        state[i] = (int16_t)((next(random) >> 33) % states);
    }
}

/* The scale for rounding errors of U. */
static double size_of(const hs_problem *p)
{
    double sum = fabs(p->quadratic.offset);

    if (p->shape == HS_FACTORS && isfinite(p->factors.constant))
        sum += fabs(p->factors.constant);

    for (int i = 0; p->shape == HS_QUADRATIC && i < p->dim; i++)
        sum += fabs(p->quadratic.linear[i]);
    for (int64_t e = 0; p->shape == HS_QUADRATIC && e < p->quadratic.pairs; e++)
        sum += fabs(p->quadratic.value[e]);
    for (int64_t n = 0; p->shape == HS_FACTORS && n < p->factors.count; n++) {
        const hs_factors *f = &p->factors;
        double most = 0.0;

        for (int64_t k = f->table_at[n]; k < f->table_at[n + 1]; k++)
            if (isfinite(f->table[k]))
                most = fmax(most, fabs(f->table[k]));
        sum += most;
    }
    for (int64_t k = 0;
         p->shape == HS_MACHINE && k < (int64_t)p->dim * p->machine.hidden; k++)
        sum += fabs(p->machine.weight[k]);
    return sum;
}

static hiss_status compare_spaces(const hs_problem *a, const hs_problem *b,
                                  hiss_error *err)
{
    if (a->dim != b->dim)
        return hs_fail(err, HISS_EINTERNAL,
                       "what was written has %d variables, not %d", b->dim,
                       a->dim);
    for (int i = 0; i < a->dim; i++)
        if (hs_problem_states(a, i) != hs_problem_states(b, i))
            return hs_fail(err, HISS_EINTERNAL,
                           "variable %d, counted from 0, was written with %d "
                           "states, not %d",
                           i, hs_problem_states(b, i), hs_problem_states(a, i));
    return HISS_OK;
}

hiss_status hs_problem_compare(const hs_problem *a, const hs_problem *b,
                               double *shift, hiss_error *err)
{
    double tolerance = TOLERANCE * (size_of(a) + size_of(b)) + 1e-300;
    uint64_t random = 1;
    int16_t *state;
    bool has_shift = false;
    hiss_status rc = HISS_OK;

    *shift = 0.0;
    HS_TRY(compare_spaces(a, b, err));
    state = hs_alloc_array((size_t)a->dim, sizeof *state);
    if (!state)
        return hs_fail_memory(err);
    for (int n = 0; n < STATES && rc == HISS_OK; n++) {
        double u, v;

        draw(a, &random, state);
        u = hs_problem_energy(a, state);
        v = hs_problem_energy(b, state);
        if (!has_shift && isfinite(u) && isfinite(v)) {
            has_shift = true;
            *shift = v - u;
        }
        if (isfinite(u) ? !(fabs(v - u - *shift) <= tolerance) : u != v)
            rc = hs_fail(err, HISS_EINTERNAL,
                         "what was written has other energies: %.17g for %.17g",
                         v, u + *shift);
    }
    hs_free(state);
    if (fabs(*shift) <= tolerance)
        *shift = 0.0;
    return rc;
}
