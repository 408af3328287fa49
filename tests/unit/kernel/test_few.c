/* test_few.c - steps of few chains, several at once, against the same chains in
 * a full tile, one step after the other: states, log p, marginals and counts,
 * bit for bit.  CMake runs it once per instruction set. */
#include "kernel/kernel.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "base/alloc.h"
#include "kernel/sampler.h"
#include "lanes/lanes.h"
#include "model/pair/ising_dense.h"
#include "model/pair/ising_sparse.h"
#include "model/sparse.h"
#include "unit/model_fixture.h"
#include "unit/xorshift.h"

/* A run: its tile, kernel, and marginals. */
struct side {
    hs_tile tile;
    hs_kernel *kernel;
    hs_float_row *sum;
    hs_byte_row *count;
};

static void begin(struct side *s, const hs_model *m, const char *sampler,
                  int lanes)
{
    hs_sampler *parsed;
    size_t rows = (size_t)m->domain.value_count;
    uint64_t seed = 7;

    assert_int_equal(hs_sampler_parse(&parsed, sampler, NULL), HISS_OK);
    assert_int_equal(hs_kernel_create(&s->kernel, parsed, NULL), HISS_OK);
    hs_sampler_release(parsed);
    assert_int_equal(hs_kernel_setup(s->kernel, m, NULL), HISS_OK);
    assert_int_equal(hs_tile_init(&s->tile, m, 12345, NULL), HISS_OK);
    s->sum = hs_alloc_array(rows, sizeof *s->sum);
    s->count = hs_alloc_array(rows, sizeof *s->count);
    assert_true(s->sum && s->count);
    s->tile.lanes = s->tile.rng.lanes = lanes;
    s->tile.sum = s->sum;
    s->tile.count = m->domain.is_pair ? s->count : NULL;
    for (int l = 0; l < HS_LANES; l++) {
        s->tile.rng.chain[l] = (uint32_t)(3 + l);
        s->tile.weight[l] = l < lanes ? 1.0f : 0.0f;
    }
    for (int i = 0; i < m->domain.dim; i++)
        for (int l = 0; l < HS_LANES; l++)
            s->tile.at.x[i][l] =
                (int16_t)xorshift_below(&seed, m->domain.states[i]);
}

static void end(struct side *s)
{
    hs_kernel_destroy(s->kernel);
    hs_tile_clear(&s->tile);
    hs_free(s->sum);
    hs_free(s->count);
}

static void step(struct side *s, const hs_model *m)
{
    hs_tile *t = &s->tile;

    t->summed = 0;
    assert_int_equal(hs_kernel_step(s->kernel, m, &t->tilt, t), HISS_OK);
    if (t->summed == 0 && t->count)
        hs_lanes()->count_index(t->weight, m->domain.dim,
                                (const hs_index_row *)t->at.x, t->count);
}

static void walk(struct side *s, const hs_model *m, int64_t steps)
{
    hs_tile *t = &s->tile;

    assert_true(hs_kernel_walks(s->kernel, t));
    t->summed = 0;
    assert_int_equal(hs_kernel_walk(s->kernel, m, &t->tilt, t, steps), HISS_OK);
    assert_int_equal(t->summed, steps);
}

static void compare(const struct side *few, const struct side *full,
                    const hs_model *m)
{
    int lanes = few->tile.lanes;
    int rows = m->domain.is_pair ? m->domain.dim : m->domain.value_count;

    for (int i = 0; i < m->domain.dim; i++)
        assert_memory_equal(few->tile.at.x[i], full->tile.at.x[i],
                            (size_t)lanes * sizeof(int16_t));
    assert_memory_equal(few->tile.at.u, full->tile.at.u,
                        (size_t)lanes * sizeof(double));
    for (int r = 0; r < rows; r++) {
        assert_memory_equal(few->sum[r], full->sum[r],
                            (size_t)lanes * sizeof(float));
        assert_memory_equal(few->count[r], full->count[r], (size_t)lanes);
    }
    for (int l = 0; l < lanes; l++) {
        assert_true(few->kernel->lane[HS_ACCEPTED][l] ==
                    full->kernel->lane[HS_ACCEPTED][l]);
        assert_true(few->kernel->lane[HS_PROPOSED][l] ==
                    full->kernel->lane[HS_PROPOSED][l]);
    }
    assert_true(few->tile.rng.clock == full->tile.rng.clock);
    assert_true(few->tile.energy_evals == full->tile.energy_evals);
}

static void check(const char *sampler, const hs_model *m, int lanes)
{
    static const int64_t stride[] = {1, 7, 2, 30};
    struct side few = {0}, full = {0};

    begin(&few, m, sampler, lanes);
    begin(&full, m, sampler, HS_LANES);
    for (size_t n = 0; n < sizeof stride / sizeof *stride; n++) {
        walk(&few, m, stride[n]);
        if (n == 1) /* twice, before anybody looks */
            walk(&few, m, stride[n]);
        assert_int_equal(hs_kernel_flush(few.kernel, m, &few.tile), HISS_OK);
        for (int64_t k = 0; k < (n == 1 ? 2 : 1) * stride[n]; k++)
            step(&full, m);
        compare(&few, &full, m);
    }
    end(&few);
    end(&full);
}

/* Couplings J and -J of a periodic lattice, of which some are missing. */
static hs_model *make_glass(hiss_kind kind, int side, int dims, double field)
{
    int dim = dims == 3 ? side * side * side : side * side;
    hs_bond *bond = hs_alloc_array((size_t)(dim * dims), sizeof *bond);
    int64_t count = 0;
    uint64_t seed = 3;
    hs_sparse j;
    hs_model *m;

    assert_non_null(bond);
    for (int i = 0; i < dim; i++)
        for (int d = 0, apart = 1; d < dims; d++, apart *= side) {
            int at = i / apart % side;
            int k = i + ((at + 1) % side - at) * apart;

            if (xorshift_below(&seed, 5) > 0)
                bond[count++] =
                    (hs_bond){i, k, xorshift_below(&seed, 2) ? 0.7 : -0.7};
        }
    assert_int_equal(hs_sparse_init(&j, dim, bond, count, NULL, NULL), HISS_OK);
    if (field != 0.0)
        assert_int_equal(hs_sparse_fill_field(&j, field, NULL), HISS_OK);
    assert_int_equal(hs_ising_create(&m, &(hs_ising){.kind = kind}, &j, NULL),
                     HISS_OK);
    hs_free(bond);
    return m;
}

/* Couplings of all pairs, of no common unit. */
static hs_model *make_dense(hiss_kind kind, int dim)
{
    float *j = hs_alloc_array((size_t)dim, (size_t)dim * sizeof *j);
    float *h = hs_alloc_array((size_t)dim, sizeof *h);
    uint64_t seed = 5;
    hs_model *m;

    assert_true(j && h);
    for (int i = 0; i < dim; i++) {
        h[i] = (float)xorshift_below(&seed, 1000) / 3000.0f - 0.2f;
        for (int k = 0; k < i; k++)
            j[i * dim + k] = j[k * dim + i] =
                ((float)xorshift_below(&seed, 2001) - 1000.0f) /
                (1700.0f * sqrtf((float)dim));
    }
    assert_int_equal(hs_ising_dense_create(&m, kind, dim, j, h, 0.25, NULL),
                     HISS_OK);
    return m;
}

static void few_chains_of_dense_models(void **state)
{
    static const int dims[] = {1, 7, 16, 45, 300};

    (void)state;
    for (size_t n = 0; n < sizeof dims / sizeof *dims; n++)
        for (int k = 0; k < 2; k++) {
            hs_model *m = make_dense(k ? HISS_BINARY : HISS_SPIN, dims[n]);

            check("gibbs", m, 1);
            check("metropolis", m, 1);
            check("gibbs", m, 5);
            check("metropolis", m, 5);
            hs_model_destroy(m);
        }
}

static void few_chains_are_those_of_a_full_tile(void **state)
{
    static const char *const models[] = {
        "ising(side=24,beta=0.42)",
        "ising(side=7,beta=-0.3)",
        "ising(side=12,beta=0.3,field=0.1)",
        "ising(side=6,beta=0.2,dims=3)",
        "ising(side=2,beta=0.5)",
        "ising(side=64,beta=0.44)",
        "potts(side=12,states=3,beta=0.9)",
        "potts(side=9,states=10,beta=1.3)",
        "potts(side=5,states=32,beta=-0.7,dims=3)",
        "potts(side=8,states=2,beta=0.5)",
    };
    static const struct {
        hiss_kind kind;
        int side, dims;
        double field;
    } glasses[] = {
        {HISS_SPIN, 12, 2, 0.0},
        {HISS_SPIN, 6, 3, 0.2},
        {HISS_BINARY, 7, 3, -0.3},
    };

    (void)state;
    for (size_t n = 0; n < sizeof models / sizeof *models; n++) {
        hs_model *m = fixture_model(models[n]);

        check("gibbs", m, 1);
        check("metropolis", m, 1);
        check("gibbs", m, 4);
        check("metropolis", m, 4);
        hs_model_destroy(m);
    }
    for (size_t n = 0; n < sizeof glasses / sizeof *glasses; n++) {
        hs_model *m = make_glass(glasses[n].kind, glasses[n].side,
                                 glasses[n].dims, glasses[n].field);

        check("gibbs", m, 1);
        check("metropolis", m, 1);
        check("gibbs", m, 3);
        check("metropolis", m, 3);
        hs_model_destroy(m);
    }
}

/* Other chains may come and go, and other kernels move the tile. */
static void states_are_taken_anew_where_they_were_moved(void **state)
{
    hs_model *m = fixture_model("ising(side=12,beta=0.42)");
    struct side few = {0}, full = {0};

    (void)state;
    begin(&few, m, "gibbs", 2);
    begin(&full, m, "gibbs", HS_LANES);
    for (int n = 0; n < 3; n++) {
        walk(&few, m, 3);
        assert_int_equal(hs_kernel_flush(few.kernel, m, &few.tile), HISS_OK);
        step(&few, m);
        for (int k = 0; k < 4; k++)
            step(&full, m);
        compare(&few, &full, m);
    }
    end(&few);
    end(&full);
    hs_model_destroy(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(few_chains_are_those_of_a_full_tile),
        cmocka_unit_test(few_chains_of_dense_models),
        cmocka_unit_test(states_are_taken_anew_where_they_were_moved),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
