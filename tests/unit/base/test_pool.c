/* test_pool.c - every piece of work is done once, by whatever thread. */
#include "base/pool.h"

#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

enum {
    PIECES = 2000
};

struct job {
    int times[PIECES];
    uint64_t result[PIECES];
    pthread_t caller;
    atomic_int elsewhere; /* pieces not done by the caller */
    atomic_int unblocked; /* pieces done by a thread that takes SIGINT */
};

static void do_piece(void *context, int index)
{
    struct job *job = context;
    uint64_t x = (uint64_t)index + 1;

    for (int k = 0; k < 100; k++)
        x = x * UINT64_C(6364136223846793005) + 1;
    job->times[index]++;
    job->result[index] = x;
    if (!pthread_equal(pthread_self(), job->caller)) {
        sigset_t mask;

        atomic_fetch_add(&job->elsewhere, 1);
        pthread_sigmask(SIG_SETMASK, NULL, &mask);
        atomic_fetch_add(&job->unblocked, !sigismember(&mask, SIGINT));
    }
}

static void every_piece_is_done_once(void **state)
{
    static const int threads[] = {1, 2, 3, 8};
    static struct job reference, job;

    (void)state;
    for (int i = 0; i < PIECES; i++)
        do_piece(&reference, i);
    for (size_t t = 0; t < sizeof threads / sizeof threads[0]; t++) {
        hs_pool *pool;

        assert_int_equal(hs_pool_create(&pool, threads[t], NULL), HISS_OK);
        memset(&job, 0, sizeof job);
        job.caller = pthread_self();
        hs_pool_run(pool, do_piece, &job, PIECES);
        for (int i = 0; i < PIECES; i++) {
            assert_int_equal(job.times[i], 1);
            assert_true(job.result[i] == reference.result[i]);
        }
        assert_int_equal(atomic_load(&job.unblocked), 0);
        if (threads[t] == 1)
            assert_int_equal(atomic_load(&job.elsewhere), 0);
        hs_pool_destroy(pool);
    }
}

static void wait_for_all(void *context, int index)
{
    (void)index;
    pthread_barrier_wait(context);
}

/* Ends only if as many threads as were asked for work at once. */
static void all_threads_take_part(void **state)
{
    pthread_barrier_t barrier;
    hs_pool *pool;

    (void)state;
    pthread_barrier_init(&barrier, NULL, 5);
    assert_int_equal(hs_pool_create(&pool, 5, NULL), HISS_OK);
    for (int n = 0; n < 100; n++)
        hs_pool_run(pool, wait_for_all, &barrier, 5);
    hs_pool_destroy(pool);
    pthread_barrier_destroy(&barrier);
}

static void a_pool_runs_again_and_again(void **state)
{
    enum {
        ROUNDS = 3000
    };
    static struct job job;
    int wanted[8] = {0};
    hs_pool *pool;

    (void)state;
    job.caller = pthread_self();
    assert_int_equal(hs_pool_create(&pool, 4, NULL), HISS_OK);
    for (int n = 0; n < ROUNDS; n++) {
        for (int i = 0; i < n % 8; i++)
            wanted[i]++;
        hs_pool_run(pool, do_piece, &job, n % 8);
    }
    assert_memory_equal(job.times, wanted, sizeof wanted);
    hs_pool_destroy(pool);
}

static void strange_counts_are_handled(void **state)
{
    hs_pool *pool;
    hiss_error err;

    (void)state;
    assert_int_equal(hs_pool_create(&pool, 0, &err), HISS_EARG);
    assert_null(pool);
    assert_string_equal(err.message, "threads must be 1 to 1024, not 0");
    assert_int_equal(hs_pool_create(&pool, HS_THREADS_MAX + 1, &err),
                     HISS_EARG);
    hs_pool_destroy(NULL);
    assert_int_equal(hs_pool_create(&pool, 2, &err), HISS_OK);
    hs_pool_run(pool, do_piece, NULL, 0);
    hs_pool_destroy(pool);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_piece_is_done_once),
        cmocka_unit_test(all_threads_take_part),
        cmocka_unit_test(a_pool_runs_again_and_again),
        cmocka_unit_test(strange_counts_are_handled),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
