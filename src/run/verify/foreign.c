/* foreign.c - moves states by a user's kernel. */
#include "run/verify/foreign.h"

#include <math.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "base/clock.h"
#include "base/error.h"
#include "base/number.h"
#include "base/random/rng.h"
#include "base/random/streams.h"

#define CELLS_MAX   64
#define ASK_SECONDS 0.05

hiss_status hs_foreign_desk_init(hs_foreign_desk *d, int64_t pool,
                                 int64_t width, int dim, hiss_error *err)
{
    size_t values = (size_t)width * (size_t)dim;

    *d = (hs_foreign_desk){0};
    d->before = hs_alloc_array((size_t)pool, sizeof *d->before);
    d->now = hs_alloc_array((size_t)pool, sizeof *d->now);
    d->order = hs_alloc_array((size_t)pool, sizeof *d->order);
    d->from = hs_alloc_array(values, sizeof *d->from);
    d->to = hs_alloc_array(values, sizeof *d->to);
    return d->before && d->now && d->order && d->from && d->to
               ? HISS_OK
               : hs_fail_memory(err);
}

void hs_foreign_desk_clear(hs_foreign_desk *d)
{
    hs_free(d->before);
    hs_free(d->now);
    hs_free(d->order);
    hs_free(d->from);
    hs_free(d->to);
    *d = (hs_foreign_desk){0};
}

/* A bijection of 32 bits, so that all calls have different seeds. */
static uint32_t seed_of(const hs_foreign *f)
{
    uint32_t x = (uint32_t)f->calls + (uint32_t)f->set->seed * 0x9e3779b9u;

    x = (x ^ x >> 16) * 0x85ebca6bu;
    x = (x ^ x >> 13) * 0xc2b2ae35u;
    return x ^ x >> 16;
}

/* The index of a value, or -1. */
static int index_of(const hs_domain *d, int i, double value)
{
    const float *values = d->values + d->value[i];
    double at = -1.0;

    if (d->states[i] > 1) /* values are usually evenly spaced */
        at = (value - (double)values[0]) / (double)(values[1] - values[0]);
    if (at >= 0.0 && at < (double)d->states[i] &&
        (double)values[(int)at] == value)
        return (int)at;
    for (int v = 0; v < d->states[i]; v++)
        if ((double)values[v] == value)
            return v;
    return -1;
}

static hiss_status fail_value(const hs_foreign *f, int64_t row, int i,
                              double value, hiss_error *err)
{
    const hs_domain *d = f->domain;
    const float *values = d->values + d->value[i];
    char text[64];

    if (d->states[i] == 1)
        hs_snprintf(text, sizeof text, "its only value is %g",
                    (double)values[0]);
    else if (d->states[i] == 2)
        hs_snprintf(text, sizeof text, "its values are %g and %g",
                    (double)values[0], (double)values[1]);
    else
        hs_snprintf(text, sizeof text, "its %d values are %g to %g",
                    d->states[i], (double)values[0],
                    (double)values[d->states[i] - 1]);
    return hs_fail(err, HISS_EPLUGIN,
                   "%s: call %lld gave %.9g for x.%d of state %lld, %s",
                   f->kernel->name, (long long)f->calls, value, i + 1,
                   (long long)row + 1, text);
}

/* Converts the returned values to state numbers. */
static hiss_status read_rows(const hs_foreign *f, hs_foreign_desk *d,
                             int64_t first, int64_t count, hiss_error *err)
{
    const hs_exact *e = f->exact;

    for (int64_t r = 0; r < count; r++) {
        const double *x = d->to + r * e->dim;
        int64_t n = 0;

        for (int i = 0; i < e->dim; i++) {
            int v = index_of(f->domain, i, x[i]);

            if (v < 0)
                return fail_value(f, r, i, x[i], err);
            n = n * e->radix[i] + v;
        }
        d->now[d->order[first + r]] = (uint32_t)n;
    }
    return HISS_OK;
}

static hiss_status report(const hs_foreign *f, hs_foreign_desk *d,
                          hiss_error *err)
{
    const hiss_verify_settings *set = f->set;
    hiss_progress p = {.size = sizeof p};
    double now = hs_now();

    if (!set->progress || now - d->asked < ASK_SECONDS)
        return HISS_OK;
    d->asked = now;
    p.seconds = now - f->started;
    p.fraction = fmin(0.999, (double)f->calls / (double)f->expected);
    if (set->progress(set->context, &p))
        return hs_fail(err, HISS_ESTOP, "stopped on request after %lld calls",
                       (long long)f->calls);
    return HISS_OK;
}

hiss_status hs_foreign_apply(hs_foreign *f, hs_foreign_desk *d, int64_t first,
                             int64_t count, hiss_error *err)
{
    int dim = f->exact->dim;
    hiss_error own = {0};
    hiss_status rc;

    for (int64_t r = 0; r < count; r++)
        hs_exact_values(f->exact, d->now[d->order[first + r]],
                        d->from + r * dim);
    for (int64_t k = 0; k < count * dim; k++)
        d->to[k] = NAN; /* shows values that a kernel forgets to write */
    f->calls++;
    rc = f->kernel->apply(f->kernel->context, count, dim, seed_of(f), d->from,
                          d->to, &own);
    if (rc != HISS_OK && rc != HISS_ESTOP && rc != HISS_ENOMEM)
        rc = HISS_EPLUGIN;
    if (rc != HISS_OK)
        return hs_fail(err, rc, "%s: %s", f->kernel->name,
                       own.message[0] ? own.message : "it failed");
    HS_TRY(read_rows(f, d, first, count, err));
    return report(f, d, err);
}

static void shuffle(const hs_foreign *f, uint32_t *order, int64_t n)
{
    for (int64_t i = n - 1; i > 0; i--) {
        uint32_t k = hs_rng_word(f->set->seed, hs_stream(HS_STREAM_SHUFFLES, 0),
                                 0, (uint64_t)f->calls % HS_CLOCK_MAX,
                                 HS_DRAW_EXACT, (uint32_t)i);
        int64_t j = hs_below(k, (int)i + 1);
        uint32_t kept = order[i];

        order[i] = order[j];
        order[j] = kept;
    }
}

/* Moves a pool of exact draws. */
static hiss_status move_pool(hs_foreign_stage *s, hs_foreign_desk *d,
                             int64_t begin, int64_t pool, hiss_error *err)
{
    hs_foreign *f = s->common;

    for (int64_t r = 0; r < pool; r++) {
        d->before[r] = (uint32_t)hs_law_draw(
            f->law, f->set->seed, s->first + (uint32_t)(begin + r), 0);
        d->now[r] = d->before[r];
        d->order[r] = (uint32_t)r;
    }
    for (int64_t step = 0; step < s->steps; step++) {
        if (s->is_shuffled)
            shuffle(f, d->order, pool);
        for (int64_t r = 0; r < pool; r += s->width)
            HS_TRY(hs_foreign_apply(
                f, d, r, pool - r < s->width ? pool - r : s->width, err));
    }
    return HISS_OK;
}

hiss_status hs_foreign_count(hs_foreign_stage *s, const hs_foreign_desk *d,
                             int64_t rows, int64_t part, int64_t parts,
                             hiss_error *err)
{
    int cell = hs_shift_cell(&s->shift, part, parts);

    for (int64_t r = 0; r < rows; r++) {
        HS_TRY(hs_tally_add(&s->tally, d->before[r], &d->now[r], err));
        hs_shift_add(&s->shift, cell, &d->before[r], &d->now[r]);
    }
    return HISS_OK;
}

static hiss_status move_all(hs_foreign_stage *s, hs_foreign_desk *d,
                            hiss_error *err)
{
    int64_t pools = (s->replicates + s->pool - 1) / s->pool;

    for (int64_t k = 0; k < pools; k++) {
        int64_t begin = k * s->pool, left = s->replicates - begin;
        int64_t pool = left < s->pool ? left : s->pool;

        HS_TRY(move_pool(s, d, begin, pool, err));
        HS_TRY(hs_foreign_count(s, d, pool, k, pools, err));
    }
    return HISS_OK;
}

hiss_status hs_foreign_begin(hs_foreign_stage *s, int64_t parts,
                             hiss_error *err)
{
    const hs_foreign *f = s->common;

    s->before = f->calls;
    HS_TRY(hs_tally_init(&s->tally, f->law, 1, s->has_pairs, err));
    return hs_shift_init(&s->shift, f->features,
                         parts < CELLS_MAX ? parts : CELLS_MAX, err);
}

hiss_status hs_foreign_run(hs_foreign_stage *s, hiss_error *err)
{
    const hs_foreign *f = s->common;
    int64_t pools = (s->replicates + s->pool - 1) / s->pool;
    hs_foreign_desk d;
    hiss_status rc;

    /* with many single states, cells would not be common calls */
    if (s->pool == 1)
        pools = 1;
    HS_TRY(hs_foreign_begin(s, pools, err));
    rc = hs_foreign_desk_init(&d, s->pool, s->width, f->exact->dim, err);
    if (rc == HISS_OK)
        rc = move_all(s, &d, err);
    hs_foreign_desk_clear(&d);
    return rc;
}

void hs_foreign_clear(hs_foreign_stage *s)
{
    hs_tally_clear(&s->tally);
    hs_shift_clear(&s->shift);
}
