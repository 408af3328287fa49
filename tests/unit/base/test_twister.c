/* test_twister.c - the Mersenne twister and numpy's shuffle, against numbers
 * that numpy gave. */
#include "base/random/twister.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#define ROWS_MAX 6172

/* The published first outputs of MT19937 with its default seed. */
static void words_are_those_of_the_reference(void **state)
{
    hs_twister t;

    (void)state;
    hs_twister_init(&t, 5489);
    assert_int_equal(hs_twister_next(&t), 3499211612u);
    assert_int_equal(hs_twister_next(&t), 581869302u);
    assert_int_equal(hs_twister_next(&t), 3890346734u);
    for (int n = 3; n < 9999; n++)
        hs_twister_next(&t);
    assert_int_equal(hs_twister_next(&t), 4123659995u); /* the 10000th */
}

/* RandomState(seed).permutation(count). */
static void permutations_are_those_of_numpy(void **state)
{
    static const int ten[] = {8, 1, 5, 0, 7, 2, 9, 4, 3, 6};
    static const int head[] = {135, 481, 836, 1227, 629, 1169};
    static const int tail[] = {1073, 5232, 5802, 1379};
    static int order[ROWS_MAX];
    hs_twister t;

    (void)state;
    hs_twister_init(&t, 42);
    hs_twister_permute(&t, 10, order);
    assert_memory_equal(order, ten, sizeof ten);
    hs_twister_init(&t, 42);
    hs_twister_permute(&t, 1625, order);
    assert_memory_equal(order, head, sizeof head);
    hs_twister_init(&t, 78712);
    hs_twister_permute(&t, ROWS_MAX, order);
    assert_memory_equal(order + ROWS_MAX - 4, tail, sizeof tail);
}

static void nothing_and_one_are_permuted(void **state)
{
    int order[1] = {7};
    hs_twister t;

    (void)state;
    hs_twister_init(&t, 1);
    hs_twister_permute(&t, 0, order);
    assert_int_equal(order[0], 7);
    hs_twister_permute(&t, 1, order);
    assert_int_equal(order[0], 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(words_are_those_of_the_reference),
        cmocka_unit_test(permutations_are_those_of_numpy),
        cmocka_unit_test(nothing_and_one_are_permuted),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
