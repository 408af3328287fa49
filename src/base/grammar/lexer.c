/* lexer.c - tokens of texts that have a grammar. */
#include "base/grammar/lexer.h"

#include <math.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "base/ascii.h"
#include "base/caret.h"
#include "base/number.h"

enum {
    END = -1,
    PHRASE_MAX = 128
};

static bool is_one_of(const char *set, int c)
{
    return set && c != '\0' && strchr(set, c) != NULL;
}

static hiss_status put(hs_lexer *l, int c, hiss_error *err)
{
    if (l->length + 1 >= l->room) {
        size_t room = l->room > 0 ? 2 * l->room : 64;
        char *text;

        if (l->length >= HS_READER_TEXT_MAX)
            return hs_reader_fail(l->in, &l->place, err,
                                  "found a word of more than %d bytes",
                                  HS_READER_TEXT_MAX);
        text = hs_realloc_array(l->text, l->room, room, 1);
        if (!text)
            return hs_fail_memory(err);
        l->text = text;
        l->room = room;
    }
    l->text[l->length++] = (char)c;
    l->text[l->length] = '\0';
    return HISS_OK;
}

static void skip_line(hs_lexer *l)
{
    int c;

    while ((c = hs_reader_ahead(l->in, 0)) != END && c != '\n')
        hs_reader_pass(l->in);
}

/* Skips a comment between slash-star and star-slash. */
static hiss_status skip_block(hs_lexer *l, hiss_error *err)
{
    hs_place where = hs_reader_here(l->in);

    hs_reader_pass(l->in);
    hs_reader_pass(l->in);
    while (hs_reader_ahead(l->in, 0) != '*' ||
           hs_reader_ahead(l->in, 1) != '/') {
        if (hs_reader_ahead(l->in, 0) == END)
            return hs_reader_fail(l->in, &where, err,
                                  "the comment that begins here does not end");
        hs_reader_pass(l->in);
    }
    hs_reader_pass(l->in);
    hs_reader_pass(l->in);
    return HISS_OK;
}

/* Moves to the first character of a token, or to the end. */
static hiss_status skip_space(hs_lexer *l, hiss_error *err)
{
    for (;;) {
        int c = hs_reader_ahead(l->in, 0);
        int next = c == '/' ? hs_reader_ahead(l->in, 1) : END;

        if (c == END)
            return HISS_OK;
        if (hs_is_space((char)c))
            hs_reader_pass(l->in);
        else if (is_one_of(l->comments, c) || (l->has_slashes && next == '/'))
            skip_line(l);
        else if (l->has_slashes && next == '*')
            HS_TRY(skip_block(l, err));
        else
            return HISS_OK;
    }
}

static hiss_status read_string(hs_lexer *l, hiss_error *err)
{
    l->token = HS_TOKEN_STRING;
    hs_reader_pass(l->in);
    for (;;) {
        int c = hs_reader_ahead(l->in, 0);

        if (c == END)
            return hs_reader_fail(l->in, &l->place, err,
                                  "the string that begins here does not end");
        hs_reader_pass(l->in);
        if (c == '"')
            return HISS_OK;
        if (c == '\\' && (hs_reader_ahead(l->in, 0) == '"' ||
                          hs_reader_ahead(l->in, 0) == '\\')) {
            c = hs_reader_ahead(l->in, 0);
            hs_reader_pass(l->in);
        }
        HS_TRY(put(l, c, err));
    }
}

static hiss_status read_word(hs_lexer *l, hiss_error *err)
{
    l->token = HS_TOKEN_WORD;
    for (;;) {
        int c = hs_reader_ahead(l->in, 0);

        if (c == END || hs_is_space((char)c) || c == '"' ||
            is_one_of(l->marks, c))
            return HISS_OK;
        HS_TRY(put(l, c, err));
        hs_reader_pass(l->in);
    }
}

hiss_status hs_lexer_next(hs_lexer *l, hiss_error *err)
{
    int c;

    HS_TRY(skip_space(l, err));
    l->length = 0;
    l->text[0] = '\0';
    l->place = hs_reader_here(l->in);
    c = hs_reader_ahead(l->in, 0);
    if (c == END) {
        l->token = HS_TOKEN_END;
        return hs_reader_at_end(l->in) ? HISS_OK
                                       : hs_reader_ended(l->in, "text", err);
    }
    if (c == '"')
        return read_string(l, err);
    if (!is_one_of(l->marks, c))
        return read_word(l, err);
    l->token = HS_TOKEN_MARK;
    hs_reader_pass(l->in);
    return put(l, c, err);
}

hiss_status hs_lexer_begin(hs_lexer *l, hiss_error *err)
{
    l->room = 64;
    l->text = hs_alloc_array(l->room, 1);
    if (!l->text)
        return hs_fail_memory(err);
    return hs_lexer_next(l, err);
}

void hs_lexer_end(hs_lexer *l)
{
    hs_free(l->text);
    l->text = NULL;
}

bool hs_lexer_is_mark(const hs_lexer *l, char mark)
{
    return l->token == HS_TOKEN_MARK && l->text[0] == mark;
}

bool hs_lexer_is_word(const hs_lexer *l, const char *word)
{
    return l->token == HS_TOKEN_WORD && strcmp(l->text, word) == 0;
}

hiss_status hs_lexer_refuse(hs_lexer *l, const char *expected, hiss_error *err)
{
    char quote[HS_QUOTE_MAX];

    if (l->token == HS_TOKEN_END)
        return hs_reader_fail(l->in, &l->place, err,
                              "the file ends here, expected %s", expected);
    return hs_reader_fail(l->in, &l->place, err, "found '%s', expected %s",
                          hs_quote(quote, l->text, l->length), expected);
}

hiss_status hs_lexer_fail(hs_lexer *l, const hs_place *where, hiss_error *err,
                          const char *format, ...)
{
    char message[HISS_ERROR_MAX / 2];
    va_list args;

    va_start(args, format);
    hs_vsnprintf(message, sizeof message, format, args);
    va_end(args);
    return hs_reader_fail(l->in, where ? where : &l->place, err, "%s", message);
}

hiss_status hs_lexer_skip(hs_lexer *l, char mark, bool *was_there,
                          hiss_error *err)
{
    bool is_there = hs_lexer_is_mark(l, mark);

    if (was_there)
        *was_there = is_there;
    return is_there ? hs_lexer_next(l, err) : HISS_OK;
}

hiss_status hs_lexer_mark(hs_lexer *l, char mark, hiss_error *err)
{
    char expected[] = "' '";

    expected[1] = mark;
    if (!hs_lexer_is_mark(l, mark))
        return hs_lexer_refuse(l, expected, err);
    return hs_lexer_next(l, err);
}

hiss_status hs_lexer_name(hs_lexer *l, const char *expected, char **text,
                          hiss_error *err)
{
    hiss_status rc;

    *text = NULL;
    if (l->token != HS_TOKEN_WORD && l->token != HS_TOKEN_STRING)
        return hs_lexer_refuse(l, expected, err);
    *text = hs_strdup(l->text);
    if (!*text)
        return hs_fail_memory(err);
    rc = hs_lexer_next(l, err);
    if (rc != HISS_OK) {
        hs_free(*text);
        *text = NULL;
    }
    return rc;
}

hiss_status hs_lexer_real(hs_lexer *l, double low, double high, double *value,
                          hiss_error *err)
{
    char phrase[PHRASE_MAX];
    double given = 0.0;

    *value = 0.0;
    if (l->token == HS_TOKEN_WORD && hs_number_real(l->text, &given) &&
        isfinite(given) && given >= low && given <= high) {
        *value = given;
        return hs_lexer_next(l, err);
    }
    if (isinf(low) && isinf(high))
        snprintf(phrase, sizeof phrase, "a finite number");
    else if (isinf(high))
        hs_snprintf(phrase, sizeof phrase, "a finite number of at least %g",
                    low);
    else
        hs_snprintf(phrase, sizeof phrase, "a number from %g to %g", low, high);
    return hs_lexer_refuse(l, phrase, err);
}

hiss_status hs_lexer_int(hs_lexer *l, int low, int high, int *value,
                         hiss_error *err)
{
    char phrase[PHRASE_MAX];
    int64_t given = 0;

    *value = 0;
    if (l->token == HS_TOKEN_WORD &&
        hs_number_whole(l->text, l->text + l->length, &given) && given >= low &&
        given <= high) {
        *value = (int)given;
        return hs_lexer_next(l, err);
    }
    snprintf(phrase, sizeof phrase, "a whole number from %d to %d", low, high);
    return hs_lexer_refuse(l, phrase, err);
}
