/* text.c - a string that grows by doubling. */
#include "base/text.h"

#include <string.h>

#include "base/alloc.h"
#include "base/number.h"

static bool make_room(hs_text *t, size_t more)
{
    size_t room = t->room ? t->room : 64;
    char *grown;

    if (t->failed)
        return false;
    while (room - t->length <= more)
        room *= 2;
    if (room == t->room)
        return true;
    grown = hs_realloc_array(t->at, t->room, room, 1);
    if (!grown) {
        t->failed = true;
        return false;
    }
    t->at = grown;
    t->room = room;
    return true;
}

void hs_text_add(hs_text *t, const char *bytes, size_t length)
{
    if (!make_room(t, length))
        return;
    memcpy(t->at + t->length, bytes, length);
    t->length += length;
    t->at[t->length] = '\0';
}

void hs_text_add_string(hs_text *t, const char *string)
{
    hs_text_add(t, string, strlen(string));
}

void hs_text_add_char(hs_text *t, char c)
{
    hs_text_add(t, &c, 1);
}

void hs_text_vprint(hs_text *t, const char *format, va_list args)
{
    va_list again;
    int length;

    va_copy(again, args);
    length = hs_vsnprintf(NULL, 0, format, args);
    if (length >= 0 && make_room(t, (size_t)length)) {
        hs_vsnprintf(t->at + t->length, t->room - t->length, format, again);
        t->length += (size_t)length;
    }
    va_end(again);
}

void hs_text_print(hs_text *t, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    hs_text_vprint(t, format, args);
    va_end(args);
}

void hs_text_line(hs_text *t, const char *format, ...)
{
    va_list args;

    if (t->length > 0)
        hs_text_add_char(t, '\n');
    va_start(args, format);
    hs_text_vprint(t, format, args);
    va_end(args);
}

char *hs_text_take(hs_text *t)
{
    char *whole;

    hs_text_add(t, "", 0); /* an empty text is a string too */
    whole = t->at;
    if (t->failed) {
        hs_free(whole);
        whole = NULL;
    }
    *t = (hs_text){0};
    return whole;
}
