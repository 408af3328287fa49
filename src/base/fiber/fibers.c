/* fibers.c - pieces of work that wait for each other, on few threads.
 *
 * The fibers of a *shard* run on one thread at a time.  A phase runs all ready
 * fibers, one shard per thread, until none is ready.  Then the requests are
 * sorted by place and answered.  If there is no memory for another stack, a
 * piece runs on the stack of its parent. */
#include "base/fiber/fibers.h"

#include <stdint.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "base/assert.h"
#include "base/error.h"
#include "base/fiber/switch.h"

/* Fibers of all shards; each takes two of the 65530 mappings of a process. */
#define FIBERS_MAX 8192

typedef void (*work_function)(void *context, int index);

/* A set of pieces that a caller waits for. */
struct join {
    struct fiber *waits; /* NULL while the caller still creates pieces */
    int left;
};

struct fiber {
    hs_context context; /* owned */
    struct shard *shard;
    struct fiber *next; /* in a list of ready or of free fibers */
    /* the piece */
    work_function work;
    void *argument;
    int index;
    uint64_t place; /* upper half: 1 + index; lower half: order within the
                       piece */
    struct join *join;
};

struct list {
    struct fiber *first, *last;
};

struct shard {
    hs_context home; /* context of the thread that runs the fiber */
    struct list ready, spare;
    struct fiber **made; /* owned, [most]: all fibers, [made_count] */
    int made_count, most;
    hs_ask **ask; /* owned, [most] */
    int asks;
    /* pieces index, index + stride, ... belong to this fiber */
    work_function work;
    void *argument;
    int index, stride, count;
    struct join join;
};

struct hs_fibers {
    hs_pool *pool; /* owned */
    hs_answer answer;
    void *context;       /* borrowed */
    struct shard *shard; /* owned, [shards] */
    int shards;
    hs_ask **ask; /* owned, [shards * most] */
};

/* Read it only when a fiber begins, forks or asks, never after it has waited:
 * it may resume on another thread. */
static _Thread_local struct fiber *running;
static _Thread_local hs_fibers *attached;

static void push(struct list *l, struct fiber *f)
{
    f->next = NULL;
    if (l->last)
        l->last->next = f;
    else
        l->first = f;
    l->last = f;
}

static struct fiber *pop(struct list *l)
{
    struct fiber *f = l->first;

    if (f)
        l->first = f->next;
    if (!l->first)
        l->last = NULL;
    return f;
}

static void wait(struct fiber *f)
{
    hs_context_switch(&f->context, &f->shard->home);
}

/* Body of a fiber: runs one piece after another. */
static void begin(void)
{
    struct fiber *f = running;

    hs_context_arrive(&f->shard->home);
    for (;;) {
        f->work(f->argument, f->index);
        if (--f->join->left == 0 && f->join->waits)
            push(&f->shard->ready, f->join->waits);
        push(&f->shard->spare, f);
        wait(f);
    }
}

static struct fiber *make_fiber(struct shard *s)
{
    struct fiber *f;

    if (s->made_count == s->most)
        return NULL;
    f = hs_alloc_array(1, sizeof *f);
    if (!f || !hs_context_init(&f->context, begin)) {
        hs_free(f);
        return NULL;
    }
    f->shard = s;
    s->made[s->made_count++] = f;
    return f;
}

static uint64_t place_of(uint64_t parent, int index)
{
    return parent == 0 ? (uint64_t)(index + 1) << 32
                       : parent + (uint64_t)(index + 1);
}

static bool start(struct shard *s, struct join *join, work_function work,
                  void *argument, int index, uint64_t place)
{
    struct fiber *f = pop(&s->spare);

    if (!f)
        f = make_fiber(s);
    if (!f)
        return false;
    f->work = work;
    f->argument = argument;
    f->index = index;
    f->place = place;
    f->join = join;
    join->left++;
    push(&s->ready, f);
    return true;
}

/* Creates the pieces index, index + stride, ...; the caller runs the last. */
static void fork_join(struct fiber *f, work_function work, void *argument,
                      int index, int stride, int count)
{
    struct join join = {0};
    uint64_t place = f->place;

    for (; index < count; index += stride) {
        uint64_t there = place_of(place, index);

        if (index + stride < count &&
            start(f->shard, &join, work, argument, index, there))
            continue;
        f->place = there;
        work(argument, index);
        f->place = place;
    }
    join.waits = f;
    if (join.left > 0)
        wait(f);
}

static void share_out(void *argument, int index)
{
    const struct shard *s = argument;

    (void)index;
    fork_join(running, s->work, s->argument, s->index, s->stride, s->count);
}

/* Runs all ready fibers of a shard until none is ready. */
static void run_shard(void *context, int index)
{
    struct shard *s = &((hs_fibers *)context)->shard[index];
    struct fiber *f;

    hs_context_here(&s->home);
    while ((f = pop(&s->ready))) {
        running = f;
        hs_context_switch(&s->home, &f->context);
    }
    running = NULL;
}

static int by_place(const void *a, const void *b)
{
    const struct fiber *p = (*(hs_ask *const *)a)->fiber;
    const struct fiber *q = (*(hs_ask *const *)b)->fiber;

    return (p->place > q->place) - (p->place < q->place);
}

static int collect(hs_fibers *f, int shards)
{
    int count = 0;

    for (int s = 0; s < shards; s++) {
        struct shard *from = &f->shard[s];

        for (int n = 0; n < from->asks; n++)
            f->ask[count++] = from->ask[n];
        from->asks = 0;
    }
    qsort(f->ask, (size_t)count, sizeof *f->ask, by_place);
    return count;
}

static void run(hs_fibers *f, work_function work, void *argument, int count)
{
    int shards = count < f->shards ? count : f->shards, asks;

    attached = NULL; /* the answer may run work of its own */
    for (int n = 0; n < shards; n++) {
        struct shard *s = &f->shard[n];

        s->work = work;
        s->argument = argument;
        s->index = n;
        s->stride = shards;
        s->count = count;
        s->join = (struct join){0};
        start(s, &s->join, share_out, s, 0, 0); /* there is always one fiber */
    }
    do {
        hs_pool_run(f->pool, run_shard, f, shards);
        asks = collect(f, shards);
        for (int n = 0; n < asks; n++) {
            struct fiber *asked = f->ask[n]->fiber;

            push(&asked->shard->ready, asked);
        }
        if (asks > 0)
            f->answer(f->context, f->pool, f->ask, asks);
    } while (asks > 0);
    attached = f;
}

bool hs_fibers_are_here(void)
{
    return running || attached;
}

void hs_fibers_each(void (*work)(void *context, int index), void *context,
                    int count)
{
    struct fiber *f = running;

    if (f)
        fork_join(f, work, context, 0, 1, count);
    else if (attached)
        run(attached, work, context, count);
    else
        for (int index = 0; index < count; index++)
            work(context, index);
}

bool hs_fibers_ask(hs_ask *ask)
{
    struct fiber *f = running;

    if (!f)
        return false;
    HS_ASSERT(f->shard->asks < f->shard->most);
    ask->fiber = f;
    f->shard->ask[f->shard->asks++] = ask;
    wait(f);
    return true;
}

hs_fibers *hs_fibers_attach(hs_fibers *f)
{
    hs_fibers *before = attached;

    attached = f;
    return before;
}

/* Creates one fiber, so that work can always begin. */
static hiss_status init_shard(struct shard *s, int most, hiss_error *err)
{
    struct fiber *f;

    s->most = most;
    s->made = hs_alloc_array((size_t)most, sizeof *s->made);
    s->ask = hs_alloc_array((size_t)most, sizeof *s->ask);
    f = s->made && s->ask ? make_fiber(s) : NULL;
    if (!f)
        return hs_fail_memory(err);
    push(&s->spare, f);
    return HISS_OK;
}

static void clear_shard(struct shard *s)
{
    for (int n = 0; n < s->made_count; n++) {
        hs_context_clear(&s->made[n]->context);
        hs_free(s->made[n]);
    }
    hs_free(s->made);
    hs_free(s->ask);
}

hiss_status hs_fibers_create(hs_fibers **out, int threads, hs_answer answer,
                             void *context, hiss_error *err)
{
    hs_fibers *f = hs_alloc_array(1, sizeof *f);
    hiss_status rc;

    *out = NULL;
    if (!f)
        return hs_fail_memory(err);
    f->answer = answer;
    f->context = context;
    rc = hs_pool_create(&f->pool, threads, err);
    if (rc == HISS_OK) {
        f->shard = hs_alloc_array((size_t)threads, sizeof *f->shard);
        f->ask = hs_alloc_array(FIBERS_MAX, sizeof *f->ask);
        if (!f->shard || !f->ask)
            rc = hs_fail_memory(err);
    }
    for (; rc == HISS_OK && f->shards < threads; f->shards++)
        rc = init_shard(&f->shard[f->shards], FIBERS_MAX / threads, err);
    if (rc != HISS_OK) {
        hs_fibers_destroy(f);
        return rc;
    }
    *out = f;
    return HISS_OK;
}

void hs_fibers_destroy(hs_fibers *f)
{
    if (!f)
        return;
    for (int n = 0; n < f->shards; n++)
        clear_shard(&f->shard[n]);
    hs_pool_destroy(f->pool);
    hs_free(f->shard);
    hs_free(f->ask);
    hs_free(f);
}
