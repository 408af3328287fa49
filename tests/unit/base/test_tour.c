/* test_tour.c - moves of closed tours, the model of tours, random keys. */
#include "base/state/tour.h"

#include <hiss/hiss.h>

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "base/alloc.h"
#include "kernel/compose/keys.h"
#include "lanes/lanes.h"
#include "model/tour/cities.h"
#include "unit/xorshift.h"

enum {
    MOST = 12
};

static double uniform(uint64_t *state)
{
    return (double)xorshift(state) * 0x1p-32;
}

static void random_edges(double *edge, int n, uint64_t *seed)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j <= i; j++)
            edge[i * n + j] = edge[j * n + i] =
                i == j ? 0.0 : -10.0 * uniform(seed);
}

static void random_tour(int16_t *x, int stride, int n, uint64_t *seed)
{
    for (int i = 0; i < n; i++) {
        int j = (int)(uniform(seed) * (i + 1));

        x[i * stride] = x[j * stride];
        x[j * stride] = (int16_t)i;
    }
}

static void random_move(hs_tour_move *move, int n, double or_opt,
                        uint64_t *seed)
{
    uint32_t word[3];

    for (int k = 0; k < 3; k++)
        word[k] = xorshift(seed);
    hs_tour_draw(move, n, or_opt, word);
}

/* What a move says it changes is what it changes, and it makes a tour. */
static void changes_are_exact(void **state)
{
    double edge[MOST * MOST];
    int16_t x[2 * MOST], scratch[MOST];
    uint64_t seed = 7;

    (void)state;
    for (int round = 0; round < 20000; round++) {
        int n = HS_TOUR_MIN + round % (MOST - HS_TOUR_MIN + 1);
        int stride = 1 + round % 2;
        double before, change;
        hs_tour_move move;

        random_edges(edge, n, &seed);
        random_tour(x, stride, n, &seed);
        random_move(&move, n, 0.5, &seed);
        assert_true(move.first >= 0 && move.first < n);
        assert_true(move.head >= 1 && move.tail >= 0);
        assert_true(move.head + move.tail < n);
        before = hs_tour_sum(x, stride, n, edge);
        change = hs_tour_change(x, stride, n, edge, &move);
        hs_tour_apply(x, stride, n, &move, scratch);
        assert_true(hs_tour_is_whole(x, stride, n));
        assert_true(fabs(hs_tour_sum(x, stride, n, edge) - before - change) <
                    1e-9);
    }
}

/* From y = move(x) some move leads back, by the window of the same start. */
static void every_move_can_be_undone(void **state)
{
    int16_t x[MOST], y[MOST], scratch[MOST];
    uint64_t seed = 11;

    (void)state;
    for (int round = 0; round < 5000; round++) {
        int n = HS_TOUR_MIN + round % (MOST - HS_TOUR_MIN + 1);
        hs_tour_move move, back;

        random_tour(x, 1, n, &seed);
        memcpy(y, x, sizeof x);
        random_move(&move, n, 0.7, &seed);
        hs_tour_apply(y, 1, n, &move, scratch);
        back = move;
        if (move.tail > 0) {
            back.head = move.tail;
            back.tail = move.head;
            back.flips_head = move.flips_tail;
            back.flips_tail = move.flips_head;
        }
        hs_tour_apply(y, 1, n, &back, scratch);
        assert_memory_equal(x, y, (size_t)n * sizeof *x);
    }
}

/* Turned tours have one sum and settle to one state. */
static void equals_settle_alike(void **state)
{
    double edge[MOST * MOST];
    int16_t x[MOST], y[MOST], scratch[MOST];
    uint64_t seed = 3;

    (void)state;
    for (int n = HS_TOUR_MIN; n <= MOST; n++) {
        random_edges(edge, n, &seed);
        random_tour(x, 1, n, &seed);
        for (int turn = 0; turn < 2 * n; turn++) {
            double sum = hs_tour_sum(x, 1, n, edge);

            memcpy(y, x, sizeof x);
            hs_tour_turn(y, 1, n, turn / 2, turn % 2, scratch);
            assert_true(fabs(hs_tour_sum(y, 1, n, edge) - sum) < 1e-9);
            hs_tour_normalize(y, 1, n, scratch);
            assert_int_equal(y[0], 0);
            assert_true(y[1] < y[n - 1]);
            memcpy(scratch, x, sizeof scratch);
            hs_tour_normalize(scratch, 1, n, (int16_t[MOST]){0});
            assert_memory_equal(scratch, y, (size_t)n * sizeof *y);
        }
    }
    assert_false(hs_tour_is_whole((int16_t[]){0, 1, 1}, 1, 3));
}

/* A climb gains, and of few cities ends where no move gains. */
static void climbs_end_at_optima(void **state)
{
    enum {
        MANY = 90
    };
    static double edge[MANY * MANY];
    static int16_t near[MANY * MANY];
    int16_t x[MANY], scratch[2 * MANY];
    uint64_t seed = 5;

    (void)state;
    for (int round = 0; round < 220; round++) {
        int n = round < 200 ? HS_TOUR_MIN + round % (MOST - HS_TOUR_MIN + 1)
                            : HS_TOUR_WHOLE - 10 + round % 20;
        hs_tour_map map = {n, edge, near, hs_tour_nears(n)};
        double before;

        random_edges(edge, n, &seed);
        hs_tour_near(edge, n, near);
        for (int k = 0; k < n * map.nears; k++)
            assert_true(k % map.nears == 0 ||
                        edge[k / map.nears * n + near[k]] <=
                            edge[k / map.nears * n + near[k - 1]]);
        random_tour(x, 1, n, &seed);
        before = hs_tour_sum(x, 1, n, edge);
        assert_true(hs_tour_climb(x, 1, &map, 1e-9, scratch) > 0);
        assert_true(hs_tour_is_whole(x, 1, n));
        assert_true(hs_tour_sum(x, 1, n, edge) >= before - 1e-9);
        for (int k = 0; n <= HS_TOUR_WHOLE && k < 500; k++) {
            hs_tour_move move;

            random_move(&move, n, 0.5, &seed);
            assert_true(hs_tour_change(x, 1, n, edge, &move) <= 1e-9);
        }
    }
}

/* --- the model ------------------------------------------------------------ */

static hs_model *make(int form, double temperature)
{
    static double x[] = {0.0, 3.0, 3.0, 0.0, 1.0, 2.5};
    static double y[] = {0.0, 0.0, 4.0, 4.0, 1.0, 1.5};
    hs_cities cities = {.count = 6, .metric = HS_EUC_2D, .x = x, .y = y};
    hs_tour_law law = {.temperature = temperature, .form = form};
    hs_model *m;

    assert_int_equal(hs_build_tours(&m, "six", &cities, &law, NULL), HISS_OK);
    return m;
}

static void lengths_are_lengths(void **state)
{
    hs_model *m = make(HS_TOUR_PERMUTATION, 2.0);
    double u;

    (void)state;
    assert_true(m->domain.is_tour && m->edge);
    assert_int_equal(m->domain.kind[0], HISS_PERMUTATION);
    assert_true(m->domain.values[0] == 1.0f);
    assert_int_equal(
        hs_model_energy(m, (int16_t[]){0, 1, 5, 2, 3, 4}, &u, NULL), HISS_OK);
    assert_true(fabs(u * -2.0 - (3.0 + sqrt(2.5) + sqrt(6.5) + 3.0 +
                                 sqrt(10.0) + sqrt(2.0))) < 1e-12);
    assert_true(m->objective_scale == -2.0 && m->objective_shift == 0.0);
    assert_int_equal(
        hs_model_energy(m, (int16_t[]){0, 1, 5, 2, 3, 3}, &u, NULL), HISS_OK);
    assert_true(u == -HUGE_VAL);
    hs_model_destroy(m);
}

/* Rows of the one-hot form: two of them differ by what the step to another
 * city would change, that the city comes twice left aside. */
static void rows_are_those_of_the_relaxation(void **state)
{
    hs_model *m = make(HS_TOUR_ONEHOT, 1.0), *t = make(HS_TOUR_PERMUTATION, 1);
    const int16_t tour[] = {3, 1, 5, 0, 2, 4};
    hs_point p;

    (void)state;
    assert_int_equal(hs_point_init(&p, m, NULL), HISS_OK);
    assert_int_equal(m->domain.rows, 36);
    for (int i = 0; i < 6; i++)
        for (int l = 0; l < HS_LANES; l++)
            p.x[i][l] = tour[(i + l) % 6];
    assert_int_equal(hs_model_evaluate(m, &p, HS_U | HS_GRAD), HISS_OK);
    for (int i = 0; i < 6; i++)
        for (int c = 0; c < 6; c++)
            for (int l = 0; l < HS_LANES; l++) {
                int before = p.x[(i + 5) % 6][l], behind = p.x[(i + 1) % 6][l];

                assert_true(fabs((double)p.grad[i * 6 + c][l] -
                                 (t->edge[before * 6 + c] +
                                  t->edge[c * 6 + behind])) < 1e-5);
            }
    hs_point_clear(&p);
    hs_model_destroy(m);
    hs_model_destroy(t);
}

static void starts_are_uniform_tours(void **state)
{
    hs_model *m = make(HS_TOUR_PERMUTATION, 1.0);
    int count[6][6] = {0}, rounds = 2000;
    hs_rng rng = {.seed = 3};
    hs_point p;

    (void)state;
    assert_int_equal(hs_point_init(&p, m, NULL), HISS_OK);
    for (uint32_t l = 0; l < HS_LANES; l++)
        rng.chain[l] = l;
    for (; rng.clock < (uint64_t)rounds; rng.clock++) {
        assert_int_equal(m->ops->start(m, &p, &rng, HS_LANES, NULL), HISS_OK);
        for (int l = 0; l < HS_LANES; l++) {
            assert_true(hs_tour_is_whole(&p.x[0][l], HS_LANES, 6));
            for (int i = 0; i < 6; i++)
                count[i][p.x[i][l]]++;
        }
    }
    for (int i = 0; i < 6; i++)
        for (int c = 0; c < 6; c++) /* five standard deviations */
            assert_true(fabs(count[i][c] - rounds * 16 / 6.0) < 335);
    hs_point_clear(&p);
    hs_model_destroy(m);
}

/* Without noise the keys give the tour back; with much noise on one key its
 * city is anywhere, and the others keep their order. */
static void keys_keep_the_order(void **state)
{
    hs_model *m = make(HS_TOUR_PERMUTATION, 1.0);
    int16_t x[6][HS_LANES], y[6][HS_LANES];
    uint8_t chosen[6] = {0, 0, 1, 0, 0, 0};
    float eta[HS_LANES];
    double prior[HS_LANES];
    hs_rng rng = {.seed = 9};
    hs_noise n = {.domain = &m->domain,
                  .rng = &rng,
                  .eta = eta,
                  .x = (const int16_t(*)[HS_LANES])x,
                  .y = y,
                  .shape = HS_LOGISTIC};
    hs_keys keys;

    (void)state;
    assert_int_equal(hs_keys_init(&keys, 6, NULL), HISS_OK);
    for (int l = 0; l < HS_LANES; l++) {
        rng.chain[l] = (uint32_t)l;
        for (int i = 0; i < 6; i++)
            x[i][l] = (int16_t)((i + l) % 6);
    }
    for (; rng.clock < 100; rng.clock++)
        for (int loud = 0; loud < 2; loud++) {
            for (int l = 0; l < HS_LANES; l++)
                eta[l] = loud ? 5.0f : 1e-30f;
            n.chosen = loud ? chosen : NULL;
            hs_keys_noise(&keys, &n, prior);
            for (int l = 0; l < HS_LANES; l++) {
                int at = 0;

                assert_true(isfinite(prior[l]));
                assert_true(loud || prior[l] == 0.0);
                for (int i = 0; i < 6; i++) {
                    at += loud && at < 6 && x[at][l] == 2;
                    if (loud && y[i][l] == 2)
                        continue;
                    assert_int_equal(y[i][l], x[at][l]);
                    at++;
                }
            }
        }
    hs_keys_clear(&keys);
    hs_model_destroy(m);
}

/* Draws of a seed stay what they are. */
static void draws_are_the_golden_ones(void **state)
{
    static const struct {
        const char *sampler;
        uint64_t hash;
    } rows[] = {
        {"tour", 0x59dfe0296954a731},
        {"tour(updates=2,or_opt=0.2,turn=no)", 0x258d18a9ea31e551},
        {"hiss(eta=0.7,inner=tour,steps=1,block=2)", 0x80d90fdb62129797},
        {"hiss(eta=auto,inner=tour,steps=0,block=0,kernel=gaussian)",
         0x24e9a2a5150cb12b},
    };
    hiss_settings set;
    hiss_model *m;

    (void)state;
    hiss_settings_init(&set);
    set.chains = 5;
    set.samples = 50;
    set.warmup = 100;
    set.seed = 20261115;
    assert_int_equal(
        hiss_model_create(&m, "tsp(" HISS_TEST_DATA "/tsp/five.tsp)", NULL),
        HISS_OK);
    for (size_t r = 0; r < sizeof rows / sizeof rows[0]; r++) {
        uint64_t h = 0xcbf29ce484222325u;
        hiss_sampler *s;
        hiss_result *found;
        double x[5];

        assert_int_equal(hiss_sampler_create(&s, rows[r].sampler, NULL),
                         HISS_OK);
        assert_int_equal(hiss_sample(&found, m, s, &set, NULL), HISS_OK);
        for (int n = 0; n < 250; n++) {
            hiss_result_draw(found, n / 50, n % 50, x);
            for (int i = 0; i < 5; i++)
                h = (h ^ (uint64_t)x[i]) * 0x100000001b3u;
        }
        hiss_result_destroy(found);
        hiss_sampler_destroy(s);
        if (h != rows[r].hash)
            fail_msg("%s: draws have hash %#018llx", rows[r].sampler,
                     (unsigned long long)h);
    }
    hiss_model_destroy(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(changes_are_exact),
        cmocka_unit_test(every_move_can_be_undone),
        cmocka_unit_test(equals_settle_alike),
        cmocka_unit_test(climbs_end_at_optima),
        cmocka_unit_test(lengths_are_lengths),
        cmocka_unit_test(rows_are_those_of_the_relaxation),
        cmocka_unit_test(starts_are_uniform_tours),
        cmocka_unit_test(keys_keep_the_order),
        cmocka_unit_test(draws_are_the_golden_ones),
    };

    return cmocka_run_group_tests_name("tour", tests, NULL, NULL);
}
