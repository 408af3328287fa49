/* race_watch.c - the progress of a comparison.
 *
 * Progress is called from the calling thread, as in a run.  Exact answers have
 * no rounds between which to call it, so another thread computes them. */
#include "api/compare/race_watch.h"

#include <hiss/hiss.h>

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <time.h>

#include "base/clock.h"
#include "base/error.h"
#include "base/platform/platform.h"

/* Nanoseconds between two calls of progress; the first interval is as short as
 * the answers of a small model. */
#define LOOK_FIRST 100000
#define LOOK_EVERY 50000000

/* Exact answers being computed. */
struct solving {
    const hiss_model *model;
    int threads;
    hiss_exact *exact;
    hiss_status status;
    hiss_error err;
    atomic_bool is_stopped, is_over;
};

int hs_race_watch_show(void *context, const hiss_progress *progress)
{
    hs_race_watch *w = context;
    hiss_progress now = *progress;

    if (w->is_stopped) /* said once */
        return 1;
    now.fraction = (w->done + progress->fraction) / w->all;
    now.seconds = hs_now() - w->began;
    now.evaluations += w->evaluations;
    if (w->settings->progress(w->settings->context, &now))
        w->is_stopped = true;
    return w->is_stopped;
}

hiss_status hs_race_watch_fail(hiss_error *err)
{
    return hs_fail(err, HISS_ESTOP, "stopped, the race is not over");
}

static int asks_to_stop(void *context)
{
    const struct solving *s = context;

    return atomic_load(&s->is_stopped);
}

static void *solve(void *context)
{
    struct solving *s = context;
    hiss_exact_settings settings = {.size = sizeof settings,
                                    .threads = s->threads,
                                    .poll = asks_to_stop,
                                    .context = s,
                                    .quick = 1};

    s->status = hiss_exact_solve(&s->exact, s->model, &settings, &s->err);
    atomic_store(&s->is_over, true);
    return NULL;
}

static hiss_status start(pthread_t *thread, struct solving *s, hiss_error *err)
{
    sigset_t all, old;
    int fault;

    sigfillset(&all); /* signals go to the caller's thread */
    pthread_sigmask(SIG_SETMASK, &all, &old);
    fault = pthread_create(thread, NULL, solve, s);
    pthread_sigmask(SIG_SETMASK, &old, NULL);
    return fault ? hs_fail(err, HISS_ENOMEM, "cannot start a thread") : HISS_OK;
}

hiss_status hs_race_watch_exact(hs_race_watch *watch, hiss_exact **out,
                                const hiss_model *model, hiss_error *err)
{
    struct solving s = {.model = model, .threads = watch->settings->threads};
    struct timespec pause = {.tv_nsec = LOOK_FIRST};
    hiss_progress nothing_yet = {.size = sizeof nothing_yet};
    pthread_t thread;

    if (!watch->settings->progress || !hs_platform_has_threads())
        return hiss_exact_quick(out, model, s.threads, err);
    *out = NULL;
    HS_TRY(start(&thread, &s, err));
    while (!atomic_load(&s.is_over)) {
        nanosleep(&pause, NULL);
        if (pause.tv_nsec < LOOK_EVERY)
            pause.tv_nsec *= 2;
        if (!atomic_load(&s.is_over) && hs_race_watch_show(watch, &nothing_yet))
            atomic_store(&s.is_stopped, true);
    }
    pthread_join(thread, NULL);
    if (watch->is_stopped) {
        hiss_exact_destroy(s.exact);
        return hs_race_watch_fail(err);
    }
    *out = s.exact;
    if (s.status == HISS_ESTOP || s.status == HISS_ELIMIT ||
        s.status == HISS_ENOMEM)
        return HISS_OK;
    if (s.status != HISS_OK && err)
        *err = s.err;
    return s.status;
}
