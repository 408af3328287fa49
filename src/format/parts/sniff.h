/* sniff.h - looking at the first bytes of a file: lines and words of a text
 * that is not terminated and may be cut anywhere. */
#ifndef HS_FORMAT_PARTS_SNIFF_H
#define HS_FORMAT_PARTS_SNIFF_H

#include <stdbool.h>
#include <stddef.h>

typedef struct hs_span {
    const char *at; /* borrowed; NULL: there is none */
    size_t length;
} hs_span;

/* Line `number`, from 0, of those that are neither blank nor begin with one of
 * the characters in `comments`. */
hs_span hs_sniff_line(const char *head, size_t length, const char *comments,
                      int number);

/* Word `number` of a line, from 0. */
hs_span hs_sniff_word(hs_span line, int number);
int hs_sniff_words(hs_span line);

bool hs_sniff_is(hs_span word, const char *text);
bool hs_sniff_is_whole(hs_span word); /* [+-]digits */
bool hs_sniff_is_real(hs_span word);

/* The text begins so. */
bool hs_sniff_starts(const char *head, size_t length, const char *text);

#endif
