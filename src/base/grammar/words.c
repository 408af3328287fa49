/* words.c - a list of different words, found by their text. */
#include "base/grammar/words.h"

#include <limits.h>
#include <stdint.h>
#include <string.h>

#include "base/alloc.h"

static uint64_t hash(const char *word)
{
    uint64_t h = UINT64_C(0xcbf29ce484222325); /* FNV-1a */

    for (; *word; word++)
        h = (h ^ (unsigned char)*word) * UINT64_C(0x100000001b3);
    return h ^ h >> 32;
}

/* The slot of a word, or the free slot where it would be. */
static int slot_of(const hs_words *w, const char *word)
{
    int mask = w->slots - 1, s = (int)(hash(word) & (uint64_t)mask);

    while (w->slot[s] > 0 && strcmp(w->at[w->slot[s] - 1], word) != 0)
        s = (s + 1) & mask;
    return s;
}

int hs_words_find(const hs_words *w, const char *word)
{
    return w->slots > 0 ? w->slot[slot_of(w, word)] - 1 : -1;
}

/* Makes room for one more word and keeps half of the slots free. */
static hiss_status grow(hs_words *w, hiss_error *err)
{
    int room = w->room > 0 ? 2 * w->room : 16;
    char **at;
    int *slot;

    if (w->count < w->room)
        return HISS_OK;
    if (w->room > INT_MAX / 8)
        return hs_fail(err, HISS_ELIMIT, "more than %d names", w->room);
    at = hs_realloc_array(w->at, (size_t)w->room, (size_t)room, sizeof *at);
    if (!at)
        return hs_fail_memory(err);
    w->at = at;
    w->room = room;
    slot = hs_alloc_array(2 * (size_t)room, sizeof *slot);
    if (!slot) {
        w->room = w->count; /* so that the next call tries again */
        return hs_fail_memory(err);
    }
    hs_free(w->slot);
    w->slot = slot;
    w->slots = 2 * room;
    for (int n = 0; n < w->count; n++)
        w->slot[slot_of(w, w->at[n])] = n + 1;
    return HISS_OK;
}

hiss_status hs_words_add(hs_words *w, const char *word, int *index,
                         bool *is_new, hiss_error *err)
{
    int found = hs_words_find(w, word);

    if (is_new)
        *is_new = found < 0;
    if (found < 0) {
        HS_TRY(grow(w, err));
        w->at[w->count] = hs_strdup(word);
        if (!w->at[w->count])
            return hs_fail_memory(err);
        found = w->count++;
        w->slot[slot_of(w, word)] = found + 1;
    }
    *index = found;
    return HISS_OK;
}

void hs_words_clear(hs_words *w)
{
    hs_strings_free(w->at, w->count);
    hs_free(w->slot);
    *w = (hs_words){0};
}
