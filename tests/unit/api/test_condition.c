/* test_condition.c - conditioning and exact answers through the public
 * interface. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include <hiss/hiss.h>

#include "base/alloc.h"

static hiss_model *create(const char *spec)
{
    hiss_error err = {0};
    hiss_model *m;

    if (hiss_model_create(&m, spec, &err) != HISS_OK)
        fail_msg("%s", err.message);
    return m;
}

static void models_are_fixed_in_place(void **state)
{
    hiss_model *m = create("ising(side=3,beta=0.5)");
    double all[9] = {1, -1, 1, 1, 1, 1, 1, 1, 1}, before, after;

    (void)state;
    assert_int_equal(hiss_model_energy(m, all, &before, NULL), HISS_OK);
    assert_int_equal(hiss_model_fixed(m, 1), -1);
    assert_int_equal(hiss_model_fix(m, "2=-1,x.9=1", NULL), HISS_OK);
    assert_int_equal(hiss_model_dim(m), 9);
    assert_int_equal(hiss_model_states(m, 1), 1);
    assert_int_equal(hiss_model_states(m, 2), 2);
    assert_int_equal(hiss_model_fixed(m, 1), 0);
    assert_int_equal(hiss_model_fixed(m, 8), 1);
    assert_int_equal(hiss_model_fixed(m, 2), -1);
    assert_true(hiss_model_value(m, 1, 0) == -1.0);
    assert_string_equal(hiss_model_name(m),
                        "ising(side=3,beta=0.5,field=0,dims=2)");
    assert_int_equal(hiss_model_energy(m, all, &after, NULL), HISS_OK);
    assert_true(fabs(before - after) < 1e-6);
    all[1] = 1;
    assert_int_equal(hiss_model_energy(m, all, &after, NULL), HISS_EARG);
    hiss_model_destroy(m);
}

static void a_model_survives_a_bad_condition(void **state)
{
    hiss_model *m = create("ising(side=3,beta=0.5)");
    hiss_error err = {0};

    (void)state;
    assert_int_equal(hiss_model_fix(m, "2=0", &err), HISS_EARG);
    assert_int_equal(hiss_model_fix(m, NULL, &err), HISS_EARG);
    assert_int_equal(hiss_model_fix(NULL, "2=1", &err), HISS_EARG);
    assert_int_equal(hiss_model_evidence(m, "there is no such file", &err),
                     HISS_EPARSE);
    assert_int_equal(hiss_model_states(m, 1), 2);
    assert_int_equal(hiss_model_fix(m, "2=1", &err), HISS_OK);
    assert_int_equal(hiss_model_fix(m, "2=-1", &err), HISS_EARG);
    assert_int_equal(hiss_model_fixed(m, 1), 1);
    hiss_model_destroy(m);
}

static int remember(void *context, const hiss_exact_cost *cost)
{
    *(hiss_exact_cost *)context = *cost;
    return cost->seconds > 1e6;
}

static void the_method_is_the_cheaper_one(void **state)
{
    hiss_exact_cost cost;
    hiss_exact_settings settings = {.size = sizeof settings,
                                    .threads = 1,
                                    .begin = remember,
                                    .context = &cost};
    hiss_model *m = create("ising(side=4,beta=0.4)");
    hiss_exact *e;

    (void)state;
    assert_int_equal(hiss_exact_solve(&e, m, &settings, NULL), HISS_OK);
    assert_string_equal(hiss_exact_method(e), "enumeration");
    assert_string_equal(cost.method, "enumeration");
    assert_null(hiss_exact_order(e));
    hiss_exact_destroy(e);
    hiss_model_destroy(m);
    m = create("ising(side=5,beta=0.4)"); /* 2^25 states: both would do */
    assert_int_equal(hiss_exact_solve(&e, m, &settings, NULL), HISS_OK);
    assert_string_equal(hiss_exact_method(e), "elimination");
    assert_string_equal(cost.method, "elimination");
    assert_string_equal(cost.order, hiss_exact_order(e));
    assert_true(cost.bytes > 0 && cost.bytes <= cost.bytes_limit);
    assert_true(hiss_exact_states(e) == 0x1p25);
    hiss_exact_destroy(e);
    hiss_model_destroy(m);
}

static int refuse(void *context, const hiss_exact_cost *cost)
{
    (void)context;
    (void)cost;
    return 1;
}

static void it_can_be_stopped_before_it_begins(void **state)
{
    hiss_exact_settings settings = {.size = sizeof settings, .begin = refuse};
    hiss_model *m = create("ising(side=8,beta=0.4)");
    hiss_exact *e;

    (void)state;
    assert_int_equal(hiss_exact_solve(&e, m, &settings, NULL), HISS_ESTOP);
    assert_null(e);
    hiss_model_destroy(m);
}

/* The best state of elimination, and its probability. */
static void elimination_knows_one_state(void **state)
{
    hiss_model *m = create("potts(side=5,states=3,beta=0.9,field=0.3)");
    double x[25], p, u;
    hiss_exact *e;

    (void)state;
    assert_int_equal(hiss_exact_create(&e, m, 1, NULL), HISS_OK);
    assert_int_equal(hiss_exact_top(e, 0, x, &p), 1);
    assert_int_equal(hiss_exact_top(e, 1, x, &p), 0);
    for (int i = 0; i < 25; i++)
        assert_true(x[i] == 0.0);
    assert_int_equal(hiss_model_energy(m, x, &u, NULL), HISS_OK);
    assert_true(fabs(u - hiss_exact_max_u(e)) < 1e-4);
    assert_true(fabs(log(p) - (hiss_exact_max_u(e) - hiss_exact_log_z(e))) <
                1e-12);
    hiss_exact_destroy(e);
    hiss_model_destroy(m);
}

static void marginals_are_written_with_all_states(void **state)
{
    static const char path[] = "test_condition.MAR";
    hiss_model *m = create("potts(side=2,states=3,beta=0.3)");
    hiss_model *other = create("bernoulli4");
    char text[512] = "";
    hiss_error err = {0};
    hiss_exact *e;
    FILE *in;

    (void)state;
    assert_int_equal(hiss_model_fix(m, "1=0,2=1,3=2,4=0", NULL), HISS_OK);
    assert_int_equal(hiss_exact_create(&e, m, 1, NULL), HISS_OK);
    assert_int_equal(hiss_exact_write_mar(e, m, path, 1, NULL), HISS_OK);
    assert_int_equal(hiss_exact_write_mar(e, m, path, 0, NULL), HISS_EARG);
    assert_int_equal(hiss_exact_write_mar(e, other, path, 1, &err), HISS_EARG);
    in = fopen(path, "r");
    assert_non_null(in);
    assert_true(fread(text, 1, sizeof text - 1, in) > 0);
    fclose(in);
    assert_string_equal(text, "MAR\n4 3 1 0 0 3 0 1 0 3 0 0 1 3 1 0 0\n");
    remove(path);
    hiss_exact_destroy(e);
    hiss_model_destroy(other);
    hiss_model_destroy(m);
}

static void it_fails_without_memory(void **state)
{
    hiss_model *m = create("ising(side=5,beta=0.4)");
    hiss_status rc = HISS_ENOMEM;
    hiss_exact *e = NULL;

    (void)state;
    assert_int_equal(hiss_model_fix(m, "1=1,2=1", NULL), HISS_OK);
    for (int n = 1; rc == HISS_ENOMEM; n += 1 + n / 8) {
        hs_alloc_fail_after(n);
        rc = hiss_exact_create(&e, m, 1, NULL);
        hs_alloc_fail_after(0);
        assert_true(rc == HISS_OK || !e);
    }
    assert_int_equal(rc, HISS_OK);
    hiss_exact_destroy(e);
    hiss_model_destroy(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(models_are_fixed_in_place),
        cmocka_unit_test(a_model_survives_a_bad_condition),
        cmocka_unit_test(the_method_is_the_cheaper_one),
        cmocka_unit_test(it_can_be_stopped_before_it_begins),
        cmocka_unit_test(elimination_knows_one_state),
        cmocka_unit_test(marginals_are_written_with_all_states),
        cmocka_unit_test(it_fails_without_memory),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
