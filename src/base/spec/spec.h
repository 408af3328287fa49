/* spec.h - reading `name(key=value,inner=name(...),word,[1,2,4])`.
 *
 * One grammar for samplers and models:
 *     spec  := name [ '(' [ arg { ',' arg } ] ')' ]
 *     arg   := [ key '=' ] value
 *     value := spec | word | "quoted text" | '[' value { ',' value } ']'
 * A name or key is [A-Za-z_][A-Za-z0-9_-]*.  A word is any run of characters
 * without white space, control characters, quotes, brackets, parentheses,
 * comma and '=' (numbers, file names).  Inside "..." the pairs \" and \\ stand
 * for a quote and a backslash; any other character stands for itself.  Quoted
 * text means what the same word would mean without quotes.  White space is
 * free between tokens.  A value that is a bare name is a node without
 * arguments.  Errors name the column (bytes, from 1) of the text and show it
 * with a caret.  Depth and size are bounded (HS_SPEC_*). */
#ifndef HS_BASE_SPEC_SPEC_H
#define HS_BASE_SPEC_SPEC_H

#include <stdbool.h>
#include <stddef.h>

#include <hiss/status.h>

/* brackets and parentheses open at the same time */
#define HS_SPEC_DEPTH_MAX  16
#define HS_SPEC_LENGTH_MAX 65536

typedef struct hs_spec hs_spec;

/* One value: text with optional arguments, or a list. */
struct hs_spec {
    char *text;      /* owned: name, word or quoted text; NULL for a list */
    char *key;       /* owned: its key, or NULL */
    int column;      /* column in the source text, from 1 */
    bool is_list;    /* [ ... ] */
    bool is_quoted;  /* "..." */
    bool has_parens; /* name(...), possibly empty */
    int count;       /* arguments or list entries */
    hs_spec *child;  /* owned array of count */
};

/* Parses all of text into *out, which hs_spec_clear frees.  On failure *out is
 * empty and the status is HISS_EARG or HISS_ENOMEM. */
hiss_status hs_spec_parse(hs_spec *out, const char *text, hiss_error *err);

/* The same, but messages start with `what` instead of "spec":
 * sampler spec, column 5: '(' is never closed
 *   hiss(inner=dmala(alpha=0.2)
 *       ^ */
hiss_status hs_spec_parse_as(hs_spec *out, const char *text, const char *what,
                             hiss_error *err);

/* Parses a text that is one value of any kind: word, list, quoted text,
 * spec. */
hiss_status hs_spec_parse_value(hs_spec *out, const char *text,
                                const char *what, hiss_error *err);

/* Adds one zeroed argument or list entry; NULL if memory is short.  The address
 * is valid until the next call. */
hs_spec *hs_spec_add(hs_spec *spec);

/* Add one argument key=value, or a value without key if key is NULL: a word, an
 * empty list, a deep copy.  On lack of memory they return false or NULL, and
 * the spec can only be cleared. */
bool hs_spec_add_word(hs_spec *spec, const char *key, const char *word);
hs_spec *hs_spec_add_list(hs_spec *spec, const char *key);
bool hs_spec_add_copy(hs_spec *spec, const char *key, const hs_spec *from);

/* Makes a deep copy without the key of `from`. */
hiss_status hs_spec_copy(hs_spec *out, const hs_spec *from, hiss_error *err);
void hs_spec_clear(hs_spec *spec);

/* Prints the canonical text of a spec: no white space, keys in given order,
 * quotes only if needed.  Parsing it gives s again, but for columns and
 * needless quotes.  The key of the spec itself is not printed.  The caller owns
 * the text; NULL if memory is short. */
char *hs_spec_print(const hs_spec *spec);

/* Whether the spec has that name. */
bool hs_spec_is(const hs_spec *spec, const char *name);

/* Finds the argument with that key; NULL if there is none. */
const hs_spec *hs_spec_find(const hs_spec *spec, const char *key);

/* Whether the text matches [A-Za-z_][A-Za-z0-9_-]*. */
bool hs_spec_is_name(const char *text);

/* Whether a character may stand in a word without quotes. */
bool hs_spec_is_word_char(char c);

#endif
