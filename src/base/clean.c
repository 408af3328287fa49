/* clean.c - removes from a text what could steer a terminal. */
#include "base/clean.h"

#include <hiss/status.h>

#include <stdint.h>
#include <string.h>

/* Decodes one UTF-8 character: returns its bytes (0 if invalid) and its
 * number. */
static int character_at(const unsigned char *at, uint32_t *number)
{
    static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
    int bytes = *at < 0x80             ? 1
                : (*at & 0xe0) == 0xc0 ? 2
                : (*at & 0xf0) == 0xe0 ? 3
                : (*at & 0xf8) == 0xf0 ? 4
                                       : 0;

    *number = bytes < 2 ? *at : *at & (0x7fu >> bytes);
    for (int i = 1; i < bytes; i++) {
        if ((at[i] & 0xc0) != 0x80)
            return 0; /* also at the end of the text */
        *number = *number << 6 | (at[i] & 0x3fu);
    }
    if (bytes > 1 && (*number < least[bytes] || *number > 0x10ffff ||
                      (*number >= 0xd800 && *number < 0xe000)))
        return 0;
    return bytes;
}

static bool is_plain(uint32_t c, bool keeps_lines)
{
    if (c < 0x20)
        return keeps_lines && (c == '\n' || c == '\t');
    if (c >= 0x7f && c < 0xa0)
        return false;
    return c != 0x200e && c != 0x200f && !(c >= 0x2028 && c <= 0x202e) &&
           !(c >= 0x2066 && c <= 0x2069);
}

void hs_clean(char *text, bool keeps_lines)
{
    unsigned char *at = (unsigned char *)text;

    while (*at) {
        uint32_t number;
        int bytes = character_at(at, &number);

        if (bytes == 0 || !is_plain(number, keeps_lines)) {
            bytes = bytes ? bytes : 1;
            memset(at, '?', (size_t)bytes);
        }
        at += bytes;
    }
}

void hiss_clean(char *text)
{
    if (text)
        hs_clean(text, true);
}
