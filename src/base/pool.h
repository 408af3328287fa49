/* pool.h - a fixed number of threads that share numbered pieces of work.
 *
 * Any thread may do any piece.  If a piece writes only data of its own number,
 * the result does not depend on the number of threads. */
#ifndef HS_BASE_POOL_H
#define HS_BASE_POOL_H

#include <hiss/status.h>

#define HS_THREADS_MAX 1024

typedef struct hs_pool hs_pool;

/* threads includes the caller; with 1 no thread is started.  The others block
 * all signals, so that signals reach the caller's thread. */
hiss_status hs_pool_create(hs_pool **out, int threads, hiss_error *err);
void hs_pool_destroy(hs_pool *pool);

/* Calls work(context, index) once for each index 0 ..  count-1 on all threads
 * of the pool.  When it returns, all are done and their writes are visible.
 * Only one call at a time: not from inside work, not from two threads. */
void hs_pool_run(hs_pool *pool, void (*work)(void *context, int index),
                 void *context, int count);

#endif
