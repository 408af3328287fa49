/* lexer.h - tokens of texts that have a grammar: BIF, Hugin's NET, GML.
 *
 * A token is a word, a string in double quotes, or a mark: one character such
 * as '{' that stands alone.  Words are separated by white space, marks, strings
 * and comments.  The lexer always holds the next token; a caller reads it and
 * then moves on.  Messages have file, line and column, like those of
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
    const char *comments; /* characters that begin a comment to the end of the
                             line */
    bool has_slashes;     /* "//" begins such a comment too; slash-star ones may
                             occur */
    hs_token token;       /* the next token */
    char *text;           /* owned: text of the token, without quotes */
    size_t length, room;
    hs_place place; /* start of the token */
} hs_lexer;

/* The caller sets the fields before `token`. */
hiss_status hs_lexer_begin(hs_lexer *l, hiss_error *err);
void hs_lexer_end(hs_lexer *l);

/* Moves to the next token. */
hiss_status hs_lexer_next(hs_lexer *l, hiss_error *err);

bool hs_lexer_is_mark(const hs_lexer *l, char mark);
bool hs_lexer_is_word(const hs_lexer *l, const char *word);

/* Skips the mark if it is next. */
hiss_status hs_lexer_skip(hs_lexer *l, char mark, bool *was_there,
                          hiss_error *err);
/* Skips the mark; fails if it is not next. */
hiss_status hs_lexer_mark(hs_lexer *l, char mark, hiss_error *err);
/* Reads a word or a string into *text (hs_free).  `expected` names it in a
 * message ("a state"). */
hiss_status hs_lexer_name(hs_lexer *l, const char *expected, char **text,
                          hiss_error *err);
/* Reads a finite number from low to high. */
hiss_status hs_lexer_real(hs_lexer *l, double low, double high, double *value,
                          hiss_error *err);
hiss_status hs_lexer_int(hs_lexer *l, int low, int high, int *value,
                         hiss_error *err);

/* Fails at the present token: "file:3:7: found '...', expected ...". */
hiss_status hs_lexer_refuse(hs_lexer *l, const char *expected, hiss_error *err);
/* Fails with any other message at a place; NULL means the present token. */
hiss_status hs_lexer_fail(hs_lexer *l, const hs_place *where, hiss_error *err,
                          const char *format, ...) HS_PRINTF(4, 5);

#endif
