/* lexer.h - tokens of texts that have a grammar: BIF, Hugin's NET, GML.
 *
 * A token is a word, a string in double quotes, or a mark: one character such
 * as '{' that stands alone.  Words are separated by white space, marks, strings
 * and comments.  The lexer always holds the next token; a caller reads it and
 * then moves on.  Messages have file, line and column, as those of
 * base/read/reader.h, which reads the characters. */
#ifndef HS_BASE_GRAMMAR_LEXER_H
#define HS_BASE_GRAMMAR_LEXER_H

#include <stdbool.h>
#include <stddef.h>

#include "base/read/reader.h"

typedef enum hs_token {
    HS_TOKEN_END,
    HS_TOKEN_WORD,
    HS_TOKEN_STRING,
    HS_TOKEN_MARK,
} hs_token;

typedef struct hs_lexer {
    hs_reader *in;        /* borrowed */
    const char *marks;    /* characters that stand alone */
    const char *comments; /* characters from which a comment takes the rest of
                             the line */
    bool has_slashes;     /* so does "//", and a comment may stand between
                             slash-star and star-slash */
    hs_token token;       /* the one that is next */
    char *text;           /* owned: its text, without quotes */
    size_t length, room;
    hs_place place; /* where it begins */
} hs_lexer;

/* The fields before `token` are the caller's to set. */
hiss_status hs_lexer_begin(hs_lexer *l, hiss_error *err);
void hs_lexer_end(hs_lexer *l);

/* To the token after the present one. */
hiss_status hs_lexer_next(hs_lexer *l, hiss_error *err);

bool hs_lexer_is_mark(const hs_lexer *l, char mark);
bool hs_lexer_is_word(const hs_lexer *l, const char *word);

/* Passes over a mark, or over nothing. */
hiss_status hs_lexer_skip(hs_lexer *l, char mark, bool *was_there,
                          hiss_error *err);
/* Passes over this mark, which must be there. */
hiss_status hs_lexer_mark(hs_lexer *l, char mark, hiss_error *err);
/* A word or a string, for which `expected` is a word of a message ("a state");
 * copied to *text, to be freed with hs_free. */
hiss_status hs_lexer_name(hs_lexer *l, const char *expected, char **text,
                          hiss_error *err);
/* A finite number from low to high. */
hiss_status hs_lexer_real(hs_lexer *l, double low, double high, double *value,
                          hiss_error *err);
hiss_status hs_lexer_int(hs_lexer *l, int low, int high, int *value,
                         hiss_error *err);

/* "file:3:7: found '...', expected ...", at the present token. */
hiss_status hs_lexer_refuse(hs_lexer *l, const char *expected, hiss_error *err);
/* Any other complaint about a place; NULL is the present token. */
hiss_status hs_lexer_fail(hs_lexer *l, const hs_place *where, hiss_error *err,
                          const char *format, ...) HS_PRINTF(4, 5);

#endif
