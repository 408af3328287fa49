/* test_weighted.c - sweeps under weights are the same under every instruction
 * set, and U follows them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "lanes/lanes.h"
#include "unit/xorshift.h"

enum {
    SIDE = 6,
    SITES = SIDE * SIDE,
    STATES = 5,
    DEGREE = 4
};

static const float coupling = 0.75f;

static void make_torus(hs_sparse *j, int64_t *start, int *column)
{
    for (int i = 0; i < SITES; i++) {
        int r = i / SIDE, c = i % SIDE;
        int to[DEGREE] = {
            (r + 1) % SIDE * SIDE + c, (r + SIDE - 1) % SIDE * SIDE + c,
            r * SIDE + (c + 1) % SIDE, r * SIDE + (c + SIDE - 1) % SIDE};

        start[i] = (int64_t)i * DEGREE;
        memcpy(column + start[i], to, sizeof to);
    }
    start[SITES] = (int64_t)SITES * DEGREE;
    *j = (hs_sparse){
        .dim = SITES, .start = start, .column = column, .uniform = coupling};
}

static double energy_of(const hs_sparse *j, const int16_t (*x)[HS_LANES],
                        int lane)
{
    int same = 0;

    for (int i = 0; i < SITES; i++)
        for (int64_t e = j->start[i]; e < j->start[i + 1]; e++)
            same += x[j->column[e]][lane] == x[i][lane];
    return (double)coupling * same / 2.0;
}

static void every_table_gives_the_same(void **state)
{
    static int16_t first[SITES][HS_LANES], x[SITES][HS_LANES];
    static const double slope[] = {0.0, 0.4, 0.9, 1.1};
    int64_t start[SITES + 1];
    int column[SITES * DEGREE];
    double at[5] = {0}, from[HS_LANES], to[HS_LANES], u[HS_LANES];
    double changed[HS_LANES];
    float beta[HS_LANES];
    bool is_target[HS_LANES] = {true};
    hs_rng rng = {.seed = 7};
    hs_sparse j;
    hs_weighted w = {.rng = &rng,
                     .visits = SITES,
                     .cells = 4,
                     .low = 8.0,
                     .width = 6.0,
                     .at = at,
                     .slope = slope,
                     .beta = beta,
                     .from = from,
                     .to = to,
                     .is_target = is_target};
    const hs_lane_table *const *table = hs_lanes_all();

    (void)state;
    make_torus(&j, start, column);
    for (int c = 0; c < 4; c++)
        at[c + 1] = at[c] + slope[c] * w.width;
    for (int n = 0; table[n]; n++) {
        uint64_t seed = 11;
        double all = 0.0;

        for (int i = 0; i < SITES; i++)
            for (int l = 0; l < HS_LANES; l++)
                x[i][l] = (int16_t)(xorshift(&seed) % STATES);
        memset(changed, 0, sizeof changed);
        for (int l = 0; l < HS_LANES; l++) {
            rng.chain[l] = (uint32_t)l;
            beta[l] = 0.25f + 0.05f * (float)l;
            u[l] = energy_of(&j, (const int16_t(*)[HS_LANES])x, l);
            from[l] = u[l] - 7.0;
            to[l] = u[l] + 9.0;
        }
        for (rng.clock = 1; rng.clock <= 20; rng.clock++)
            table[n]->weighted_potts(&j, STATES, &w, x, u, changed);
        for (int l = 0; l < HS_LANES; l++) {
            double now = energy_of(&j, (const int16_t(*)[HS_LANES])x, l);

            assert_true(u[l] == now);
            assert_true(is_target[l] || (now >= from[l] && now <= to[l]));
            all += changed[l];
        }
        assert_true(all > 1000.0);
        if (n == 0)
            memcpy(first, x, sizeof x);
        assert_memory_equal(first, x, sizeof x);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_table_gives_the_same),
    };

    return cmocka_run_group_tests_name("weighted", tests, NULL, NULL);
}
