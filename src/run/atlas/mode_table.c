/* mode_table.c - distinct states, found by their contents. */
#include "run/atlas/mode_table.h"

#include <math.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"

#define OFFSET 0xcbf29ce484222325u /* mathematics: of FNV-1a */
#define PRIME  0x100000001b3u      /* mathematics: of FNV-1a */
#define ROOM   64                  /* capacity: states at first */
#define HASH   29                  /* capacity: bits that a hash is folded by */

void hs_mode_table_clear(hs_mode_table *t)
{
    hs_free(t->slot);
    hs_free(t->mode);
    hs_free(t->last_chain);
    hs_free(t->state);
    *t = (hs_mode_table){0};
}

static uint64_t hash(const int16_t *state, int dim)
{
    uint64_t h = OFFSET; /* FNV-1a, by value */

    for (int i = 0; i < dim; i++)
        h = (h ^ (uint16_t)state[i]) * PRIME;
    return h ^ (h >> HASH);
}

/* The slot of a state, or the free one where it belongs. */
static uint64_t slot_of(const hs_mode_table *t, const int16_t *state)
{
    size_t bytes = (size_t)t->dim * sizeof *state;
    uint64_t mask = (uint64_t)t->slots - 1, at = hash(state, t->dim) & mask;

    while (t->slot[at] &&
           memcmp(t->state + (t->slot[at] - 1) * t->dim, state, bytes) != 0)
        at = (at + 1) & mask;
    return at;
}

/* Doubles the room; the table is as it was on failure. */
static hiss_status grow(hs_mode_table *t, int64_t room, hiss_error *err)
{
    size_t old = (size_t)t->room, size = (size_t)room, dim = (size_t)t->dim;
    int64_t *slot = hs_alloc_array(2 * size, sizeof *slot);
    void *mode = hs_realloc_array(t->mode, old, size, sizeof *t->mode);
    void *last = NULL, *state = NULL;

    if (mode)
        t->mode = mode;
    last = hs_realloc_array(t->last_chain, old, size, sizeof(int));
    if (last)
        t->last_chain = last;
    state = hs_realloc_array(t->state, old * dim, size * dim, sizeof(int16_t));
    if (state)
        t->state = state;
    if (!slot || !mode || !last || !state) {
        hs_free(slot);
        return hs_fail_memory(err);
    }
    hs_free(t->slot);
    t->slot = slot;
    t->room = room;
    t->slots = 2 * room;
    for (int64_t i = 0; i < t->used; i++)
        t->slot[slot_of(t, t->state + i * t->dim)] = i + 1;
    return HISS_OK;
}

hiss_status hs_mode_table_init(hs_mode_table *t, int dim, hiss_error *err)
{
    hiss_status rc;

    *t = (hs_mode_table){.dim = dim};
    rc = grow(t, ROOM, err);
    if (rc != HISS_OK)
        hs_mode_table_clear(t);
    return rc;
}

hiss_status hs_mode_table_find(hs_mode_table *t, const int16_t *state, bool add,
                               int64_t *index, hiss_error *err)
{
    uint64_t at = slot_of(t, state);

    *index = t->slot[at] - 1;
    if (*index >= 0 || !add)
        return HISS_OK;
    if (t->used == t->room) {
        HS_TRY(grow(t, 2 * t->room, err));
        at = slot_of(t, state);
    }
    *index = t->used++;
    t->slot[at] = *index + 1;
    memcpy(t->state + *index * t->dim, state, (size_t)t->dim * sizeof *state);
    t->mode[*index] = (hiss_mode){.exact = (double)NAN};
    t->last_chain[*index] = -1;
    return HISS_OK;
}
