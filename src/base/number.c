/* number.c - numbers from text and back, the same in every locale.
 *
 * A decimal is m * 10^k with an integer m.  When m <= 2^53 and |k| <= 22 both
 * m and 10^|k| are doubles, so that one operation rounds once and is right.
 * When m < 2^64 and -19 <= k < 0 the quotient is taken in 128 bits and rounded
 * by hand.  That covers what programs print, 17 digits included; all else goes
 * to strtod.  (Rounding to nearest is assumed, as everywhere in hiss.) */
#include "base/number.h"

#include <errno.h>
#include <float.h>
#include <locale.h>
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static locale_t c_locale; /* never freed; 0 means the current locale */
static pthread_once_t c_locale_once = PTHREAD_ONCE_INIT;

static void make_c_locale(void)
{
    c_locale = newlocale(LC_ALL_MASK, "C", (locale_t)0);
}

/* Switches this thread to the C locale and returns the previous one.  Takes
 * about 5 ns. */
static locale_t enter_c(void)
{
    pthread_once(&c_locale_once, make_c_locale);
    return uselocale(c_locale); /* 0 means no change */
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

#if FLT_EVAL_METHOD == 0 && defined(__SIZEOF_INT128__)
__extension__ typedef unsigned __int128 wide;

static const double exact_powers[] = {
    1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
    1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22,
};

static const uint64_t whole_powers[] = {
    UINT64_C(1),
    UINT64_C(10),
    UINT64_C(100),
    UINT64_C(1000),
    UINT64_C(10000),
    UINT64_C(100000),
    UINT64_C(1000000),
    UINT64_C(10000000),
    UINT64_C(100000000),
    UINT64_C(1000000000),
    UINT64_C(10000000000),
    UINT64_C(100000000000),
    UINT64_C(1000000000000),
    UINT64_C(10000000000000),
    UINT64_C(100000000000000),
    UINT64_C(1000000000000000),
    UINT64_C(10000000000000000),
    UINT64_C(100000000000000000),
    UINT64_C(1000000000000000000),
    UINT64_C(10000000000000000000),
};

/* m / 10^k rounded to nearest even, m > 0, k <= 19.  With m and 10^k shifted up
 * to bit 63, q = m 2^63 / 10^k has 63 or 64 bits: 53 are kept, and the others
 * with the remainder decide the rounding. */
static double quotient(uint64_t m, int k)
{
    int m_shift = __builtin_clzll(m);
    int d_shift = __builtin_clzll(whole_powers[k]);
    uint64_t d = whole_powers[k] << d_shift;
    wide n = (wide)(m << m_shift) << 63;
    uint64_t q = (uint64_t)(n / d);
    uint64_t sticky = n % d != 0;
    int drop = q >> 63 ? 11 : 10;
    uint64_t kept = q >> drop;
    uint64_t rest = q & ((UINT64_C(1) << drop) - 1);
    uint64_t half = UINT64_C(1) << (drop - 1);

    if (rest > half || (rest == half && (sticky || kept & 1)))
        kept++;
    return ldexp((double)kept, drop - 63 - m_shift + d_shift);
}

static bool scale(uint64_t m, int k, double *out)
{
    if (m == 0)
        *out = 0;
    else if (m <= UINT64_C(1) << 53 && k >= 0 && k <= 22)
        *out = (double)m * exact_powers[k];
    else if (m <= UINT64_C(1) << 53 && k < 0 && k >= -22)
        *out = (double)m / exact_powers[-k];
    else if (k < 0 && k >= -19)
        *out = quotient(m, -k);
    else
        return false;
    return true;
}

/* Reads at most 19 significant digits into *m; NULL if there are more. */
static const char *add_digits(const char *c, const char *end, uint64_t *m)
{
    const uint64_t room = UINT64_C(1000000000000000000); /* 10^18 */

    for (; c < end && is_digit(*c); c++) {
        if (*m >= room)
            return NULL;
        *m = *m * 10 + (uint64_t)(*c - '0');
    }
    return c;
}

bool hs_number_quick(const char *word, const char *end, double *out)
{
    const char *c = word, *digits, *point;
    bool negative = c < end && *c == '-';
    uint64_t m = 0, e = 0;
    int k = 0;

    if (c < end && (*c == '-' || *c == '+'))
        c++;
    digits = c;
    c = add_digits(c, end, &m);
    if (!c)
        return false;
    if (c < end && *c == '.') {
        point = c++;
        c = add_digits(c, end, &m);
        if (!c || c - point > 10000)
            return false;
        k = (int)(point + 1 - c);
        digits++; /* do not count the decimal point */
    }
    if (c <= digits)
        return false;
    if (c < end && (*c == 'e' || *c == 'E')) {
        bool e_negative = ++c < end && *c == '-';
        const char *first;

        if (c < end && (*c == '-' || *c == '+'))
            c++;
        first = c;
        c = add_digits(c, end, &e);
        if (!c || c == first || e > 10000)
            return false;
        k += e_negative ? -(int)e : (int)e;
    }
    if (c != end || !scale(m, k, out))
        return false;
    if (negative)
        *out = -*out;
    return true;
}
#else
bool hs_number_quick(const char *word, const char *end, double *out)
{
    (void)word, (void)end, (void)out;
    return false;
}
#endif

bool hs_number_real(const char *word, double *out)
{
    int saved = errno;
    char *end = NULL;
    bool fits;

    if (hs_number_quick(word, word + strlen(word), out))
        return true;
    if (!(is_digit(*word) || strchr("+-.iInN", *word)) || *word == '\0')
        return false;
    pthread_once(&c_locale_once, make_c_locale);
    errno = 0;
    *out = c_locale ? strtod_l(word, &end, c_locale) : strtod(word, &end);
    fits = errno != ERANGE || fabs(*out) < 1; /* underflow is not an error */
    errno = saved;
    return fits && *end == '\0' && end != word && !isnan(*out);
}

double hs_number_prefix(const char *text, const char **end)
{
    char *stop = NULL;
    int saved = errno;
    double value;

    pthread_once(&c_locale_once, make_c_locale);
    value = c_locale ? strtod_l(text, &stop, c_locale) : strtod(text, &stop);
    errno = saved;
    *end = stop;
    return value;
}

bool hs_number_whole(const char *word, const char *end, int64_t *out)
{
    bool negative = word < end && *word == '-';
    uint64_t limit = (uint64_t)INT64_MAX + negative;
    uint64_t value = 0;

    if (word < end && (*word == '-' || *word == '+'))
        word++;
    if (word == end)
        return false;
    for (; word < end; word++) {
        unsigned digit = (unsigned)(*word - '0');

        if (!is_digit(*word) || value > (limit - digit) / 10)
            return false;
        value = value * 10 + digit;
    }
    *out = negative ? (int64_t)(0 - value) : (int64_t)value;
    return true;
}

bool hs_number_seed(const char *word, uint64_t *out)
{
    uint64_t value = 0;

    if (*word == '\0')
        return false;
    for (; *word; word++) {
        unsigned digit = (unsigned)(*word - '0');

        if (!is_digit(*word) || value > (UINT64_MAX - digit) / 10)
            return false;
        value = value * 10 + digit;
    }
    *out = value;
    return true;
}

void hs_number_print(char out[HS_NUMBER_MAX], double value)
{
    locale_t saved = enter_c();
    double back;

    for (int digits = 15; digits <= 17; digits++) {
        snprintf(out, HS_NUMBER_MAX, "%.*g", digits, value);
        if (hs_number_real(out, &back) && back == value)
            break;
    }
    uselocale(saved);
}

int hs_vsnprintf(char *out, size_t size, const char *format, va_list args)
{
    locale_t saved = enter_c();
    int length = vsnprintf(out, size, format, args);

    uselocale(saved);
    return length;
}

int hs_snprintf(char *out, size_t size, const char *format, ...)
{
    va_list args;
    int length;

    va_start(args, format);
    length = hs_vsnprintf(out, size, format, args);
    va_end(args);
    return length;
}

int hs_fprintf(FILE *to, const char *format, ...)
{
    locale_t saved = enter_c();
    va_list args;
    int length;

    va_start(args, format);
    length = vfprintf(to, format, args);
    va_end(args);
    uselocale(saved);
    return length;
}
