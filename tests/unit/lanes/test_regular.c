/* test_regular.c - tables by count on regular graphs: the same draws, odds and
 * energies as the general primitives, under every instruction set. */
#include "lanes/lanes.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/alloc.h"
#include "model/sparse.h"
#include "unit/xorshift.h"

enum {
    DIM = 358, /* even, for odd degrees; ends in the middle of everything */
    CLOCKS = 40
};

#define INDEX(a) ((const int16_t(*)[HS_LANES])(a))
#define ROWS(a)  ((const float(*)[HS_LANES])(a))
#define BYTES(a) ((const hs_byte_row *)(a))

struct shape {
    int degree;
    hiss_kind kind;
    double coupling, field;
};

/* Even and odd in the spins, few and many entries, strong and weak. */
static const struct shape shapes[] = {
    {4, HISS_SPIN, 0.44, 0.0},   {4, HISS_SPIN, -0.3, 0.2},
    {4, HISS_BINARY, 0.7, 0.0},  {3, HISS_SPIN, 0.5, 0.0},
    {6, HISS_BINARY, -0.4, 0.3}, {7, HISS_SPIN, 0.2, 0.0},
    {1, HISS_SPIN, 1.0, -0.1},   {4, HISS_SPIN, 40.0, 0.0},
    {2, HISS_BINARY, 1e-6, 0.0},
};

struct fixture {
    hs_domain domain;
    hs_sparse j;
    hs_regular g;
    hs_rng rng;
    hs_dlp dlp;
    float beta[HS_LANES], balance[HS_LANES], stiffness[HS_LANES];
    float weight[HS_LANES];
    int site[DIM];
    uint8_t level[DIM / 4 + 1];
    int16_t x[DIM][HS_LANES];
    float phi[DIM][HS_LANES];
};

static float uniform(uint64_t *seed)
{
    return (float)((double)xorshift(seed) * 0x1p-31 - 1.0);
}

/* A ring with chords, and for odd degrees the opposite site too. */
static void make_graph(struct fixture *f, const struct shape *s)
{
    static hs_bond bond[DIM * 4];
    int64_t count = 0;

    for (int i = 0; i < DIM; i++)
        for (int k = 1; k <= s->degree / 2; k++)
            bond[count++] = (hs_bond){i, (i + 5 * k) % DIM, s->coupling};
    for (int i = 0; s->degree % 2 == 1 && i < DIM / 2; i++)
        bond[count++] = (hs_bond){i, i + DIM / 2, s->coupling};
    assert_int_equal(hs_sparse_init(&f->j, DIM, bond, count, NULL, NULL),
                     HISS_OK);
    assert_int_equal(f->j.start[DIM], DIM * s->degree);
    if (s->field != 0.0)
        assert_int_equal(hs_sparse_fill_field(&f->j, s->field, NULL), HISS_OK);
    f->g = (hs_regular){.dim = DIM,
                        .degree = s->degree,
                        .column = f->j.column,
                        .low = f->domain.low,
                        .gap = f->domain.gap,
                        .coupling = f->j.uniform,
                        .field = (float)s->field,
                        .step = f->domain.gap,
                        .scale = 1.0f,
                        .level = f->level};
    for (int i = 0; i + 4 <= DIM; i += 4) {
        bool is_level = true;

        for (int k = 0; k < 4 * s->degree; k++)
            is_level &=
                f->j.column[i * s->degree + k] ==
                f->j.column[i * s->degree + k % s->degree] + k / s->degree;
        f->level[i / 4] = is_level;
    }
}

static void begin(struct fixture *f, const struct shape *s)
{
    uint64_t seed = 5;

    memset(f, 0, sizeof *f);
    assert_int_equal(hs_domain_init(&f->domain, s->kind, DIM, 2, NULL),
                     HISS_OK);
    make_graph(f, s);
    f->rng.seed = 11;
    for (int l = 0; l < HS_LANES; l++) {
        f->rng.chain[l] = (uint32_t)l;
        f->beta[l] = l == 3 ? 0.0f : 0.4f + 0.1f * (float)l;
        f->balance[l] = 0.5f;
        f->stiffness[l] = 0.02f + 0.05f * (float)l;
        f->weight[l] = l % 3 != 0;
    }
    for (int i = 0; i < DIM; i++) {
        f->site[i] = (7 * i + 3) % DIM;
        for (int l = 0; l < HS_LANES; l++) {
            f->x[i][l] = (int16_t)xorshift_below(&seed, 2);
            f->phi[i][l] = 3.0f * uniform(&seed);
        }
    }
    f->dlp = (hs_dlp){.domain = &f->domain,
                      .rng = &f->rng,
                      .beta = f->beta,
                      .balance = f->balance,
                      .stiffness = f->stiffness};
}

static void end(struct fixture *f)
{
    hs_sparse_clear(&f->j);
    hs_domain_clear(&f->domain);
}

static void for_all(void (*check)(struct fixture *f, const hs_lane_table *t))
{
    for (size_t n = 0; n < sizeof shapes / sizeof *shapes; n++)
        for (const hs_lane_table *const *t = hs_lanes_all(); *t; t++) {
            struct fixture f;

            begin(&f, &shapes[n]);
            check(&f, *t);
            end(&f);
        }
}

static void energy(struct fixture *f, int16_t (*x)[HS_LANES], double *u)
{
    memset(u, 0, HS_LANES * sizeof *u);
    hs_lanes_all()[0]->ising_rows(&f->j, f->g.low, f->g.gap, 0, DIM, INDEX(x),
                                  NULL, u);
}

/* 40 sweeps of 16 chains meet about 17 of the cases that a threshold leaves
 * open, per graph and instruction set. */
static void check_heat_bath(struct fixture *f, const hs_lane_table *t)
{
    static int16_t x[DIM][HS_LANES];
    static float sum[2][DIM][HS_LANES];
    double changed[2][HS_LANES] = {{0}}, u[HS_LANES];
    double gained[HS_LANES], general[HS_LANES];
    hs_visits v = {.rng = &f->rng,
                   .site = f->site,
                   .count = DIM,
                   .beta = f->beta,
                   .weight = f->weight};

    memcpy(x, f->x, sizeof x);
    memset(sum, 0, sizeof sum);
    energy(f, x, gained);
    energy(f, x, general);
    for (int clock = 0; clock < CLOCKS; clock++) {
        f->rng.clock = (uint64_t)clock;
        v.sum = clock % 2 ? sum[0] : NULL;
        v.changed = changed[0];
        hs_lanes_all()[0]->ising_heat_bath(&f->j, f->g.low, f->g.gap,
                                           f->domain.gap, &v, f->x,
                                           f->j.field ? NULL : general);
        v.sum = clock % 2 ? sum[1] : NULL;
        v.changed = changed[1];
        t->regular_heat_bath(&f->g, &v, x, f->j.field ? NULL : gained);
        assert_memory_equal(x, f->x, sizeof x);
    }
    assert_memory_equal(changed[0], changed[1], sizeof changed[0]);
    assert_memory_equal(sum[0], sum[1], sizeof sum[0]);
    energy(f, x, u);
    if (!f->j.field)
        assert_memory_equal(u, gained, sizeof u);
    if (!f->j.field)
        assert_memory_equal(u, general, sizeof u);
}

static void heat_baths_draw_the_same(void **state)
{
    (void)state;
    for_all(check_heat_bath);
}

/* No two of four sites visited in a row are coupled: their numbers differ by
 * 7, 14 or 21, those of neighbors by 5, 10, 15 or DIM / 2. */
static void check_batches(struct fixture *f, const hs_lane_table *t)
{
    static int16_t x[DIM][HS_LANES];
    uint8_t apart[DIM / 4 + 1];
    double changed[HS_LANES] = {0}, u[HS_LANES], gained[HS_LANES];
    double *gain = f->j.field ? NULL : gained;
    hs_visits v = {.rng = &f->rng,
                   .site = f->site,
                   .count = DIM,
                   .beta = f->beta,
                   .phi = ROWS(f->phi),
                   .changed = changed};

    memset(apart, 1, sizeof apart);
    memcpy(x, f->x, sizeof x);
    energy(f, x, gained);
    for (int clock = 0; clock < CLOCKS; clock++) {
        f->rng.clock = (uint64_t)clock;
        v.apart = NULL;
        hs_lanes_all()[0]->ising_heat_bath(&f->j, f->g.low, f->g.gap,
                                           f->domain.gap, &v, f->x, NULL);
        v.apart = apart;
        t->ising_heat_bath(&f->j, f->g.low, f->g.gap, f->domain.gap, &v, x,
                           gain);
        assert_memory_equal(x, f->x, sizeof x);
    }
    energy(f, x, u);
    if (gain)
        assert_memory_equal(u, gained, sizeof u);
}

static void batches_draw_what_single_visits_draw(void **state)
{
    (void)state;
    for_all(check_batches);
}

/* From the general primitives of the first table. */
static void find_odds(struct fixture *f, const hs_dlp *d,
                      float (*odds)[HS_LANES], double *spread, double *u)
{
    static float rows[DIM][HS_LANES];
    const hs_lane_table *t = hs_lanes_all()[0];

    memset(spread, 0, HS_LANES * sizeof *spread);
    memset(u, 0, HS_LANES * sizeof *u);
    t->ising_rows(&f->j, f->g.low, f->g.gap, 0, DIM, INDEX(f->x), rows, u);
    t->dlp_odds(d, 0, DIM, ROWS(rows), INDEX(f->x), odds, spread);
}

static void check_proposal(struct fixture *f, const hs_lane_table *t)
{
    static float odds[DIM][HS_LANES];
    static int16_t y[DIM][HS_LANES];
    static hs_byte_row bytes[DIM], x[DIM];
    double spread[HS_LANES], u[HS_LANES];
    double got[HS_LANES], got_u[HS_LANES] = {0};
    hs_site_counts census = {{0}};

    find_odds(f, &f->dlp, odds, spread, u);
    t->narrow_index(DIM, INDEX(f->x), x);
    t->regular_count(&f->g, 0, 200, BYTES(x), census);
    t->regular_count(&f->g, 200, DIM, BYTES(x), census);
    t->regular_sum(&f->g, &f->dlp, (const int32_t(*)[HS_LANES])census, got,
                   got_u);
    for (int l = 0; l < HS_LANES; l++) {
        assert_true(fabs(got[l] - spread[l]) <= 1e-6 * fabs(spread[l]));
        assert_true(fabs(got_u[l] - u[l]) <=
                    (f->j.field ? 1e-12 * fabs(u[l]) : 0.0));
    }
    for (int clock = 0; clock < CLOCKS; clock++) {
        f->rng.clock = (uint64_t)clock;
        hs_lanes_all()[0]->dlp_flip(&f->dlp, 0, DIM, ROWS(odds), INDEX(f->x),
                                    y);
        t->regular_propose(&f->g, &f->dlp, 0, 64, BYTES(x), bytes);
        t->regular_propose(&f->g, &f->dlp, 64, DIM, BYTES(x), bytes);
        for (int i = 0; i < DIM; i++)
            for (int l = 0; l < HS_LANES; l++)
                assert_int_equal(bytes[i][l], y[i][l]);
    }
}

static void proposals_are_the_same(void **state)
{
    (void)state;
    for_all(check_proposal);
}

/* Under a tilt: every bit, in whole batches and one by one. */
static void check_odds(struct fixture *f, const hs_lane_table *t)
{
    static float odds[DIM][HS_LANES], own[DIM][HS_LANES];
    double spread[HS_LANES], u[HS_LANES], got[HS_LANES] = {0};
    double got_u[HS_LANES] = {0}, alone[HS_LANES] = {0};
    hs_dlp d = f->dlp;

    if (f->j.field)
        return;
    d.phi = ROWS(f->phi);
    find_odds(f, &d, odds, spread, u);
    t->regular_odds(&f->g, &d, 0, DIM, INDEX(f->x), own, got, got_u);
    assert_memory_equal(odds, own, sizeof odds);
    assert_memory_equal(spread, got, sizeof got);
    assert_memory_equal(u, got_u, sizeof u);
    memset(own, 0, sizeof own);
    for (int i = 0; i < DIM; i++)
        t->regular_odds(&f->g, &d, i, i + 1, INDEX(f->x), own, got, got_u);
    assert_memory_equal(odds, own, sizeof odds);
    t->regular_energy(&f->g, 0, 100, INDEX(f->x), alone);
    t->regular_energy(&f->g, 100, DIM, INDEX(f->x), alone);
    assert_memory_equal(u, alone, sizeof u);
}

static void tilted_odds_are_the_same(void **state)
{
    (void)state;
    for_all(check_odds);
}

/* Steps under noise as factors, and under the same noise as phi. */
struct pair {
    float eta[HS_LANES], root[HS_LANES];
    float phi[DIM][HS_LANES], factor[DIM][HS_LANES];
    hs_byte_row was[DIM];
    hs_dlp by_phi, by_factor;
};

static void add_noise(struct fixture *f, const hs_lane_table *t, struct pair *p)
{
    static int16_t y[2][DIM][HS_LANES];
    hs_noise n = {.domain = &f->domain,
                  .rng = &f->rng,
                  .eta = p->eta,
                  .x = INDEX(f->x),
                  .y = y[0],
                  .phi = p->phi,
                  .shape = HS_LOGISTIC};

    t->noise(&n);
    n.y = y[1];
    n.phi = NULL;
    n.factor = p->factor;
    n.was = p->was;
    n.root = p->root;
    t->noise(&n);
    assert_memory_equal(y[0], y[1], sizeof y[0]);
    for (int i = 0; i < DIM; i++)
        for (int l = 0; l < HS_LANES; l++) {
            float s = f->x[i][l] ? -2.0f : 2.0f;
            float half = logf(p->root[l]) - logf(p->factor[i][l]);

            assert_int_equal(p->was[i][l], f->x[i][l]);
            assert_true(fabsf(s * half - p->phi[i][l]) < 1e-5f);
        }
    p->by_phi = p->by_factor = f->dlp;
    p->by_phi.phi = ROWS(p->phi);
    p->by_factor.factor = ROWS(p->factor);
    p->by_factor.was = BYTES(p->was);
    p->by_factor.root = p->root;
}

/* The same proposals but for rounding, which decides one coin in a million;
 * under every instruction set the same bits.  After some steps many sites are
 * not as they were when the noise came. */
static void check_factors(struct fixture *f, const hs_lane_table *t)
{
    static struct pair p;
    static float odds[DIM][HS_LANES];
    static int16_t y[DIM][HS_LANES];
    static hs_byte_row x[DIM], bytes[DIM], first[DIM];
    int differ = 0, moved = 0;

    if (f->j.field || f->domain.kind[0] != HISS_SPIN)
        return;
    for (int l = 0; l < HS_LANES; l++)
        p.eta[l] = 0.5f + 0.3f * (float)l;
    add_noise(f, t, &p);
    for (int clock = 0; clock < CLOCKS; clock++) {
        double spread[HS_LANES], u[HS_LANES], unused[HS_LANES] = {0};
        double one[HS_LANES] = {0}, two[HS_LANES] = {0}, got_u[HS_LANES] = {0};

        f->rng.clock = (uint64_t)clock;
        find_odds(f, &p.by_phi, odds, spread, u);
        hs_lanes_all()[0]->dlp_flip(&p.by_phi, 0, DIM, ROWS(odds), INDEX(f->x),
                                    y);
        t->narrow_index(DIM, INDEX(f->x), x);
        t->regular_tilt_propose(&f->g, &p.by_factor, BYTES(x), bytes, one);
        t->regular_tilt_spread(&f->g, &p.by_factor, BYTES(x), two, got_u);
        assert_memory_equal(one, two, sizeof one);
        assert_memory_equal(u, got_u, sizeof u);
        for (int l = 0; l < HS_LANES; l++)
            assert_true(fabs(one[l] - spread[l]) <=
                        2e-6 * fabs(spread[l]) + 2e-5);
        hs_lanes_all()[0]->regular_tilt_propose(
            &f->g, &p.by_factor, BYTES(x), first, clock % 2 ? unused : NULL);
        assert_memory_equal(first, bytes, sizeof first);
        if (clock % 2)
            assert_memory_equal(unused, one, sizeof one);
        for (int i = 0; i < DIM; i++)
            for (int l = 0; l < HS_LANES; l++) {
                differ += bytes[i][l] != y[i][l];
                moved += bytes[i][l] != x[i][l];
                f->x[i][l] = bytes[i][l];
            }
    }
    assert_true(differ <= 2);
    assert_true(moved > 1000 || f->j.uniform > 1.0f);
}

static void factors_propose_what_phi_does(void **state)
{
    (void)state;
    for_all(check_factors);
    /* and where all lanes have one table, in which no logit is positive */
    for (const hs_lane_table *const *t = hs_lanes_all(); *t; t++) {
        struct fixture f;

        begin(&f, &shapes[0]);
        for (int l = 0; l < HS_LANES; l++) {
            f.beta[l] = 1.0f;
            f.stiffness[l] = 0.6f;
        }
        check_factors(&f, *t);
        end(&f);
    }
}

static void what_is_taken_is_counted(void **state)
{
    (void)state;
    for (const hs_lane_table *const *t = hs_lanes_all(); *t; t++) {
        int16_t x[5][HS_LANES] = {{0}};
        hs_byte_row y[5], count[5], own[5] = {{0}};
        int32_t accept[HS_LANES];
        float weight[HS_LANES];

        memset(y, 1, sizeof y);
        memset(count, 7, sizeof count);
        for (int l = 0; l < HS_LANES; l++) {
            accept[l] = l % 2;
            weight[l] = l < 10;
        }
        (*t)->regular_take(accept, 5, BYTES(y), x, own, weight, NULL);
        (*t)->regular_take(accept, 5, BYTES(y), x, own, weight, count);
        (*t)->count_index(weight, 5, INDEX(x), count);
        for (int i = 0; i < 5; i++)
            for (int l = 0; l < HS_LANES; l++) {
                assert_int_equal(x[i][l], l % 2);
                assert_int_equal(own[i][l], l % 2);
                assert_int_equal(count[i][l], l < 10 ? 7 + 2 * (l % 2) : 7);
            }
        (*t)->widen_index(5, BYTES(y), x, weight, count);
        for (int i = 0; i < 5; i++)
            for (int l = 0; l < HS_LANES; l++) {
                assert_int_equal(x[i][l], 1);
                assert_int_equal(count[i][l], l < 10 ? 8 + 2 * (l % 2) : 7);
            }
    }
}

/* More than any cache keeps. */
static void large_states_are_widened_too(void **state)
{
    enum {
        ROWS_OF = 600001
    };
    hs_byte_row *y = hs_alloc_array(ROWS_OF, sizeof *y);
    int16_t(*x)[HS_LANES] = hs_alloc_array(ROWS_OF, sizeof *x);
    float weight[HS_LANES] = {0};

    (void)state;
    assert_true(x && y);
    for (const hs_lane_table *const *t = hs_lanes_all(); *t; t++) {
        int wrong = 0;

        for (int i = 0; i < ROWS_OF; i++)
            for (int l = 0; l < HS_LANES; l++) {
                y[i][l] = (uint8_t)((i * 7 + l * l) % 3);
                x[i][l] = -1;
            }
        (*t)->widen_index(ROWS_OF, BYTES(y), x, weight, NULL);
        for (int i = 0; i < ROWS_OF; i++)
            for (int l = 0; l < HS_LANES; l++)
                wrong += x[i][l] != y[i][l];
        assert_int_equal(wrong, 0);
    }
    hs_free(y);
    hs_free(x);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(heat_baths_draw_the_same),
        cmocka_unit_test(batches_draw_what_single_visits_draw),
        cmocka_unit_test(proposals_are_the_same),
        cmocka_unit_test(tilted_odds_are_the_same),
        cmocka_unit_test(factors_propose_what_phi_does),
        cmocka_unit_test(what_is_taken_is_counted),
        cmocka_unit_test(large_states_are_widened_too),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
