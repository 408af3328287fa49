/* pool.h - a fixed number of threads that share out numbered pieces of work.
 *
 * Which thread does which piece is not determined, so a piece may write only
 * what belongs to its number; then the result does not depend on the number of
 * threads. */
#ifndef HS_BASE_POOL_H
#define HS_BASE_POOL_H

#include <hiss/status.h>

#define HS_THREADS_MAX 1024

typedef struct hs_pool hs_pool;

/* threads counts the caller; 1 starts no thread.  The others block all
 * signals, so that a signal reaches the caller's thread. */
hiss_status hs_pool_create(hs_pool **out, int threads, hiss_error *err);
void hs_pool_destroy(hs_pool *pool);

/* Calls work(context, index) for index 0 .. count-1, each once, on all threads
 * of the pool; returns when all are done, and what they wrote can be seen.
 * One call at a time: not from inside work, not from two threads. */
void hs_pool_run(hs_pool *pool, void (*work)(void *context, int index),
                 void *context, int count);

#endif
