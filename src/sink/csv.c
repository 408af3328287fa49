/* csv.c - a result as tidy CSV: chain,draw,lp,x.1,...
 *
 * `#` lines come first, the last of them being the manifest.  Rows are sorted
 * by chain, then draw, both from 0.  lp has all its digits.  A `#` line with a
 * checksum comes last (seal.h).  A reader requires exactly the rows that the
 * head announces.  Not here: acceptance rates and warm-up, which have no
 * columns. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/number.h"
#include "base/read/source.h"
#include "base/text.h"
#include "sink/file.h"
#include "sink/seal.h"
#include "sink/sink.h"

#define CELL 32 /* bytes for any cell and its comma */

/* --- writing ------------------------------------------------------------ */

/* A file and the checksum of its contents. */
struct writing {
    hs_file file; /* owned */
    hs_xxh64 sum;
};

static void put(struct writing *w, const char *bytes, size_t count)
{
    hs_xxh64_add(&w->sum, bytes, count);
    fwrite(bytes, 1, count, w->file.stream);
}

/* Comments and column names; NULL if memory is short. */
static char *head_of(const hs_output *out)
{
    const char *line = out->comments;
    char name[32];
    hs_text head = {0};

    while (line && *line) {
        size_t length = strcspn(line, "\n");

        hs_text_add_string(&head, "# ");
        hs_text_add(&head, line, length);
        hs_text_add_char(&head, '\n');
        line += length + (line[length] == '\n');
    }
    hs_text_add_string(&head, "# manifest: ");
    hs_text_add_string(&head, out->manifest);
    hs_text_add_string(&head, "\nchain,draw,lp");
    for (int i = 1; i <= out->domain->dim; i++) {
        snprintf(name, sizeof name, ",x.%d", i);
        hs_text_add_string(&head, name);
    }
    hs_text_add_char(&head, '\n');
    return hs_text_take(&head);
}

/* Appends ",value"; whole numbers without printf, because they are most of the
 * file. */
static char *put_value(char *at, double value)
{
    int whole = (int)value, digits = 0;
    unsigned left = whole < 0 ? 0u - (unsigned)whole : (unsigned)whole;
    char text[16];

    *at++ = ',';
    if ((double)whole != value)
        return at + hs_snprintf(at, CELL - 1, "%.9g", value);
    if (whole < 0)
        *at++ = '-';
    do
        text[digits++] = (char)('0' + left % 10);
    while ((left /= 10) > 0);
    while (digits > 0)
        *at++ = text[--digits];
    return at;
}

static void write_rows(struct writing *w, const hs_output *out, char *row)
{
    int dim = out->domain->dim;
    char lp_text[CELL] = "";
    double lp_last = 0.0;

    for (int c = 0; c < out->chains; c++)
        for (int64_t n = 0; n < out->kept.samples && !ferror(w->file.stream);
             n++) {
            int64_t draw = c * out->kept.samples + n;
            double lp = out->kept.lp[draw];
            char *at = row;

            if (lp != lp_last || !*lp_text)
                hs_snprintf(lp_text, sizeof lp_text, "%.17g", lp);
            lp_last = lp;
            at += snprintf(at, 3 * CELL, "%d,%" PRId64 ",%s", c, n, lp_text);
            for (int i = 0; i < dim; i++)
                at = put_value(at,
                               hs_element_at(out->element, out->kept.x,
                                             draw * (int64_t)dim + (int64_t)i));
            *at++ = '\n';
            put(w, row, (size_t)(at - row));
        }
}

static hiss_status csv_write(const hs_output *out, const char *path,
                             bool replace, hiss_error *err)
{
    char *row = hs_alloc_array((size_t)out->domain->dim + 4, CELL);
    char *head = head_of(out);
    struct writing w;
    hiss_status rc;

    if (row && head)
        rc = hs_file_open(&w.file, path, replace, err);
    else
        rc = hs_fail_memory(err);
    if (rc == HISS_OK) {
        hs_xxh64_init(&w.sum);
        put(&w, head, strlen(head));
        write_rows(&w, out, row);
        hs_seal_put(w.file.stream, &w.sum);
        rc = hs_file_commit(&w.file, err);
    }
    hs_free(head);
    hs_free(row);
    return rc;
}

/* --- reading ------------------------------------------------------------ */

/* A file read by characters, with the line for messages. */
struct reading {
    hs_source source; /* owned */
    const char *path;
    int64_t line;
};

/* The contents of the comments. */
struct head {
    int64_t chains, samples, dim;
    hiss_element element;
    char *manifest; /* owned */
    bool is_ours;
};

/* Returns the next character without consuming it; -1 at the end. */
static int peek(struct reading *r)
{
    if (r->source.at == r->source.end && !hs_source_fill(&r->source))
        return -1;
    return (unsigned char)r->source.buffer[r->source.at];
}

static int take(struct reading *r)
{
    int c = peek(r);

    r->source.at += c >= 0;
    r->line += c == '\n';
    return c;
}

static hiss_status cut_short(const struct reading *r, const struct head *h,
                             int64_t rows, hiss_error *err)
{
    if (r->source.fault != HISS_OK)
        return hs_fail(err, r->source.fault, "%s: %s", r->path,
                       r->source.reason);
    return hs_fail(err, HISS_EPARSE,
                   "%s:%" PRId64 ": the file is cut short: %" PRId64
                   " whole rows, expected %" PRId64 " chains of %" PRId64
                   " draws",
                   r->path, r->line, rows, h->chains, h->samples);
}

/* Returns the rest of a line, without its end; owned by the caller, NULL if
 * memory is short. */
static char *rest_of_line(struct reading *r)
{
    hs_text text = {0};
    int c;

    hs_text_add_string(&text, "");
    while ((c = take(r)) >= 0 && c != '\n')
        if (c != '\r')
            hs_text_add_char(&text, (char)c);
    return hs_text_take(&text);
}

/* Reads "# key: value". */
static hiss_status take_comment(struct reading *r, struct head *h,
                                hiss_error *err)
{
    static const char *const elements[] = {"int8", "int16", "float32"};
    char *line = rest_of_line(r), *value;
    hiss_status rc = HISS_OK;
    const char *key;

    if (!line)
        return hs_fail_memory(err);
    key = line + 1 + strspn(line + 1, " ");
    value = strstr(line, ": ");
    if (value) {
        const char *end = value + 2 + strlen(value + 2);

        *value = '\0';
        value += 2;
        if (strcmp(key, "hiss") == 0)
            h->is_ours = true;
        if (strcmp(key, "chains") == 0)
            hs_number_whole(value, end, &h->chains);
        if (strcmp(key, "samples") == 0)
            hs_number_whole(value, end, &h->samples);
        for (int e = 0; strcmp(key, "element") == 0 && e < 3; e++)
            if (strcmp(value, elements[e]) == 0)
                h->element = (hiss_element)e;
        if (strcmp(key, "manifest") == 0 && !h->manifest) {
            h->manifest = hs_strdup(value);
            rc = h->manifest ? HISS_OK : hs_fail_memory(err);
        }
    }
    hs_free(line);
    return rc;
}

/* Reads the comments and the line of column names. */
static hiss_status take_head(struct reading *r, struct head *h, hiss_error *err)
{
    static const char start[] = "chain,draw,lp,x.1";
    char *names;

    while (peek(r) == '#')
        HS_TRY(take_comment(r, h, err));
    if (!h->is_ours || !h->manifest)
        return hs_fail(err, HISS_EPARSE,
                       "%s: this is no result of hiss: it has no lines "
                       "'# hiss: VERSION' and '# manifest: ...'",
                       r->path);
    names = rest_of_line(r);
    if (!names)
        return hs_fail_memory(err);
    h->dim = strncmp(names, start, sizeof start - 1) == 0;
    for (const char *c = names + sizeof start - 1; h->dim > 0 && *c; c++)
        h->dim += *c == ',';
    hs_free(names);
    if (h->dim > 0)
        return HISS_OK;
    return hs_fail(err, HISS_EPARSE,
                   "%s:%" PRId64 ":1: expected the column names %s,...",
                   r->path, r->line - 1, start);
}

/* Reads a number that ends before a comma or the end of the line. */
static bool take_number(struct reading *r, double *out)
{
    char word[CELL];
    int length = 0, c;

    while ((c = peek(r)) >= 0 && c != ',' && c != '\n' && c != '\r') {
        if (length == CELL - 1)
            return false;
        word[length++] = (char)c;
        r->source.at++;
    }
    word[length] = '\0';
    if (length == 1 && *word >= '0' && *word <= '9') {
        *out = *word - '0';
        return c >= 0;
    }
    return c >= 0 && length > 0 &&
           (hs_number_quick(word, word + length, out) ||
            hs_number_real(word, out));
}

static void put_element(hs_loaded *in, int64_t at, double value)
{
    if (in->element == HISS_INT8)
        ((int8_t *)in->x)[at] = (int8_t)value;
    else if (in->element == HISS_INT16)
        ((int16_t *)in->x)[at] = (int16_t)value;
    else
        ((float *)in->x)[at] = (float)value;
}

/* Reads one row; its number must be `row`. */
static bool take_row(struct reading *r, hs_loaded *in, int64_t row)
{
    double cell[3], value;
    int c;

    for (int k = 0; k < 3; k++)
        if (!take_number(r, &cell[k]) || take(r) != ',')
            return false;
    if (cell[0] != (double)(row / in->samples) ||
        cell[1] != (double)(row % in->samples))
        return false;
    in->lp[row] = cell[2];
    for (int i = 0; i < in->dim; i++) {
        if (!take_number(r, &value) || !(fabs(value) <= 3e38) ||
            (in->element == HISS_INT8 && fabs(value) > 128.0) ||
            (in->element == HISS_INT16 && fabs(value) > 32768.0) ||
            (in->element != HISS_FLOAT32 && value != floor(value)))
            return false;
        put_element(in, row * in->dim + i, value);
        if (i + 1 < in->dim && take(r) != ',')
            return false;
    }
    c = take(r);
    return c == '\r' ? take(r) == '\n' : c == '\n';
}

static hiss_status take_rows(struct reading *r, const struct head *h,
                             hs_loaded *in, hiss_error *err)
{
    int64_t rows = h->chains * h->samples;

    for (int64_t n = 0; n < rows; n++) {
        if (peek(r) < 0)
            return cut_short(r, h, n, err);
        if (take_row(r, in, n))
            continue;
        if (peek(r) < 0)
            return cut_short(r, h, n, err);
        return hs_fail(err, HISS_EPARSE,
                       "%s:%" PRId64 ": expected row %" PRId64
                       " of chain %" PRId64 " with lp and %d values of the "
                       "model",
                       r->path, r->line, n % h->samples, n / h->samples,
                       in->dim);
    }
    while (peek(r) == '#') { /* the checksum: seal.h */
        char *line = rest_of_line(r);

        if (!line)
            return hs_fail_memory(err);
        hs_free(line);
    }
    if (peek(r) < 0)
        return HISS_OK;
    return hs_fail(err, HISS_EPARSE,
                   "%s:%" PRId64 ": more rows than the %" PRId64
                   " chains of %" PRId64 " draws that its head announces",
                   r->path, r->line, h->chains, h->samples);
}

static hiss_status csv_read(hs_loaded *in, const char *path, hiss_error *err)
{
    struct reading r = {.path = path, .line = 1};
    struct head h = {0};
    hiss_status rc;

    *in = (hs_loaded){0};
    HS_TRY(hs_source_open(&r.source, path, err));
    rc = take_head(&r, &h, err);
    /* at least two bytes for each value: the shape cannot exceed the file */
    if (rc == HISS_OK &&
        (h.samples < 1 || h.chains < 1 || h.samples > r.source.bound ||
         h.chains > r.source.bound / h.samples ||
         h.dim > r.source.bound / h.samples / h.chains))
        rc = cut_short(&r, &h, 0, err);
    if (rc == HISS_OK)
        rc = hs_loaded_init(in, h.chains, h.samples, h.dim, h.element, false,
                            path, err);
    if (rc == HISS_OK)
        rc = take_rows(&r, &h, in, err);
    hs_source_close(&r.source);
    if (rc == HISS_OK) {
        in->manifest = h.manifest;
        return HISS_OK;
    }
    hs_free(h.manifest);
    hs_loaded_clear(in);
    return rc;
}

const hs_sink hs_sink_csv = {
    .name = "csv",
    .suffixes = ".csv",
    .summary = "tidy CSV: chain,draw,lp,x.1,...",
    .write = csv_write,
    .read = csv_read,
};
