/* store_turn.c - the store transposed, coordinate by coordinate.
 *
 * A column of the store has one byte in every row, each in another cache line.
 * A caller that reads most columns transposes the store first, in tiles of
 * draws whose rows stay in the cache. */
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "run/chain/store.h"

#define TILE 64 /* draws: a cache line of each column */

struct turn {
    const hs_store *s;
    int64_t n;
    char *to;
};

static void turn_tile(const struct turn *t, int chain, int64_t first, int count)
{
    size_t dim = (size_t)t->s->dim, size = hs_store_row_bytes(t->s) / dim;
    size_t total = (size_t)t->s->chains * (size_t)t->n;
    size_t at = (size_t)chain * (size_t)t->n + (size_t)first;
    const char *from = hs_store_row(t->s, chain, first);

    for (size_t i = 0; i < dim; i++) {
        char *to = t->to + (i * total + at) * size;

        if (size == 1)
            for (int k = 0; k < count; k++)
                to[k] = from[(size_t)k * dim + i];
        else
            for (int k = 0; k < count; k++)
                memcpy(to + (size_t)k * size,
                       from + ((size_t)k * dim + i) * size, size);
    }
}

hiss_status hs_store_turn(hs_store *view, const hs_store *s, int64_t n,
                          double most, hiss_error *err)
{
    double bytes =
        (double)s->chains * (double)n * (double)hs_store_row_bytes(s);
    struct turn t = {.s = s, .n = n};

    *view = *s;
    view->turned = NULL;
    if (bytes > most || !(bytes > 0.0))
        return HISS_OK;
    t.to = hs_alloc_array((size_t)bytes, 1);
    if (!t.to)
        return hs_fail_memory(err);
    for (int c = 0; c < s->chains; c++)
        for (int64_t first = 0; first < n; first += TILE)
            turn_tile(&t, c, first, n - first < TILE ? (int)(n - first) : TILE);
    view->turned = t.to;
    view->turned_draws = n;
    return HISS_OK;
}

void hs_store_unturn(hs_store *view)
{
    hs_free((void *)(uintptr_t)view->turned);
    view->turned = NULL;
}
