/* sniff.h - reads lines and words of the first bytes of a file, which may be
 * cut anywhere and have no final NUL. */
#ifndef HS_FORMAT_PARTS_SNIFF_H
#define HS_FORMAT_PARTS_SNIFF_H

#include <stdbool.h>
#include <stddef.h>

typedef struct hs_span {
    const char *at; /* borrowed; NULL if there is none */
    size_t length;
} hs_span;

/* Returns line `number`, from 0, without counting blank lines and those that
 * begin with a character of `comments`. */
hs_span hs_sniff_line(const char *head, size_t length, const char *comments,
                      int number);

/* Returns word `number` of a line, from 0. */
hs_span hs_sniff_word(hs_span line, int number);
int hs_sniff_words(hs_span line);

bool hs_sniff_is(hs_span word, const char *text);
bool hs_sniff_is_whole(hs_span word); /* [+-]digits */
bool hs_sniff_is_real(hs_span word);

/* Whether the text begins with `text`. */
bool hs_sniff_starts(const char *head, size_t length, const char *text);

#endif
