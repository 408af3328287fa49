/* factor_fixture.h - small random factor graphs, and what is true of them by
 * going through every state.  Include after <cmocka.h>. */
#ifndef HS_TESTS_FACTOR_FIXTURE_H
#define HS_TESTS_FACTOR_FIXTURE_H

#include <math.h>
#include <stdint.h>
#include <stdlib.h>

#include "model/factors.h"
#include "xorshift.h"

/* `zeros` percent of the entries are -infinity, but one entry of each table
 * never is: the one that the states in `kept` pick, so that a state with
 * positive probability exists. */
static inline void random_factors(hs_factors *f, uint64_t *seed, int dim,
                                  int most_states, int count, int most_scope,
                                  int zeros)
{
    int states[32], kept[32], scope[8];

    for (int i = 0; i < dim; i++) {
        states[i] = 1 + xorshift_below(seed, most_states);
        kept[i] = xorshift_below(seed, states[i]);
    }
    assert_int_equal(hs_factors_init(f, dim, states, NULL), HISS_OK);
    f->constant = 0.25;
    for (int n = 0; n < count; n++) {
        int size = 1 + xorshift_below(seed, most_scope), used = 0;
        int64_t entries, keep = 0;
        double *table;

        while (used < size && used < dim) {
            int v = xorshift_below(seed, dim), k = 0;

            while (k < used && scope[k] != v)
                k++;
            if (k == used)
                scope[used++] = v;
        }
        assert_int_equal(hs_factors_add(f, used, scope, NULL, &table, NULL),
                         HISS_OK);
        entries = hs_factors_entries(f, used, scope);
        for (int k = 0; k < used; k++)
            keep = keep * states[scope[k]] + kept[scope[k]];
        for (int64_t e = 0; e < entries; e++) {
            table[e] = 4.0 * (xorshift(seed) * 0x1p-32) - 2.0;
            if (e != keep && xorshift_below(seed, 100) < zeros)
                table[e] = -HUGE_VAL;
        }
    }
}

/* The next state, last coordinate fastest; 0 after the last one. */
static inline int next_state(const int *states, int dim, int16_t *x)
{
    for (int i = dim - 1; i >= 0; i--) {
        if (++x[i] < states[i])
            return 1;
        x[i] = 0;
    }
    return 0;
}

typedef struct truth {
    double log_z, max_u, mean_u;
    double marginal[128]; /* coordinate after coordinate */
} truth;

static inline truth brute_force(const hs_factors *f)
{
    truth t = {.max_u = -HUGE_VAL};
    int16_t x[32] = {0};
    double sum = 0.0;

    do {
        double u = hs_factors_energy(f, x);

        t.max_u = u > t.max_u ? u : t.max_u;
    } while (next_state(f->states, f->dim, x));
    do {
        double u = hs_factors_energy(f, x), p = exp(u - t.max_u);
        int at = 0;

        sum += p;
        if (p > 0.0)
            t.mean_u += p * u;
        for (int i = 0; i < f->dim; at += f->states[i++])
            t.marginal[at + x[i]] += p;
    } while (next_state(f->states, f->dim, x));
    t.log_z = t.max_u + log(sum);
    t.mean_u /= sum;
    for (int k = 0; k < 128; k++)
        t.marginal[k] /= sum;
    return t;
}

#endif
