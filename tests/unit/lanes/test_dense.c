/* test_dense.c - Gibbs sweeps over all pairs: the same draws as over a sparse
 * model with as many bonds, under every instruction set, and U on the way. */
#include "lanes/lanes.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/state/domain.h"
#include "model/sparse.h"
#include "unit/xorshift.h"

enum {
    DIM = 45, /* ends in the middle of everything */
    PAIRS = DIM * (DIM - 1) / 2,
    VISITS = 61,
    CLOCKS = 30
};

struct fixture {
    hs_domain domain;
    hs_sparse sparse;
    float j[DIM * DIM], h[DIM];
    int32_t whole[DIM * DIM], total[DIM];
    float base[DIM];
    hs_dense_whole dense;
    hs_rng rng;
    int site[VISITS];
    float beta[HS_LANES], weight[HS_LANES];
    int16_t x[DIM][HS_LANES];
    float phi[DIM][HS_LANES];
};

/* Multiples of 1/8, so that no sum is rounded. */
static float eighths(uint64_t *seed)
{
    return (float)(xorshift_below(seed, 9) - 4) / 8.0f;
}

static void begin(struct fixture *f, hiss_kind kind)
{
    static hs_bond bond[PAIRS];
    uint64_t seed = 3;
    int count = 0;

    memset(f, 0, sizeof *f);
    assert_int_equal(hs_domain_init(&f->domain, kind, DIM, 2, NULL), HISS_OK);
    for (int a = 0; a < DIM; a++)
        for (int b = 0; b < a; b++) {
            float v = eighths(&seed);

            f->j[a * DIM + b] = f->j[b * DIM + a] = v;
            bond[count++] = (hs_bond){a, b, (double)v};
        }
    assert_int_equal(hs_sparse_init(&f->sparse, DIM, bond, count, NULL, NULL),
                     HISS_OK);
    assert_int_equal(hs_sparse_fill_field(&f->sparse, 0.0, NULL), HISS_OK);
    for (int i = 0; i < DIM; i++)
        f->h[i] = f->sparse.field[i] = eighths(&seed);
    for (int i = 0; i < DIM; i++) {
        for (int k = 0; k < DIM; k++)
            f->total[i] += f->whole[i * DIM + k] = (int)(8 * f->j[i * DIM + k]);
        f->base[i] = f->h[i] + (f->domain.low + f->domain.gap / 2) *
                                   (float)f->total[i] / 8;
    }
    f->dense = (hs_dense_whole){.dim = DIM,
                                .j = f->whole,
                                .total = f->total,
                                .base = f->base,
                                .half = f->domain.gap / 16,
                                .gap = f->domain.gap};
    f->rng.seed = 7;
    for (int l = 0; l < HS_LANES; l++) {
        f->rng.chain[l] = (uint32_t)l;
        f->beta[l] = 0.1f * (float)l;
        f->weight[l] = l % 3 != 0;
    }
    for (int n = 0; n < VISITS; n++) /* some twice in a row */
        f->site[n] = n % 7 == 3 ? f->site[n - 1] : (11 * n) % DIM;
    for (int i = 0; i < DIM; i++)
        for (int l = 0; l < HS_LANES; l++) {
            f->x[i][l] = (int16_t)xorshift_below(&seed, 2);
            f->phi[i][l] = eighths(&seed);
        }
}

static void end(struct fixture *f)
{
    hs_sparse_clear(&f->sparse);
    hs_domain_clear(&f->domain);
}

static void energy(const struct fixture *f, int16_t (*x)[HS_LANES], double *u)
{
    memset(u, 0, HS_LANES * sizeof *u);
    hs_lanes_all()[0]->ising_rows(&f->sparse, f->domain.low, f->domain.gap, 0,
                                  DIM, (const int16_t(*)[HS_LANES])x, NULL, u);
}

static void check(struct fixture *f, const hs_lane_table *t)
{
    static int16_t x[DIM][HS_LANES];
    static float sum[2][DIM][HS_LANES];
    static int32_t s[DIM][HS_LANES];
    double changed[2][HS_LANES] = {{0}}, u[HS_LANES], gained[HS_LANES];
    hs_visits v = {.rng = &f->rng,
                   .site = f->site,
                   .count = VISITS,
                   .beta = f->beta,
                   .weight = f->weight};

    memcpy(x, f->x, sizeof x);
    memset(sum, 0, sizeof sum);
    energy(f, x, gained);
    for (int clock = 0; clock < CLOCKS; clock++) {
        f->rng.clock = (uint64_t)clock;
        v.phi = clock % 3 ? (const float(*)[HS_LANES])f->phi : NULL;
        v.first = clock % 2 ? 64 : 0;
        v.sum = clock % 2 ? sum[0] : NULL;
        v.changed = changed[0];
        hs_lanes_all()[0]->ising_heat_bath(&f->sparse, f->domain.low,
                                           f->domain.gap, f->domain.gap, &v,
                                           f->x, NULL);
        v.sum = clock % 2 ? sum[1] : NULL;
        v.changed = changed[1];
        t->dense_heat_bath(&f->dense, &v, s, x, gained);
        assert_memory_equal(x, f->x, sizeof x);
        energy(f, x, u);
        for (int l = 0; l < HS_LANES; l++)
            assert_true(fabs(u[l] - gained[l]) < 1e-9);
    }
    assert_memory_equal(changed[0], changed[1], sizeof changed[0]);
    assert_memory_equal(sum[0], sum[1], sizeof sum[0]);
    assert_true(changed[0][0] > 0.0);
}

static void sweeps_draw_what_sparse_ones_draw(void **state)
{
    static const hiss_kind kinds[] = {HISS_SPIN, HISS_BINARY};

    (void)state;
    for (size_t n = 0; n < sizeof kinds / sizeof *kinds; n++)
        for (const hs_lane_table *const *t = hs_lanes_all(); *t; t++) {
            static struct fixture f;

            begin(&f, kinds[n]);
            check(&f, *t);
            end(&f);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sweeps_draw_what_sparse_ones_draw),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
