/* queue.h - a priority queue of vertices, smallest key first, whose keys may
 * change.
 *
 * A vertex whose key changes is inserted again; its earlier tickets are ignored
 * when they come up. */
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
    int *stamp; /* owned, [count]: of the valid ticket; -1 if removed */
    uint64_t shuffle;
} hs_queue;

/* `shuffle` decides the order of equal keys, 0: ascending. */
hiss_status hs_queue_init(hs_queue *q, int count, uint64_t shuffle,
                          hiss_error *err);
void hs_queue_clear(hs_queue *q);

hiss_status hs_queue_put(hs_queue *q, int vertex, double key, hiss_error *err);

/* Returns the vertex with the smallest key, which stays in the queue; -1 if it
 * is empty. */
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
