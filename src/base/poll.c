/* poll.c - asks now and then whether long work should stop. */
#include "base/poll.h"

#include "base/clock.h"

#define ASK_EVERY 0.05 /* seconds */

int hs_patience_ask(void *patience)
{
    hs_patience *p = patience;
    int stopped;

    pthread_mutex_lock(&p->lock);
    if (!p->stopped && hs_now() >= p->next) {
        p->stopped = p->slow.ask(p->slow.context) != 0;
        p->next = hs_now() + ASK_EVERY;
    }
    stopped = p->stopped;
    pthread_mutex_unlock(&p->lock);
    return stopped;
}
