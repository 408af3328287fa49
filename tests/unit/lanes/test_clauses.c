/* test_clauses.c - sweeps over solutions of clauses, chains as bits: against
 * their definition, visit by visit and chain by chain, under every instruction
 * set; and whether solutions are equally frequent. */
#include "kernel/gibbs/sweeps/packed_plan.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/random/rng.h"
#include "lanes/lanes.h"
#include "model/factor/factor_graph.h"
#include "unit/xorshift.h"

enum {
    DIM = 150, /* more visits than a block of random words has */
    CLAUSES = 260,
    MOST = 5,
    STEPS = 40,
    SMALL = 9,
    SMALL_CLAUSES = 12,
    SWEEPS = 40000,
    THIN = 8
};

struct clause {
    int size, site[MOST];
    bool want[MOST]; /* values that satisfy it */
};

/* Every literal agrees with one state, so single changes join all solutions. */
static void make_clauses(struct clause *c, int count, int dim, int least,
                         uint64_t *seed)
{
    for (int n = 0; n < count; n++) {
        c[n].size = least + xorshift_below(seed, MOST + 1 - least);
        for (int k = 0; k < c[n].size; k++) {
            bool is_new = true;

            c[n].site[k] = xorshift_below(seed, dim);
            c[n].want[k] = c[n].site[k] % 3 == 0;
            for (int j = 0; j < k; j++)
                is_new = is_new && c[n].site[j] != c[n].site[k];
            k -= !is_new;
        }
    }
}

static hs_model *make_model(const struct clause *c, int count, int dim)
{
    int states[DIM];
    hs_factors f;
    hs_model *m;

    for (int i = 0; i < dim; i++)
        states[i] = 2;
    assert_int_equal(hs_factors_init(&f, dim, states, NULL), HISS_OK);
    for (int n = 0; n < count; n++) {
        double *entry;
        int64_t at = 0;

        for (int k = 0; k < c[n].size; k++)
            at = 2 * at + !c[n].want[k];
        assert_int_equal(
            hs_factors_add(&f, c[n].size, c[n].site, NULL, &entry, NULL),
            HISS_OK);
        entry[at] = -HUGE_VAL;
    }
    assert_int_equal(hs_factor_graph_create(&m, "clauses", &f, NULL), HISS_OK);
    return m;
}

static bool is_needed(const struct clause *c, int site, bool value,
                      const uint16_t *word, int lane)
{
    bool has_site = false;

    for (int k = 0; k < c->size; k++) {
        bool is_true = (word[c->site[k]] >> lane & 1) == c->want[k];

        if (c->site[k] == site && c->want[k] == value)
            has_site = true;
        else if (is_true)
            return false;
    }
    return has_site;
}

static unsigned coin_of(const hs_rng *rng, int visit, int lane)
{
    uint32_t four[4];

    hs_rng_block(rng->seed, rng->chain[0], (uint32_t)(visit % 32 / 2),
                 rng->clock, HS_DRAW_PACKED, (uint32_t)visit / 128, four);
    return four[visit % 128 / 32] >> (lane + 16 * (visit % 2)) & 1;
}

static void visit(const struct clause *c, int count, int site,
                  const hs_rng *rng, uint16_t *word, double *changed)
{
    for (int l = 0; l < HS_LANES; l++) {
        bool up = false, down = false;
        unsigned old = word[site] >> l & 1, new = coin_of(rng, site, l);

        for (int n = 0; n < count; n++) {
            up = up || is_needed(&c[n], site, true, word, l);
            down = down || is_needed(&c[n], site, false, word, l);
        }
        new = up &&down ? old : up ? 1 : down ? 0 : new;
        changed[l] += new != old;
        word[site] = (uint16_t)((word[site] & ~(1u << l)) | new << l);
    }
}

/* Some chains begin at states that are no solutions. */
static void begin(uint16_t *word, uint64_t *seed)
{
    for (int i = 0; i < DIM; i++)
        word[i] =
            (uint16_t)((i % 3 == 0 ? 0xfff0 : 0) | (xorshift_below(seed, 16)));
}

static void check(const struct clause *c, const hs_packed_clauses *p,
                  const hs_lane_table *t)
{
    static uint16_t word[2][DIM + 2 * HS_BUNDLE], is_false[2 * DIM + 1];
    static uint16_t tally[(DIM + HS_BUNDLE) * HS_TALLY_ROWS];
    static hs_byte_row count[2][DIM];
    static int site[DIM];
    double changed[2][HS_LANES] = {{0}};
    float weight[HS_LANES] = {1, 1, 0, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0};
    hs_rng rng = {.seed = UINT64_C(0x123456789abcdef1),
                  .clock = UINT64_C(0x1fffffff8),
                  .chain = {48}};
    hs_packed plan = {.dim = DIM, .site = site};
    uint64_t seed = 29;

    memset(count, 0, sizeof count);
    begin(word[0], &seed);
    memcpy(word[1], word[0], sizeof word[0]);
    for (int i = 0; i < DIM; i++)
        site[i] = i;
    t->clause_sweeps(p, &rng, 1, word[0], is_false, changed[0], 0, tally);
    rng.clock++;
    t->clause_sweeps(p, &rng, STEPS - 1, word[0], is_false, changed[0], 1,
                     tally);
    rng.clock--;
    t->packed_count(&plan, tally, STEPS, weight, count[0]);
    for (int k = 0; k < STEPS; k++, rng.clock++) {
        for (int i = 0; i < DIM; i++)
            visit(c, CLAUSES, i, &rng, word[1], changed[1]);
        for (int i = 0; i < DIM; i++)
            for (int l = 0; l < HS_LANES; l++)
                count[1][i][l] +=
                    (uint8_t)(weight[l] != 0.0f && (word[1][i] >> l & 1));
    }
    assert_memory_equal(word[0], word[1], DIM * sizeof word[0][0]);
    assert_memory_equal(changed[0], changed[1], sizeof changed[0]);
    assert_memory_equal(count[0], count[1], sizeof count[0]);
}

static void sweeps_draw_what_single_visits_draw(void **state)
{
    static struct clause c[CLAUSES];
    hs_packed_clauses p;
    uint64_t seed = 31;
    hs_model *m;

    (void)state;
    make_clauses(c, CLAUSES, DIM, 2, &seed);
    c[0].size = 1;
    m = make_model(c, CLAUSES, DIM);
    assert_true(hs_packed_clauses_apply(m));
    assert_int_equal(hs_packed_clauses_init(&p, m, NULL), HISS_OK);
    for (const hs_lane_table *const *t = hs_lanes_all(); *t; t++)
        check(c, &p, *t);
    hs_packed_clauses_clear(&p);
    hs_model_destroy(m);
}

/* Chi-square of draws over all solutions, in standard deviations.  Draws THIN
 * sweeps apart are nearly independent.  With `bias` the first chain's bits are
 * or-ed into the second's, so that its coins are not fair. */
static double misfit(const struct clause *c, const hs_packed_clauses *p,
                     bool bias, int *outside)
{
    static double seen[1 << SMALL];
    uint16_t word[SMALL + 2 * HS_BUNDLE], is_false[2 * SMALL + 1];
    hs_rng rng = {.seed = 37, .chain = {0}};
    double changed[HS_LANES] = {0}, draws = 0.0, sum = 0.0;
    int solutions = 0;

    memset(seen, 0, sizeof seen);
    *outside = 0;
    for (int i = 0; i < SMALL; i++)
        word[i] = i % 3 == 0 ? 0xffff : 0;
    for (int k = 0; k < SWEEPS; k++, rng.clock += THIN) {
        hs_lanes()->clause_sweeps(p, &rng, THIN, word, is_false, changed, 0,
                                  NULL);
        for (int l = 0; l < HS_LANES; l++, draws += 1.0) {
            int x = 0;

            for (int i = 0; i < SMALL; i++)
                x |= (word[i] >> l & 1 || (bias && i == 1 && l % 8 == 0)) << i;
            seen[x] += 1.0;
        }
    }
    for (int x = 0; x < 1 << SMALL; x++) {
        bool is_solution = true;

        for (int n = 0; n < SMALL_CLAUSES; n++) {
            bool holds = false;

            for (int k = 0; k < c[n].size; k++)
                holds = holds || (x >> c[n].site[k] & 1) == c[n].want[k];
            is_solution = is_solution && holds;
        }
        solutions += is_solution;
        *outside += !is_solution && seen[x] > 0.0;
        seen[x] = is_solution ? seen[x] : -1.0;
    }
    for (int x = 0; x < 1 << SMALL; x++)
        if (seen[x] >= 0.0)
            sum +=
                (seen[x] - draws / solutions) * (seen[x] - draws / solutions);
    assert_true(solutions > 20);
    sum *= solutions / draws;
    return (sum - (solutions - 1)) / sqrt(2.0 * (solutions - 1));
}

/* 640,000 draws; a right sampler exceeds 6 standard deviations with probability
 * below 1e-6. */
static void solutions_are_equally_frequent(void **state)
{
    struct clause c[SMALL_CLAUSES];
    hs_packed_clauses p;
    uint64_t seed = 41;
    int outside;
    hs_model *m;

    (void)state;
    make_clauses(c, SMALL_CLAUSES, SMALL, 2, &seed);
    m = make_model(c, SMALL_CLAUSES, SMALL);
    assert_int_equal(hs_packed_clauses_init(&p, m, NULL), HISS_OK);
    assert_true(fabs(misfit(c, &p, false, &outside)) < 6.0);
    assert_int_equal(outside, 0);
    assert_true(misfit(c, &p, true, &outside) > 6.0);
    hs_packed_clauses_clear(&p);
    hs_model_destroy(m);
}

static void weights_and_labels_are_refused(void **state)
{
    int states[2] = {2, 3};
    double table[6] = {-HUGE_VAL, 0, 0, 0, 0, 0};
    hs_factors f;
    hs_model *m;

    (void)state;
    assert_int_equal(hs_factors_init(&f, 2, states, NULL), HISS_OK);
    assert_int_equal(hs_factors_add(&f, 2, (int[]){0, 1}, table, NULL, NULL),
                     HISS_OK);
    assert_int_equal(hs_factor_graph_create(&m, "labels", &f, NULL), HISS_OK);
    assert_false(hs_packed_clauses_apply(m));
    hs_model_destroy(m);
    states[1] = 2;
    table[1] = 0.5;
    assert_int_equal(hs_factors_init(&f, 2, states, NULL), HISS_OK);
    assert_int_equal(hs_factors_add(&f, 2, (int[]){0, 1}, table, NULL, NULL),
                     HISS_OK);
    assert_int_equal(hs_factor_graph_create(&m, "weights", &f, NULL), HISS_OK);
    assert_false(hs_packed_clauses_apply(m));
    hs_model_destroy(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sweeps_draw_what_single_visits_draw),
        cmocka_unit_test(solutions_are_equally_frequent),
        cmocka_unit_test(weights_and_labels_are_refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
