/* evidence.c - which coordinates are fixed, and where.
 *
 * The dialects of evidence files are told apart by how many numbers there are:
 * `k` and k pairs are an odd number, the same after the number of samples an
 * even one. */
#include "format/problem/evidence.h"

#include <limits.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/caret.h"
#include "base/error.h"
#include "base/number.h"
#include "base/read/reader.h"

struct number {
    int value;
    hs_place place;
};

struct numbers {
    struct number *at; /* owned */
    int64_t count, room;
};

static hiss_status add_number(struct numbers *n, struct number number,
                              hiss_error *err)
{
    if (n->count == n->room) {
        int64_t room = 2 * n->room + 64;
        struct number *larger = hs_realloc_array(n->at, (size_t)n->count,
                                                 (size_t)room, sizeof *larger);

        if (!larger)
            return hs_fail_memory(err);
        n->at = larger;
        n->room = room;
    }
    n->at[n->count++] = number;
    return HISS_OK;
}

static hiss_status read_numbers(struct numbers *n, hs_reader *in,
                                hiss_error *err)
{
    while (!hs_reader_at_end(in)) {
        struct number number = {.place = hs_reader_place(in)};

        HS_TRY(hs_reader_int(in, 0, INT_MAX, &number.value, err));
        HS_TRY(add_number(n, number, err));
    }
    return HISS_OK;
}

/* Where the pairs begin; *pairs of them. */
static hiss_status find_pairs(const struct numbers *n, hs_reader *in,
                              int64_t *first, int64_t *pairs, hiss_error *err)
{
    const struct number *announced;

    *first = *pairs = 0;
    if (n->count == 0)
        return HISS_OK;
    *first = n->count % 2 ? 1 : 2;
    *pairs = (n->count - *first) / 2;
    if (*first == 2 && n->at[0].value != 1)
        return hs_reader_fail(in, &n->at[0].place, err,
                              "found %d with %lld numbers after it; expected "
                              "the number of pairs and so many pairs of "
                              "variable and state, or that after 1, the "
                              "number of samples",
                              n->at[0].value, (long long)n->count - 1);
    announced = &n->at[*first - 1];
    if (announced->value != *pairs)
        return hs_reader_fail(in, &announced->place, err,
                              "%d pairs of variable and state are announced, "
                              "%lld follow",
                              announced->value, (long long)*pairs);
    return HISS_OK;
}

static int full_states(const hs_model *m, int i)
{
    return m->full_states ? m->full_states[i] : m->domain.states[i];
}

static hiss_status take_pair(int *at, const struct number *pair, hs_reader *in,
                             const hs_model *m, hiss_error *err)
{
    int v = pair[0].value, x = pair[1].value;

    if (v >= m->domain.dim)
        return hs_reader_fail(in, &pair[0].place, err,
                              "variable %d: variables are 0 to %d", v,
                              m->domain.dim - 1);
    if (x >= full_states(m, v))
        return hs_reader_fail(in, &pair[1].place, err,
                              "found state %d of variable %d, expected 0 to %d",
                              x, v, full_states(m, v) - 1);
    if (at[v] >= 0 && at[v] != x)
        return hs_reader_fail(in, &pair[1].place, err,
                              "variable %d is in state %d already, it cannot "
                              "be in state %d too",
                              v, at[v], x);
    at[v] = x;
    return HISS_OK;
}

hiss_status hs_evidence_read(int *at, const char *path, const hs_model *m,
                             hiss_error *err)
{
    struct numbers n = {0};
    int64_t first, pairs = 0;
    hs_reader *in;
    hiss_status rc;

    for (int i = 0; i < m->domain.dim; i++)
        at[i] = -1;
    HS_TRY(hs_reader_open(&in, path, err));
    rc = read_numbers(&n, in, err);
    if (rc == HISS_OK)
        rc = find_pairs(&n, in, &first, &pairs, err);
    for (int64_t k = 0; k < pairs && rc == HISS_OK; k++)
        rc = take_pair(at, &n.at[first + 2 * k], in, m, err);
    hs_reader_close(in);
    hs_free(n.at);
    return rc;
}

/* A part of the text under the caret. */
static hiss_status fail_at(hiss_error *err, const char *text, const char *where)
{
    hs_caret_add(err, text, strlen(text), (size_t)(where - text));
    return HISS_EARG;
}

/* "3" or "x.3", ended by '='; moves *text behind that. */
static hiss_status parse_coordinate(const char **text, const char *all, int dim,
                                    int *i, hiss_error *err)
{
    const char *from = *text, *equals = strchr(from, '=');
    char quoted[HS_QUOTE_MAX];
    int64_t number = 0;

    if (!equals || memchr(from, ',', (size_t)(equals - from))) {
        hs_fail(err, HISS_EARG,
                "found '%s', expected a coordinate, '=' and a value, as in "
                "3=1",
                hs_quote(quoted, from, strcspn(from, ",")));
        return fail_at(err, all, from);
    }
    if (strncmp(from, "x.", 2) == 0)
        from += 2;
    if (!hs_number_whole(from, equals, &number)) {
        hs_fail(err, HISS_EARG,
                "found '%s', expected a coordinate, x.1 to x.%d",
                hs_quote(quoted, *text, (size_t)(equals - *text)), dim);
        return fail_at(err, all, *text);
    }
    if (number < 1 || number > dim) {
        hs_fail(err, HISS_EARG, "x.%lld: coordinates are x.1 to x.%d",
                (long long)number, dim);
        return fail_at(err, all, *text);
    }
    *i = (int)number - 1;
    *text = equals + 1;
    return HISS_OK;
}

/* The index of a value, or -1. */
static int find_value(const hs_domain *d, int i, double value)
{
    for (int v = 0; v < d->states[i]; v++)
        if (d->values[d->value[i] + v] == (float)value)
            return v;
    return -1;
}

/* A value of coordinate i, up to ',' or the end; moves *text there. */
static hiss_status parse_value(const char **text, const char *all,
                               const hs_model *m, int i, int *index,
                               hiss_error *err)
{
    const hs_domain *d = &m->domain;
    const float *value = d->values + d->value[i];
    size_t length = strcspn(*text, ",");
    char *word = hs_strndup(*text, length), quoted[HS_QUOTE_MAX];
    double number;
    bool is_number;

    if (!word)
        return hs_fail_memory(err);
    is_number = hs_number_real(word, &number);
    hs_free(word);
    *index = is_number ? find_value(d, i, number) : -1;
    if (*index < 0) {
        hs_quote(quoted, *text, length);
        if (d->states[i] == 1)
            hs_fail(err, HISS_EARG, "x.%d cannot be %s, it is fixed at %g",
                    i + 1, quoted, (double)value[0]);
        else
            hs_fail(err, HISS_EARG,
                    "x.%d (%s) cannot be '%s'; it has %d values from %g to %g",
                    i + 1, hs_kind_name(d->kind[i]), quoted, d->states[i],
                    (double)value[0], (double)value[d->states[i] - 1]);
        return fail_at(err, all, *text);
    }
    if (m->fixed_at && m->fixed_at[i] >= 0)
        *index = m->fixed_at[i];
    *text += length;
    return HISS_OK;
}

hiss_status hs_evidence_parse(int *at, const char *text, const hs_model *m,
                              hiss_error *err)
{
    const char *rest = text;

    for (int i = 0; i < m->domain.dim; i++)
        at[i] = -1;
    for (;;) {
        int i = 0, index = 0;
        const char *from = rest;

        HS_TRY(parse_coordinate(&rest, text, m->domain.dim, &i, err));
        HS_TRY(parse_value(&rest, text, m, i, &index, err));
        if (at[i] >= 0 && at[i] != index) {
            hs_fail(err, HISS_EARG, "x.%d is given two values", i + 1);
            return fail_at(err, text, from);
        }
        at[i] = index;
        if (*rest == '\0')
            return HISS_OK;
        rest++;
    }
}
