/* bqm.c - the binary files of dimod's BinaryQuadraticModel.to_file.
 *
 *     "DIMODBQM", major and minor version, length of the header (4 bytes)
 *     header: JSON with shape [variables, interactions], dtype (biases), itype
 *             (indices), ntype (starts), vartype, variables
 *     offset, then (start, bias) of each variable, then (neighbor, bias) of
 *             each interaction in both directions, neighbors ascending
 *     version 2, if variables is true: "VARS", length, JSON list of labels
 * All little-endian.  E is to be minimized.  Version 2 is written. */
#include <jansson.h>
#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/read/json.h"
#include "format/format.h"
#include "format/parts/bytes.h"
#include "format/parts/sniff.h"
#include "format/problem/names.h"
#include "format/problem/terms.h"

#define MAGIC "DIMODBQM"

static const hs_option bqm_options[] = {{0}};

static int bqm_sniff(const char *head, size_t length)
{
    return hs_sniff_starts(head, length, MAGIC) ? 100 : 0;
}

/* A number type such as "float64" or "uint16". */
struct type {
    int size;
    bool is_real, is_signed;
};

struct bqm {
    hs_bytes in;
    json_t *header; /* owned */
    int version;
    struct type bias, index, start;
    int dim;
    int64_t pairs;
    int64_t *first; /* owned, [dim + 1] */
};

static hiss_status read_type(const struct bqm *b, const char *key,
                             struct type *out, hiss_error *err)
{
    static const struct {
        const char *name;
        struct type type;
    } types[] = {
        {"float64", {8, true, true}},  {"float32", {4, true, true}},
        {"int64", {8, false, true}},   {"int32", {4, false, true}},
        {"int16", {2, false, true}},   {"int8", {1, false, true}},
        {"uint64", {8, false, false}}, {"uint32", {4, false, false}},
        {"uint16", {2, false, false}}, {"uint8", {1, false, false}},
    };
    const char *name = json_string_value(json_object_get(b->header, key));

    for (size_t t = 0; name && t < sizeof types / sizeof types[0]; t++)
        if (strcmp(name, types[t].name) == 0) {
            *out = types[t].type;
            if (out->is_real == (strcmp(key, "dtype") == 0))
                return HISS_OK;
        }
    return hs_bytes_fail(&b->in, err, "the header has %s '%.32s', expected %s",
                         key, name ? name : "(none)",
                         strcmp(key, "dtype") == 0
                             ? "float64 or float32"
                             : "int32 or another integer");
}

/* Reads a JSON text of `length` bytes. */
static hiss_status read_json(struct bqm *b, uint64_t length, const char *what,
                             json_t **out, hiss_error *err)
{
    json_error_t fault;
    char *text;
    hiss_status rc;

    *out = NULL;
    if (length > (uint64_t)hs_bytes_left(&b->in))
        return hs_bytes_fail(&b->in, err,
                             "%s of %llu bytes is announced, but the file has "
                             "%lld left at most",
                             what, (unsigned long long)length,
                             (long long)hs_bytes_left(&b->in));
    text = hs_alloc_array((size_t)length + 1, 1);
    if (!text)
        return hs_fail_memory(err);
    rc = hs_bytes_read(&b->in, text, (size_t)length, what, err);
    if (rc == HISS_OK) {
        *out =
            hs_json_parse(text, (size_t)length, JSON_REJECT_DUPLICATES, &fault);
        if (!*out && hs_json_lacked_memory(&fault, (size_t)length))
            rc = hs_fail_memory(err);
        else if (!*out)
            rc = hs_bytes_fail(&b->in, err, "%s is no JSON: %s", what,
                               fault.text);
    }
    hs_free(text);
    return rc;
}

static hiss_status read_shape(struct bqm *b, hiss_error *err)
{
    const json_t *shape = json_object_get(b->header, "shape");
    json_int_t dim = json_integer_value(json_array_get(shape, 0));
    json_int_t pairs = json_integer_value(json_array_get(shape, 1));
    int64_t left = hs_bytes_left(&b->in);
    int64_t each = b->start.size + b->bias.size;
    int64_t both = 2 * (b->index.size + b->bias.size);

    if (json_array_size(shape) != 2 || dim < 1 || pairs < 0)
        return hs_bytes_fail(&b->in, err,
                             "the header has no shape [variables, "
                             "interactions] with at least one variable");
    if (dim > INT32_MAX || dim > left / each || pairs > left / both)
        return hs_bytes_fail(&b->in, err,
                             "%lld variables and %lld interactions are "
                             "announced, but the file has %lld bytes left at "
                             "most",
                             (long long)dim, (long long)pairs, (long long)left);
    b->dim = (int)dim;
    b->pairs = pairs;
    return HISS_OK;
}

static hiss_status read_header(struct bqm *b, hs_problem *out, hiss_error *err)
{
    unsigned char start[14];
    const char *vartype;

    HS_TRY(hs_bytes_read(&b->in, start, sizeof start, "the start", err));
    if (memcmp(start, MAGIC, 8) != 0)
        return hs_fail(err, HISS_EPARSE,
                       "%s: byte 0: expected the letters " MAGIC, b->in.path);
    b->version = start[8];
    if (b->version < 1 || b->version > 2)
        return hs_bytes_fail(&b->in, err, "version %d.%d, expected 1 or 2",
                             start[8], start[9]);
    HS_TRY(read_json(b, hs_bytes_unsigned(start + 10, 4), "the header",
                     &b->header, err));
    HS_TRY(read_type(b, "dtype", &b->bias, err));
    HS_TRY(read_type(b, "itype", &b->index, err));
    HS_TRY(read_type(b, "ntype", &b->start, err));
    HS_TRY(read_shape(b, err));
    vartype = json_string_value(json_object_get(b->header, "vartype"));
    if (!vartype ||
        (strcmp(vartype, "SPIN") != 0 && strcmp(vartype, "BINARY") != 0))
        return hs_bytes_fail(&b->in, err,
                             "the header has vartype '%.32s', expected SPIN or "
                             "BINARY",
                             vartype ? vartype : "(none)");
    out->quadratic.kind =
        strcmp(vartype, "SPIN") == 0 ? HISS_SPIN : HISS_BINARY;
    return HISS_OK;
}

static hiss_status check_bias(const struct bqm *b, double value,
                              hiss_error *err)
{
    if (fabs(value) <= HS_WEIGHT_MAX)
        return HISS_OK;
    return hs_bytes_fail(&b->in, err,
                         "the bias before this is %g, expected a number from "
                         "%g to %g",
                         value, -HS_WEIGHT_MAX, HS_WEIGHT_MAX);
}

static int64_t whole(const unsigned char *at, struct type type)
{
    return type.is_signed ? hs_bytes_signed(at, type.size)
                          : (int64_t)hs_bytes_unsigned(at, type.size);
}

/* Reads the offset and the linear biases. */
static hiss_status read_linear(struct bqm *b, hs_problem *out, hs_terms *t,
                               hiss_error *err)
{
    unsigned char bytes[16];
    double bias;

    HS_TRY(
        hs_bytes_read(&b->in, bytes, (size_t)b->bias.size, "the offset", err));
    out->quadratic.offset = hs_bytes_real(bytes, b->bias.size);
    HS_TRY(check_bias(b, out->quadratic.offset, err));
    b->first = hs_alloc_array((size_t)b->dim + 1, sizeof *b->first);
    if (!b->first)
        return hs_fail_memory(err);
    b->first[b->dim] = 2 * b->pairs;
    for (int i = 0; i < b->dim; i++) {
        HS_TRY(hs_bytes_read(&b->in, bytes,
                             (size_t)(b->start.size + b->bias.size),
                             "the linear biases", err));
        b->first[i] = whole(bytes, b->start);
        bias = hs_bytes_real(bytes + b->start.size, b->bias.size);
        if (b->first[i] < (i > 0 ? b->first[i - 1] : 0) ||
            b->first[i] > 2 * b->pairs || (i == 0 && b->first[0] != 0))
            return hs_bytes_fail(&b->in, err,
                                 "the neighbors of variable %d start at %lld, "
                                 "which cannot be",
                                 i, (long long)b->first[i]);
        HS_TRY(check_bias(b, bias, err));
        if (bias != 0.0)
            HS_TRY(hs_terms_add(t, i, i, bias, err));
    }
    return HISS_OK;
}

/* The file has both directions; the one to smaller neighbors is used. */
static hiss_status read_quadratic(struct bqm *b, hs_terms *t, hiss_error *err)
{
    int64_t taken = 0, neighbor, last;
    unsigned char bytes[16];

    for (int i = 0; i < b->dim; i++) {
        last = -1;
        for (int64_t e = b->first[i]; e < b->first[i + 1]; e++) {
            double bias;

            HS_TRY(hs_bytes_read(&b->in, bytes,
                                 (size_t)(b->index.size + b->bias.size),
                                 "the quadratic biases", err));
            neighbor = whole(bytes, b->index);
            bias = hs_bytes_real(bytes + b->index.size, b->bias.size);
            if (neighbor <= last || neighbor >= b->dim || neighbor == i)
                return hs_bytes_fail(&b->in, err,
                                     "variable %d has neighbor %lld, expected "
                                     "another one, ascending, below %d",
                                     i, (long long)neighbor, b->dim);
            last = neighbor;
            HS_TRY(check_bias(b, bias, err));
            taken += neighbor < i;
            if (neighbor < i)
                HS_TRY(hs_terms_add(t, (int)neighbor, i, bias, err));
        }
    }
    if (taken == b->pairs)
        return HISS_OK;
    return hs_bytes_fail(&b->in, err,
                         "%lld interactions with smaller variables, expected "
                         "%lld: one for each",
                         (long long)taken, (long long)b->pairs);
}

static hiss_status read_labels(struct bqm *b, hs_problem *out, hiss_error *err)
{
    const json_t *variables = json_object_get(b->header, "variables");
    unsigned char start[8];
    json_t *labels = NULL;
    hiss_status rc;

    if (b->version == 1 && json_is_array(variables))
        return hs_names_from_json(out, variables, b->dim, b->in.path, err);
    if (!json_is_true(variables))
        return HISS_OK;
    HS_TRY(hs_bytes_read(&b->in, start, sizeof start, "the labels", err));
    if (memcmp(start, "VARS", 4) != 0)
        return hs_bytes_fail(&b->in, err, "expected the labels, after VARS");
    rc = read_json(b, hs_bytes_unsigned(start + 4, 4), "the list of labels",
                   &labels, err);
    if (rc == HISS_OK)
        rc = hs_names_from_json(out, labels, b->dim, b->in.path, err);
    json_decref(labels);
    return rc;
}

static hiss_status bqm_load(hs_problem *out, const char *path,
                            const void *options, hiss_error *err)
{
    struct bqm b = {0};
    hs_terms terms = {0};
    size_t more = 0;
    char byte;
    hiss_status rc = hs_bytes_open(&b.in, path, err);

    (void)options;
    if (rc == HISS_OK)
        rc = read_header(&b, out, err);
    if (rc == HISS_OK)
        rc = read_linear(&b, out, &terms, err);
    if (rc == HISS_OK)
        rc = read_quadratic(&b, &terms, err);
    if (rc == HISS_OK)
        rc = read_labels(&b, out, err);
    if (rc == HISS_OK)
        rc = hs_bytes_some(&b.in, &byte, 1, &more, err);
    if (rc == HISS_OK && more)
        rc = hs_bytes_fail(&b.in, err, "expected the end of the file");
    out->objective = "energy";
    out->scale = -1.0;
    if (rc == HISS_OK)
        rc = hs_terms_finish(&terms, out, b.dim, 0, err);
    hs_entries_clear(&terms);
    hs_bytes_close(&b.in);
    json_decref(b.header);
    hs_free(b.first);
    return rc;
}

/* Writes the magic, a JSON text and blanks up to a multiple of 64 bytes. */
static void write_section(FILE *to, const char *magic, size_t magic_length,
                          const char *text)
{
    size_t length = strlen(text) + 1, head = magic_length + 4;
    size_t padding = (64 - (head + length) % 64) % 64;
    unsigned char size[4];

    hs_bytes_put(size, 4, length + padding);
    fwrite(magic, 1, magic_length, to);
    fwrite(size, 1, sizeof size, to);
    fputs(text, to);
    fputc('\n', to);
    for (size_t k = 0; k < padding; k++)
        fputc(' ', to);
}

static hiss_status write_header(const hs_problem *p, FILE *to, hiss_error *err)
{
    static const char magic[] = MAGIC "\2"; /* with its final 0 this is version
                                               2.0 */
    char *text;
    json_t *header = json_pack(
        "{s:s, s:s, s:s, s:[i, I], s:s, s:b, s:s}", "dtype", "float64", "itype",
        "int32", "ntype", "int64", "shape", p->dim,
        (json_int_t)p->quadratic.pairs, "type", "BinaryQuadraticModel",
        "variables", p->names != NULL, "vartype",
        p->quadratic.kind == HISS_SPIN ? "SPIN" : "BINARY");

    text = hs_json_print(header, JSON_SORT_KEYS);
    if (text)
        write_section(to, magic, sizeof magic, text);
    hs_free(text);
    json_decref(header);
    return text ? HISS_OK : hs_fail_memory(err);
}

/* Rows have both directions, neighbors ascending: smaller ones first, the order
 * in which sorted pairs reach their column. */
static hiss_status write_arrays(const hs_problem *p, FILE *to, hiss_error *err)
{
    const hs_quadratic_problem *q = &p->quadratic;
    size_t dim = (size_t)p->dim, entries = 2 * (size_t)q->pairs;
    int64_t *start = hs_alloc_array(dim + 1, sizeof *start);
    int64_t *next = hs_alloc_array(dim + 1, sizeof *next);
    int64_t *pair = hs_alloc_array(entries, sizeof *pair);
    unsigned char bytes[16];

    if (!start || !next || !pair) {
        hs_free(start);
        hs_free(next);
        hs_free(pair);
        return hs_fail_memory(err);
    }
    for (int64_t e = 0; e < q->pairs; e++) {
        start[q->row[e] + 1]++;
        start[q->column[e] + 1]++;
    }
    for (size_t i = 0; i < dim; i++)
        start[i + 1] += start[i];
    memcpy(next, start, (dim + 1) * sizeof *next);
    for (int64_t e = 0; e < q->pairs; e++)
        pair[next[q->column[e]]++] = e;
    for (int64_t e = 0; e < q->pairs; e++)
        pair[next[q->row[e]]++] = e;
    hs_bytes_put_real(bytes, q->offset);
    fwrite(bytes, 1, 8, to);
    for (size_t i = 0; i < dim; i++) {
        hs_bytes_put(bytes, 8, (uint64_t)start[i]);
        hs_bytes_put_real(bytes + 8, q->linear[i]);
        fwrite(bytes, 1, 16, to);
    }
    for (size_t i = 0; i < dim; i++)
        for (int64_t k = start[i]; k < start[i + 1]; k++) {
            int other = q->row[pair[k]] == (int)i ? q->column[pair[k]]
                                                  : q->row[pair[k]];

            hs_bytes_put(bytes, 4, (uint64_t)other);
            hs_bytes_put_real(bytes + 4, q->value[pair[k]]);
            fwrite(bytes, 1, 12, to);
        }
    hs_free(start);
    hs_free(next);
    hs_free(pair);
    return HISS_OK;
}

static hiss_status write_labels(const hs_problem *p, FILE *to, hiss_error *err)
{
    json_t *labels = p->names ? hs_names_to_json(p) : NULL;
    char *text = labels ? hs_json_print(labels, JSON_ENSURE_ASCII) : NULL;

    json_decref(labels);
    if (!p->names)
        return HISS_OK;
    if (text)
        write_section(to, "VARS", 4, text);
    hs_free(text);
    return text ? HISS_OK : hs_fail_memory(err);
}

static hiss_status bqm_write(const hs_problem *p, FILE *to, const void *options,
                             hiss_error *err)
{
    hiss_kind kind = p->shape == HS_QUADRATIC ? p->quadratic.kind : HISS_BINARY;
    hs_problem problem;
    hiss_status rc;

    (void)options;
    HS_TRY(hs_problem_to_quadratic(&problem, p, kind, false, err));
    rc = write_header(&problem, to, err);
    if (rc == HISS_OK)
        rc = write_arrays(&problem, to, err);
    if (rc == HISS_OK)
        rc = write_labels(&problem, to, err);
    hs_problem_clear(&problem);
    return rc;
}

static const char *const bqm_tested[] = {
    "written by dimod 0.12.23, versions 1.0 and 2.0 (tests/data/dimod)",
    NULL,
};

const hs_format hs_format_bqm = {
    .name = "bqm",
    .title = "dimod BQM",
    .summary = "binary files of dimod; log p = -E (spin or binary)",
    .suffixes = "bqm",
    .options = bqm_options,
    .sniff = bqm_sniff,
    .load = bqm_load,
    .write = bqm_write,
    .tested = bqm_tested,
};
