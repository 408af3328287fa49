/* test_domain.c - the product space: rows, values, the pair form, limits. */
#include "base/state/domain.h"

#include <limits.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

static void assert_float(float a, double b)
{
    assert_true(fabs((double)a - b) == 0.0);
}

static void uniform_domains_have_their_values(void **state)
{
    hs_domain d;

    (void)state;
    assert_int_equal(hs_domain_init(&d, HISS_BINARY, 3, 2, NULL), HISS_OK);
    assert_int_equal(d.dim, 3);
    assert_int_equal(d.rows, 3);
    assert_int_equal(d.value_count, 6);
    assert_int_equal(d.states_max, 2);
    assert_true(d.is_pair);
    assert_float(d.low, 0);
    assert_float(d.gap, 1);
    hs_domain_clear(&d);
    assert_null(d.values);

    assert_int_equal(hs_domain_init(&d, HISS_SPIN, 2, 2, NULL), HISS_OK);
    assert_true(d.is_pair);
    assert_float(d.low, -1);
    assert_float(d.gap, 2);
    assert_float(d.values[2], -1);
    assert_float(d.values[3], 1);
    hs_domain_clear(&d);

    assert_int_equal(hs_domain_init(&d, HISS_ORDINAL, 2, 5, NULL), HISS_OK);
    assert_false(d.is_pair);
    assert_int_equal(d.rows, 2);
    assert_int_equal(d.value[1], 5);
    assert_float(d.values[9], 4);
    hs_domain_clear(&d);

    assert_int_equal(hs_domain_init(&d, HISS_CATEGORICAL, 2, 2, NULL), HISS_OK);
    assert_false(d.is_pair);
    assert_int_equal(d.rows, 4);
    hs_domain_clear(&d);
}

static void mixed_coordinates_lie_one_after_the_other(void **state)
{
    static const hiss_kind kind[] = {HISS_BINARY, HISS_ORDINAL,
                                     HISS_CATEGORICAL, HISS_SPIN, HISS_ORDINAL};
    static const int states[] = {2, 3, 4, 2, 2};
    static const double levels[] = {0, 1, 3, -2.5, 7};
    static const int row[] = {0, 1, 2, 6, 7, 8};
    static const int value[] = {0, 2, 5, 9, 11, 13};
    static const double values[] = {0, 1, 0, 1, 3, 0, 1, 2, 3, -1, 1, -2.5, 7};
    hs_domain d;

    (void)state;
    assert_int_equal(hs_domain_init_mixed(&d, 5, kind, states, levels, NULL),
                     HISS_OK);
    assert_memory_equal(d.row, row, sizeof row);
    assert_memory_equal(d.value, value, sizeof value);
    for (int v = 0; v < 13; v++)
        assert_float(d.values[v], values[v]);
    assert_int_equal(d.rows, 8);
    assert_int_equal(d.value_count, 13);
    assert_int_equal(d.states_max, 4);
    assert_false(d.is_pair);
    assert_true(hs_domain_size(&d) == 2.0 * 3 * 4 * 2 * 2);
    hs_domain_clear(&d);
}

static hiss_status two_ordinals(hs_domain *d, double a, double b, double e,
                                double f, hiss_error *err)
{
    static const hiss_kind kind[] = {HISS_ORDINAL, HISS_ORDINAL};
    static const int states[] = {2, 2};
    const double levels[] = {a, b, e, f};

    return hs_domain_init_mixed(d, 2, kind, states, levels, err);
}

static void a_pair_is_the_same_two_numbers_everywhere(void **state)
{
    static const hiss_kind kind[] = {HISS_BINARY, HISS_SPIN};
    static const int states[] = {2, 2};
    hs_domain d;

    (void)state;
    assert_int_equal(two_ordinals(&d, 2, 5, 2, 5, NULL), HISS_OK);
    assert_true(d.is_pair);
    assert_float(d.low, 2);
    assert_float(d.gap, 3);
    hs_domain_clear(&d);
    assert_int_equal(two_ordinals(&d, 2, 5, 2, 6, NULL), HISS_OK);
    assert_false(d.is_pair);
    hs_domain_clear(&d);
    /* -1 + (0.1 + 1) is not 0.1 in float arithmetic */
    assert_int_equal(two_ordinals(&d, -1, 0.1, -1, 0.1, NULL), HISS_OK);
    assert_false(d.is_pair);
    hs_domain_clear(&d);
    assert_int_equal(hs_domain_init_mixed(&d, 2, kind, states, NULL, NULL),
                     HISS_OK);
    assert_false(d.is_pair);
    hs_domain_clear(&d);
}

static void sizes_end_at_infinity(void **state)
{
    hs_domain d;

    (void)state;
    assert_int_equal(hs_domain_init(&d, HISS_BINARY, 62, 2, NULL), HISS_OK);
    assert_true(hs_domain_size(&d) == 0x1p62);
    hs_domain_clear(&d);
    assert_int_equal(hs_domain_init(&d, HISS_BINARY, 63, 2, NULL), HISS_OK);
    assert_true(isinf(hs_domain_size(&d)));
    hs_domain_clear(&d);
    assert_int_equal(hs_domain_init(&d, HISS_BINARY, 100000, 2, NULL), HISS_OK);
    assert_true(isinf(hs_domain_size(&d)));
    hs_domain_clear(&d);
    assert_int_equal(hs_domain_init(&d, HISS_CATEGORICAL, 4, 1, NULL), HISS_OK);
    assert_true(hs_domain_size(&d) == 1);
    hs_domain_clear(&d);
}

static void bad_domains_are_refused(void **state)
{
    static const hiss_kind kind[] = {HISS_CATEGORICAL, HISS_SPIN};
    static const int states[] = {3, 3};
    hs_domain d;
    hiss_error err;

    (void)state;
    assert_int_equal(hs_domain_init(&d, HISS_BINARY, 0, 2, &err), HISS_EARG);
    assert_string_equal(err.message,
                        "a model has at least 1 coordinate, not 0");
    assert_int_equal(hs_domain_init(&d, HISS_BINARY, 5, 3, &err), HISS_EARG);
    assert_int_equal(hs_domain_init(&d, HISS_ORDINAL, 5, 0, &err), HISS_EARG);
    assert_int_equal(
        hs_domain_init(&d, HISS_ORDINAL, 5, HS_STATES_MAX + 1, &err),
        HISS_ELIMIT);
    assert_int_equal(
        hs_domain_init(&d, HISS_ORDINAL, INT_MAX, HS_STATES_MAX, &err),
        HISS_ELIMIT);
    assert_int_equal(hs_domain_init(&d, (hiss_kind)9, 5, 2, &err), HISS_EARG);
    assert_int_equal(hs_domain_init_mixed(&d, 2, kind, states, NULL, &err),
                     HISS_EARG);
    assert_string_equal(
        err.message,
        "coordinate 2, counted from 1, has 3 states, but spin has 2");
    assert_int_equal(two_ordinals(&d, 0, 1, 2, 2, &err), HISS_EARG);
    assert_non_null(strstr(err.message, "level 2 of coordinate 2"));
    assert_int_equal(two_ordinals(&d, 0, 1, 2, 2 + 1e-12, &err), HISS_EARG);
    assert_int_equal(two_ordinals(&d, 0, (double)NAN, 2, 3, &err), HISS_EARG);
    assert_int_equal(two_ordinals(&d, 0, 1e300, 2, 3, &err), HISS_EARG);
    assert_null(d.kind);
}

static void a_tour_is_all_of_its_domain(void **state)
{
    hiss_kind mixed[] = {HISS_PERMUTATION, HISS_PERMUTATION, HISS_PERMUTATION};
    int states[] = {3, 3, 3};
    hiss_error err = {0};
    hs_domain d;

    (void)state;
    assert_int_equal(hs_domain_init(&d, HISS_PERMUTATION, 5, 5, NULL), HISS_OK);
    assert_true(d.is_tour && !d.is_pair);
    assert_true(d.values[d.value[4]] == 1.0f && d.values[d.value[5] - 1] == 5);
    assert_true(hs_domain_size(&d) == 3125.0 && hs_domain_count(&d) == 120.0);
    hs_domain_clear(&d);
    assert_int_equal(hs_domain_init(&d, HISS_PERMUTATION, 5, 4, &err),
                     HISS_EARG);
    assert_non_null(strstr(err.message, "as many positions as cities"));
    assert_int_equal(hs_domain_init(&d, HISS_PERMUTATION, 2, 2, NULL),
                     HISS_EARG);
    assert_int_equal(hs_domain_init_mixed(&d, 3, mixed, states, NULL, &err),
                     HISS_EUNSUP);
    assert_non_null(strstr(err.message, "only tsp has this kind"));
}

static void kinds_have_names(void **state)
{
    (void)state;
    assert_string_equal(hs_kind_name(HISS_BINARY), "binary");
    assert_string_equal(hs_kind_name(HISS_SPIN), "spin");
    assert_string_equal(hs_kind_name(HISS_ORDINAL), "ordinal");
    assert_string_equal(hs_kind_name(HISS_CATEGORICAL), "categorical");
    assert_string_equal(hs_kind_name(HISS_PERMUTATION), "permutation");
    assert_string_equal(hs_kind_name((hiss_kind)5), "unknown");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(uniform_domains_have_their_values),
        cmocka_unit_test(mixed_coordinates_lie_one_after_the_other),
        cmocka_unit_test(a_pair_is_the_same_two_numbers_everywhere),
        cmocka_unit_test(sizes_end_at_infinity),
        cmocka_unit_test(bad_domains_are_refused),
        cmocka_unit_test(a_tour_is_all_of_its_domain),
        cmocka_unit_test(kinds_have_names),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
