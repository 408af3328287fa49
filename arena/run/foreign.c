/* foreign.c - contestants that are not of the library.
 *
 * A program moves the states of all chains with every call.  What it does in a
 * call is its own affair, and so is what it says that a call costs (evals=). */
#include "arena/run/foreign.h"

#include <hiss/hiss.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

#include "cli/files/kernel_pipe.h"

#define WARMUP     0.2
#define PATIENT    4.0   /* seconds of the wall for one of the limit */
#define REPLICATES 20000 /* of the test whether it keeps the law */
#define CALLS      500
#define STATES     1048576.0 /* of a model for that test, at most */

static double wall(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Seconds of the processor of processes that have ended. */
static double theirs(void)
{
    struct rusage u;

    getrusage(RUSAGE_CHILDREN, &u);
    return (double)(u.ru_utime.tv_sec + u.ru_stime.tv_sec) +
           1e-6 * (double)(u.ru_utime.tv_usec + u.ru_stime.tv_usec);
}

static void fail(arena_score *score, const char *what, const hiss_error *err)
{
    snprintf(score->fault, sizeof score->fault, "%s%.300s", what, err->message);
}

/* --- beginnings ------------------------------------------------ */

/* Random states; where these are impossible, the first draws of a run, which
 * looks for possible ones. */
static bool begin(const instance *at, int seed, double *x, hiss_error *err)
{
    hiss_sampler *s = NULL;
    hiss_result *r = NULL;
    hiss_settings set;
    hiss_status rc;

    hiss_settings_init(&set);
    set.chains = CHAINS;
    set.samples = 1;
    set.warmup = 0;
    set.seed = (uint64_t)seed;
    set.threads = 1;
    rc = hiss_sampler_create(&s, "metropolis(updates=1)", err);
    if (rc == HISS_OK)
        rc = hiss_sample(&r, at->model, s, &set, err);
    for (int c = 0; rc == HISS_OK && c < CHAINS; c++)
        hiss_result_draw(r, c, 0, x + c * hiss_model_dim(at->model));
    hiss_result_destroy(r);
    hiss_sampler_destroy(s);
    return rc == HISS_OK;
}

/* --- a run ------------------------------------------------ */

/* Kept states: where there is no more room every second one goes. */
struct kept {
    double *draws; /* owned, [CHAINS][most][dim] */
    int64_t count, most, every, steps;
    int dim;
};

static void keep(struct kept *k, const double *x)
{
    size_t dim = (size_t)k->dim;

    if (k->steps++ % k->every != 0)
        return;
    if (k->count == k->most) {
        for (int c = 0; c < CHAINS; c++)
            for (int64_t n = 0; n < k->most / 2; n++)
                memcpy(k->draws + ((size_t)(c * k->most + n)) * dim,
                       k->draws + ((size_t)(c * k->most + 2 * n + 1)) * dim,
                       sizeof *x * dim);
        k->count = k->most / 2;
        k->every *= 2;
        return;
    }
    for (int c = 0; c < CHAINS; c++)
        memcpy(k->draws + ((size_t)(c * k->most + k->count)) * dim,
               x + (size_t)c * dim, sizeof *x * dim);
    k->count++;
}

/* Steps until the budget is spent.  The first call is free: programs take a
 * while to start. */
/* Whether what was given are states of the model. */
static hiss_status check_states(const hiss_model *m, const double *x, int dim,
                                hiss_error *err)
{
    for (int n = 0; n < CHAINS * dim; n++) {
        int i = n % dim, states = hiss_model_states(m, i), v = 0;

        while (v < states && hiss_model_value(m, i, v) != x[n])
            v++;
        if (v < states)
            continue;
        err->status = HISS_EPLUGIN;
        snprintf(err->message, sizeof err->message,
                 "a call gave %.9g for x.%d, whose values are %.9g%s%.9g", x[n],
                 i + 1, hiss_model_value(m, i, 0),
                 states > 2 ? " to " : " and ",
                 hiss_model_value(m, i, states - 1));
        return HISS_EPLUGIN;
    }
    return HISS_OK;
}

static hiss_status step(cli_kernel_pipe *pipe, const instance *at, int dim,
                        uint32_t call, double *x, hiss_error *err)
{
    hiss_status rc = cli_kernel_pipe_apply(pipe, CHAINS, dim, call, x, x, err);

    return rc == HISS_OK ? check_states(at->model, x, dim, err) : rc;
}

static hiss_status walk(cli_kernel_pipe *pipe, const instance *at,
                        const arena_contestant *c, arena_race race, int seed,
                        const arena_budget *budget, double *x, struct kept *k,
                        arena_score *score, hiss_error *err)
{
    double start, spent = 0.0, cost = c->evals * CHAINS;
    uint32_t call = (uint32_t)seed * 2654435761u;
    hiss_status rc = step(pipe, at, k->dim, call++, x, err);

    start = wall();
    for (double part = 0.0; part < 1.0 && rc == HISS_OK;) {
        double now = wall() - start;

        rc = step(pipe, at, k->dim, call++, x, err);
        spent += cost;
        part =
            race == ARENA_EVALS ? spent / budget->evals : now / budget->seconds;
        if (now > PATIENT * budget->limit) {
            score->is_over = 1;
            break;
        }
        if (rc == HISS_OK && part > WARMUP)
            keep(k, x);
    }
    score->evals = spent;
    score->seconds = wall() - start;
    return rc;
}

static hiss_result *adopt(const instance *at, const arena_contestant *c,
                          struct kept *k, hiss_error *err)
{
    hiss_foreign_draws draws = HISS_INIT(hiss_foreign_draws);
    hiss_result *r = NULL;
    size_t row = (size_t)k->count * (size_t)k->dim;

    for (int n = 1; n < CHAINS; n++)
        memmove(k->draws + (size_t)n * row,
                k->draws + (size_t)(n * k->most) * (size_t)k->dim,
                sizeof *k->draws * row);
    draws.name = c->name;
    draws.chains = CHAINS;
    draws.samples = k->count;
    draws.draws = k->draws;
    return hiss_result_adopt(&r, at->model, &draws, err) == HISS_OK ? r : NULL;
}

hiss_result *arena_foreign_run(const instance *at, const arena_contestant *c,
                               arena_race race, int seed,
                               const arena_budget *budget, arena_score *score)
{
    int dim = hiss_model_dim(at->model);
    struct kept k = {.most = arena_draws_most(at), .every = 1, .dim = dim};
    cli_kernel_pipe pipe = {.is_text = c->is_text, .seconds = ARENA_PATIENCE};
    double *x = malloc(sizeof *x * CHAINS * (size_t)dim), before = theirs();
    hiss_result *r = NULL;
    hiss_error err = {0}, late = {0};

    k.draws = malloc(sizeof *k.draws * CHAINS * (size_t)(k.most * dim));
    if (!x || !k.draws) {
        snprintf(score->fault, sizeof score->fault, "out of memory");
    } else if (!begin(at, seed, x, &err) ||
               !cli_kernel_pipe_open(&pipe, c->spec, &err)) {
        fail(score, "", &err);
    } else {
        hiss_status rc =
            walk(&pipe, at, c, race, seed, budget, x, &k, score, &err);

        if (!cli_kernel_pipe_close(&pipe, rc == HISS_OK, &late) &&
            rc == HISS_OK) {
            rc = late.status;
            err = late;
        }
        /* what it has others do for it is waited for, and takes no processor
         * time of its own */
        score->seconds = fmax(score->seconds, theirs() - before);
        if (rc != HISS_OK)
            fail(score, "", &err);
        else if (k.count < 4)
            snprintf(score->fault, sizeof score->fault,
                     "no draws: a call takes too long");
        else if (!(r = adopt(at, c, &k, &err)))
            fail(score, "what it gave is no draw: ", &err);
    }
    free(k.draws);
    free(x);
    return r;
}

/* --- its law ------------------------------------------------ */

void arena_foreign_verify(const instance *at, const arena_contestant *c,
                          int seed, arena_score *score)
{
    cli_kernel_pipe pipe = {.is_text = c->is_text, .seconds = ARENA_PATIENCE};
    hiss_kernel kernel = {.size = sizeof kernel,
                          .name = c->name,
                          .apply = cli_kernel_pipe_apply,
                          .context = &pipe};
    hiss_verify_settings set;
    hiss_verify_result out = HISS_INIT(hiss_verify_result);
    hiss_verdict *verdict = NULL;
    hiss_error err = {0};
    double states = 1.0;

    for (int i = 0; i < hiss_model_dim(at->model); i++)
        states *= hiss_model_states(at->model, i);
    if (states > STATES || !cli_kernel_pipe_open(&pipe, c->spec, &err))
        return;
    hiss_verify_settings_init(&set);
    set.replicates = REPLICATES;
    set.calls = CALLS;
    set.seed = (uint64_t)seed;
    set.threads = 1;
    if (hiss_verify_kernel(&verdict, at->model, &kernel, NULL, &set, &err) ==
            HISS_OK &&
        hiss_verdict_result(verdict, &out)) {
        const char *why = hiss_verdict_reason(verdict);

        score->keeps = (int)out.verdict;
        snprintf(score->broken, sizeof score->broken, "%s", why ? why : "");
    }
    hiss_verdict_destroy(verdict);
    cli_kernel_pipe_close(&pipe, false, &err);
}

/* --- files ------------------------------------------------ */

/* A file of another number of chains, cut into CHAINS. */
static hiss_result *cut(const instance *at, const arena_contestant *c,
                        hiss_result *whole, const hiss_run_info *info,
                        hiss_error *err)
{
    int64_t all = info->samples * info->chains, each = all / CHAINS;
    size_t dim = (size_t)info->dim;
    hiss_foreign_draws draws = HISS_INIT(hiss_foreign_draws);
    double *x = malloc(sizeof *x * (size_t)(each * CHAINS) * dim);
    hiss_result *r = NULL;

    for (int64_t n = 0; x && n < each * CHAINS; n++)
        hiss_result_draw(whole, (int)(n / info->samples), n % info->samples,
                         x + (size_t)n * dim);
    draws.name = c->name;
    draws.chains = CHAINS;
    draws.samples = each;
    draws.draws = x;
    if (x && each > 0)
        hiss_result_adopt(&r, at->model, &draws, err);
    free(x);
    return r;
}

hiss_result *arena_foreign_draws(const instance *at, const arena_contestant *c,
                                 arena_score *score)
{
    hiss_run_info info = HISS_INIT(hiss_run_info);
    const char *path = c->spec;
    hiss_result *whole = NULL, *r = NULL;
    hiss_error err = {0};

    if (hiss_result_import(&whole, at->model, &path, 1, &err) != HISS_OK) {
        fail(score, "", &err);
        return NULL;
    }
    hiss_result_info(whole, &info);
    if (info.samples * info.chains < 4 * (int64_t)CHAINS)
        snprintf(score->fault, sizeof score->fault, "%lld draws are too few",
                 (long long)(info.samples * info.chains));
    else if (info.chains == CHAINS)
        return whole;
    else if (!(r = cut(at, c, whole, &info, &err)))
        fail(score, "", &err);
    hiss_result_destroy(whole);
    return r;
}
