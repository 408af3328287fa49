/* The reserved ranges of chain numbers. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/random/streams.h"

/* The compiler has checked the same (streams.c). */
static void no_two_ranges_overlap(void **state)
{
    (void)state;
    for (int n = 0; n < HS_STREAMS; n++)
        for (int k = 0; k < n; k++) {
            const hs_stream_range *a = &hs_streams[k], *b = &hs_streams[n];

            if ((uint64_t)a->first + a->count > b->first)
                fail_msg("%s overlaps %s", a->name, b->name);
        }
}

/* Draws depend on these numbers, so none may change unnoticed. */
static void ranges_are_where_draws_expect_them(void **state)
{
    (void)state;
    assert_true(hs_stream(HS_STREAM_WARMUP, 0) == HS_PILOT_CHAIN);
    assert_true(hs_stream(HS_STREAM_ROWS, 0) == 0x90000000u);
    assert_true(hs_stream(HS_STREAM_RACE, 16) == HS_PILOT_CHAIN + 0x60010u);
    assert_true(hs_stream(HS_STREAM_SHARED, 0) == HS_SHARED_CHAIN);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_two_ranges_overlap),
        cmocka_unit_test(ranges_are_where_draws_expect_them),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
