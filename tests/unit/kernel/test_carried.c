/* test_carried.c - U that is carried from move to move is U of the state.
 *
 * However many updates a step has, U of a chain after it is within 1e-6 of
 * what the model says of the state, in units of the size of U. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "base/alloc.h"
#include "model/builders.h"
#include "model/model.h"
#include "run/chain/group.h"
#include "unit/brief.h"
#include "unit/xorshift.h"

enum {
    DIM = 70
};

#define COUNT(a) (sizeof(a) / sizeof *(a))

/* All pairs, with weights that no float has exactly. */
static hs_model *dense(void)
{
    int64_t start[DIM + 1] = {0};
    static int column[DIM * DIM];
    static double value[DIM * DIM];
    double h[DIM];
    uint64_t seed = 77;
    int64_t n = 0;
    hs_model *m;

    for (int i = 0; i < DIM; i++) {
        h[i] = 0.3 * ((double)xorshift(&seed) * 0x1p-32 - 0.5);
        for (int k = i + 1; k < DIM; k++) {
            column[n] = k;
            value[n++] = 0.9 * ((double)xorshift(&seed) * 0x1p-32 - 0.5);
        }
        start[i + 1] = n;
    }
    assert_int_equal(
        hs_build_csr(&m, "dense", HS_QUBO, DIM, start, column, value, h, NULL),
        HISS_OK);
    assert_true(m->is_dense);
    return m;
}

static hs_model *make(const char *spec)
{
    hiss_error err = {0};
    hs_model *m;

    if (!spec)
        return dense();
    if (hs_model_create(&m, spec, &err) != HISS_OK)
        fail_msg("%s", err.message);
    return m;
}

/* Sum of the sizes of what U is made of, about. */
static double size_of(double u, const hs_model *m)
{
    return fmax(fabs(u), m->domain.dim);
}

static int wrong_after(const hs_model *m, const char *name, const char *sampler,
                       int steps)
{
    int16_t *state = hs_alloc_array((size_t)m->domain.dim, sizeof *state);
    double worst = 0.0;
    hs_sampler *tree;
    hs_group *g;

    assert_non_null(state);
    assert_int_equal(hs_sampler_parse(&tree, sampler, NULL), HISS_OK);
    assert_int_equal(hs_group_create(&g, m, tree, 5, 0, 4, NULL), HISS_OK);
    assert_int_equal(hs_group_start(g, false, NULL), HISS_OK);
    for (int n = 0; n < steps; n++) {
        assert_int_equal(hs_group_step(g, NULL), HISS_OK);
        for (int c = 0; (n + 1) % (steps / 8 + 1) == 0 && c < 4; c++) {
            double u;

            assert_true(g->tile[0].at.have & HS_U);
            for (int i = 0; i < m->domain.dim; i++)
                state[i] = g->tile[0].at.x[i][c];
            assert_int_equal(hs_model_energy(m, state, &u, NULL), HISS_OK);
            worst = fmax(worst, fabs(u - g->tile[0].at.u[c]) / size_of(u, m));
        }
    }
    if (!(worst <= 1e-6))
        printf("       %s %s: U is off by %.3g\n", name, sampler, worst);
    hs_group_destroy(g);
    hs_sampler_release(tree);
    hs_free(state);
    return !(worst <= 1e-6);
}

static void u_is_that_of_the_state(void **state)
{
    static const char *const models[] = {
        NULL,
        "rbm(visible=24,hidden=12,scale=2)",
        "mixture(k=3,d=24)",
        "ising(side=6,beta=0.3)",
        "ising(side=6,beta=0.3,field=0.1)",
        "potts(side=4,states=5,beta=0.7)",
        "ladder(d=16,levels=9,beta=0.3)",
        "pairs(d=16)",
        "tsp(" HISS_TEST_DATA "/tsp/five.tsp,form=onehot)",
    };
    static const struct {
        const char *sampler;
        int steps;
    } rows[] = {
        {"metropolis(updates=200000)", 1},
        {"metropolis(updates=1000)", 120},
        {"metropolis", 150},
        {"gibbs(scan=random,updates=200000)", 1},
        {"gibbs", 150},
        {"gwg", 150},
        {"informed(balance=barker)", 100},
        {"pas(balance=max)", 40},
        {"pafs(length=4)", 60},
        {"dlmc(time=0.2)", 100},
        {"hamming(block=4)", 20},
        {"jumps(time=0.05)", 20},
        {"tabu(time=0.05)", 20},
        {"mtm(tries=3)", 100},
        {"ab(sigma=0.5)", 60},
        {"sequence(edlp,hamming(block=5,radius=1),informed)", 20},
        {"dmala(alpha=0.5)", 150},
        {"hiss(eta=0.5,steps=2,inner=metropolis(updates=5000))", 5},
        {"sequence(gwg,metropolis(updates=2000))", 40},
    };
    int wrong = 0;

    (void)state;
    for (size_t k = 0; k < COUNT(models); k++) {
        hs_model *m = make(models[k]);

        for (size_t r = test_is_brief() ? k % 8 : 0; r < COUNT(rows);
             r += test_is_brief() ? 8 : 1)
            wrong += wrong_after(m, m->name, rows[r].sampler, rows[r].steps);
        hs_model_destroy(m);
    }
    assert_int_equal(wrong, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(u_is_that_of_the_state),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
