/* caret.c - showing a place in a text inside a message.
 *
 * At most SHOWN bytes of a line are shown, LEFT of them before the caret.
 * Columns are counted in code points: right for what model files and specs
 * contain, one short for each wide (CJK) character. */
#include "base/caret.h"

#include <stdbool.h>
#include <string.h>

enum {
    SHOWN = 72,
    LEFT = 40
};

/* Bytes of the valid UTF-8 sequence at text, or 0. */
static size_t sequence(const unsigned char *text, size_t left)
{
    size_t length = text[0] < 0x80   ? 1
                    : text[0] < 0xc2 ? 0
                    : text[0] < 0xe0 ? 2
                    : text[0] < 0xf0 ? 3
                    : text[0] < 0xf5 ? 4
                                     : 0;

    if (length > left)
        return 0;
    for (size_t i = 1; i < length; i++)
        if ((text[i] & 0xc0) != 0x80)
            return 0;
    /* overlong forms, surrogates, beyond U+10FFFF */
    if ((text[0] == 0xe0 && text[1] < 0xa0) ||
        (text[0] == 0xed && text[1] > 0x9f) ||
        (text[0] == 0xf0 && text[1] < 0x90) ||
        (text[0] == 0xf4 && text[1] > 0x8f))
        return 0;
    return length;
}

static bool is_control(const unsigned char *c, size_t length)
{
    return length == 1 ? c[0] < 0x20 || c[0] == 0x7f
                       : length == 2 && c[0] == 0xc2 && c[1] < 0xa0;
}

/* Copies one character of text, or '?' if it cannot be shown.  Advances *at and
 * returns the bytes written, at most 4. */
static size_t copy_character(char *out, const char *text, size_t length,
                             size_t *at)
{
    const unsigned char *c = (const unsigned char *)text + *at;
    size_t bytes = sequence(c, length - *at);

    *at += bytes ? bytes : 1;
    if (bytes == 0 || is_control(c, bytes)) {
        out[0] = *c == '\n' || *c == '\r' ? ' ' : '?';
        return 1;
    }
    memcpy(out, c, bytes);
    return bytes;
}

static bool is_continuation(const char *line, size_t length, size_t i)
{
    return i < length && ((unsigned char)line[i] & 0xc0) == 0x80;
}

void hs_caret_add(hiss_error *err, const char *line, size_t length, size_t at)
{
    char shown[SHOWN + 16], under[SHOWN + 16];
    size_t first = 0, last = length, s = 0, u = 0, used;

    if (!err)
        return;
    if (at > length)
        at = length;
    if (length > SHOWN) {
        first = at > LEFT ? at - LEFT : 0;
        last = first + SHOWN < length ? first + SHOWN : length;
        while (first < at && is_continuation(line, length, first))
            first++;
        while (last > at && is_continuation(line, length, last))
            last--;
    }
    if (first > 0) {
        memset(shown, '.', 3);
        memset(under, ' ', 3);
        s = u = 3;
    }
    for (size_t i = first; i < last;) {
        if (i < at)
            under[u++] = line[i] == '\t' ? '\t' : ' ';
        if (line[i] == '\t') {
            shown[s++] = '\t';
            i++;
        } else {
            s += copy_character(shown + s, line, last, &i);
        }
    }
    if (last < length) {
        memset(shown + s, '.', 3);
        s += 3;
    }
    under[u++] = '^';
    used = strlen(err->message);
    if (used + s + u + 7 > sizeof err->message)
        return;
    memcpy(err->message + used, "\n  ", 3);
    memcpy(err->message + used + 3, shown, s);
    memcpy(err->message + used + 3 + s, "\n  ", 3);
    memcpy(err->message + used + 6 + s, under, u);
    err->message[used + 6 + s + u] = '\0';
}

const char *hs_quote(char out[HS_QUOTE_MAX], const char *word, size_t length)
{
    size_t used = 0;

    for (size_t i = 0; i < length;) {
        if (used > HS_QUOTE_MAX - 8 && i < length) {
            memset(out + used, '.', 3);
            used += 3;
            break;
        }
        used += copy_character(out + used, word, length, &i);
    }
    out[used] = '\0';
    return out;
}
