/* json.c - quadratic models as JSON: dimod's to_serializable, and bqpjson.
 *
 * dimod  variable_type, linear_biases[v], quadratic_head/tail/biases[e],
 *            offset, variable_labels:
 *                E = offset + sum_v bias x_v + sum_e bias x_head x_tail
 * bqpjson  variable_domain, variable_ids, linear_terms, quadratic_terms,
 *            scale, offset:
 *                E = scale (offset + sum coeff x_id + sum coeff x_tail x_head)
 * E is to be minimized in both.  The whole text is parsed into a tree, so its
 * length is bounded. */
#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/alloc.h"
#include "base/read/json.h"
#include "format/format.h"
#include "format/parts/bytes.h"
#include "format/parts/json_write.h"
#include "format/problem/names.h"
#include "format/problem/terms.h"

#define JSON_BYTES_MAX (INT64_C(1) << 29)

enum {
    AUTO,
    DIMOD,
    BQPJSON
};

struct json_options {
    int schema;
};

static const hs_option json_options[] = {
    {"schema", HS_CHOICE, offsetof(struct json_options, schema), "auto",
     "auto|dimod|bqpjson", "auto: as its keys say; dimod is written"},
    {0},
};

static int json_sniff(const char *head, size_t length)
{
    size_t at = 0;

    while (at < length && strchr(" \t\r\n", head[at]))
        at++;
    return at < length && head[at] == '{' ? 90 : 0;
}

/* The text on its way to the parser. */
struct stream {
    hs_bytes in;
    bool is_started, is_too_long;
    hiss_status rc;
    hiss_error *err;
};

static size_t feed(void *buffer, size_t room, void *data)
{
    struct stream *s = data;
    char *text = buffer;
    size_t got = 0;

    if (s->in.offset > JSON_BYTES_MAX) {
        s->is_too_long = true;
        return (size_t)-1;
    }
    s->rc = hs_bytes_some(&s->in, buffer, room, &got, s->err);
    if (s->rc != HISS_OK)
        return (size_t)-1;
    if (!s->is_started && got >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0)
        memset(text, ' ', 3);
    s->is_started = true;
    return got;
}

/* Writes file:line:column: message, the line and a caret. */
static hiss_status fail_syntax(const char *path, const json_error_t *fault,
                               hiss_error *err)
{
    hs_place place = {fault->line, fault->column > 0 ? fault->column : 1,
                      fault->position > 0 ? fault->position - 1 : 0};
    hs_reader *in;

    if (place.offset < place.column - 1)
        place.offset = place.column - 1;
    if (hs_reader_open(&in, path, NULL) != HISS_OK)
        return hs_fail(err, HISS_EPARSE, "%s:%d:%d: %s", path, fault->line,
                       fault->column, fault->text);
    hs_reader_fail(in, &place, err, "%s", fault->text);
    hs_reader_close(in);
    return HISS_EPARSE;
}

/* Tries to parse once; *bytes is the length of the text. */
static hiss_status try_parse(json_t **out, const char *path,
                             json_error_t *fault, int64_t *bytes,
                             hiss_error *err)
{
    struct stream s = {.err = err, .rc = HISS_OK};

    *out = NULL;
    HS_TRY(hs_bytes_open(&s.in, path, err));
    *out = json_load_callback(feed, &s, JSON_REJECT_DUPLICATES, fault);
    *bytes = s.in.offset;
    hs_bytes_close(&s.in);
    if (*out || s.rc != HISS_OK)
        return s.rc;
    if (s.is_too_long)
        return hs_fail(err, HISS_ELIMIT,
                       "%s: more than %lld bytes of JSON; a .bqm or .coo file "
                       "has no such limit",
                       path, (long long)JSON_BYTES_MAX);
    return HISS_OK;
}

static hiss_status parse(json_t **out, const char *path, hiss_error *err)
{
    struct stat file;
    json_error_t fault;
    int64_t bytes;

    HS_TRY(try_parse(out, path, &fault, &bytes, err));
    /* tries again like hs_json_parse; a pipe can be read only once */
    if (!*out && stat(path, &file) == 0 && S_ISREG(file.st_mode))
        HS_TRY(try_parse(out, path, &fault, &bytes, err));
    if (*out)
        return HISS_OK;
    if (hs_json_lacked_memory(&fault, (size_t)bytes))
        return hs_fail_memory(err);
    return fail_syntax(path, &fault, err);
}

/* The document being read, for messages. */
struct document {
    const char *path;
    const json_t *root;
};

static hiss_status fail_key(const struct document *d, const char *key,
                            const char *expected, hiss_error *err)
{
    return hs_fail(err, HISS_EPARSE, "%s: %s: expected %s", d->path, key,
                   expected);
}

static hiss_status get_list(const struct document *d, const char *key,
                            const json_t **out, hiss_error *err)
{
    *out = json_object_get(d->root, key);
    return json_is_array(*out) ? HISS_OK : fail_key(d, key, "a list", err);
}

/* Reads a finite number of bounded size; `at` is its place in a list, or -1. */
static hiss_status get_number(const struct document *d, const char *key,
                              int64_t at, const json_t *value, double *out,
                              hiss_error *err)
{
    char where[96];

    *out = json_number_value(value);
    if (json_is_number(value) && fabs(*out) <= HS_WEIGHT_MAX)
        return HISS_OK;
    if (at < 0)
        return fail_key(d, key, "a number from -1e30 to 1e30", err);
    snprintf(where, sizeof where, "%.64s[%lld]", key, (long long)at);
    return fail_key(d, where, "a number from -1e30 to 1e30", err);
}

static hiss_status get_index(const struct document *d, const char *key,
                             int64_t at, const json_t *value, int dim, int *out,
                             hiss_error *err)
{
    json_int_t index = json_integer_value(value);
    char where[96], expected[64];

    *out = (int)index;
    if (json_is_integer(value) && index >= 0 && index < dim)
        return HISS_OK;
    snprintf(where, sizeof where, "%.64s[%lld]", key, (long long)at);
    snprintf(expected, sizeof expected, "a whole number from 0 to %d", dim - 1);
    return fail_key(d, where, expected, err);
}

static hiss_status check_dim(const struct document *d, const char *key,
                             const json_t *list, int *dim, hiss_error *err)
{
    size_t count = json_array_size(list);

    if (count < 1 || count > INT32_MAX)
        return fail_key(d, key, "at least one variable", err);
    *dim = (int)count;
    return HISS_OK;
}

/* Compares a count with the one in the file, if present. */
static hiss_status check_count(const struct document *d, const char *key,
                               const char *of, size_t count, hiss_error *err)
{
    const json_t *stated = json_object_get(d->root, key);
    char expected[96];

    if (!stated || (json_is_integer(stated) &&
                    json_integer_value(stated) == (json_int_t)count))
        return HISS_OK;
    snprintf(expected, sizeof expected, "%zu, as many as %s has", count, of);
    return fail_key(d, key, expected, err);
}

static hiss_status read_dimod_terms(const struct document *d, hs_terms *t,
                                    int *dim, hiss_error *err)
{
    const json_t *linear, *head, *tail, *bias;
    double value;
    int i, j;

    HS_TRY(get_list(d, "linear_biases", &linear, err));
    HS_TRY(get_list(d, "quadratic_head", &head, err));
    HS_TRY(get_list(d, "quadratic_tail", &tail, err));
    HS_TRY(get_list(d, "quadratic_biases", &bias, err));
    HS_TRY(check_dim(d, "linear_biases", linear, dim, err));
    HS_TRY(check_count(d, "num_variables", "linear_biases", (size_t)*dim, err));
    HS_TRY(check_count(d, "num_interactions", "quadratic_biases",
                       json_array_size(bias), err));
    if (json_array_size(head) != json_array_size(bias) ||
        json_array_size(tail) != json_array_size(bias))
        return fail_key(d, "quadratic_biases",
                        "as many as quadratic_head and quadratic_tail", err);
    for (size_t v = 0; v < json_array_size(linear); v++) {
        HS_TRY(get_number(d, "linear_biases", (int64_t)v,
                          json_array_get(linear, v), &value, err));
        if (value != 0.0)
            HS_TRY(hs_terms_add(t, (int)v, (int)v, value, err));
    }
    for (size_t e = 0; e < json_array_size(bias); e++) {
        HS_TRY(get_index(d, "quadratic_head", (int64_t)e,
                         json_array_get(head, e), *dim, &i, err));
        HS_TRY(get_index(d, "quadratic_tail", (int64_t)e,
                         json_array_get(tail, e), *dim, &j, err));
        HS_TRY(get_number(d, "quadratic_biases", (int64_t)e,
                          json_array_get(bias, e), &value, err));
        if (i == j)
            return fail_key(d, "quadratic_tail",
                            "another variable than its "
                            "quadratic_head",
                            err);
        HS_TRY(hs_terms_add(t, i, j, value, err));
    }
    return HISS_OK;
}

static hiss_status read_dimod(const struct document *d, hs_problem *out,
                              hs_terms *t, int *dim, hiss_error *err)
{
    const json_t *type = json_object_get(d->root, "variable_type");
    const json_t *labels = json_object_get(d->root, "variable_labels");
    const json_t *offset = json_object_get(d->root, "offset");
    const char *word = json_string_value(type);

    if (!word || (strcmp(word, "SPIN") != 0 && strcmp(word, "BINARY") != 0))
        return fail_key(d, "variable_type", "\"SPIN\" or \"BINARY\"", err);
    out->quadratic.kind = strcmp(word, "SPIN") == 0 ? HISS_SPIN : HISS_BINARY;
    if (json_is_true(json_object_get(d->root, "use_bytes")))
        return fail_key(d, "use_bytes", "false: numbers, not bytes", err);
    HS_TRY(read_dimod_terms(d, t, dim, err));
    if (offset)
        HS_TRY(
            get_number(d, "offset", -1, offset, &out->quadratic.offset, err));
    return labels ? hs_names_from_json(out, labels, *dim, d->path, err)
                  : HISS_OK;
}

/* bqpjson names variables by numbers; this is the place of each in
 * variable_ids. */
struct id {
    json_int_t id;
    int at;
};

static int compare_ids(const void *a, const void *b)
{
    const struct id *first = a, *second = b;

    return (first->id > second->id) - (first->id < second->id);
}

static hiss_status sort_ids(const struct document *d, const json_t *list,
                            struct id **out, hiss_error *err)
{
    size_t count = json_array_size(list);

    *out = hs_alloc_array(count, sizeof **out);
    if (!*out)
        return hs_fail_memory(err);
    for (size_t k = 0; k < count; k++) {
        const json_t *id = json_array_get(list, k);

        if (!json_is_integer(id))
            return fail_key(d, "variable_ids", "whole numbers", err);
        (*out)[k] = (struct id){json_integer_value(id), (int)k};
    }
    qsort(*out, count, sizeof **out, compare_ids);
    for (size_t k = 1; k < count; k++)
        if ((*out)[k].id == (*out)[k - 1].id)
            return fail_key(d, "variable_ids", "each id once", err);
    return HISS_OK;
}

static hiss_status find_id(const struct document *d, const char *key,
                           size_t term, const json_t *value,
                           const struct id *ids, int dim, int *out,
                           hiss_error *err)
{
    struct id wanted = {json_integer_value(value), 0};
    const struct id *found =
        bsearch(&wanted, ids, (size_t)dim, sizeof *ids, compare_ids);
    char where[64];

    *out = found ? found->at : 0;
    if (json_is_integer(value) && found)
        return HISS_OK;
    snprintf(where, sizeof where, "%.40s[%zu]", key, term);
    return fail_key(d, where, "an id of variable_ids", err);
}

static hiss_status read_bqp_terms(const struct document *d, hs_terms *t,
                                  const struct id *ids, int dim, double scale,
                                  hiss_error *err)
{
    const json_t *linear, *quadratic;
    double value;
    int i, j;

    HS_TRY(get_list(d, "linear_terms", &linear, err));
    HS_TRY(get_list(d, "quadratic_terms", &quadratic, err));
    for (size_t k = 0; k < json_array_size(linear); k++) {
        const json_t *term = json_array_get(linear, k);

        HS_TRY(find_id(d, "linear_terms", k, json_object_get(term, "id"), ids,
                       dim, &i, err));
        HS_TRY(get_number(d, "linear_terms", (int64_t)k,
                          json_object_get(term, "coeff"), &value, err));
        HS_TRY(hs_terms_add(t, i, i, scale * value, err));
    }
    for (size_t k = 0; k < json_array_size(quadratic); k++) {
        const json_t *term = json_array_get(quadratic, k);

        HS_TRY(find_id(d, "quadratic_terms", k,
                       json_object_get(term, "id_tail"), ids, dim, &i, err));
        HS_TRY(find_id(d, "quadratic_terms", k,
                       json_object_get(term, "id_head"), ids, dim, &j, err));
        HS_TRY(get_number(d, "quadratic_terms", (int64_t)k,
                          json_object_get(term, "coeff"), &value, err));
        if (i == j)
            return fail_key(d, "quadratic_terms",
                            "id_head other than id_tail in each", err);
        HS_TRY(hs_terms_add(t, i, j, scale * value, err));
    }
    return HISS_OK;
}

static hiss_status read_bqp(const struct document *d, hs_problem *out,
                            hs_terms *t, int *dim, hiss_error *err)
{
    const json_t *domain = json_object_get(d->root, "variable_domain");
    const json_t *scale = json_object_get(d->root, "scale");
    const json_t *offset = json_object_get(d->root, "offset"), *list;
    const char *word = json_string_value(domain);
    double factor = 1.0, constant = 0.0;
    struct id *ids = NULL;
    hiss_status rc;

    if (!word || (strcmp(word, "spin") != 0 && strcmp(word, "boolean") != 0))
        return fail_key(d, "variable_domain", "\"spin\" or \"boolean\"", err);
    out->quadratic.kind = strcmp(word, "spin") == 0 ? HISS_SPIN : HISS_BINARY;
    HS_TRY(get_list(d, "variable_ids", &list, err));
    HS_TRY(check_dim(d, "variable_ids", list, dim, err));
    if (scale)
        HS_TRY(get_number(d, "scale", -1, scale, &factor, err));
    if (offset)
        HS_TRY(get_number(d, "offset", -1, offset, &constant, err));
    out->quadratic.offset = factor * constant;
    rc = sort_ids(d, list, &ids, err);
    if (rc == HISS_OK)
        rc = read_bqp_terms(d, t, ids, *dim, factor, err);
    if (rc == HISS_OK)
        rc = hs_names_from_json(out, list, *dim, d->path, err);
    hs_free(ids);
    return rc;
}

static hiss_status read_root(const struct document *d, int schema,
                             hs_problem *out, hs_terms *t, int *dim,
                             hiss_error *err)
{
    if (!json_is_object(d->root))
        return fail_key(d, "the whole", "an object", err);
    if (schema == AUTO && json_object_get(d->root, "variable_domain"))
        schema = BQPJSON;
    if (schema == AUTO && json_object_get(d->root, "variable_type"))
        schema = DIMOD;
    if (schema == AUTO)
        return fail_key(d, "the whole",
                        "variable_type (dimod) or variable_domain (bqpjson) "
                        "among its keys",
                        err);
    if (schema == DIMOD)
        return read_dimod(d, out, t, dim, err);
    return read_bqp(d, out, t, dim, err);
}

static hiss_status json_format_load(hs_problem *out, const char *path,
                                    const void *options, hiss_error *err)
{
    const struct json_options *o = options;
    struct document d = {.path = path};
    hs_terms terms = {0};
    json_t *root;
    int dim = 0;
    hiss_status rc;

    HS_TRY(parse(&root, path, err));
    d.root = root;
    rc = read_root(&d, o->schema, out, &terms, &dim, err);
    json_decref(root);
    out->objective = "energy";
    out->scale = -1.0;
    if (rc == HISS_OK)
        rc = hs_terms_finish(&terms, out, dim, 0, err);
    hs_entries_clear(&terms);
    return rc;
}

static hiss_status json_format_write(const hs_problem *p, FILE *to,
                                     const void *options, hiss_error *err)
{
    const struct json_options *o = options;
    hiss_kind kind = p->shape == HS_QUADRATIC ? p->quadratic.kind : HISS_BINARY;
    hs_problem problem;
    hiss_status rc;

    HS_TRY(hs_problem_to_quadratic(&problem, p, kind, false, err));
    if (o->schema == BQPJSON)
        rc = hs_json_write_bqp(&problem, to, err);
    else
        rc = hs_json_write_dimod(&problem, to, err);
    hs_problem_clear(&problem);
    return rc;
}

static const char *const json_tested[] = {
    "written by dimod 0.12.23 to_serializable (tests/data/dimod)",
    "bqpjson tests/data/valid/spin/001s.json",
    "bqpjson tests/data/valid/bool/001b.json",
    NULL,
};

const hs_format hs_format_json = {
    .name = "json",
    .title = "dimod or bqpjson",
    .summary = "JSON of dimod and bqpjson; log p = -E (spin or binary)",
    .suffixes = "json",
    .options = json_options,
    .size = sizeof(struct json_options),
    .sniff = json_sniff,
    .load = json_format_load,
    .write = json_format_write,
    .tested = json_tested,
};
