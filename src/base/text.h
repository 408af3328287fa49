/* text.h - a string that grows.  It remembers a failed allocation, so only
 * hs_text_take needs a check. */
#ifndef HS_BASE_TEXT_H
#define HS_BASE_TEXT_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"

typedef struct hs_text {
    char *at; /* owned, room bytes, NUL-terminated; NULL while empty */
    size_t length;
    size_t room;
    bool failed; /* memory ran out; further text is ignored */
} hs_text;

void hs_text_add(hs_text *t, const char *bytes, size_t length);
void hs_text_add_string(hs_text *t, const char *string);
void hs_text_add_char(hs_text *t, char c);
/* Appends text like hs_snprintf, of any length. */
void hs_text_print(hs_text *t, const char *format, ...) HS_PRINTF(2, 3);
void hs_text_vprint(hs_text *t, const char *format, va_list args)
    HS_PRINTF(2, 0);
/* Appends text as a line of its own: after a line break, except at the
 * start. */
void hs_text_line(hs_text *t, const char *format, ...) HS_PRINTF(2, 3);

/* Returns the string, now owned by the caller, or NULL if an allocation failed;
 * t becomes empty. */
char *hs_text_take(hs_text *t);

#endif
