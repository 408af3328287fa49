/* fibers.h - pieces of work that wait for each other, on few threads.
 *
 * A piece has a stack of its own, a *fiber*.  It runs until it asks for
 * something or is done.  When every piece has asked or is done, all requests
 * are answered at once and the pieces go on.  A piece may create further pieces
 * and wait for them.
 *
 * The requests of a round and their order do not depend on the number of
 * threads. */
#ifndef HS_BASE_FIBER_FIBERS_H
#define HS_BASE_FIBER_FIBERS_H

#include <stdbool.h>

#include <hiss/status.h>

#include "base/pool.h"

typedef struct hs_fibers hs_fibers;

/* First member of every request. */
typedef struct hs_ask {
    void *fiber; /* borrowed: who asked */
} hs_ask;

/* Answers all requests, in the order of their pieces, on the stack and thread
 * of the caller.  It may use the threads of the pool and may change the
 * list. */
typedef void (*hs_answer)(void *context, hs_pool *pool, hs_ask **ask,
                          int count);

/* threads includes the caller. */
hiss_status hs_fibers_create(hs_fibers **out, int threads, hs_answer answer,
                             void *context, hiss_error *err);
void hs_fibers_destroy(hs_fibers *f);

/* From now on the work of this thread runs on fibers of f, or without fibers if
 * f is NULL.  Returns the previous value. */
hs_fibers *hs_fibers_attach(hs_fibers *f);

/* Whether this thread has fibers or is one. */
bool hs_fibers_are_here(void);

/* Calls work(context, index) for index 0 ..  count-1 and returns when all are
 * done.  Uses fibers if this thread has them; otherwise runs one after the
 * other. */
void hs_fibers_each(void (*work)(void *context, int index), void *context,
                    int count);

/* Waits for the answer.  False if the caller is not a fiber. */
bool hs_fibers_ask(hs_ask *ask);

#endif
