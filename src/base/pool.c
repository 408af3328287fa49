/* pool.c - a fixed number of threads that share numbered pieces of work.
 *
 * Threads sleep between runs.  A run increments `round`.  Every thread takes
 * the next number until none is left, and the last to finish wakes the
 * caller. */
#include "base/pool.h"

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "base/alloc.h"
#include "base/assert.h"
#include "base/error.h"

struct hs_pool {
    int threads;       /* including the caller */
    int started;       /* threads to join at the end */
    pthread_t *thread; /* owned, [threads - 1] */
    pthread_mutex_t lock;
    pthread_cond_t wake; /* signals a new round or the end */
    pthread_cond_t done; /* signals that no thread is busy */

    /* under the lock */
    uint64_t round;
    int busy; /* threads still working on this round */
    bool stop;

    /* written between rounds */
    void (*work)(void *context, int index);
    void *context; /* borrowed */
    int count;

    /* wider than an index, because every thread passes the end once */
    atomic_llong next;
};

static void take_pieces(hs_pool *pool)
{
    for (;;) {
        long long index =
            atomic_fetch_add_explicit(&pool->next, 1, memory_order_relaxed);

        if (index >= pool->count)
            return;
        pool->work(pool->context, (int)index);
    }
}

static void *thread_main(void *argument)
{
    hs_pool *pool = argument;
    uint64_t seen = 0;

    pthread_mutex_lock(&pool->lock);
    for (;;) {
        while (pool->round == seen && !pool->stop)
            pthread_cond_wait(&pool->wake, &pool->lock);
        if (pool->stop)
            break;
        seen = pool->round;
        pthread_mutex_unlock(&pool->lock);
        take_pieces(pool);
        pthread_mutex_lock(&pool->lock);
        if (--pool->busy == 0)
            pthread_cond_signal(&pool->done);
    }
    pthread_mutex_unlock(&pool->lock);
    return NULL;
}

/* Starts the threads with all signals blocked. */
static hiss_status start_threads(hs_pool *pool, hiss_error *err)
{
    sigset_t all, old;
    int fault = 0;

    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &old);
    while (fault == 0 && pool->started < pool->threads - 1) {
        fault = pthread_create(&pool->thread[pool->started], NULL, thread_main,
                               pool);
        pool->started += fault == 0;
    }
    pthread_sigmask(SIG_SETMASK, &old, NULL);
    if (fault)
        return hs_fail(err, HISS_ENOMEM,
                       "thread %d of %d could not be started: %s",
                       pool->started + 2, pool->threads, strerror(fault));
    return HISS_OK;
}

hiss_status hs_pool_create(hs_pool **out, int threads, hiss_error *err)
{
    hs_pool *pool;
    hiss_status rc;

    *out = NULL;
    if (threads < 1 || threads > HS_THREADS_MAX)
        return hs_fail(err, HISS_EARG, "threads must be 1 to %d, not %d",
                       HS_THREADS_MAX, threads);
    pool = hs_alloc_array(1, sizeof *pool);
    if (!pool)
        return hs_fail_memory(err);
    pool->threads = threads;
    pthread_mutex_init(&pool->lock, NULL);
    pthread_cond_init(&pool->wake, NULL);
    pthread_cond_init(&pool->done, NULL);
    pool->thread = hs_alloc_array(threads - 1, sizeof *pool->thread);
    rc = pool->thread ? start_threads(pool, err) : hs_fail_memory(err);
    if (rc != HISS_OK) {
        hs_pool_destroy(pool);
        return rc;
    }
    *out = pool;
    return HISS_OK;
}

void hs_pool_destroy(hs_pool *pool)
{
    if (!pool)
        return;
    pthread_mutex_lock(&pool->lock);
    pool->stop = true;
    pthread_cond_broadcast(&pool->wake);
    pthread_mutex_unlock(&pool->lock);
    for (int i = 0; i < pool->started; i++)
        pthread_join(pool->thread[i], NULL);
    pthread_cond_destroy(&pool->done);
    pthread_cond_destroy(&pool->wake);
    pthread_mutex_destroy(&pool->lock);
    hs_free(pool->thread);
    hs_free(pool);
}

void hs_pool_run(hs_pool *pool, void (*work)(void *context, int index),
                 void *context, int count)
{
    HS_ASSERT(count >= 0);
    if (pool->started == 0 || count <= 1) {
        for (int index = 0; index < count; index++)
            work(context, index);
        return;
    }
    pthread_mutex_lock(&pool->lock);
    pool->work = work;
    pool->context = context;
    pool->count = count;
    pool->busy = pool->started;
    atomic_store_explicit(&pool->next, 0, memory_order_relaxed);
    pool->round++;
    pthread_cond_broadcast(&pool->wake);
    pthread_mutex_unlock(&pool->lock);

    take_pieces(pool);

    pthread_mutex_lock(&pool->lock);
    while (pool->busy > 0)
        pthread_cond_wait(&pool->done, &pool->lock);
    pthread_mutex_unlock(&pool->lock);
}
