/* spec.c - a recursive descent parser of specs.
 *
 * HS_SPEC_DEPTH_MAX bounds the depth, and the length of the text bounds time
 * and memory.  Not here: building and copying (spec_build.c), printing
 * (spec_print.c), the nearest name (nearest.c), the meaning of arguments
 * (option.c). */
#include "base/spec/spec.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "base/caret.h"
#include "base/error.h"
#include "base/number.h"

struct parser {
    const char *text; /* borrowed: the whole */
    const char *at;   /* borrowed: the next character */
    const char *what; /* borrowed: name of the text in messages */
    int depth;        /* open brackets and parentheses */
    hiss_error *err;  /* borrowed */
};

static bool is_space(char c)
{
    return c == ' ' || (c >= '\t' && c <= '\r');
}

static bool is_letter(char c)
{
    return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || c == '_';
}

bool hs_spec_is_word_char(char c)
{
    return (unsigned char)c > ' ' && c != 0x7f && !strchr("\"'[](),=", c);
}

bool hs_spec_is_name(const char *text)
{
    if (!is_letter(*text))
        return false;
    while (is_letter(*text) || (*text >= '0' && *text <= '9') || *text == '-')
        text++;
    return *text == '\0';
}

static hiss_status fail_at(struct parser *p, const char *where,
                           const char *format, ...) HS_PRINTF(3, 4);

/* Fails at `where`, a place in the text. */
static hiss_status fail_at(struct parser *p, const char *where,
                           const char *format, ...)
{
    char message[HISS_ERROR_MAX / 2];
    size_t offset = (size_t)(where - p->text);
    va_list args;

    va_start(args, format);
    hs_vsnprintf(message, sizeof message, format, args);
    va_end(args);
    hs_fail(p->err, HISS_EARG, "%s, column %zu: %s", p->what, offset + 1,
            message);
    hs_caret_add(p->err, p->text, strlen(p->text), offset);
    return HISS_EARG;
}

/* Fails at the next token, which the grammar does not allow. */
static hiss_status unexpected(struct parser *p, const char *expected)
{
    char quote[HS_QUOTE_MAX];
    size_t length = 0;

    if (*p->at == '\0')
        return fail_at(p, p->at, "expected %s, found the end", expected);
    if (*p->at == '\'')
        return fail_at(p, p->at,
                       "expected %s, found a single quote; text is quoted "
                       "as \"...\"",
                       expected);
    while (hs_spec_is_word_char(p->at[length]))
        length++;
    return fail_at(p, p->at, "expected %s, found '%s'", expected,
                   hs_quote(quote, p->at, length ? length : 1));
}

static void skip_space(struct parser *p)
{
    while (is_space(*p->at))
        p->at++;
}

static hiss_status parse_value(struct parser *p, hs_spec *out);

static hiss_status parse_word(struct parser *p, char **out)
{
    size_t length = 0;

    while (hs_spec_is_word_char(p->at[length]))
        length++;
    if (length == 0)
        return unexpected(p, "a value");
    *out = hs_strndup(p->at, length);
    if (!*out)
        return hs_fail_memory(p->err);
    p->at += length;
    return HISS_OK;
}

/* Reads key=value or value. */
static hiss_status parse_argument(struct parser *p, hs_spec *out)
{
    const char *start = p->at;
    char quote[HS_QUOTE_MAX];
    size_t length = 0;

    while (hs_spec_is_word_char(p->at[length]))
        length++;
    p->at += length;
    skip_space(p);
    if (length == 0 || *p->at != '=') {
        p->at = start;
        return parse_value(p, out);
    }
    out->key = hs_strndup(start, length);
    if (!out->key)
        return hs_fail_memory(p->err);
    if (!hs_spec_is_name(out->key))
        return fail_at(p, start,
                       "'%s' is not a key: a key has letters, digits, '_' and "
                       "'-' and does not start with a digit",
                       hs_quote(quote, start, length));
    p->at++;
    skip_space(p);
    return parse_value(p, out);
}

/* Reads the inside of (...)  or [...], both brackets included. */
static hiss_status parse_inside(struct parser *p, hs_spec *s)
{
    const char *open = p->at++;
    char close = *open == '(' ? ')' : ']';

    if (p->depth == HS_SPEC_DEPTH_MAX)
        return fail_at(p, open, "nested more than %d deep", HS_SPEC_DEPTH_MAX);
    p->depth++;
    skip_space(p);
    while (*p->at != close || s->count > 0 || close == ']') {
        hs_spec *child;

        if (*p->at == '\0')
            return fail_at(p, open, "'%c' is never closed", *open);
        child = hs_spec_add(s);
        if (!child)
            return hs_fail_memory(p->err);
        if (close == ')')
            HS_TRY(parse_argument(p, child));
        else
            HS_TRY(parse_value(p, child));
        skip_space(p);
        if (*p->at == close)
            break;
        if (*p->at == '\0')
            return fail_at(p, open, "'%c' is never closed", *open);
        if (*p->at != ',')
            return unexpected(p, close == ')' ? "',' or ')'" : "',' or ']'");
        p->at++;
        skip_space(p);
    }
    p->at++;
    p->depth--;
    return HISS_OK;
}

static hiss_status parse_quoted(struct parser *p, hs_spec *out)
{
    const char *open = p->at++;
    const char *end = p->at;
    size_t length = 0;

    while (*end && *end != '"')
        end += *end == '\\' && (end[1] == '"' || end[1] == '\\') ? 2 : 1;
    if (*end == '\0')
        return fail_at(p, open, "'\"' is never closed");
    out->text = hs_alloc_array((size_t)(end - p->at) + 1, 1);
    if (!out->text)
        return hs_fail_memory(p->err);
    for (; p->at < end; p->at++) {
        if (*p->at == '\\' && (p->at[1] == '"' || p->at[1] == '\\'))
            p->at++;
        out->text[length++] = *p->at;
    }
    p->at++;
    out->is_quoted = true;
    return HISS_OK;
}

static hiss_status parse_value(struct parser *p, hs_spec *out)
{
    const char *start = p->at;
    char quote[HS_QUOTE_MAX];

    out->column = (int)(start - p->text) + 1;
    if (*p->at == '"')
        return parse_quoted(p, out);
    if (*p->at == '[') {
        out->is_list = true;
        return parse_inside(p, out);
    }
    HS_TRY(parse_word(p, &out->text));
    skip_space(p);
    if (*p->at != '(')
        return HISS_OK;
    if (!hs_spec_is_name(out->text))
        return fail_at(p, start, "'%s' is not a name and takes no arguments",
                       hs_quote(quote, out->text, strlen(out->text)));
    out->has_parens = true;
    return parse_inside(p, out);
}

static hiss_status parse_whole(struct parser *p, hs_spec *out, bool any_value)
{
    hiss_status rc;

    *out = (hs_spec){0};
    if (strlen(p->text) > HS_SPEC_LENGTH_MAX)
        return hs_fail(p->err, HISS_EARG,
                       "%s: %zu characters, at most %d are allowed", p->what,
                       strlen(p->text), HS_SPEC_LENGTH_MAX);
    skip_space(p);
    if (*p->at == '\0')
        return hs_fail(p->err, HISS_EARG, "%s: empty, expected a %s", p->what,
                       any_value ? "value" : "name");
    if (!any_value && !is_letter(*p->at))
        return unexpected(p, "a name");
    rc = parse_value(p, out);
    skip_space(p);
    if (rc == HISS_OK && *p->at == ')')
        rc = fail_at(p, p->at, "')' without '('");
    else if (rc == HISS_OK && *p->at != '\0')
        rc = unexpected(p, out->count > 0 ? "the end" : "'(' or the end");
    else if (rc == HISS_OK && !any_value && !hs_spec_is_name(out->text))
        rc = fail_at(p, p->text + out->column - 1,
                     "expected a name of letters, digits, '_' and '-'");
    if (rc != HISS_OK)
        hs_spec_clear(out);
    return rc;
}

hiss_status hs_spec_parse_as(hs_spec *out, const char *text, const char *what,
                             hiss_error *err)
{
    struct parser p = {text, text, what, 0, err};

    return parse_whole(&p, out, false);
}

hiss_status hs_spec_parse_value(hs_spec *out, const char *text,
                                const char *what, hiss_error *err)
{
    struct parser p = {text, text, what, 0, err};

    return parse_whole(&p, out, true);
}

hiss_status hs_spec_parse(hs_spec *out, const char *text, hiss_error *err)
{
    return hs_spec_parse_as(out, text, "spec", err);
}

bool hs_spec_is(const hs_spec *spec, const char *name)
{
    return spec->text && strcmp(spec->text, name) == 0;
}

const hs_spec *hs_spec_find(const hs_spec *spec, const char *key)
{
    for (int i = 0; i < spec->count; i++)
        if (spec->child[i].key && strcmp(spec->child[i].key, key) == 0)
            return &spec->child[i];
    return NULL;
}
