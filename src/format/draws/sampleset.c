/* sampleset.c - a SampleSet of dimod in its own format (to_serializable).
 *
 * Rows are states with their numbers of occurrences (repeat.c). */
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/read/json.h"
#include "format/draws/draws.h"
#include "format/parts/bytes.h"

#define BYTES_MAX ((int64_t)1 << 32)

static hiss_status load(json_t **out, const char *path, hiss_error *err)
{
    json_error_t fault;
    hs_bytes in;
    char *text;
    size_t got = 0;
    hiss_status rc;

    *out = NULL;
    HS_TRY(hs_bytes_open(&in, path, err));
    if (hs_bytes_left(&in) > BYTES_MAX) {
        hs_bytes_close(&in);
        return hs_fail(err, HISS_EPARSE, "%s: it is too large", path);
    }
    text = hs_alloc_array((size_t)hs_bytes_left(&in) + 1, 1);
    rc = text ? hs_bytes_some(&in, text, (size_t)hs_bytes_left(&in), &got, err)
              : hs_fail_memory(err);
    hs_bytes_close(&in);
    if (rc == HISS_OK) {
        *out = hs_json_parse(text, got, 0, &fault);
        if (!*out && hs_json_lacked_memory(&fault, got))
            rc = hs_fail_memory(err);
        else if (!*out)
            rc = hs_fail(err, HISS_EPARSE, "%s:%d:%d: %s", path, fault.line,
                         fault.column, fault.text);
    }
    hs_free(text);
    return rc;
}

/* Returns the numbers of {"type": "array", "data": [...]}, or NULL. */
static const json_t *array_of(const json_t *o)
{
    const json_t *data = json_object_get(o, "data");

    return json_is_array(data) ? data : NULL;
}

struct set {
    const char *path;
    const json_t *rows, *energy, *times;
    bool is_packed, is_spin;
    int dim;
};

static hiss_status describe(struct set *s, const json_t *o, hiss_error *err)
{
    const json_t *vectors = json_object_get(o, "vectors");
    const char *type = json_string_value(json_object_get(o, "type"));
    const char *kind = json_string_value(json_object_get(o, "variable_type"));
    int64_t count = json_integer_value(json_object_get(o, "num_variables"));

    if (!type || strcmp(type, "SampleSet") != 0)
        return hs_fail(err, HISS_EPARSE, "%s: this is no SampleSet of dimod",
                       s->path);
    if (count != s->dim)
        return hs_fail(err, HISS_EPARSE,
                       "%s: %lld variables, the model has %d coordinates",
                       s->path, (long long)count, s->dim);
    s->rows = array_of(json_object_get(o, "sample_data"));
    s->energy = array_of(json_object_get(vectors, "energy"));
    s->times = array_of(json_object_get(vectors, "num_occurrences"));
    s->is_packed = json_is_true(json_object_get(o, "sample_packed"));
    s->is_spin = kind && strcmp(kind, "SPIN") == 0;
    if (!s->rows || !s->energy || !s->times ||
        json_array_size(s->rows) != json_array_size(s->energy) ||
        json_array_size(s->rows) != json_array_size(s->times))
        return hs_fail(err, HISS_EPARSE,
                       "%s: its samples, energies and occurrences are not "
                       "there, or not as many of each",
                       s->path);
    return HISS_OK;
}

/* Reads value i of a row; false if there is none. */
static bool value_at(const struct set *s, const json_t *row, int i, double *out)
{
    const json_t *one =
        json_array_get(row, (size_t)(s->is_packed ? i / 32 : i));

    if (!json_is_number(one))
        return false;
    *out = json_number_value(one);
    if (s->is_packed) {
        int64_t bit = json_integer_value(one) >> i % 32 & 1;

        *out = bit ? 1.0 : s->is_spin ? -1.0 : 0.0;
    }
    return true;
}

static hiss_status fill(hs_drawn *out, int64_t *times, const struct set *s,
                        hiss_error *err)
{
    for (size_t r = 0; r < json_array_size(s->rows); r++) {
        for (int i = 0; i < s->dim; i++)
            if (!value_at(s, json_array_get(s->rows, r), i,
                          &out->x[(int64_t)r * s->dim + i]))
                return hs_fail(err, HISS_EPARSE,
                               "%s: sample %zu has no value %d", s->path, r + 1,
                               i + 1);
        out->lp[r] = json_number_value(json_array_get(s->energy, r));
        times[r] = json_integer_value(json_array_get(s->times, r));
    }
    return hs_drawn_repeat(out, times, s->path, err);
}

hiss_status hs_drawn_read_sampleset(hs_drawn *out, const char *path, int dim,
                                    hiss_error *err)
{
    struct set s = {.path = path, .dim = dim};
    size_t rows;
    int64_t *times = NULL;
    json_t *o;
    hiss_status rc;

    *out = (hs_drawn){.dim = dim, .chains = 1};
    HS_TRY(load(&o, path, err));
    rc = describe(&s, o, err);
    if (rc == HISS_OK) {
        rows = json_array_size(s.rows);
        out->samples = (int64_t)rows;
        out->x = hs_alloc_array(rows * (size_t)dim + 1, sizeof *out->x);
        out->lp = hs_alloc_array(rows + 1, sizeof *out->lp);
        times = hs_alloc_array(rows + 1, sizeof *times);
        rc = out->x && out->lp && times ? fill(out, times, &s, err)
                                        : hs_fail_memory(err);
    }
    hs_free(times);
    json_decref(o);
    if (rc != HISS_OK)
        hs_drawn_clear(out);
    return rc;
}
