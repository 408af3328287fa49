/* poll.h - asks whether long work should stop. */
#ifndef HS_BASE_POLL_H
#define HS_BASE_POLL_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

typedef struct hs_poll {
    /* Returns non-zero to stop, and then always.  Called from any thread, many
     * times a second, so it must be fast. */
    int (*ask)(void *context);
    void *context; /* borrowed */
} hs_poll;

/* A NULL poll never stops. */
static inline bool hs_poll_stops(const hs_poll *poll)
{
    return poll && poll->ask(poll->context);
}

/* Lets any thread ask often, but calls a slow function only now and then and
 * from one thread at a time. */
typedef struct hs_patience {
    hs_poll slow;
    pthread_mutex_t lock;
    double next; /* time of the next call */
    int stopped;
} hs_patience;

#define HS_PATIENCE(...)                                                       \
  {                                                                            \
    {__VA_ARGS__}, PTHREAD_MUTEX_INITIALIZER, 0.0, 0                           \
  }

/* Implements hs_poll.ask; its context is an hs_patience. */
int hs_patience_ask(void *patience);

#endif
