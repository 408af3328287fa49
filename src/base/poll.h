/* poll.h - whether long work is to go on. */
#ifndef HS_BASE_POLL_H
#define HS_BASE_POLL_H

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

#endif
