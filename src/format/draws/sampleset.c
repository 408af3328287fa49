/* sampleset.c - a SampleSet of dimod in its own format (to_serializable).
 *
 * Rows are states with their numbers of occurrences.  Programs sort and count
 * reads, so their order has no meaning.  They are shuffled here, because equal
 * ones side by side would look like a chain that does not move.  They make up
 * to CHAINS chains. */
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/random/rng.h"
#include "base/read/json.h"
#include "format/draws/draws.h"
#include "format/parts/bytes.h"

#define CHAINS    4
#define READS_MIN 40 /* from this number on, several chains */
#define READS_MAX 100000000
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

static int64_t times_of(const struct set *s, size_t n)
{
    int64_t times = json_integer_value(json_array_get(s->times, n));

    return times < 0 || times > READS_MAX ? -1 : times;
}

static void exchange(hs_drawn *out, int64_t a, int64_t b)
{
    double lp = out->lp[a];

    for (int64_t i = 0; i < out->dim; i++) {
        double x = out->x[a * out->dim + i];

        out->x[a * out->dim + i] = out->x[b * out->dim + i];
        out->x[b * out->dim + i] = x;
    }
    out->lp[a] = out->lp[b];
    out->lp[b] = lp;
}

static hiss_status fill(hs_drawn *out, const struct set *s, int64_t reads,
                        hiss_error *err)
{
    int64_t n = 0;

    out->x = hs_alloc_array((size_t)reads * (size_t)s->dim, sizeof *out->x);
    out->lp = hs_alloc_array((size_t)reads, sizeof *out->lp);
    if (!out->x || !out->lp)
        return hs_fail_memory(err);
    for (size_t r = 0; r < json_array_size(s->rows); r++)
        for (int64_t k = times_of(s, r); k > 0; k--, n++) {
            for (int i = 0; i < s->dim; i++)
                if (!value_at(s, json_array_get(s->rows, r), i,
                              &out->x[n * s->dim + i]))
                    return hs_fail(err, HISS_EPARSE,
                                   "%s: sample %zu has no value %d", s->path,
                                   r + 1, i + 1);
            out->lp[n] = json_number_value(json_array_get(s->energy, r));
        }
    for (int64_t k = reads - 1; k > 0; k--)
        exchange(out, k,
                 hs_below(hs_rng_word(1, 0, 0, 0, HS_DRAW_PROBE, (uint32_t)k),
                          (int)k + 1));
    out->chains = reads >= READS_MIN ? CHAINS : 1;
    out->samples = reads / out->chains; /* drops up to three */
    return HISS_OK;
}

hiss_status hs_drawn_read_sampleset(hs_drawn *out, const char *path, int dim,
                                    hiss_error *err)
{
    struct set s = {.path = path, .dim = dim};
    int64_t reads = 0;
    json_t *o;
    hiss_status rc;

    *out = (hs_drawn){.dim = dim};
    HS_TRY(load(&o, path, err));
    rc = describe(&s, o, err);
    for (size_t r = 0; rc == HISS_OK && r < json_array_size(s.rows); r++) {
        int64_t times = times_of(&s, r);

        reads += times;
        if (times < 0 || reads > READS_MAX)
            rc = hs_fail(err, HISS_EPARSE,
                         "%s: the occurrences of sample %zu cannot be meant",
                         path, r + 1);
    }
    if (rc == HISS_OK && reads == 0)
        rc = hs_fail(err, HISS_EPARSE, "%s: there are no samples", path);
    if (rc == HISS_OK)
        rc = fill(out, &s, reads, err);
    json_decref(o);
    if (rc != HISS_OK)
        hs_drawn_clear(out);
    return rc;
}
