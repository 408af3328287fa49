/* test_lattice_rows.c - the sparse primitives: right, and the same bits under
 * every instruction set. */
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
    DIM = 700,
    BONDS = 1600,
    STATES = 5,
    ROWS = DIM * STATES
};

/* Everything that a primitive reads and writes. */
struct bench {
    hs_sparse j;
    int16_t (*x)[HS_LANES];
    float (*out)[HS_LANES];  /* [ROWS] */
    float (*base)[HS_LANES]; /* [ROWS], of the first table */
    double u[HS_LANES], base_u[HS_LANES];
};

static double uniform(uint64_t *seed)
{
    return xorshift(seed) * 0x1p-32 * 2.0 - 1.0;
}

static void bench_init(struct bench *b, bool is_uniform, bool has_field,
                       int states)
{
    static hs_bond bond[BONDS];
    uint64_t seed = 41;

    for (int k = 0; k < BONDS; k++)
        bond[k] = (hs_bond){xorshift_below(&seed, DIM),
                            xorshift_below(&seed, DIM), uniform(&seed)};
    if (is_uniform) /* a ring with chords; none twice */
        for (int k = 0; k < BONDS; k++)
            bond[k] = (hs_bond){k % DIM, (k % DIM + 1 + k / DIM) % DIM, 0.37};
    assert_int_equal(hs_sparse_init(&b->j, DIM, bond, BONDS, NULL, NULL),
                     HISS_OK);
    assert_true((b->j.uniform != 0.0f) == is_uniform);
    b->x = hs_alloc_array(DIM, sizeof *b->x);
    b->out = hs_alloc_array(ROWS, sizeof *b->out);
    b->base = hs_alloc_array(ROWS, sizeof *b->base);
    assert_true(b->x && b->out && b->base);
    for (int i = 0; i < DIM; i++)
        for (int l = 0; l < HS_LANES; l++)
            b->x[i][l] = (int16_t)xorshift_below(&seed, states);
    if (!has_field)
        return;
    b->j.field = hs_alloc_array(ROWS, sizeof *b->j.field);
    assert_non_null(b->j.field);
    for (int r = 0; r < ROWS; r++)
        b->j.field[r] = (float)uniform(&seed);
}

static void bench_clear(struct bench *b)
{
    hs_sparse_clear(&b->j);
    hs_free(b->x);
    hs_free(b->out);
    hs_free(b->base);
}

static double field_of(const struct bench *b, int r)
{
    return b->j.field ? (double)b->j.field[r] : 0.0;
}

/* Against double arithmetic, sites in their natural order. */
static void check_ising(const struct bench *b, double low, double gap,
                        int first, int last)
{
    for (int l = 0; l < HS_LANES; l++) {
        double u = 1.0;

        for (int i = first; i < last; i++) {
            double sum = 0.0, s = low + gap * b->x[i][l];

            for (int64_t e = b->j.start[i]; e < b->j.start[i + 1]; e++)
                sum += (double)b->j.value[e] *
                       (low + gap * b->x[b->j.column[e]][l]);
            u += s * (field_of(b, i) + 0.5 * sum);
            assert_true(fabs((double)b->out[i - first][l] - sum -
                             field_of(b, i)) < 1e-5);
        }
        assert_true(fabs(b->u[l] - u) < 1e-3);
    }
}

static void check_potts(const struct bench *b, int first, int last)
{
    for (int l = 0; l < HS_LANES; l++) {
        double u = 1.0;

        for (int i = first; i < last; i++) {
            for (int c = 0; c < STATES; c++) {
                double sum = 0.0, h = field_of(b, i * STATES + c);

                for (int64_t e = b->j.start[i]; e < b->j.start[i + 1]; e++)
                    sum += b->x[b->j.column[e]][l] == c ? (double)b->j.value[e]
                                                        : 0.0;
                if (b->x[i][l] == c)
                    u += h + 0.5 * sum;
                assert_true(fabs((double)b->out[(i - first) * STATES + c][l] -
                                 sum - h) < 1e-5);
            }
        }
        assert_true(fabs(b->u[l] - u) < 1e-3);
    }
}

static void start(struct bench *b)
{
    memset(b->out, 0, ROWS * sizeof *b->out);
    for (int l = 0; l < HS_LANES; l++)
        b->u[l] = 1.0;
}

/* Keeps the bits of the first table and compares the others with them. */
static void compare(struct bench *b, bool is_first, const char *isa)
{
    if (is_first) {
        memcpy(b->base, b->out, ROWS * sizeof *b->out);
        memcpy(b->base_u, b->u, sizeof b->u);
    } else if (memcmp(b->base, b->out, ROWS * sizeof *b->out) != 0 ||
               memcmp(b->base_u, b->u, sizeof b->u) != 0) {
        fail_msg("%s gives other bits", isa);
    }
}

static const int ranges[][2] = {{0, DIM}, {0, 64}, {3, 4}, {5, 5}, {17, 690}};

static void ising_with(bool is_uniform, bool has_field, float low, float gap)
{
    struct bench b = {0};

    bench_init(&b, is_uniform, has_field, 2);
    for (size_t r = 0; r < sizeof ranges / sizeof ranges[0]; r++) {
        int first = ranges[r][0], last = ranges[r][1];
        const hs_lane_table *const *t = hs_lanes_all();

        for (bool is_first = true; *t; t++, is_first = false) {
            double u[HS_LANES];

            start(&b);
            (*t)->ising_rows(&b.j, low, gap, first, last, b.x, b.out, b.u);
            check_ising(&b, (double)low, (double)gap, first, last);
            compare(&b, is_first, (*t)->isa);

            /* the same without the other half */
            memcpy(u, b.u, sizeof u);
            start(&b);
            (*t)->ising_rows(&b.j, low, gap, first, last, b.x, NULL, b.u);
            assert_memory_equal(u, b.u, sizeof u);
            (*t)->ising_rows(&b.j, low, gap, first, last, b.x, b.out, NULL);
            compare(&b, false, (*t)->isa);
        }
    }
    bench_clear(&b);
}

static void ising_rows_have_the_same_bits(void **state)
{
    (void)state;
    for (int k = 0; k < 8; k++)
        ising_with(k & 1, k & 2, k & 4 ? -1.0f : 0.0f, k & 4 ? 2.0f : 1.0f);
}

static void potts_rows_have_the_same_bits(void **state)
{
    (void)state;
    for (int k = 0; k < 4; k++) {
        struct bench b = {0};

        bench_init(&b, k & 1, k & 2, STATES);
        for (size_t r = 0; r < sizeof ranges / sizeof ranges[0]; r++) {
            int first = ranges[r][0], last = ranges[r][1];
            const hs_lane_table *const *t = hs_lanes_all();

            for (bool is_first = true; *t; t++, is_first = false) {
                start(&b);
                (*t)->potts_rows(&b.j, STATES, first, last, b.x, b.out, NULL);
                (*t)->potts_rows(&b.j, STATES, first, last, b.x, NULL, b.u);
                check_potts(&b, first, last);
                compare(&b, is_first, (*t)->isa);
                start(&b);
                (*t)->potts_rows(&b.j, STATES, first, last, b.x, b.out, b.u);
                compare(&b, false, (*t)->isa);
            }
        }
        bench_clear(&b);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ising_rows_have_the_same_bits),
        cmocka_unit_test(potts_rows_have_the_same_bits),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
