/* evidence_text.c - evidence in words: "3=1,x.7=-1", "Burglary=true".
 *
 * The longest name that the text begins with counts, so names may contain any
 * character.  A file has a pair on each line, as `Burglary=true` or `Burglary
 * true`. */
#include <string.h>

#include "base/alloc.h"
#include "base/caret.h"
#include "base/error.h"
#include "base/number.h"
#include "base/read/reader.h"
#include "base/text.h"
#include "format/problem/evidence.h"

enum {
    LISTED = 24
};

/* Fails with a caret under a part of the text. */
static hiss_status fail_at(hiss_error *err, const char *text, const char *where)
{
    hs_caret_add(err, text, strlen(text), (size_t)(where - text));
    return HISS_EARG;
}

/* Finds the longest of count names that the text begins with and that is
 * followed by one of `ends` or by the end; -1 if there is none. */
static int find_name(char *const *name, int count, const char *text,
                     const char *ends)
{
    size_t most = 0;
    int best = -1;

    for (int n = 0; name && n < count; n++) {
        size_t length = strlen(name[n]);

        if (length >= most && strncmp(text, name[n], length) == 0 &&
            strchr(ends, text[length])) { /* or NUL */
            most = length;
            best = n;
        }
    }
    return best;
}

/* "no coordinate is called 'Burglry'; did you mean 'Burglary'?" */
static hiss_status fail_coordinate(const hs_domain *d, const char *word,
                                   size_t length, hiss_error *err)
{
    char quoted[HS_QUOTE_MAX], hint[HISS_SUGGESTION_MAX];
    const char **list = hs_alloc_array((size_t)d->dim + 1, sizeof *list);
    char *copy = hs_strndup(word, length);
    hiss_status rc = HISS_EARG;

    if (!list || !copy) {
        rc = hs_fail_memory(err);
    } else {
        memcpy(list, d->names, (size_t)d->dim * sizeof *list);
        hs_fail(err, rc, "no coordinate is called '%s'%s",
                hs_quote(quoted, word, length),
                hiss_suggestion(hint, copy, list, "'", "'"));
    }
    hs_free(list);
    hs_free(copy);
    return rc;
}

/* "Alarm has no state 'on'; its states are true, false" */
static hiss_status fail_state(const hs_domain *d, int i, const char *word,
                              size_t length, hiss_error *err)
{
    char quoted[HS_QUOTE_MAX], name[HS_NAME_MAX + 1], state[HS_NAME_MAX + 1];
    hs_text t = {0};
    char *list;

    for (int v = 0; v < d->states[i] && v < LISTED; v++) {
        hs_text_add_string(&t, v ? ", " : "");
        hs_text_add_string(&t, hs_domain_state(d, i, v, state));
    }
    if (d->states[i] > LISTED)
        hs_text_add_string(&t, ", ...");
    list = hs_text_take(&t);
    if (!list)
        return hs_fail_memory(err);
    hs_fail(err, HISS_EARG, "%s has no state '%s'; its state%s %s",
            hs_domain_coordinate(d, i, name), hs_quote(quoted, word, length),
            d->states[i] == 1 ? " is" : "s are", list);
    hs_free(list);
    return HISS_EARG;
}

/* Reads "3" or "x.3" up to '='; moves *text behind it. */
static hiss_status parse_number(const char **text, const char *all,
                                const hs_domain *d, int *i, hiss_error *err)
{
    const char *from = *text, *equals = strchr(from, '=');
    char quoted[HS_QUOTE_MAX];
    int dim = d->dim;
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
    if (!hs_number_whole(from, equals, &number) && d->names) {
        hiss_status rc =
            fail_coordinate(d, *text, (size_t)(equals - *text), err);

        return rc == HISS_EARG ? fail_at(err, all, *text) : rc;
    }
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

/* Reads a name or a number, and '='; moves *text behind it. */
static hiss_status parse_coordinate(const char **text, const char *all,
                                    const hs_domain *d, int *i, hiss_error *err)
{
    int found = find_name(d->names, d->dim, *text, "=");

    if (found < 0 || !(*text)[strlen(d->names[found])])
        return parse_number(text, all, d, i, err);
    *i = found;
    *text += strlen(d->names[found]) + 1;
    return HISS_OK;
}

/* Returns the index of a value, or -1. */
static int find_value(const hs_domain *d, int i, double value)
{
    for (int v = 0; v < d->states[i]; v++)
        if (d->values[d->value[i] + v] == (float)value)
            return v;
    return -1;
}

/* Reads a value of coordinate i, up to ',' or the end; moves *text there. */
static hiss_status parse_value(const char **text, const char *all,
                               const hs_model *m, int i, int *index,
                               hiss_error *err)
{
    const hs_domain *d = &m->domain;
    const float *value = d->values + d->value[i];
    size_t length = strcspn(*text, ",");
    char *word, quoted[HS_QUOTE_MAX];
    double number;
    bool is_number;
    int named = d->state_names ? find_name(d->state_names + d->value[i],
                                           d->states[i], *text, ",")
                               : -1;

    if (named >= 0) {
        *text += strlen(d->state_names[d->value[i] + named]);
        *index = m->fixed_at && m->fixed_at[i] >= 0 ? m->fixed_at[i] : named;
        return HISS_OK;
    }
    word = hs_strndup(*text, length);
    if (!word)
        return hs_fail_memory(err);
    is_number = hs_number_real(word, &number);
    hs_free(word);
    *index = is_number ? find_value(d, i, number) : -1;
    if (*index < 0) {
        hs_quote(quoted, *text, length);
        if (d->state_names) {
            hiss_status rc = fail_state(d, i, *text, length, err);

            return rc == HISS_EARG ? fail_at(err, all, *text) : rc;
        }
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
    char name[HS_NAME_MAX + 1];

    for (int i = 0; i < m->domain.dim; i++)
        at[i] = -1;
    for (;;) {
        int i = 0, index = 0;
        const char *from = rest;

        HS_TRY(parse_coordinate(&rest, text, &m->domain, &i, err));
        HS_TRY(parse_value(&rest, text, m, i, &index, err));
        if (at[i] >= 0 && at[i] != index) {
            hs_fail(err, HISS_EARG, "%s is given two values",
                    hs_domain_coordinate(&m->domain, i, name));
            return fail_at(err, text, from);
        }
        at[i] = index;
        if (*rest == '\0')
            return HISS_OK;
        rest++;
    }
}

/* --- in a file ------------------------------------------------------------ */

bool hs_evidence_has_names(hs_reader *in)
{
    int c, n = 0;

    hs_reader_place(in); /* moves to the first word */
    while ((c = hs_reader_ahead(in, n)) >= 0 && c != ' ' && c != '\t' &&
           c != '\r' && c != '\n' && n < 100) {
        if ((c < '0' || c > '9') && c != '+' && c != '-')
            return true;
        n++;
    }
    return false;
}

/* Reads NAME=STATE, NAME: STATE or NAME STATE. */
static hiss_status read_pair(int *at, hs_reader *in, const char *line,
                             const hs_model *m, hiss_error *err)
{
    const hs_domain *d = &m->domain;
    int i = find_name(d->names, d->dim, line, "=:, \t"), index;
    const char *state = i >= 0 ? line + strlen(d->names[i]) : line;
    char name[HS_NAME_MAX + 1];
    hiss_error why = {0};

    if (i < 0) {
        if (fail_coordinate(d, line, strcspn(line, "=:, \t"), &why) ==
            HISS_ENOMEM)
            return hs_fail_memory(err);
        return hs_reader_fail(in, NULL, err, "%s", why.message);
    }
    state += strspn(state, " \t");
    state += *state == '=' || *state == ':' || *state == ',';
    state += strspn(state, " \t");
    index = d->state_names ? find_name(d->state_names + d->value[i],
                                       d->states[i], state, "")
                           : -1;
    if (index < 0) {
        if (fail_state(d, i, state, strlen(state), &why) == HISS_ENOMEM)
            return hs_fail_memory(err);
        return hs_reader_fail(in, NULL, err, "%s", why.message);
    }
    if (m->fixed_at && m->fixed_at[i] >= 0)
        index = m->fixed_at[i];
    if (at[i] >= 0 && at[i] != index)
        return hs_reader_fail(in, NULL, err, "%s has another state already",
                              hs_domain_coordinate(d, i, name));
    at[i] = index;
    return HISS_OK;
}

hiss_status hs_evidence_read_names(int *at, hs_reader *in, const hs_model *m,
                                   hiss_error *err)
{
    const char *line;

    if (!m->domain.names) {
        HS_TRY(hs_reader_line(in, &line, err));
        return hs_reader_fail(in, NULL, err,
                              "the variables of this model have no names, "
                              "expected whole numbers: how many are fixed, "
                              "and pairs of variable and state");
    }
    hs_reader_comments(in, "#", NULL);
    while (!hs_reader_at_end(in)) {
        HS_TRY(hs_reader_line(in, &line, err));
        HS_TRY(read_pair(at, in, line, m, err));
    }
    return HISS_OK;
}
