/* markup.c - text inside HTML and SVG. */
#include "cli/print/markup.h"

/* Bytes of a well-formed UTF-8 sequence at `at`, or 0. */
static int sequence(const unsigned char *at)
{
    int length = *at < 0x80   ? 1
                 : *at < 0xc2 ? 0
                 : *at < 0xe0 ? 2
                 : *at < 0xf0 ? 3
                 : *at < 0xf5 ? 4
                              : 0;

    for (int i = 1; i < length; i++)
        if ((at[i] & 0xc0) != 0x80)
            return 0;
    return length;
}

void cli_html_char(FILE *to, char c)
{
    switch (c) {
    case '&':
        fputs("&amp;", to);
        break;
    case '<':
        fputs("&lt;", to);
        break;
    case '>':
        fputs("&gt;", to);
        break;
    case '"':
        fputs("&quot;", to);
        break;
    default:
        fputc(c, to);
    }
}

void cli_html_text(FILE *to, const char *text)
{
    const unsigned char *at = (const unsigned char *)text;

    while (*at) {
        int length = sequence(at);

        if (length == 0)
            fputc('?', to);
        else if (length == 1)
            cli_html_char(to, (char)*at);
        else
            fwrite(at, 1, (size_t)length, to);
        at += length ? length : 1;
    }
}
