/* bif.c - Bayes nets in the Interchange Format of bnlearn and pgmpy.
 *
 *     variable Alarm { type discrete [ 2 ] { true, false }; }
 *     probability ( Alarm | Burglary, Earthquake ) {
 *       (true, true) 0.95, 0.05;      parents' states, then the child's row
 *       default 0.5, 0.5;             rows that are not there
 *       table 0.95, 0.94, ...;        all at once: the child slowest, the last
 *     }                               parent fastest
 * Commas and the bar may be missing, names may be in quotes, and properties are
 * ignored. */
#include <math.h>
#include <stddef.h>
#include <string.h>

#include "base/alloc.h"
#include "base/grammar/lexer.h"
#include "format/format.h"
#include "format/parts/bayes.h"
#include "format/parts/sniff.h"

static const hs_option bif_options[] = {{0}};

static int bif_sniff(const char *head, size_t length)
{
    static const char *const words[] = {"network", "variable", "probability"};
    hs_span line = {NULL, 0};

    for (int n = 0; n < 64 && (n == 0 || line.at); n++) {
        line = hs_sniff_line(head, length, "", n);
        if (line.length < 2 || memcmp(line.at, "//", 2) != 0)
            break;
    }
    for (size_t k = 0; line.at && k < sizeof words / sizeof *words; k++) {
        const char *end = line.at + line.length;
        size_t word = strlen(words[k]);

        if (hs_sniff_starts(line.at, line.length, words[k]) &&
            memchr(line.at + word, '{',
                   (size_t)(head + length - line.at) - word) &&
            end > line.at + word &&
            (line.at[word] == ' ' || line.at[word] == '\t' ||
             line.at[word] == '{' || line.at[word] == '"'))
            return 90;
    }
    return 0;
}

/* Moves behind the ';' of a property, which is ignored. */
static hiss_status skip_statement(hs_lexer *l, hiss_error *err)
{
    while (!hs_lexer_is_mark(l, ';')) {
        if (l->token == HS_TOKEN_END)
            return hs_lexer_refuse(l, "';'", err);
        HS_TRY(hs_lexer_next(l, err));
    }
    return hs_lexer_next(l, err);
}

static hiss_status read_states(hs_bayes *b, hs_lexer *l, int variable,
                               hiss_error *err)
{
    hs_place where;
    int announced;

    HS_TRY(hs_lexer_next(l, err)); /* type */
    if (!hs_lexer_is_word(l, "discrete"))
        return hs_lexer_refuse(l, "'discrete'", err);
    HS_TRY(hs_lexer_next(l, err));
    HS_TRY(hs_lexer_mark(l, '[', err));
    where = l->place;
    HS_TRY(hs_lexer_int(l, 1, HS_STATES_MAX, &announced, err));
    HS_TRY(hs_lexer_mark(l, ']', err));
    HS_TRY(hs_lexer_mark(l, '{', err));
    while (!hs_lexer_is_mark(l, '}')) {
        hs_place at = l->place;
        char *name;
        hiss_status rc;

        HS_TRY(hs_lexer_name(l, "a state or '}'", &name, err));
        rc = hs_bayes_state(b, variable, name, &at, err);
        hs_free(name);
        HS_TRY(rc);
        HS_TRY(hs_lexer_skip(l, ',', NULL, err));
    }
    HS_TRY(hs_lexer_next(l, err));
    if (b->states[variable].count != announced)
        return hs_lexer_fail(l, &where, err,
                             "%d states are announced, %d follow", announced,
                             b->states[variable].count);
    return hs_lexer_skip(l, ';', NULL, err);
}

static hiss_status read_variable(hs_bayes *b, hs_lexer *l, hiss_error *err)
{
    hs_place where = l->place;
    char *name;
    int variable;
    hiss_status rc;

    HS_TRY(hs_lexer_name(l, "the name of a variable", &name, err));
    rc = hs_bayes_variable(b, name, &where, &variable, err);
    hs_free(name);
    HS_TRY(rc);
    HS_TRY(hs_lexer_mark(l, '{', err));
    while (!hs_lexer_is_mark(l, '}')) {
        if (hs_lexer_is_word(l, "type"))
            HS_TRY(read_states(b, l, variable, err));
        else if (hs_lexer_is_word(l, "property"))
            HS_TRY(skip_statement(l, err));
        else
            return hs_lexer_refuse(l, "'type', 'property' or '}'", err);
    }
    return hs_lexer_next(l, err);
}

/* The child comes first in the file, but last in b->scope. */
static hiss_status read_scope(hs_bayes *b, hs_lexer *l, hiss_error *err)
{
    int child;

    b->size = 0;
    HS_TRY(hs_lexer_mark(l, '(', err));
    while (!hs_lexer_is_mark(l, ')')) {
        hs_place where = l->place;
        char *name;
        int variable = 0;
        hiss_status rc;

        HS_TRY(hs_lexer_name(l, "a variable or ')'", &name, err));
        rc = hs_bayes_find(b, name, &where, &variable, err);
        hs_free(name);
        HS_TRY(rc);
        HS_TRY(hs_bayes_scope(b, variable, &where, err));
        HS_TRY(hs_lexer_skip(l, b->size == 1 ? '|' : ',', NULL, err));
        HS_TRY(hs_lexer_skip(l, ',', NULL, err));
    }
    if (b->size == 0)
        return hs_lexer_refuse(l, "a variable", err);
    child = b->scope[0];
    memmove(b->scope, b->scope + 1, (size_t)(b->size - 1) * sizeof *b->scope);
    b->scope[b->size - 1] = child;
    return hs_lexer_next(l, err);
}

static int states_of(const hs_bayes *b, int variable)
{
    return b->states[variable].count;
}

/* Reads `count` probabilities to entry[k * step], and ';'. */
static hiss_status read_numbers(hs_lexer *l, double *entry, int64_t count,
                                hiss_error *err)
{
    for (int64_t k = 0; k < count; k++) {
        if (hs_lexer_is_mark(l, ';'))
            return hs_lexer_fail(l, NULL, err,
                                 "found ';' after %lld of %lld probabilities",
                                 (long long)k, (long long)count);
        HS_TRY(hs_lexer_real(l, 0.0, HUGE_VAL, &entry[k], err));
        HS_TRY(hs_lexer_skip(l, ',', NULL, err));
    }
    return hs_lexer_mark(l, ';', err);
}

/* The child varies slowest in the file, fastest here. */
static hiss_status read_whole(hs_bayes *b, hs_lexer *l, hs_bayes_table *t,
                              hiss_error *err)
{
    int64_t states = states_of(b, t->scope[t->size - 1]);
    int64_t rows = t->entries / states;
    double *entry = hs_alloc_array((size_t)t->entries, sizeof *entry);
    hiss_status rc;

    if (!entry)
        return hs_fail_memory(err);
    rc = read_numbers(l, entry, t->entries, err);
    for (int64_t row = 0; row < rows && rc == HISS_OK; row++)
        for (int64_t v = 0; v < states; v++)
            t->entry[row * states + v] = entry[v * rows + row];
    hs_free(entry);
    return rc;
}

static hiss_status read_default(hs_bayes *b, hs_lexer *l, hs_bayes_table *t,
                                hiss_error *err)
{
    int64_t states = states_of(b, t->scope[t->size - 1]);
    double *row = hs_alloc_array((size_t)states, sizeof *row);
    hiss_status rc;

    if (!row)
        return hs_fail_memory(err);
    rc = read_numbers(l, row, states, err);
    for (int64_t e = 0; rc == HISS_OK && e < t->entries; e++)
        if (isnan(t->entry[e]))
            t->entry[e] = row[e % states];
    hs_free(row);
    return rc;
}

/* Reads "(true, false) 0.95, 0.05;". */
static hiss_status read_row(hs_bayes *b, hs_lexer *l, hs_bayes_table *t,
                            hiss_error *err)
{
    int states = states_of(b, t->scope[t->size - 1]);
    hs_place where = l->place;
    int64_t row = 0;

    HS_TRY(hs_lexer_mark(l, '(', err));
    for (int k = 0; k < t->size - 1; k++) {
        hs_place at = l->place;
        char *name;
        int state = 0;
        hiss_status rc;

        HS_TRY(hs_lexer_name(l, "a state of each parent", &name, err));
        rc = hs_bayes_find_state(b, t->scope[k], name, &at, &state, err);
        hs_free(name);
        HS_TRY(rc);
        row = row * states_of(b, t->scope[k]) + state;
        HS_TRY(hs_lexer_skip(l, ',', NULL, err));
    }
    HS_TRY(hs_lexer_mark(l, ')', err));
    if (!isnan(t->entry[row * states]))
        return hs_lexer_fail(l, &where, err, "a second row for these states");
    return read_numbers(l, t->entry + row * states, states, err);
}

/* `default` holds for missing rows, so it is stored until the end of the
 * block. */
static hiss_status read_table(hs_bayes *b, hs_lexer *l, hs_bayes_table *t,
                              hiss_error *err)
{
    while (!hs_lexer_is_mark(l, '}')) {
        if (hs_lexer_is_mark(l, '(')) {
            HS_TRY(read_row(b, l, t, err));
        } else if (hs_lexer_is_word(l, "table")) {
            HS_TRY(hs_lexer_next(l, err));
            HS_TRY(read_whole(b, l, t, err));
        } else if (hs_lexer_is_word(l, "default")) {
            HS_TRY(hs_lexer_next(l, err));
            HS_TRY(read_default(b, l, t, err));
        } else if (hs_lexer_is_word(l, "property")) {
            HS_TRY(skip_statement(l, err));
        } else {
            return hs_lexer_refuse(l, "'table', 'default', '(' or '}'", err);
        }
    }
    return hs_lexer_next(l, err);
}

static hiss_status read_probability(hs_bayes *b, hs_lexer *l, hiss_error *err)
{
    hs_place where = l->place;
    hs_bayes_table *t;

    HS_TRY(read_scope(b, l, err));
    HS_TRY(hs_bayes_table_add(b, 1, &where, &t, err));
    HS_TRY(hs_lexer_mark(l, '{', err));
    return read_table(b, l, t, err);
}

static hiss_status skip_network(hs_lexer *l, hiss_error *err)
{
    while (!hs_lexer_is_mark(l, '{')) {
        if (l->token == HS_TOKEN_END)
            return hs_lexer_refuse(l, "'{'", err);
        HS_TRY(hs_lexer_next(l, err));
    }
    HS_TRY(hs_lexer_next(l, err));
    while (!hs_lexer_is_mark(l, '}'))
        HS_TRY(skip_statement(l, err));
    return hs_lexer_next(l, err);
}

static hiss_status read_blocks(hs_bayes *b, hs_lexer *l, hiss_error *err)
{
    while (l->token != HS_TOKEN_END) {
        bool is_variable = hs_lexer_is_word(l, "variable");
        bool is_network = hs_lexer_is_word(l, "network");

        if (!is_variable && !is_network && !hs_lexer_is_word(l, "probability"))
            return hs_lexer_refuse(l, "'network', 'variable' or 'probability'",
                                   err);
        HS_TRY(hs_lexer_next(l, err));
        HS_TRY(is_network    ? skip_network(l, err)
               : is_variable ? read_variable(b, l, err)
                             : read_probability(b, l, err));
    }
    return HISS_OK;
}

static hiss_status bif_read(hs_problem *out, hs_reader *in, const void *options,
                            hiss_error *err)
{
    hs_lexer l = {.in = in, .marks = "{}()[];,|", .has_slashes = true};
    hs_bayes b = {.in = in};
    hiss_status rc = hs_lexer_begin(&l, err);

    (void)options;
    if (rc == HISS_OK)
        rc = read_blocks(&b, &l, err);
    if (rc == HISS_OK)
        rc = hs_bayes_finish(&b, out, err);
    hs_lexer_end(&l);
    hs_bayes_clear(&b);
    return rc;
}

static const char *const bif_tested[] = {
    "the 24 networks of bnlearn that pgmpy ships, alarm to pathfinder",
    NULL,
};

const hs_format hs_format_bif = {
    .name = "bif",
    .title = "Bayes net in BIF",
    .summary = "Bayes nets in the Interchange Format, with names",
    .suffixes = "bif",
    .options = bif_options,
    .sniff = bif_sniff,
    .read = bif_read,
    .tested = bif_tested,
};
