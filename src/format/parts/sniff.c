/* sniff.c - reads the first bytes of a file. */
#include "format/parts/sniff.h"

#include <stdint.h>
#include <string.h>

#include "base/number.h"

static bool is_blank(char c)
{
    return c == ' ' || (c >= '\t' && c <= '\r');
}

hs_span hs_sniff_line(const char *head, size_t length, const char *comments,
                      int number)
{
    size_t at = 0;

    while (at < length) {
        const char *newline = memchr(head + at, '\n', length - at);
        size_t end = newline ? (size_t)(newline - head) : length, from = at;

        while (from < end && is_blank(head[from]))
            from++;
        at = end + 1;
        if (from == end || strchr(comments, head[from]))
            continue;
        if (number-- == 0)
            return (hs_span){head + from, end - from};
    }
    return (hs_span){NULL, 0};
}

hs_span hs_sniff_word(hs_span line, int number)
{
    size_t at = 0;

    while (at < line.length) {
        size_t from;

        while (at < line.length && is_blank(line.at[at]))
            at++;
        from = at;
        while (at < line.length && !is_blank(line.at[at]))
            at++;
        if (at > from && number-- == 0)
            return (hs_span){line.at + from, at - from};
    }
    return (hs_span){NULL, 0};
}

int hs_sniff_words(hs_span line)
{
    int count = 0;
    bool in_word = false;

    for (size_t at = 0; at < line.length; at++) {
        bool is_word = !is_blank(line.at[at]);

        count += is_word && !in_word;
        in_word = is_word;
    }
    return count;
}

bool hs_sniff_is(hs_span word, const char *text)
{
    return word.at && strlen(text) == word.length &&
           memcmp(word.at, text, word.length) == 0;
}

bool hs_sniff_is_whole(hs_span word)
{
    int64_t value;

    return word.at && hs_number_whole(word.at, word.at + word.length, &value);
}

bool hs_sniff_is_real(hs_span word)
{
    char text[64];
    double value;

    if (!word.at || word.length >= sizeof text)
        return false;
    memcpy(text, word.at, word.length);
    text[word.length] = '\0';
    return hs_number_real(text, &value);
}

bool hs_sniff_starts(const char *head, size_t length, const char *text)
{
    return length >= strlen(text) && memcmp(head, text, strlen(text)) == 0;
}
