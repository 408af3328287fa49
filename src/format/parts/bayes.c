/* bayes.c - builds a Bayes net from its file. */
#include "format/parts/bayes.h"

#include <math.h>
#include <string.h>

#include "base/alloc.h"
#include "base/caret.h"
#include "base/text.h"
#include "format/parts/lines.h"

enum {
    SCOPE_MAX = (int)(sizeof((hs_bayes *)0)->scope / sizeof(int)),
    LISTED = 16
};

static const double ROUNDING = 1e-9; /* a smaller error of a sum gets no
                                        remark */

void hs_bayes_clear(hs_bayes *b)
{
    for (int v = 0; v < b->room; v++)
        hs_words_clear(&b->states[v]);
    for (int64_t n = 0; n < b->tables; n++) {
        hs_free(b->table[n].scope);
        hs_free(b->table[n].entry);
    }
    hs_words_clear(&b->names);
    hs_free(b->states);
    hs_free(b->has_table);
    hs_free(b->table);
    *b = (hs_bayes){0};
}

static hiss_status grow_variables(hs_bayes *b, hiss_error *err)
{
    int room = b->room > 0 ? 2 * b->room : 32;
    hs_words *states;
    bool *has_table;

    if (b->names.count < b->room)
        return HISS_OK;
    has_table = hs_realloc_array(b->has_table, (size_t)b->room, (size_t)room,
                                 sizeof *has_table);
    if (!has_table)
        return hs_fail_memory(err);
    b->has_table = has_table;
    states = hs_realloc_array(b->states, (size_t)b->room, (size_t)room,
                              sizeof *states);
    if (!states)
        return hs_fail_memory(err);
    b->states = states;
    b->room = room;
    return HISS_OK;
}

hiss_status hs_bayes_variable(hs_bayes *b, const char *name,
                              const hs_place *where, int *variable,
                              hiss_error *err)
{
    char quote[HS_QUOTE_MAX];
    bool is_new;

    HS_TRY(grow_variables(b, err));
    HS_TRY(hs_words_add(&b->names, name, variable, &is_new, err));
    if (is_new)
        return HISS_OK;
    return hs_reader_fail(b->in, where, err, "a second variable '%s'",
                          hs_quote(quote, name, strlen(name)));
}

hiss_status hs_bayes_state(hs_bayes *b, int variable, const char *name,
                           const hs_place *where, hiss_error *err)
{
    char quote[HS_QUOTE_MAX];
    int index;
    bool is_new;

    HS_TRY(hs_words_add(&b->states[variable], name, &index, &is_new, err));
    if (!is_new)
        return hs_reader_fail(b->in, where, err,
                              "a second state '%s' of this variable",
                              hs_quote(quote, name, strlen(name)));
    if (index >= HS_STATES_MAX)
        return hs_reader_fail(b->in, where, err, "more than %d states",
                              HS_STATES_MAX);
    return HISS_OK;
}

hiss_status hs_bayes_find(const hs_bayes *b, const char *name,
                          const hs_place *where, int *variable, hiss_error *err)
{
    char quote[HS_QUOTE_MAX];

    *variable = hs_words_find(&b->names, name);
    if (*variable >= 0)
        return HISS_OK;
    return hs_reader_fail(b->in, where, err,
                          "no variable before this is called '%s'",
                          hs_quote(quote, name, strlen(name)));
}

hiss_status hs_bayes_find_state(const hs_bayes *b, int variable,
                                const char *name, const hs_place *where,
                                int *state, hiss_error *err)
{
    const hs_words *states = &b->states[variable];
    char quote[HS_QUOTE_MAX], one[HS_QUOTE_MAX], *list;
    hs_text t = {0};

    *state = hs_words_find(states, name);
    if (*state >= 0)
        return HISS_OK;
    for (int k = 0; k < states->count && k < LISTED; k++) {
        hs_text_add_string(&t, k ? ", " : "");
        hs_text_add_string(&t,
                           hs_quote(one, states->at[k], strlen(states->at[k])));
    }
    list = hs_text_take(&t);
    if (!list && states->count > 0)
        return hs_fail_memory(err);
    hs_reader_fail(
        b->in, where, err, "found '%s', expected a state of %s: %s",
        hs_quote(quote, name, strlen(name)),
        hs_quote(one, b->names.at[variable], strlen(b->names.at[variable])),
        list ? list : "it has none");
    hs_free(list);
    return HISS_EPARSE;
}

hiss_status hs_bayes_scope(hs_bayes *b, int variable, const hs_place *where,
                           hiss_error *err)
{
    for (int k = 0; k < b->size; k++)
        if (b->scope[k] == variable)
            return hs_reader_fail(b->in, where, err,
                                  "this variable is named twice here");
    if (b->size == SCOPE_MAX)
        return hs_reader_fail(b->in, where, err,
                              "a table over more than %d variables", SCOPE_MAX);
    if (b->states[variable].count == 0)
        return hs_reader_fail(b->in, where, err, "this variable has no states");
    b->scope[b->size++] = variable;
    return HISS_OK;
}

static hiss_status count_entries(hs_bayes *b, const hs_place *where,
                                 int64_t *entries, hiss_error *err)
{
    int64_t most = hs_lines_tables_max(b->in);

    *entries = 1;
    for (int k = 0; k < b->size && *entries <= most; k++)
        *entries *= b->states[b->scope[k]].count;
    if (b->entries <= most - *entries)
        return HISS_OK;
    return hs_reader_fail(b->in, where, err,
                          "the tables have more than %lld entries, too many "
                          "for a file of this size",
                          (long long)most);
}

static hiss_status grow_tables(hs_bayes *b, hiss_error *err)
{
    int64_t room = b->tables_room > 0 ? 2 * b->tables_room : 32;
    hs_bayes_table *more;

    if (b->tables < b->tables_room)
        return HISS_OK;
    more = hs_realloc_array(b->table, (size_t)b->tables_room, (size_t)room,
                            sizeof *more);
    if (!more)
        return hs_fail_memory(err);
    b->table = more;
    b->tables_room = room;
    return HISS_OK;
}

hiss_status hs_bayes_table_add(hs_bayes *b, int heads, const hs_place *where,
                               hs_bayes_table **out, hiss_error *err)
{
    int child = b->scope[b->size - 1];
    char quote[HS_QUOTE_MAX];
    hs_bayes_table *t;
    int64_t entries;

    if (heads == 1 && b->has_table[child])
        return hs_reader_fail(
            b->in, where, err, "a second table of probabilities of '%s'",
            hs_quote(quote, b->names.at[child], strlen(b->names.at[child])));
    HS_TRY(count_entries(b, where, &entries, err));
    HS_TRY(grow_tables(b, err));
    t = &b->table[b->tables];
    *t = (hs_bayes_table){
        .size = b->size, .heads = heads, .entries = entries, .place = *where};
    t->scope = hs_alloc_array((size_t)b->size, sizeof *t->scope);
    t->entry = hs_alloc_array((size_t)entries, sizeof *t->entry);
    if (!t->scope || !t->entry) {
        hs_free(t->scope);
        hs_free(t->entry);
        return hs_fail_memory(err);
    }
    b->tables++;
    b->entries += entries;
    memcpy(t->scope, b->scope, (size_t)b->size * sizeof *t->scope);
    for (int64_t e = 0; e < entries; e++)
        t->entry[e] = (double)NAN;
    for (int k = b->size - heads; k < b->size; k++)
        b->has_table[b->scope[k]] = true;
    *out = t;
    return HISS_OK;
}

/* Returns "(true, false)", the parents' states of a row; owned by the
 * caller. */
static char *row_name(const hs_bayes *b, const hs_bayes_table *t, int64_t row)
{
    int state[SCOPE_MAX];
    hs_text text = {0};

    for (int k = t->size - t->heads - 1; k >= 0; k--) {
        int count = b->states[t->scope[k]].count;

        state[k] = (int)(row % count);
        row /= count;
    }
    for (int k = 0; k < t->size - t->heads; k++) {
        char quote[HS_QUOTE_MAX];
        const char *name = b->states[t->scope[k]].at[state[k]];

        hs_text_add_string(&text, k ? ", " : " given (");
        hs_text_add_string(&text, hs_quote(quote, name, strlen(name)));
    }
    hs_text_add_string(&text, t->size > t->heads ? ")" : "");
    return hs_text_take(&text);
}

static hiss_status fail_row(const hs_bayes *b, const hs_bayes_table *t,
                            int64_t row, double sum, hiss_error *err)
{
    char *name = row_name(b, t, row), quote[HS_QUOTE_MAX];
    const char *child = b->names.at[t->scope[t->size - 1]];

    if (!name)
        return hs_fail_memory(err);
    hs_quote(quote, child, strlen(child));
    if (isnan(sum))
        hs_reader_fail(b->in, &t->place, err, "no probabilities of %s%s", quote,
                       name);
    else
        hs_reader_fail(b->in, &t->place, err,
                       "the probabilities of %s%s sum to %.6g, expected 1",
                       quote, name, sum);
    hs_free(name);
    return HISS_EPARSE;
}

/* Scales the rows; *scaled counts those beyond rounding. */
static hiss_status normalize(const hs_bayes *b, hs_bayes_table *t,
                             int64_t *scaled, hiss_error *err)
{
    int states = b->states[t->scope[t->size - 1]].count;

    for (int64_t row = 0; row < t->entries / states; row++) {
        double *entry = t->entry + row * states, sum = 0.0;

        for (int v = 0; v < states; v++)
            sum += entry[v];
        if (!(fabs(sum - 1.0) <= HS_BAYES_TOLERANCE))
            return fail_row(b, t, row, sum, err);
        *scaled += fabs(sum - 1.0) > ROUNDING;
        for (int v = 0; v < states; v++)
            entry[v] /= sum;
    }
    return HISS_OK;
}

static hiss_status take_table(const hs_bayes *b, const hs_bayes_table *t,
                              hs_problem *out, hiss_error *err)
{
    double *entry;
    bool is_zero = true;

    HS_TRY(hs_factors_add(&out->factors, t->size, t->scope, NULL, &entry, err));
    for (int64_t e = 0; e < t->entries; e++) {
        if (isnan(t->entry[e]))
            return fail_row(b, t, 0, (double)NAN, err);
        is_zero = is_zero && t->entry[e] == 0.0;
        entry[e] = t->entry[e] == 0.0 ? -HUGE_VAL : log(t->entry[e]);
    }
    if (is_zero)
        return hs_reader_fail(b->in, &t->place, err,
                              "this table has probability 0 everywhere");
    return HISS_OK;
}

static hiss_status take_names(hs_bayes *b, hs_problem *out, hiss_error *err)
{
    int64_t count = 0;

    for (int v = 0; v < b->names.count; v++)
        count += b->states[v].count;
    out->names = hs_strings_copy(b->names.at, b->names.count);
    out->state_names = hs_alloc_array((size_t)count, sizeof *out->state_names);
    if (!out->names || !out->state_names)
        return hs_fail_memory(err);
    for (int v = 0; v < b->names.count; v++)
        for (int s = 0; s < b->states[v].count; s++) {
            char *copy = hs_strdup(b->states[v].at[s]);

            if (!copy)
                return hs_fail_memory(err);
            out->state_names[out->state_name_count++] = copy;
        }
    return HISS_OK;
}

static hiss_status take_variables(hs_bayes *b, hs_problem *out, hiss_error *err)
{
    int *states = hs_alloc_array((size_t)b->names.count, sizeof *states);
    hiss_status rc;

    if (!states)
        return hs_fail_memory(err);
    for (int v = 0; v < b->names.count; v++)
        states[v] = b->states[v].count;
    out->shape = HS_FACTORS;
    out->scale = 1.0;
    rc = hs_factors_init(&out->factors, b->names.count, states, err);
    hs_free(states);
    out->dim = b->names.count;
    return rc;
}

static hiss_status check_variables(const hs_bayes *b, hiss_error *err)
{
    char quote[HS_QUOTE_MAX];

    if (b->names.count == 0)
        return hs_fail(err, HISS_EPARSE, "%s:1:1: the net has no variables",
                       hs_reader_name(b->in));
    for (int v = 0; v < b->names.count; v++)
        if (!b->has_table[v] || b->states[v].count == 0)
            return hs_fail(
                err, HISS_EPARSE, "%s:1:1: the file has no %s of '%s'",
                hs_reader_name(b->in),
                b->states[v].count == 0 ? "states" : "probabilities",
                hs_quote(quote, b->names.at[v], strlen(b->names.at[v])));
    return HISS_OK;
}

hiss_status hs_bayes_finish(hs_bayes *b, hs_problem *out, hiss_error *err)
{
    int64_t scaled = 0;
    bool is_net = true;

    HS_TRY(check_variables(b, err));
    HS_TRY(take_variables(b, out, err));
    HS_TRY(take_names(b, out, err));
    for (int64_t n = 0; n < b->tables; n++) {
        is_net = is_net && b->table[n].heads == 1;
        if (b->table[n].heads == 1)
            HS_TRY(normalize(b, &b->table[n], &scaled, err));
        HS_TRY(take_table(b, &b->table[n], out, err));
        hs_free(b->table[n].entry); /* frees early, because the net may be
                                       large */
        b->table[n].entry = NULL;
    }
    if (scaled > 0)
        HS_TRY(hs_problem_remark(out, err,
                                 "%lld row%s of probabilities did not sum to 1 "
                                 "and %s scaled",
                                 (long long)scaled, scaled == 1 ? "" : "s",
                                 scaled == 1 ? "was" : "were"));
    return hs_problem_assume(
        out, err,
        is_net ? "log p = sum of ln P(variable | parents), log Z = 0"
               : "log p = sum of ln of the table entries");
}
