/* queue.h - vertices by key, smallest first, whose keys may change.
 *
 * A vertex whose key changes is put in again; its earlier tickets are passed
 * over when they come up. */
#ifndef HS_EXACT_QUEUE_H
#define HS_EXACT_QUEUE_H

#include <stdbool.h>
#include <stdint.h>

#include <hiss/status.h>

typedef struct hs_ticket {
    double key;
    uint64_t tie;
    int vertex, stamp;
} hs_ticket;

typedef struct hs_queue {
    hs_ticket *heap; /* owned */
    int64_t tickets, room;
    int *stamp; /* owned, [count]: of the ticket that counts; -1: gone */
    uint64_t shuffle;
} hs_queue;

/* Equal keys come in an order that `shuffle` decides, 0: ascending. */
hiss_status hs_queue_init(hs_queue *q, int count, uint64_t shuffle,
                          hiss_error *err);
void hs_queue_clear(hs_queue *q);

hiss_status hs_queue_put(hs_queue *q, int vertex, double key, hiss_error *err);

/* The vertex with the smallest key, which stays until it is gone; -1: none. */
int hs_queue_first(hs_queue *q);

static inline void hs_queue_remove(hs_queue *q, int vertex)
{
    q->stamp[vertex] = -1;
}

static inline bool hs_queue_has(const hs_queue *q, int vertex)
{
    return q->stamp[vertex] >= 0;
}

#endif
