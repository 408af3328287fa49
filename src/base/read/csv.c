/* csv.c - rows of comma-separated fields.
 *
 * Fields are unquoted into `text`, each with its own end.  Each remembers its
 * start in the line. */
#include "base/read/csv.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "base/caret.h"
#include "base/number.h"
#include "base/read/reader.h"

enum {
    MESSAGE_MAX = 512
};

struct field {
    int text;   /* offset in csv->text */
    int column; /* bytes from the start of the line */
};

struct hs_csv {
    hs_reader *in;       /* owned */
    char *text;          /* owned, longest line + 2 bytes */
    struct field *field; /* owned, [room] */
    int fields, room, fields_max;
    hs_place start; /* start of the row */
};

hiss_status hs_csv_open(hs_csv **out, const char *path, hiss_error *err)
{
    hs_csv *c = hs_alloc_array(1, sizeof *c);
    hiss_status rc;

    *out = NULL;
    if (!c)
        return hs_fail_memory(err);
    rc = hs_reader_open(&c->in, path, err);
    if (rc == HISS_OK) {
        /* every field but the last has a comma */
        c->text = hs_alloc_array(HS_READER_TEXT_MAX + 2, 1);
        c->fields_max = HS_CSV_FIELDS_MAX;
        c->room = 64;
        c->field = hs_alloc_array((size_t)c->room, sizeof *c->field);
        if (!c->text || !c->field)
            rc = hs_fail_memory(err);
    }
    if (rc != HISS_OK) {
        hs_csv_close(c);
        return rc;
    }
    *out = c;
    return HISS_OK;
}

hiss_status hs_csv_open_wide(hs_csv **out, const char *path, hiss_error *err)
{
    hiss_status rc;

    HS_TRY(hs_csv_open(out, path, err));
    hs_free((*out)->text);
    (*out)->text = hs_alloc_array(HS_CSV_WIDE_BYTES + 2, 1);
    (*out)->fields_max = HS_CSV_WIDE_FIELDS;
    rc = (*out)->text ? hs_reader_widen((*out)->in, HS_CSV_WIDE_BYTES, err)
                      : hs_fail_memory(err);
    if (rc != HISS_OK) {
        hs_csv_close(*out);
        *out = NULL;
    }
    return rc;
}

void hs_csv_close(hs_csv *c)
{
    if (!c)
        return;
    hs_reader_close(c->in);
    hs_free(c->text);
    hs_free(c->field);
    hs_free(c);
}

const char *hs_csv_name(const hs_csv *c)
{
    return hs_reader_name(c->in);
}

int64_t hs_csv_line(const hs_csv *c)
{
    return c->start.line;
}

int64_t hs_csv_column(const hs_csv *c, int field)
{
    return c->start.column + c->field[field].column;
}

const char *hs_csv_text(const hs_csv *c, int field)
{
    return c->text + c->field[field].text;
}

static hiss_status fail_at(hs_csv *c, int column, hiss_error *err,
                           const char *message)
{
    hs_place where = c->start;

    where.column += column;
    where.offset += column;
    return hs_reader_fail(c->in, &where, err, "%s", message);
}

hiss_status hs_csv_fail(hs_csv *c, int field, hiss_error *err,
                        const char *format, ...)
{
    char message[MESSAGE_MAX];
    va_list list;

    va_start(list, format);
    hs_vsnprintf(message, sizeof message, format, list);
    va_end(list);
    return fail_at(c, c->field[field].column, err, message);
}

static hiss_status add_field(hs_csv *c, int text, int column, hiss_error *err)
{
    if (c->fields == c->fields_max) {
        char message[64];

        hs_snprintf(message, sizeof message, "the row has more than %d fields",
                    c->fields_max);
        return fail_at(c, column, err, message);
    }
    if (c->fields == c->room) {
        struct field *more = hs_realloc_array(
            c->field, (size_t)c->room, 2 * (size_t)c->room, sizeof *more);

        if (!more)
            return hs_fail_memory(err);
        c->field = more;
        c->room *= 2;
    }
    c->field[c->fields++] = (struct field){text, column};
    return HISS_OK;
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r';
}

/* Reads a quoted field from its opening quote; *at is then behind the closing
 * one. */
static hiss_status read_quoted(hs_csv *c, const char *line, int *at, int *to,
                               hiss_error *err)
{
    int open = (*at)++;

    for (;; (*at)++) {
        if (line[*at] == '\0')
            return fail_at(c, open, err,
                           "this quote is not closed in its line");
        if (line[*at] == '"' && line[++*at] != '"')
            break;
        c->text[(*to)++] = line[*at];
    }
    while (is_blank(line[*at]))
        (*at)++;
    if (line[*at] != ',' && line[*at] != '\0')
        return fail_at(c, *at, err,
                       "found text after a closing quote, expected a comma");
    return HISS_OK;
}

static hiss_status read_bare(hs_csv *c, const char *line, int *at, int *to,
                             hiss_error *err)
{
    int begin = *to;

    for (; line[*at] != ',' && line[*at] != '\0'; (*at)++) {
        if (line[*at] == '"')
            return fail_at(c, *at, err,
                           "found a quote inside a field, expected it around "
                           "the whole field");
        c->text[(*to)++] = line[*at];
    }
    while (*to > begin && is_blank(c->text[*to - 1]))
        (*to)--;
    return HISS_OK;
}

static hiss_status split(hs_csv *c, const char *line, hiss_error *err)
{
    int at = 0, to = 0;

    c->fields = 0;
    for (;; at++) {
        while (is_blank(line[at]))
            at++;
        HS_TRY(add_field(c, to, at, err));
        if (line[at] == '"')
            HS_TRY(read_quoted(c, line, &at, &to, err));
        else
            HS_TRY(read_bare(c, line, &at, &to, err));
        c->text[to++] = '\0';
        if (line[at] == '\0')
            return HISS_OK;
    }
}

void hs_csv_pass_comments(hs_csv *c)
{
    hs_reader_comments(c->in, "#", NULL);
}

hiss_status hs_csv_row(hs_csv *c, int *fields, hiss_error *err)
{
    const char *line;

    *fields = c->fields = 0;
    if (hs_reader_at_end(c->in))
        return HISS_OK;
    c->start = hs_reader_place(c->in);
    HS_TRY(hs_reader_line(c->in, &line, err));
    HS_TRY(split(c, line, err));
    *fields = c->fields;
    return HISS_OK;
}

hiss_status hs_csv_row_of(hs_csv *c, int expected, const char *source,
                          bool *is_there, hiss_error *err)
{
    int fields;

    *is_there = false;
    HS_TRY(hs_csv_row(c, &fields, err));
    if (fields == 0)
        return HISS_OK;
    if (fields != expected)
        return hs_csv_fail(c, fields < expected ? fields - 1 : expected, err,
                           "the row has %d field%s, %s %d", fields,
                           fields == 1 ? "" : "s", source, expected);
    *is_there = true;
    return HISS_OK;
}

hiss_status hs_csv_real(hs_csv *c, int field, double *value, hiss_error *err)
{
    const char *text = hs_csv_text(c, field);
    char quote[HS_QUOTE_MAX];

    *value = 0.0;
    if (hs_number_real(text, value) && isfinite(*value))
        return HISS_OK;
    *value = 0.0;
    if (!*text)
        return hs_csv_fail(c, field, err,
                           "the field is empty, expected a number");
    return hs_csv_fail(c, field, err, "found '%s', expected a finite number",
                       hs_quote(quote, text, strlen(text)));
}
