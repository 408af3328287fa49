/* The table of numbers that steer pilots. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "run/policy/policy_set.h"

static void defaults_are_in_their_ranges(void **state)
{
    (void)state;
    for (int n = 0; n < HS_POLICIES; n++) {
        const hs_policy_entry *e = &hs_policies[n];

        if (!(e->low < e->high && e->low <= e->value && e->value <= e->high))
            fail_msg("%s: %g is not in [%g,%g]", e->name, e->value, e->low,
                     e->high);
        if (!strstr(e->meaning, "; set by: "))
            fail_msg("%s does not say what set it", e->name);
    }
}

static void no_name_stands_twice(void **state)
{
    (void)state;
    for (int n = 0; n < HS_POLICIES; n++)
        for (int k = 0; k < n; k++)
            assert_string_not_equal(hs_policies[n].name, hs_policies[k].name);
}

static void a_value_is_set_and_reset(void **state)
{
    const hs_policy_entry *e = &hs_policies[0];

    (void)state;
    assert_int_equal(hs_policy_set(e->name, e->high, NULL), HISS_OK);
    assert_true(hs_policy((hs_policy_name)0) == e->high);
    hs_policy_reset();
    assert_true(hs_policy((hs_policy_name)0) == e->value);
}

static void a_wrong_name_or_value_is_refused(void **state)
{
    const hs_policy_entry *e = &hs_policies[0];
    hiss_error err = {0};

    (void)state;
    assert_int_equal(hs_policy_set("NO_SUCH_NUMBER", 1.0, &err), HISS_EARG);
    assert_non_null(strstr(err.message, "NO_SUCH_NUMBER"));
    assert_int_equal(hs_policy_set(e->name, 2.0 * e->high + 1.0, &err),
                     HISS_EARG);
    assert_non_null(strstr(err.message, e->name));
    assert_int_equal(hs_policy_set(e->name, NAN, NULL), HISS_EARG);
    assert_true(hs_policy((hs_policy_name)0) == e->value);
}

static void reads_are_noted(void **state)
{
    (void)state;
    hs_policy_reset();
    assert_false(hs_policy_was_read((hs_policy_name)0));
    hs_policy((hs_policy_name)0);
    assert_true(hs_policy_was_read((hs_policy_name)0));
    assert_false(hs_policy_was_read((hs_policy_name)1));
    hs_policy_reset();
    assert_false(hs_policy_was_read((hs_policy_name)0));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(defaults_are_in_their_ranges),
        cmocka_unit_test(no_name_stands_twice),
        cmocka_unit_test(a_value_is_set_and_reset),
        cmocka_unit_test(a_wrong_name_or_value_is_refused),
        cmocka_unit_test(reads_are_noted),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
