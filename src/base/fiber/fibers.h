/* fibers.h - pieces of work that wait for each other, on few threads.
 *
 * A piece has a stack of its own, a *fiber*, and runs until it asks for
 * something or is done.  When every piece has asked or is done, all that was
 * asked for is answered at once, and they go on.  A piece may share out
 * further pieces and wait for them.
 *
 * What is asked for together, and in which order, does not depend on the number
 * of threads. */
#ifndef HS_BASE_FIBER_FIBERS_H
#define HS_BASE_FIBER_FIBERS_H

#include <stdbool.h>

#include <hiss/status.h>

#include "base/pool.h"

typedef struct hs_fibers hs_fibers;

/* The first part of what is asked for. */
typedef struct hs_ask {
    void *fiber; /* borrowed: who asked */
} hs_ask;

/* Answers all of them, by the order of their pieces, on the stack and on the
 * thread of the caller; may share out work among the threads of the pool, and
 * change the list. */
typedef void (*hs_answer)(void *context, hs_pool *pool, hs_ask **ask,
                          int count);

/* threads counts the caller. */
hiss_status hs_fibers_create(hs_fibers **out, int threads, hs_answer answer,
                             void *context, hiss_error *err);
void hs_fibers_destroy(hs_fibers *f);

/* What this thread shares out from here on gets fibers of f; NULL: none.
 * Returns those that it had. */
hs_fibers *hs_fibers_attach(hs_fibers *f);

/* Whether this thread has fibers, or is one. */
bool hs_fibers_are_here(void);

/* Calls work(context, index) for index 0 .. count-1, and returns when all are
 * done: on fibers, if this thread has them, else one after the other. */
void hs_fibers_each(void (*work)(void *context, int index), void *context,
                    int count);

/* Waits for the answer.  false: the caller is no piece of work. */
bool hs_fibers_ask(hs_ask *ask);

#endif
