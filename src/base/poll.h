/* poll.h - whether long work is to go on. */
#ifndef HS_BASE_POLL_H
#define HS_BASE_POLL_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

typedef struct hs_poll {
    /* Not 0: stop, and so from then on.  Asked from any thread, every fraction
     * of a second, so it has to be quick. */
    int (*ask)(void *context);
    void *context; /* borrowed */
} hs_poll;

/* NULL goes on for ever. */
static inline bool hs_poll_stops(const hs_poll *poll)
{
    return poll && poll->ask(poll->context);
}

/* Between work that asks very often, from any thread, and a function that is
 * to be called now and then, from one at a time. */
typedef struct hs_patience {
    hs_poll slow;
    pthread_mutex_t lock;
    double next; /* when to ask again */
    int stopped;
} hs_patience;

#define HS_PATIENCE(...)                                                       \
  {                                                                            \
    {__VA_ARGS__}, PTHREAD_MUTEX_INITIALIZER, 0.0, 0                           \
  }

/* hs_poll.ask; the context is an hs_patience. */
int hs_patience_ask(void *patience);

#endif
