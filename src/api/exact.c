/* exact.c - ground truth of the public interface. */
#include <math.h>
#include <time.h>

#include "api/objects.h"
#include "base/alloc.h"
#include "base/error.h"
#include "base/pool.h"
#include "exact/enumerate.h"

#define TOPS 100 /* most probable states kept */

struct hiss_exact {
    hs_exact exact; /* owned */
    double seconds;
};

static double now(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

hiss_status hiss_exact_create(hiss_exact **out, const hiss_model *model,
                              int threads, hiss_error *err)
{
    hs_exact_options options = {
        .tops = TOPS, .limit = HS_ENUMERATE_MAX, .what = "enumeration"};
    double started = now();
    hiss_exact *e;
    hiss_status rc;

    if (!out || !model)
        return hs_fail(err, HISS_EARG,
                       "hiss_exact_create: an argument is NULL");
    *out = NULL;
    if (threads < 0 || threads > HS_THREADS_MAX)
        return hs_fail(err, HISS_EARG, "threads must be in [0,%d], not %d",
                       HS_THREADS_MAX, threads);
    e = hs_alloc_array(1, sizeof *e);
    if (!e)
        return hs_fail_memory(err);
    options.threads = hs_threads(threads);
    rc = hs_exact_init(&e->exact, model->model, &options, err);
    if (rc != HISS_OK) {
        hs_free(e);
        return rc;
    }
    e->seconds = now() - started;
    *out = e;
    return HISS_OK;
}

void hiss_exact_destroy(hiss_exact *exact)
{
    if (!exact)
        return;
    hs_exact_clear(&exact->exact);
    hs_free(exact);
}

double hiss_exact_log_z(const hiss_exact *exact)
{
    return exact->exact.log_z;
}

double hiss_exact_states(const hiss_exact *exact)
{
    return (double)exact->exact.states;
}

double hiss_exact_max_u(const hiss_exact *exact)
{
    return exact->exact.max_u;
}

double hiss_exact_mean_u(const hiss_exact *exact)
{
    return exact->exact.mean_u;
}

double hiss_exact_seconds(const hiss_exact *exact)
{
    return exact->seconds;
}

const char *hiss_exact_method(const hiss_exact *exact)
{
    (void)exact;
    return "enumeration";
}

const double *hiss_exact_marginal(const hiss_exact *exact, int coordinate)
{
    const hs_exact *e = &exact->exact;

    if (coordinate < 0 || coordinate >= e->dim)
        return NULL;
    return e->marginal + e->first[coordinate];
}

int hiss_exact_top(const hiss_exact *exact, int number, double *state,
                   double *probability)
{
    const hs_exact *e = &exact->exact;

    if (number < 0 || number >= e->tops)
        return 0;
    if (state)
        hs_exact_values(e, e->top[number].state, state);
    if (probability)
        *probability = exp(e->top[number].u - e->log_z);
    return 1;
}
