/* ascii.h - the functions of <ctype.h> in the C locale, whatever setlocale
 * set. */
#ifndef HS_BASE_ASCII_H
#define HS_BASE_ASCII_H

#include <stdbool.h>

static inline bool hs_is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static inline char hs_lower(char c)
{
    return (char)(c >= 'A' && c <= 'Z' ? c + ('a' - 'A') : c);
}

static inline bool hs_is_letter(char c)
{
    return hs_lower(c) >= 'a' && hs_lower(c) <= 'z';
}

static inline bool hs_is_space(char c)
{
    return c == ' ' || (c >= '\t' && c <= '\r');
}

/* Compares two words without regard to case. */
static inline bool hs_is_same_word(const char *a, const char *b)
{
    while (*a && hs_lower(*a) == hs_lower(*b)) {
        a++;
        b++;
    }
    return hs_lower(*a) == hs_lower(*b);
}

#endif
