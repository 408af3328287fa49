/* number.c - parses numbers strictly.
 *
 * The locale is never set, so the decimal point is a point.  Blanks,
 * hexadecimals, "nan" and "inf" are not accepted. */
#include "cli/print/number.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double WHOLE_MAX = 9007199254740992.0; /* 2^53 */

/* Parses 1e6, 2.5e3: a whole number written as a real number. */
static cli_number whole_real(const char *text, int64_t *out)
{
    size_t length = strlen(text);
    char *end;
    double value = strtod(text, &end);

    if (*end || strspn(text, "0123456789+-.eE") != length)
        return CLI_NUMBER_BAD;
    if (fabs(value) > WHOLE_MAX)
        return CLI_NUMBER_OUT;
    if (value != floor(value))
        return CLI_NUMBER_BAD;
    *out = (int64_t)value;
    return CLI_NUMBER_OK;
}

cli_number cli_number_whole(const char *text, int64_t least, int64_t most,
                            int64_t *out)
{
    const char *digits = text + (*text == '+' || *text == '-');
    cli_number found = CLI_NUMBER_OK;
    int64_t value = 0;
    char *end;

    if (!isdigit((unsigned char)*digits))
        return CLI_NUMBER_BAD;
    errno = 0;
    value = strtoll(text, &end, 10);
    if (*end)
        found = whole_real(text, &value);
    else if (errno == ERANGE)
        found = CLI_NUMBER_OUT;
    if (found != CLI_NUMBER_OK)
        return found;
    if (value < least || value > most)
        return CLI_NUMBER_OUT;
    *out = value;
    return CLI_NUMBER_OK;
}

bool cli_number_real(const char *text, int length, double *out)
{
    char word[64];
    char *end;

    if (length < 1 || length >= (int)sizeof word)
        return false;
    memcpy(word, text, (size_t)length);
    word[length] = '\0';
    if (strspn(word, "0123456789+-.eE") != (size_t)length)
        return false;
    *out = strtod(word, &end);
    return end == word + length && isfinite(*out);
}

cli_number cli_number_seconds(const char *text, double most, double *out)
{
    static const struct {
        char letter;
        double seconds;
    } units[] = {{'s', 1}, {'m', 60}, {'h', 3600}, {'d', 86400}};
    size_t length = strlen(text);
    double unit = 1, value;

    for (size_t u = 0; u < sizeof units / sizeof *units && length > 0; u++)
        if (text[length - 1] == units[u].letter) {
            unit = units[u].seconds;
            length--;
            break;
        }
    if (length > 63 || !cli_number_real(text, (int)length, &value))
        return CLI_NUMBER_BAD;
    value *= unit;
    if (!(value > 0 && value <= most))
        return CLI_NUMBER_OUT;
    *out = value;
    return CLI_NUMBER_OK;
}
