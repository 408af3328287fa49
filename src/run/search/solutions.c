/* solutions.c - the distinct best states of a search. */
#include "run/search/solutions.h"

#include <string.h>

#include "base/alloc.h"
#include "base/error.h"

hiss_status hs_solutions_init(hs_solutions *s, int dim, int room,
                              bool is_mirrored, hiss_error *err)
{
    *s = (hs_solutions){.dim = dim, .room = room, .is_mirrored = is_mirrored};
    s->at = hs_alloc_array((size_t)room + 1, sizeof *s->at);
    if (!s->at)
        return hs_fail_memory(err);
    /* one more than are kept, to copy a new one to */
    for (int n = 0; n <= room; n++) {
        s->at[n].state = hs_alloc_array((size_t)dim, sizeof(int16_t));
        if (!s->at[n].state)
            return hs_fail_memory(err);
    }
    return HISS_OK;
}

void hs_solutions_clear(hs_solutions *s)
{
    for (int n = 0; s->at && n <= s->room; n++)
        hs_free(s->at[n].state);
    hs_free(s->at);
    *s = (hs_solutions){0};
}

/* Of two mirror images, stores the one that starts with 0. */
static void copy(const hs_solutions *s, hs_solution *to, const int16_t *state)
{
    int flip = s->is_mirrored && state[0] == 1;
    uint64_t h = 0xcbf29ce484222325u;

    for (int i = 0; i < s->dim; i++) {
        to->state[i] = (int16_t)(state[i] ^ flip);
        h = (h ^ (uint64_t)to->state[i]) * 0x100000001b3u;
    }
    to->hash = h;
}

static bool equal(const hs_solutions *s, const hs_solution *a,
                  const hs_solution *b)
{
    return a->hash == b->hash &&
           memcmp(a->state, b->state, (size_t)s->dim * sizeof *a->state) == 0;
}

bool hs_solutions_add(hs_solutions *s, const int16_t *state, double u)
{
    hs_solution *fresh = &s->at[s->count];
    hs_solution found;
    int place = s->count;

    if (s->count == s->room && u < s->at[s->count - 1].u)
        return false;
    copy(s, fresh, state);
    for (int n = 0; n < s->count; n++)
        if (equal(s, fresh, &s->at[n])) {
            s->at[n].hits++;
            return false;
        }
    fresh->u = u;
    fresh->hits = 1;
    found = *fresh;
    while (place > 0 && s->at[place - 1].u < u) {
        s->at[place] = s->at[place - 1];
        place--;
    }
    s->at[place] = found;
    s->count += s->count < s->room;
    return place == 0;
}
