/* test_assert.c - contracts are checked where assertions are on, and cost
 * nothing, not even their evaluation, where they are not. */
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/assert.h"
#include "base/random/rng.h"

#ifdef NDEBUG
#  define IS_ON 0
#else
#  define IS_ON 1
#endif

static void conditions_are_evaluated_where_it_is_on(void **state)
{
    int asked = 0;

    (void)state;
    HS_ASSERT(++asked > 0);
    assert_int_equal(asked, IS_ON);
}

/* A clock past its field would be another chain's address. */
static void break_a_contract(void)
{
    const struct rlimit none = {0, 0};
    uint32_t out[4];

    setrlimit(RLIMIT_CORE, &none);
    signal(SIGABRT, SIG_DFL);
    if (!freopen("/dev/null", "w", stderr))
        _exit(2);
    hs_rng_block(1, 0, 0, HS_CLOCK_MAX, HS_DRAW_INIT, 0, out);
    _exit(0);
}

static void a_broken_contract_ends_the_process(void **state)
{
    pid_t child = fork();
    int status;

    (void)state;
    assert_true(child >= 0);
    if (child == 0)
        break_a_contract();
    assert_int_equal(waitpid(child, &status, 0), child);
    if (IS_ON) {
        assert_true(WIFSIGNALED(status));
        assert_int_equal(WTERMSIG(status), SIGABRT);
    } else {
        assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(conditions_are_evaluated_where_it_is_on),
        cmocka_unit_test(a_broken_contract_ends_the_process),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
