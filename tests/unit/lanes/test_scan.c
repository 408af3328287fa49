/* test_scan.c - sweeps over equal couplings on any graph: the same draws,
 * sums and energies as the general sweep, under every instruction set. */
#include "model/pair/scan.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/alloc.h"
#include "base/state/domain.h"
#include "lanes/lanes.h"
#include "model/sparse.h"
#include "unit/xorshift.h"

enum {
    DIM = 317, /* ends in the middle of everything */
    BONDS = 1500,
    HUB = 200, /* neighbors of site 5: more than a half-byte counts */
    CLOCKS = 20
};

struct shape {
    hiss_kind kind;
    double coupling, field;
    bool has_signs; /* then sums of couplings are not rounded */
};

static const struct shape shapes[] = {
    {HISS_SPIN, 0.1, 0.0, false},    {HISS_SPIN, -0.3, 0.2, false},
    {HISS_BINARY, 0.2, 0.0, false},  {HISS_BINARY, -0.4, 0.3, false},
    {HISS_SPIN, 0.25, 0.0, true},    {HISS_SPIN, 0.375, 0.25, true},
    {HISS_BINARY, -0.25, 0.0, true},
};

struct fixture {
    hs_domain domain;
    hs_sparse j;
    hs_scan g;
    hs_rng rng;
    int *order;
    uint8_t *apart;
    float beta[HS_LANES], weight[HS_LANES];
    int16_t x[DIM][HS_LANES];
};

/* Random bonds; the last sites have none, and site 5 has many. */
static void make_graph(struct fixture *f, const struct shape *s)
{
    static hs_bond bond[BONDS + HUB];
    static bool is_bound[DIM][DIM];
    int64_t count = 0;
    uint64_t seed = 9;

    memset(is_bound, 0, sizeof is_bound);
    for (int b = 0; b < BONDS + HUB; b++) {
        int i = b < HUB ? 5 : xorshift_below(&seed, DIM - 3);
        int k = b < HUB ? 6 + b : xorshift_below(&seed, DIM - 3);

        if (i == k || is_bound[i][k])
            continue;
        is_bound[i][k] = is_bound[k][i] = true;
        bond[count++] = (hs_bond){
            i, k, s->has_signs && b % 3 == 0 ? -s->coupling : s->coupling};
    }
    assert_int_equal(hs_sparse_init(&f->j, DIM, bond, count, NULL, NULL),
                     HISS_OK);
    if (s->field != 0.0)
        assert_int_equal(hs_sparse_fill_field(&f->j, s->field, NULL), HISS_OK);
}

static void begin(struct fixture *f, const struct shape *s)
{
    uint64_t seed = 5;

    memset(f, 0, sizeof *f);
    assert_int_equal(hs_domain_init(&f->domain, s->kind, DIM, 2, NULL),
                     HISS_OK);
    make_graph(f, s);
    assert_true(hs_scan_fits(&f->j));
    assert_true(hs_scan_is_exact(&f->j) || !s->has_signs);
    assert_int_equal(hs_sparse_order(&f->order, &f->j, true, NULL), HISS_OK);
    assert_int_equal(hs_sparse_apart(&f->apart, &f->j, f->order, NULL),
                     HISS_OK);
    assert_int_equal(hs_scan_init(&f->g, &f->j, f->order, f->domain.low,
                                  f->domain.gap, f->domain.gap, NULL),
                     HISS_OK);
    f->rng.seed = 11;
    for (int l = 0; l < HS_LANES; l++) {
        f->rng.chain[l] = (uint32_t)l;
        f->beta[l] = l == 3 ? 0.0f : 0.4f + 0.1f * (float)l;
        f->weight[l] = l % 3 != 0;
    }
    for (int i = 0; i < DIM; i++)
        for (int l = 0; l < HS_LANES; l++)
            f->x[i][l] = (int16_t)xorshift_below(&seed, 2);
}

static void end(struct fixture *f)
{
    hs_scan_clear(&f->g);
    hs_free(f->order);
    hs_free(f->apart);
    hs_sparse_clear(&f->j);
    hs_domain_clear(&f->domain);
}

static void energy(struct fixture *f, int16_t (*x)[HS_LANES], double *u)
{
    memset(u, 0, HS_LANES * sizeof *u);
    hs_lanes_all()[0]->ising_rows(&f->j, f->domain.low, f->domain.gap, 0, DIM,
                                  (const int16_t(*)[HS_LANES])x, NULL, u);
}

static void check(struct fixture *f, const hs_lane_table *t)
{
    static int16_t x[DIM][HS_LANES];
    static float sum[2][DIM][HS_LANES];
    static hs_byte_row bytes[DIM + 1];
    double changed[2][HS_LANES] = {{0}}, u[HS_LANES], gained[HS_LANES];
    hs_visits v = {.rng = &f->rng,
                   .site = f->order,
                   .count = DIM,
                   .beta = f->beta,
                   .weight = f->weight};

    memcpy(x, f->x, sizeof x);
    memset(sum, 0, sizeof sum);
    energy(f, x, gained);
    for (int clock = 0; clock < CLOCKS; clock++) {
        f->rng.clock = (uint64_t)clock;
        v.apart = NULL;
        v.sum = clock % 2 ? sum[0] : NULL;
        v.changed = changed[0];
        hs_lanes_all()[0]->ising_heat_bath(&f->j, f->domain.low, f->domain.gap,
                                           f->domain.gap, &v, f->x, NULL);
        v.apart = f->apart;
        v.sum = clock % 2 ? sum[1] : NULL;
        v.changed = changed[1];
        t->scan_heat_bath(&f->g, &v, x, bytes, f->j.field ? NULL : gained);
        assert_memory_equal(x, f->x, sizeof x);
    }
    assert_memory_equal(changed[0], changed[1], sizeof changed[0]);
    assert_memory_equal(sum[0], sum[1], sizeof sum[0]);
    energy(f, x, u);
    if (!f->j.field)
        assert_memory_equal(u, gained, sizeof u);
    assert_true(changed[0][0] > 0.0);
}

static void scans_draw_what_single_visits_draw(void **state)
{
    (void)state;
    for (size_t n = 0; n < sizeof shapes / sizeof *shapes; n++)
        for (const hs_lane_table *const *t = hs_lanes_all(); *t; t++) {
            struct fixture f;

            begin(&f, &shapes[n]);
            check(&f, *t);
            end(&f);
        }
}

/* In color order most groups of eight are apart, and some are not. */
static void groups_are_apart_where_nothing_couples_them(void **state)
{
    struct fixture f;
    int apart = 0, groups = DIM / 8;

    (void)state;
    begin(&f, &shapes[0]);
    for (int n = 0; n < groups; n++) {
        bool is_apart = true;

        for (int a = 8 * n; a < 8 * n + 8; a++)
            for (int64_t e = f.j.start[f.order[a]];
                 e < f.j.start[f.order[a] + 1]; e++)
                for (int b = 8 * n; b < 8 * n + 8; b++)
                    is_apart &= f.j.column[e] != f.order[b];
        assert_int_equal(f.apart[n], is_apart);
        apart += is_apart;
    }
    assert_true(apart > groups / 2 && apart < groups);
    end(&f);
}

static void large_degrees_do_not_fit(void **state)
{
    static hs_bond bond[256];
    hs_sparse j;

    (void)state;
    for (int b = 0; b < 256; b++)
        bond[b] = (hs_bond){0, b + 1, 1.0};
    assert_int_equal(hs_sparse_init(&j, 257, bond, 255, NULL, NULL), HISS_OK);
    assert_true(hs_scan_fits(&j));
    hs_sparse_clear(&j);
    assert_int_equal(hs_sparse_init(&j, 257, bond, 256, NULL, NULL), HISS_OK);
    assert_false(hs_scan_fits(&j));
    hs_sparse_clear(&j);
    bond[3].value = -1.0;
    assert_int_equal(hs_sparse_init(&j, 257, bond, 255, NULL, NULL), HISS_OK);
    assert_true(hs_scan_fits(&j) && hs_scan_is_exact(&j));
    hs_sparse_clear(&j);
    bond[3].value = 2.0;
    assert_int_equal(hs_sparse_init(&j, 257, bond, 255, NULL, NULL), HISS_OK);
    assert_false(hs_scan_fits(&j));
    hs_sparse_clear(&j);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(scans_draw_what_single_visits_draw),
        cmocka_unit_test(groups_are_apart_where_nothing_couples_them),
        cmocka_unit_test(large_degrees_do_not_fit),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
