/* reader.c - words, numbers and lines from a text file.
 *
 * The current line is not stored: a message reads it again.  Not here: the
 * buffer and gzip (source.c), digits (number.c). */
#include "base/read/reader.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "base/caret.h"
#include "base/number.h"
#include "base/read/source.h"

enum {
    KEPT_MAX = 100, /* longest text of hs_reader_keep, with blanks */
    AROUND = 128,
    PHRASE_MAX = 128
};
enum {
    ANYWHERE = 1,
    AT_LINE_START = 2
};

struct hs_reader {
    hs_source in;
    char *name;              /* owned */
    char *text;              /* owned, [longest + 1]: the word or line */
    int longest;             /* HS_READER_TEXT_MAX, or the value of
                                hs_reader_widen */
    const char *const *kept; /* borrowed: lines that are not comments */
    uint8_t comment[256];    /* ANYWHERE or AT_LINE_START, by first character */
    int64_t line;
    int64_t line_offset; /* line offset of the first byte of the present line */
    bool is_fresh;       /* no word of this line has been read */
    hs_place last;       /* position of the last word */
};

static bool is_space(char c)
{
    return c == ' ' || (c >= '\t' && c <= '\r');
}

hiss_status hs_reader_open(hs_reader **out, const char *path, hiss_error *err)
{
    hs_reader *r = hs_alloc_array(1, sizeof *r);
    hiss_status rc;

    *out = NULL;
    if (!r)
        return hs_fail_memory(err);
    rc = hs_source_open(&r->in, path, err);
    if (rc == HISS_OK) {
        r->name = hs_strdup(path);
        r->longest = HS_READER_TEXT_MAX;
        r->text = hs_alloc_array(HS_READER_TEXT_MAX + 1, 1);
        if (!r->name || !r->text)
            rc = hs_fail_memory(err);
    }
    if (rc != HISS_OK) {
        hs_reader_close(r);
        return rc;
    }
    hs_source_fill(&r->in);
    if (r->in.end >= 3 && memcmp(r->in.buffer, "\xef\xbb\xbf", 3) == 0)
        r->in.at = 3;
    r->line = 1;
    r->line_offset = (int64_t)r->in.at;
    r->is_fresh = true;
    r->last = (hs_place){1, 1, r->line_offset};
    *out = r;
    return HISS_OK;
}

void hs_reader_close(hs_reader *r)
{
    if (!r)
        return;
    hs_source_close(&r->in);
    hs_free(r->name);
    hs_free(r->text);
    hs_free(r);
}

hiss_status hs_reader_widen(hs_reader *r, int longest, hiss_error *err)
{
    char *text;

    if (longest <= r->longest)
        return HISS_OK;
    HS_TRY(hs_source_widen(&r->in, 2 * (size_t)longest, err));
    text = hs_realloc_array(r->text, (size_t)r->longest + 1,
                            (size_t)longest + 1, 1);
    if (!text)
        return hs_fail_memory(err);
    r->text = text;
    r->longest = longest;
    return HISS_OK;
}

void hs_reader_comments(hs_reader *r, const char *lines, const char *anywhere)
{
    memset(r->comment, 0, sizeof r->comment);
    for (; lines && *lines; lines++)
        r->comment[(unsigned char)*lines] |= AT_LINE_START;
    for (; anywhere && *anywhere; anywhere++)
        r->comment[(unsigned char)*anywhere] |= ANYWHERE;
}

int64_t hs_reader_size(const hs_reader *r)
{
    return r->in.bound;
}

const char *hs_reader_name(const hs_reader *r)
{
    return r->name;
}

static hs_place place_at(const hs_reader *r, size_t at)
{
    int64_t offset = r->in.base + (int64_t)at;

    return (hs_place){r->line, offset - r->line_offset + 1, offset};
}

static bool begins_comment(const hs_reader *r, char c)
{
    int wanted = r->is_fresh ? ANYWHERE | AT_LINE_START : ANYWHERE;

    return r->comment[(unsigned char)c] & wanted;
}

/* Whether the text comes next; a blank in it stands for one or more. */
static bool comes_next(hs_reader *r, const char *text)
{
    int at = 0;

    for (; *text; text++) {
        int c = hs_reader_ahead(r, at);

        if (*text == ' ' ? !(c == ' ' || c == '\t') : c != *text)
            return false;
        do
            c = hs_reader_ahead(r, ++at);
        while (*text == ' ' && (c == ' ' || c == '\t') && at < KEPT_MAX);
    }
    return true;
}

static bool is_kept(hs_reader *r)
{
    for (const char *const *text = r->kept; text && *text; text++)
        if (r->is_fresh && comes_next(r, *text))
            return true;
    return false;
}

void hs_reader_keep(hs_reader *r, const char *const *texts)
{
    r->kept = texts;
}

static void pass_newline(hs_reader *r)
{
    r->in.at++;
    r->line++;
    r->line_offset = r->in.base + (int64_t)r->in.at;
    r->is_fresh = true;
}

/* Moves to the end of the line or of the file. */
static void skip_line(hs_reader *r)
{
    hs_source *in = &r->in;
    const char *newline;

    do {
        newline = memchr(in->buffer + in->at, '\n', in->end - in->at);
        in->at = newline ? (size_t)(newline - in->buffer) : in->end;
    } while (!newline && hs_source_fill(in));
}

/* Moves to the next word; false at the end of the text. */
static bool skip_to_word(hs_reader *r)
{
    hs_source *in = &r->in;

    while (in->at < in->end || hs_source_fill(in)) {
        char c = in->buffer[in->at];

        if (c == '\n') {
            pass_newline(r);
        } else if (is_space(c)) {
            in->at++;
        } else if (begins_comment(r, c) && !is_kept(r)) {
            skip_line(r);
        } else {
            return true;
        }
    }
    return false;
}

/* Moves to a word or the line end; false at the end of the text. */
static bool skip_blanks(hs_reader *r)
{
    hs_source *in = &r->in;

    while (in->at < in->end || hs_source_fill(in)) {
        char c = in->buffer[in->at];

        if (c == '\n' || !is_space(c))
            return true;
        in->at++;
    }
    return false;
}

bool hs_reader_at_end(hs_reader *r)
{
    return !skip_to_word(r) && r->in.fault == HISS_OK;
}

bool hs_reader_at_line_end(hs_reader *r)
{
    char c;

    if (!skip_blanks(r))
        return r->in.fault == HISS_OK;
    c = r->in.buffer[r->in.at];
    return c == '\n' || begins_comment(r, c);
}

hs_place hs_reader_place(hs_reader *r)
{
    skip_to_word(r);
    return place_at(r, r->in.at);
}

/* Adds the line with the place to the message. */
static void show_line(hs_reader *r, const hs_place *where, hiss_error *err)
{
    char window[2 * AROUND];
    int64_t start = where->offset - (where->column - 1);
    int64_t from = where->offset - AROUND;
    size_t length, at;
    const char *newline;

    if (from < start)
        from = start;
    at = (size_t)(where->offset - from);
    length = hs_source_window(&r->in, from, window, sizeof window);
    if (length < at)
        return;
    newline = memchr(window + at, '\n', length - at);
    if (newline)
        length = (size_t)(newline - window);
    while (length > at && window[length - 1] == '\r')
        length--;
    if (length > 0)
        hs_caret_add(err, window, length, at);
}

hiss_status hs_reader_fail(hs_reader *r, const hs_place *where, hiss_error *err,
                           const char *format, ...)
{
    char message[HISS_ERROR_MAX / 2];
    hs_place place = where ? *where : r->last;
    va_list args;

    if (!err)
        return HISS_EPARSE;
    va_start(args, format);
    hs_vsnprintf(message, sizeof message, format, args);
    va_end(args);
    hs_fail(err, HISS_EPARSE, "%s:%lld:%lld: %s", r->name,
            (long long)place.line, (long long)place.column, message);
    show_line(r, &place, err);
    return HISS_EPARSE;
}

/* Explains a missing word: the end, or a fault of the file. */
hiss_status hs_reader_ended(hs_reader *r, const char *expected, hiss_error *err)
{
    hs_place end = place_at(r, r->in.end);

    if (r->in.is_binary)
        return hs_fail(err, HISS_EPARSE,
                       "%s:%lld:%lld: found a zero byte, expected text: this "
                       "is a binary file",
                       r->name, (long long)end.line, (long long)end.column);
    if (r->in.fault != HISS_OK)
        return hs_fail(err, r->in.fault, "%s: cannot be read: %s", r->name,
                       r->in.reason);
    return hs_reader_fail(r, &end, err, "the file ends here, expected %s",
                          expected);
}

/* Finds the next word, whole in the buffer, and moves behind it.  If it returns
 * false, or if the word is wrong, the caller calls refuse(). */
static bool take_word(hs_reader *r, const char **begin, const char **end)
{
    hs_source *in = &r->in;
    size_t length = 0;

    *begin = *end = NULL;
    if (!skip_to_word(r))
        return false;
    do {
        while (in->at + length < in->end &&
               !is_space(in->buffer[in->at + length]))
            length++;
    } while (in->at + length == in->end && length <= (size_t)r->longest &&
             hs_source_fill(in));
    if (in->at + length == in->end && in->fault != HISS_OK)
        return false;
    r->last = place_at(r, in->at);
    r->is_fresh = false;
    *begin = in->buffer + in->at;
    *end = *begin + length;
    in->at += length;
    return length <= (size_t)r->longest;
}

/* Fails because the word, or its absence, was not expected. */
static hiss_status refuse(hs_reader *r, const char *begin, const char *end,
                          const char *expected, hiss_error *err)
{
    char quote[HS_QUOTE_MAX];

    if (!begin)
        return hs_reader_ended(r, expected, err);
    if (end - begin > r->longest)
        return hs_reader_fail(r, NULL, err,
                              "found a word of more than %d bytes, expected %s",
                              r->longest, expected);
    return hs_reader_fail(r, NULL, err, "found '%s', expected %s",
                          hs_quote(quote, begin, (size_t)(end - begin)),
                          expected);
}

static const char *copy_text(hs_reader *r, const char *begin, const char *end)
{
    size_t length = (size_t)(end - begin);

    memcpy(r->text, begin, length);
    r->text[length] = '\0';
    return r->text;
}

hiss_status hs_reader_word(hs_reader *r, const char **word, hiss_error *err)
{
    const char *begin, *end;

    *word = "";
    if (!take_word(r, &begin, &end))
        return refuse(r, begin, end, "a word", err);
    *word = copy_text(r, begin, end);
    return HISS_OK;
}

static hiss_status refuse_int(hs_reader *r, const char *begin, const char *end,
                              int64_t low, int64_t high, hiss_error *err)
{
    char phrase[PHRASE_MAX];

    if (low == INT64_MIN && high == INT64_MAX)
        snprintf(phrase, sizeof phrase, "a whole number");
    else if (high == INT64_MAX)
        snprintf(phrase, sizeof phrase, "a whole number of at least %lld",
                 (long long)low);
    else
        snprintf(phrase, sizeof phrase, "a whole number from %lld to %lld",
                 (long long)low, (long long)high);
    return refuse(r, begin, end, phrase, err);
}

hiss_status hs_reader_int64(hs_reader *r, int64_t low, int64_t high,
                            int64_t *value, hiss_error *err)
{
    const char *begin, *end;
    int64_t given = 0;

    *value = 0;
    if (!take_word(r, &begin, &end) || !hs_number_whole(begin, end, &given) ||
        given < low || given > high)
        return refuse_int(r, begin, end, low, high, err);
    *value = given;
    return HISS_OK;
}

hiss_status hs_reader_int(hs_reader *r, int low, int high, int *value,
                          hiss_error *err)
{
    int64_t wide = 0;
    hiss_status rc = hs_reader_int64(r, low, high, &wide, err);

    *value = (int)wide;
    return rc;
}

static hiss_status refuse_real(hs_reader *r, const char *begin, const char *end,
                               double low, double high, hiss_error *err)
{
    char phrase[PHRASE_MAX], from[HS_NUMBER_MAX], to[HS_NUMBER_MAX];

    hs_number_print(from, low);
    hs_number_print(to, high);
    if (isinf(low) && isinf(high))
        snprintf(phrase, sizeof phrase, "a finite number");
    else if (isinf(high))
        snprintf(phrase, sizeof phrase, "a finite number of at least %s", from);
    else if (isinf(low))
        snprintf(phrase, sizeof phrase, "a finite number of at most %s", to);
    else
        snprintf(phrase, sizeof phrase, "a number from %s to %s", from, to);
    return refuse(r, begin, end, phrase, err);
}

hiss_status hs_reader_real(hs_reader *r, double low, double high, double *value,
                           hiss_error *err)
{
    const char *begin, *end;
    double given = 0;

    *value = 0;
    if (!take_word(r, &begin, &end) ||
        !(hs_number_quick(begin, end, &given) ||
          hs_number_real(copy_text(r, begin, end), &given)) ||
        !isfinite(given) || given < low || given > high)
        return refuse_real(r, begin, end, low, high, err);
    *value = given;
    return HISS_OK;
}

hiss_status hs_reader_count(hs_reader *r, int64_t low, int64_t high, int words,
                            int64_t *value, hiss_error *err)
{
    int64_t given = 0, rest, most;

    *value = 0;
    HS_TRY(hs_reader_int64(r, low, high, &given, err));
    rest = r->in.bound - (r->in.base + (int64_t)r->in.at);
    most = rest / 2 / words; /* a word takes one byte and a separator */
    if (given > most)
        return hs_reader_fail(r, NULL, err,
                              "%lld are announced, but the rest of the file "
                              "has room for %lld at most",
                              (long long)given, (long long)most);
    *value = given;
    return HISS_OK;
}

/* Removes comment and white space from the end of a line. */
static void trim(const hs_reader *r, char *line)
{
    size_t length = 0, i = 0;

    for (; line[i]; i++) {
        if (is_space(line[i]))
            continue;
        if ((i == 0 || is_space(line[i - 1])) &&
            r->comment[(unsigned char)line[i]] & ANYWHERE)
            break;
        length = i + 1;
    }
    line[length] = '\0';
}

hiss_status hs_reader_line(hs_reader *r, const char **line, hiss_error *err)
{
    hs_source *in = &r->in;
    const char *newline;
    size_t length = 0;

    *line = "";
    if (!(r->is_fresh ? skip_to_word(r) : skip_blanks(r)) &&
        (r->is_fresh || in->fault != HISS_OK))
        return hs_reader_ended(r, "a line", err);
    r->last = place_at(r, in->at);
    do {
        newline = memchr(in->buffer + in->at + length, '\n',
                         in->end - in->at - length);
        length = newline ? (size_t)(newline - in->buffer) - in->at
                         : in->end - in->at;
    } while (!newline && length <= (size_t)r->longest && hs_source_fill(in));
    if (!newline && in->fault != HISS_OK)
        return hs_reader_ended(r, "a line", err);
    if (length > (size_t)r->longest)
        return hs_reader_fail(r, NULL, err,
                              "found a line of more than %d bytes", r->longest);
    copy_text(r, in->buffer + in->at, in->buffer + in->at + length);
    trim(r, r->text);
    *line = r->text;
    in->at += length;
    r->is_fresh = true;
    if (newline)
        pass_newline(r);
    return HISS_OK;
}

hiss_status hs_reader_expect_end(hs_reader *r, hiss_error *err)
{
    const char *begin, *end;

    if (hs_reader_at_end(r))
        return HISS_OK;
    take_word(r, &begin, &end);
    return refuse(r, begin, end, "the end of the file", err);
}

int hs_reader_ahead(hs_reader *r, int n)
{
    hs_source *in = &r->in;

    while (in->at + (size_t)n >= in->end)
        if (!hs_source_fill(in))
            return -1;
    return (unsigned char)in->buffer[in->at + (size_t)n];
}

void hs_reader_pass(hs_reader *r)
{
    if (hs_reader_ahead(r, 0) < 0)
        return;
    r->last = place_at(r, r->in.at);
    if (r->in.buffer[r->in.at] == '\n')
        pass_newline(r);
    else
        r->in.at++;
}

hs_place hs_reader_here(const hs_reader *r)
{
    return place_at(r, r->in.at);
}
