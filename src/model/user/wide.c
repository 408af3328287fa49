/* wide.c - functions that want many states at once.
 *
 * Calls for the same results (U; U and gradient; changes of one coordinate) are
 * merged in the order of their pieces, as many as the width allows.  The arrays
 * grow to the largest call and stay. */
#include "model/user/wide.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/fiber/fibers.h"
#include "model/user/call.h"

#define PIECES_MAX 256 /* each has its own stack */

struct hs_wide {
    hs_fibers *fibers; /* owned */
    int width;
    hs_call_arrays arrays; /* owned */
    size_t bytes[4];       /* of them */
    /* the merged calls */
    hs_call **call; /* owned, [room] */
    int *at;        /* owned, [room]: their first lanes */
    int count, room;
};

static bool is_like(const hs_call *a, const hs_call *b)
{
    return a->m == b->m && !a->gradient == !b->gradient &&
           !a->change == !b->change && a->site == b->site;
}

/* Does not keep the contents. */
static bool grow(void **block, size_t *have, size_t bytes)
{
    if (bytes <= *have)
        return true;
    hs_free(*block);
    *block = hs_alloc_array(bytes, 1);
    *have = *block ? bytes : 0;
    return *block != NULL;
}

static bool reserve(hs_wide *w)
{
    const hs_call *c = w->call[0];
    const hs_domain *d = &c->m->base.domain;
    hs_call_arrays *a = &w->arrays;
    void *block[] = {a->x, a->u, a->gradient, a->change};
    size_t each[] = {(size_t)d->dim * sizeof *a->x, c->u ? sizeof *a->u : 0,
                     c->gradient ? (size_t)d->rows * sizeof *a->gradient : 0,
                     c->change ? (size_t)d->states[c->site] * sizeof *a->change
                               : 0};
    bool is_there = true;

    for (int k = 0; k < 4; k++)
        is_there = grow(&block[k], &w->bytes[k], each[k] * (size_t)a->lanes) &&
                   is_there;
    a->x = block[0];
    a->u = block[1];
    a->gradient = block[2];
    a->change = block[3];
    return is_there;
}

static void put(void *context, int index)
{
    const hs_wide *w = context;

    hs_call_put(w->call[index], &w->arrays, w->at[index]);
}

static void take(void *context, int index)
{
    const hs_wide *w = context;

    hs_call_take(w->call[index], &w->arrays, w->at[index]);
}

/* The answers of the last call stay in the arrays until all pieces ask again.
 * Each piece copies its part when it resumes and finds it in its cache. */
static void leave_answers(hs_wide *w)
{
    for (int n = 0; n < w->count; n++) {
        w->call[n]->from = &w->arrays;
        w->call[n]->at = w->at[n];
    }
}

static hiss_status answer_together(hs_wide *w, hs_pool *pool, bool is_last,
                                   int *code)
{
    if (!reserve(w))
        return HISS_ENOMEM;
    hs_pool_run(pool, put, w, w->count);
    *code = hs_call_function(w->call[0], w->arrays.x, &w->arrays);
    if (*code != 0)
        return HISS_EPLUGIN;
    if (is_last)
        leave_answers(w);
    else
        hs_pool_run(pool, take, w, w->count);
    return HISS_OK;
}

static bool has_room(hs_wide *w, int count)
{
    if (count <= w->room)
        return true;
    hs_free(w->call);
    hs_free(w->at);
    w->call = hs_alloc_array((size_t)count, sizeof *w->call);
    w->at = hs_alloc_array((size_t)count, sizeof *w->at);
    w->room = w->call && w->at ? count : 0;
    return w->room > 0;
}

/* Takes the first call and similar ones out of the list; the rest moves up. */
static int choose(hs_wide *w, hs_ask **ask, int count)
{
    int left = 0;
    bool is_full = false;

    w->count = 0;
    w->arrays.lanes = 0;
    for (int n = 0; n < count; n++) {
        hs_call *c = (hs_call *)ask[n];
        bool is_next = w->count == 0 || (!is_full && is_like(c, w->call[0]));

        is_full |=
            is_next && w->count > 0 && w->arrays.lanes > w->width - c->lanes;
        if (!is_next || is_full) {
            ask[left++] = ask[n];
            continue;
        }
        w->at[w->count] = w->arrays.lanes;
        w->call[w->count++] = c;
        w->arrays.lanes += c->lanes;
    }
    return left;
}

/* After a failure the function is not called again for the waiting calls: all
 * fail in the same way. */
static void answer(void *context, hs_pool *pool, hs_ask **ask, int count)
{
    hs_wide *w = context;
    hiss_status rc = has_room(w, count) ? HISS_OK : HISS_ENOMEM;
    int code = 0;

    while (count > 0 && rc == HISS_OK) {
        count = choose(w, ask, count);
        rc = answer_together(w, pool, count == 0, &code);
        for (int n = 0; n < w->count; n++) {
            w->call[n]->status = rc;
            w->call[n]->code = code;
        }
    }
    for (int n = 0; n < count; n++) {
        ((hs_call *)ask[n])->status = rc;
        ((hs_call *)ask[n])->code = code;
    }
}

hiss_status hs_wide_create(hs_wide **out, const hs_model *m, int threads,
                           hiss_error *err)
{
    hs_wide *w;
    hiss_status rc;

    *out = NULL;
    if (m->width == 0)
        return HISS_OK;
    w = hs_alloc_array(1, sizeof *w);
    if (!w)
        return hs_fail_memory(err);
    w->width = m->width;
    rc = hs_fibers_create(&w->fibers, threads, answer, w, err);
    if (rc != HISS_OK) {
        hs_wide_destroy(w);
        return rc;
    }
    *out = w;
    return HISS_OK;
}

void hs_wide_destroy(hs_wide *w)
{
    if (!w)
        return;
    hs_fibers_destroy(w->fibers);
    hs_free(w->arrays.x);
    hs_free(w->arrays.u);
    hs_free(w->arrays.gradient);
    hs_free(w->arrays.change);
    hs_free(w->call);
    hs_free(w->at);
    hs_free(w);
}

void *hs_wide_enter(hs_wide *w)
{
    return hs_fibers_attach(w ? w->fibers : NULL);
}

void hs_wide_leave(void *before)
{
    hs_fibers_attach(before);
}

hiss_status hs_wide_run(const hs_model *m, int threads,
                        hiss_status (*run)(void *context, hiss_error *err),
                        void *context, hiss_error *err)
{
    hs_wide *wide;
    void *before;
    hiss_status rc;

    HS_TRY(hs_wide_create(&wide, m, threads, err));
    before = hs_wide_enter(wide);
    rc = run(context, err);
    hs_wide_leave(before);
    hs_wide_destroy(wide);
    return rc;
}

static bool is_gathered(const hs_model *m)
{
    return m->width > 0 && hs_fibers_are_here();
}

void hs_wide_each(const hs_model *m, hs_pool *pool,
                  void (*work)(void *context, int index), void *context,
                  int count)
{
    if (is_gathered(m))
        hs_fibers_each(work, context, count);
    else
        hs_pool_run(pool, work, context, count);
}

int hs_wide_pieces(const hs_model *m, int states, int threads)
{
    int pieces = m->width / states;

    pieces = pieces < PIECES_MAX ? pieces : PIECES_MAX;
    return is_gathered(m) && pieces > threads ? pieces : threads;
}
