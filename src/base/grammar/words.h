/* words.h - a set of words with an index each, found by text: names of
 * variables, states and nodes. */
#ifndef HS_BASE_GRAMMAR_WORDS_H
#define HS_BASE_GRAMMAR_WORDS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"

typedef struct hs_words {
    char **at; /* owned, [count], each owned */
    int count, room;
    int *slot; /* owned, [slots]: index + 1 into at, 0: free */
    int slots; /* a power of two, or 0 */
} hs_words;

/* Returns the index of a word, or -1. */
int hs_words_find(const hs_words *w, const char *word);

/* Adds a word unless it is present; is_new may be NULL. */
hiss_status hs_words_add(hs_words *w, const char *word, int *index,
                         bool *is_new, hiss_error *err);

void hs_words_clear(hs_words *w);

#endif
