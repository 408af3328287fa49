/* table.c - a distribution read from a file, state by state.
 *
 *   binary spin ordinal:0,1,3 categorical:4
 *   0 -1 0 0 0.25
 *   1 +1 3 2 0.75
 *
 * The first line has the kinds, every other line the values of a state and its
 * probability; # begins a comment.  Missing states have probability 0.
 * Probabilities that do not add up to 1 are normalized, and a note says so. */
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "base/caret.h"
#include "base/error.h"
#include "base/number.h"
#include "base/read/reader.h"
#include "model/law/lookup.h"
#include "model/model.h"

#define SUM_TOLERANCE 1e-9

struct table_options {
    char *file;
};

static const hs_option table_options[] = {
    {"file", HS_FILE, offsetof(struct table_options, file), NULL, NULL,
     "kinds, then a line per state: values and probability"},
    {0},
};

struct table {
    hs_reader *in; /* owned */
    int dim;
    hiss_kind kind[HS_LOOKUP_DIM_MAX];
    int states[HS_LOOKUP_DIM_MAX];
    int first[HS_LOOKUP_DIM_MAX]; /* of the levels of an ordinal coordinate */
    double *level;                /* owned, [levels] */
    int levels;
    double *u; /* owned: first the probabilities, NaN if missing */
    int size;
};

static hiss_status fail_word(const struct table *t, const char *word,
                             const char *expected, hiss_error *err)
{
    char quoted[HS_QUOTE_MAX];

    hs_quote(quoted, word, strlen(word));
    return hs_reader_fail(t->in, NULL, err, "found '%s', expected %s", quoted,
                          expected);
}

/* "ordinal:0,1,3" with list at its "0,1,3". */
static hiss_status read_levels(struct table *t, const char *word,
                               const char *list, hiss_error *err)
{
    static const char expected[] =
        "ascending numbers, as in ordinal:0,1,3 (single precision)";
    char number[HS_NUMBER_MAX];
    int count = 1;
    double *more;

    for (const char *c = list; *c; c++)
        count += *c == ',';
    if (count < 2 || count > HS_STATES_MAX)
        return fail_word(t, word, expected, err);
    more = hs_realloc_array(t->level, (size_t)t->levels,
                            (size_t)(t->levels + count), sizeof *more);
    if (!more)
        return hs_fail_memory(err);
    t->level = more;
    more += t->levels;
    for (int k = 0; k < count; k++) {
        size_t length = strcspn(list, ",");

        if (length >= sizeof number)
            return fail_word(t, word, expected, err);
        memcpy(number, list, length);
        number[length] = '\0';
        list += length + (list[length] == ',');
        if (!hs_number_real(number, &more[k]) || !isfinite((float)more[k]) ||
            (k > 0 && (float)more[k] <= (float)more[k - 1]))
            return fail_word(t, word, expected, err);
    }
    t->first[t->dim] = t->levels;
    t->levels += count;
    t->states[t->dim] = count;
    return HISS_OK;
}

/* Reads one coordinate of the first line. */
static hiss_status read_kind(struct table *t, const char *word, hiss_error *err)
{
    const char *colon = strchr(word, ':');
    int64_t labels = 0;

    t->states[t->dim] = 2;
    if (strcmp(word, "binary") == 0) {
        t->kind[t->dim] = HISS_BINARY;
    } else if (strcmp(word, "spin") == 0) {
        t->kind[t->dim] = HISS_SPIN;
    } else if (colon && strncmp(word, "ordinal:", 8) == 0) {
        t->kind[t->dim] = HISS_ORDINAL;
        HS_TRY(read_levels(t, word, colon + 1, err));
    } else if (colon && strncmp(word, "categorical:", 12) == 0) {
        t->kind[t->dim] = HISS_CATEGORICAL;
        if (!hs_number_whole(colon + 1, word + strlen(word), &labels) ||
            labels < 2 || labels > HS_STATES_MAX)
            return fail_word(t, word, "categorical:2 to categorical:32767",
                             err);
        t->states[t->dim] = (int)labels;
    } else {
        return fail_word(t, word,
                         "binary, spin, ordinal:0,1,3 or categorical:4", err);
    }
    t->dim++;
    return HISS_OK;
}

static hiss_status read_kinds(struct table *t, hiss_error *err)
{
    const char *word;

    t->size = 1;
    do {
        HS_TRY(hs_reader_word(t->in, &word, err));
        if (t->dim == HS_LOOKUP_DIM_MAX)
            return hs_reader_fail(t->in, NULL, err,
                                  "a table has at most %d coordinates",
                                  HS_LOOKUP_DIM_MAX);
        HS_TRY(read_kind(t, word, err));
        if (t->states[t->dim - 1] > HS_LOOKUP_STATES_MAX / t->size)
            return hs_reader_fail(t->in, NULL, err,
                                  "a table has at most %d states",
                                  HS_LOOKUP_STATES_MAX);
        t->size *= t->states[t->dim - 1];
    } while (!hs_reader_at_line_end(t->in));
    t->u = hs_alloc_array((size_t)t->size, sizeof *t->u);
    if (!t->u)
        return hs_fail_memory(err);
    for (int n = 0; n < t->size; n++)
        t->u[n] = (double)NAN;
    return HISS_OK;
}

static double value_of(const struct table *t, int i, int index)
{
    if (t->kind[i] == HISS_SPIN)
        return 2 * index - 1;
    if (t->kind[i] == HISS_ORDINAL)
        return t->level[t->first[i] + index];
    return index;
}

static hiss_status read_value(struct table *t, int i, int *index,
                              hiss_error *err)
{
    double value;

    HS_TRY(hs_reader_real(t->in, -HUGE_VAL, HUGE_VAL, &value, err));
    for (*index = 0; *index < t->states[i]; ++*index)
        if (value_of(t, i, *index) == value)
            return HISS_OK;
    return hs_reader_fail(t->in, NULL, err,
                          "coordinate %d, counted from 1, cannot be %.9g; it "
                          "is %s with %d values from %.9g to %.9g",
                          i + 1, value, hs_kind_name(t->kind[i]), t->states[i],
                          value_of(t, i, 0), value_of(t, i, t->states[i] - 1));
}

/* Reads a state and its probability from one line. */
static hiss_status read_state(struct table *t, hiss_error *err)
{
    hs_place start = hs_reader_place(t->in);
    double p;
    int n = 0;

    for (int i = 0; i < t->dim; i++) {
        int index = 0;

        HS_TRY(read_value(t, i, &index, err));
        n = n * t->states[i] + index;
        if (hs_reader_at_line_end(t->in))
            return hs_reader_fail(t->in, NULL, err,
                                  "the line ends after %d of %d values, "
                                  "expected %d values and a probability",
                                  i + 1, t->dim, t->dim);
    }
    HS_TRY(hs_reader_real(t->in, 0.0, HUGE_VAL, &p, err));
    if (!hs_reader_at_line_end(t->in)) {
        const char *word;

        HS_TRY(hs_reader_word(t->in, &word, err));
        return fail_word(t, word, "the end of the line", err);
    }
    if (!isnan(t->u[n]))
        return hs_reader_fail(t->in, &start, err,
                              "this state was given before");
    t->u[n] = p;
    return HISS_OK;
}

/* Replaces probabilities by their logarithms; *sum is their sum. */
static hiss_status to_logarithms(struct table *t, double *sum, hiss_error *err)
{
    double shift = 0.0;

    *sum = 0.0;
    for (int n = 0; n < t->size; n++)
        if (!isnan(t->u[n]))
            *sum += t->u[n];
    if (*sum == 0.0 || isinf(*sum))
        return hs_fail(err, HISS_EPARSE,
                       "%s: the probabilities sum to %g, expected 1",
                       hs_reader_name(t->in), *sum);
    if (fabs(*sum - 1.0) > SUM_TOLERANCE)
        shift = log(*sum);
    for (int n = 0; n < t->size; n++)
        t->u[n] = isnan(t->u[n]) ? -HUGE_VAL : log(t->u[n]) - shift;
    return HISS_OK;
}

static hiss_status make_model(hs_model **out, struct table *t, double sum,
                              hiss_error *err)
{
    hs_domain domain;
    double *u = t->u;
    char note[96];

    HS_TRY(hs_domain_init_mixed(&domain, t->dim, t->kind, t->states, t->level,
                                err));
    t->u = NULL;
    HS_TRY(hs_lookup_create(out, &domain, u, err));
    if (fabs(sum - 1.0) <= SUM_TOLERANCE)
        return HISS_OK;
    hs_snprintf(note, sizeof note,
                "the probabilities sum to %.9g and were normalized", sum);
    (*out)->note = hs_strdup(note);
    return (*out)->note ? HISS_OK : hs_fail_memory(err);
}

static hiss_status table_create(hs_model **out, const void *options,
                                hiss_error *err)
{
    const struct table_options *o = options;
    struct table t = {0};
    double sum = 0.0;
    hiss_status rc = hs_reader_open(&t.in, o->file, err);

    if (rc == HISS_OK) {
        hs_reader_comments(t.in, NULL, "#");
        rc = read_kinds(&t, err);
    }
    while (rc == HISS_OK && !hs_reader_at_end(t.in))
        rc = read_state(&t, err);
    if (rc == HISS_OK)
        rc = to_logarithms(&t, &sum, err);
    if (rc == HISS_OK)
        rc = make_model(out, &t, sum, err);
    hs_reader_close(t.in);
    hs_free(t.level);
    hs_free(t.u);
    return rc;
}

const hs_model_type hs_model_table = {
    .name = "table",
    .summary = "a law read from a file, state by state (any kinds)",
    .size = sizeof(struct table_options),
    .options = table_options,
    .create = table_create,
};
