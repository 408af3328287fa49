/* queue.c - vertices by key, smallest first: a heap of tickets. */
#include "exact/queue.h"

#include "base/alloc.h"
#include "base/error.h"

hiss_status hs_queue_init(hs_queue *q, int count, uint64_t shuffle,
                          hiss_error *err)
{
    *q = (hs_queue){.shuffle = shuffle};
    q->stamp = hs_alloc_array((size_t)count, sizeof *q->stamp);
    return q->stamp ? HISS_OK : hs_fail_memory(err);
}

void hs_queue_clear(hs_queue *q)
{
    hs_free(q->heap);
    hs_free(q->stamp);
    *q = (hs_queue){0};
}

static bool is_before(const hs_ticket *a, const hs_ticket *b)
{
    return a->key != b->key ? a->key < b->key : a->tie < b->tie;
}

static hiss_status push(hs_queue *q, hs_ticket t, hiss_error *err)
{
    int64_t at = q->tickets;

    if (at == q->room) {
        int64_t room = q->room + q->room / 2 + 64;
        hs_ticket *larger =
            hs_realloc_array(q->heap, (size_t)at, (size_t)room, sizeof *larger);

        if (!larger)
            return hs_fail_memory(err);
        q->heap = larger;
        q->room = room;
    }
    q->tickets++;
    for (; at > 0 && is_before(&t, &q->heap[(at - 1) / 2]); at = (at - 1) / 2)
        q->heap[at] = q->heap[(at - 1) / 2];
    q->heap[at] = t;
    return HISS_OK;
}

static void pop(hs_queue *q)
{
    hs_ticket last = q->heap[--q->tickets];
    int64_t at = 0;

    for (;;) {
        int64_t next = 2 * at + 1;

        if (next >= q->tickets)
            break;
        if (next + 1 < q->tickets &&
            is_before(&q->heap[next + 1], &q->heap[next]))
            next++;
        if (!is_before(&q->heap[next], &last))
            break;
        q->heap[at] = q->heap[next];
        at = next;
    }
    q->heap[at] = last;
}

/* A pseudorandom number (splitmix64). */
static uint64_t scramble(uint64_t x)
{
    x += UINT64_C(0x9e3779b97f4a7c15);
    x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
    return x ^ x >> 31;
}

hiss_status hs_queue_put(hs_queue *q, int vertex, double key, hiss_error *err)
{
    uint64_t number = (uint64_t)(uint32_t)vertex;
    uint64_t tie = q->shuffle ? scramble(q->shuffle << 32 ^ number) : number;

    return push(q, (hs_ticket){key, tie, vertex, ++q->stamp[vertex]}, err);
}

int hs_queue_first(hs_queue *q)
{
    while (q->tickets > 0) {
        const hs_ticket *t = &q->heap[0];

        if (t->stamp == q->stamp[t->vertex])
            return t->vertex;
        pop(q);
    }
    return -1;
}
