/* lines.c - shared code of formats with one entry per line. */
#include "format/parts/lines.h"

#include <stdlib.h>
#include <string.h>

#include "base/caret.h"
#include "base/number.h"

hiss_status hs_lines_more(hs_reader *in, int64_t done, int64_t all,
                          const char *entries, hiss_error *err)
{
    hs_place end;

    if (!hs_reader_at_end(in))
        return HISS_OK;
    end = hs_reader_place(in);
    return hs_reader_fail(in, &end, err,
                          "the file ends here, after %lld of %lld %s",
                          (long long)done, (long long)all, entries);
}

hiss_status hs_lines_within(hs_reader *in, const char *expected,
                            hiss_error *err)
{
    if (!hs_reader_at_line_end(in))
        return HISS_OK;
    return hs_reader_fail(
        in, NULL, err, "the line ends after this word, expected %s", expected);
}

static hiss_status refuse(hs_reader *in, const char *expected, hiss_error *err)
{
    char quote[HS_QUOTE_MAX];
    const char *word;

    HS_TRY(hs_reader_word(in, &word, err));
    return hs_reader_fail(in, NULL, err, "found '%s', expected %s",
                          hs_quote(quote, word, strlen(word)), expected);
}

hiss_status hs_lines_end(hs_reader *in, hiss_error *err)
{
    if (hs_reader_at_line_end(in))
        return HISS_OK;
    return refuse(in, "the end of the line", err);
}

hiss_status hs_lines_done(hs_reader *in, int64_t all, const char *entries,
                          hiss_error *err)
{
    char expected[96];

    if (hs_reader_at_end(in))
        return HISS_OK;
    snprintf(expected, sizeof expected,
             "the end of the file: %lld %s were announced", (long long)all,
             entries);
    return refuse(in, expected, err);
}

hiss_status hs_lines_word(hs_reader *in, char mark, const char **word,
                          char comment[HS_COMMENT_MAX], hiss_error *err)
{
    const char *rest;

    HS_TRY(hs_reader_word(in, word, err));
    if ((*word)[0] != mark)
        return HISS_OK;
    snprintf(comment, HS_COMMENT_MAX, "%s", *word);
    *word = NULL;
    HS_TRY(hs_reader_line(in, &rest, err));
    strncat(comment, " ", HS_COMMENT_MAX - 1 - strlen(comment));
    strncat(comment, rest, HS_COMMENT_MAX - 1 - strlen(comment));
    return HISS_OK;
}

hiss_status hs_lines_whole(hs_reader *in, const char *word, int64_t low,
                           int64_t high, int64_t *value, hiss_error *err)
{
    char quote[HS_QUOTE_MAX];

    if (hs_number_whole(word, word + strlen(word), value) && *value >= low &&
        *value <= high)
        return HISS_OK;
    *value = 0;
    return hs_reader_fail(
        in, NULL, err, "found '%s', expected a whole number from %lld to %lld",
        hs_quote(quote, word, strlen(word)), (long long)low, (long long)high);
}

int64_t hs_lines_tables_max(const hs_reader *in)
{
    enum {
        EACH_BYTE = 64
    };
    const int64_t least = INT64_C(1) << 24, most = INT64_C(1) << 28;
    int64_t size = hs_reader_size(in);

    return size >= most / EACH_BYTE ? most : least + EACH_BYTE * size;
}

void hs_lines_print(FILE *to, double value)
{
    char text[HS_NUMBER_MAX];

    hs_number_print(text, value == 0.0 ? 0.0 : value); /* no -0 */
    fputs(text, to);
}

void hs_lines_print_plain(FILE *to, double value)
{
    char text[HS_NUMBER_MAX], digits[HS_NUMBER_MAX];
    int exponent, count = 0, point = -1;
    const char *e;

    hs_number_print(text, value == 0.0 ? 0.0 : value);
    e = strchr(text, 'e');
    if (!e) {
        fputs(text, to);
        return;
    }
    exponent = atoi(e + 1);
    for (const char *c = text; c < e; c++) {
        if (*c == '.')
            point = count;
        else if (*c == '-')
            fputc('-', to);
        else
            digits[count++] = *c;
    }
    point = (point < 0 ? count : point) + exponent; /* digits before the
                                                       point */
    if (point <= 0)
        fputs("0.", to);
    for (int zero = point; zero < 0; zero++)
        fputc('0', to);
    for (int d = 0; d < count || d < point; d++) {
        if (d == point && d > 0)
            fputc('.', to);
        fputc(d < count ? digits[d] : '0', to);
    }
}
