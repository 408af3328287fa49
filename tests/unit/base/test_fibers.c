/* test_fibers.c - pieces that ask are answered together, in the order of their
 * numbers, whatever the threads. */
#include "base/fiber/fibers.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/alloc.h"

enum {
    PIECES = 300,
    INNER = 5,
    ROUNDS = 4
};

struct question {
    hs_ask ask;
    int number, sum;
};

/* What was answered: how many at a time, and in which order. */
struct teacher {
    int calls, most;
    uint64_t order;
};

static void answer(void *context, hs_pool *pool, hs_ask **ask, int count)
{
    struct teacher *t = context;

    (void)pool;
    t->calls++;
    t->most = count > t->most ? count : t->most;
    for (int n = 0; n < count; n++) {
        struct question *q = (struct question *)ask[n];

        t->order = (t->order ^ (uint64_t)q->number) * UINT64_C(1099511628211);
        q->sum = q->number + count;
        ask[n] = NULL; /* the list is not needed any more */
    }
}

static int result[PIECES * INNER], times[PIECES * INNER];

static int ask(int number)
{
    struct question q = {.number = number};

    assert_true(hs_fibers_ask(&q.ask));
    return q.sum;
}

/* Some have more to ask than others. */
static void do_piece(void *context, int index)
{
    (void)context;
    for (int n = 0; n < ROUNDS + index % 3; n++)
        result[index] += ask(index);
    times[index]++;
}

static void do_inner(void *context, int index)
{
    int number = *(const int *)context * INNER + index;

    result[number] += ask(number);
    times[number]++;
}

static void do_outer(void *context, int index)
{
    (void)context;
    for (int n = 0; n < ROUNDS; n++)
        hs_fibers_each(do_inner, &index, INNER);
    result[index * INNER] += ask(index * INNER);
}

static struct teacher lesson(int threads, void (*work)(void *, int), int count)
{
    struct teacher t = {0};
    hs_fibers *f;

    memset(result, 0, sizeof result);
    memset(times, 0, sizeof times);
    assert_int_equal(hs_fibers_create(&f, threads, answer, &t, NULL), HISS_OK);
    assert_null(hs_fibers_attach(f));
    hs_fibers_each(work, NULL, count);
    assert_ptr_equal(hs_fibers_attach(NULL), f);
    hs_fibers_destroy(f);
    return t;
}

static void all_are_answered_together(void **state)
{
    struct teacher one;

    (void)state;
    one = lesson(1, do_piece, PIECES);
    assert_int_equal(one.most, PIECES);
    assert_int_equal(one.calls, ROUNDS + 2);
    for (int i = 0; i < PIECES; i++) {
        assert_int_equal(times[i], 1);
        assert_true(result[i] >= ROUNDS * (i + PIECES));
    }
    for (int threads = 2; threads < 5; threads++) {
        struct teacher t = lesson(threads, do_piece, PIECES);

        assert_int_equal(t.calls, one.calls);
        assert_true(t.order == one.order);
    }
}

static void pieces_share_out_pieces(void **state)
{
    struct teacher one;

    (void)state;
    one = lesson(1, do_outer, PIECES);
    assert_int_equal(one.most, PIECES * INNER);
    assert_int_equal(one.calls, ROUNDS + 1);
    for (int i = 0; i < PIECES * INNER; i++)
        assert_int_equal(times[i], ROUNDS);
    for (int threads = 2; threads < 5; threads++)
        assert_true(lesson(threads, do_outer, PIECES).order == one.order);
}

/* Stacks that are not to be had: pieces run on that of their parent. */
static void few_stacks_will_do(void **state)
{
    struct teacher t = {0};
    hs_fibers *f;

    (void)state;
    memset(result, 0, sizeof result);
    memset(times, 0, sizeof times);
    assert_int_equal(hs_fibers_create(&f, 1, answer, &t, NULL), HISS_OK);
    hs_fibers_attach(f);
    hs_alloc_fail_after(3);
    hs_fibers_each(do_outer, NULL, PIECES);
    hs_alloc_fail_after(0);
    hs_fibers_attach(NULL);
    hs_fibers_destroy(f);
    for (int i = 0; i < PIECES * INNER; i++)
        assert_int_equal(times[i], ROUNDS);
    assert_in_range(t.most, 1, 3);
}

static void count_piece(void *context, int index)
{
    struct question q = {0};

    (void)index;
    assert_false(hs_fibers_ask(&q.ask));
    ++*(int *)context;
}

static void without_fibers_it_is_a_loop(void **state)
{
    int count = 0;

    (void)state;
    hs_fibers_each(count_piece, &count, 7);
    assert_int_equal(count, 7);
}

static void no_memory_is_said(void **state)
{
    hiss_error err = {0};
    hs_fibers *f;
    int n = 1;

    (void)state;
    for (; n < 100; n++) {
        hs_alloc_fail_after(n);
        if (hs_fibers_create(&f, 3, answer, NULL, &err) == HISS_OK)
            break;
        assert_null(f);
        assert_int_equal(err.status, HISS_ENOMEM);
    }
    hs_alloc_fail_after(0);
    assert_in_range(n, 5, 99);
    hs_fibers_destroy(f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_are_answered_together),
        cmocka_unit_test(pieces_share_out_pieces),
        cmocka_unit_test(few_stacks_will_do),
        cmocka_unit_test(without_fibers_it_is_a_loop),
        cmocka_unit_test(no_memory_is_said),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
