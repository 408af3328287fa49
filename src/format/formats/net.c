/* net.c - Bayes nets as Hugin's .net.
 *
 *     node Alarm { states = ( "true" "false" ); }
 *     potential ( Alarm | Burglary Earthquake ) {
 *       data = ((( 0.95 0.05 )( 0.94 0.06 ))(( 0.29 0.71 )( 0.001 0.999 )));
 *     }
 * The first parent varies slowest, the child fastest. A potential of several
 * variables without a bar may be any table. Other attributes are ignored.
 * Decisions, utilities and continuous nodes are refused. */
#include <math.h>
#include <stddef.h>
#include <string.h>

#include "base/alloc.h"
#include "base/grammar/lexer.h"
#include "format/format.h"
#include "format/parts/bayes.h"
#include "format/parts/sniff.h"

enum {
    DEPTH_MAX = 64
};

static const hs_option net_options[] = {{0}};

static int net_sniff(const char *head, size_t length)
{
    hs_span line = hs_sniff_line(head, length, "%", 0);
    hs_span second = hs_sniff_line(head, length, "%", 1);
    hs_span word = hs_sniff_word(line, 0), next = hs_sniff_word(line, 1);

    if (!next.at)
        next = hs_sniff_word(second, 0);
    if (!word.at || !next.at)
        return 0;
    if (hs_sniff_starts(line.at, line.length, "net{") ||
        (hs_sniff_is(word, "net") && next.at[0] == '{'))
        return 95;
    return (hs_sniff_is(word, "node") || hs_sniff_is(word, "class") ||
            hs_sniff_is(word, "discrete")) &&
                   memmem(head, length, "states", 6)
               ? 85
               : 0;
}

/* Moves behind the ';' of an attribute. */
static hiss_status skip_value(hs_lexer *l, hiss_error *err)
{
    while (!hs_lexer_is_mark(l, ';')) {
        if (l->token == HS_TOKEN_END || hs_lexer_is_mark(l, '}'))
            return hs_lexer_refuse(l, "';'", err);
        HS_TRY(hs_lexer_next(l, err));
    }
    return hs_lexer_next(l, err);
}

static hiss_status read_states(hs_bayes *b, hs_lexer *l, int variable,
                               hiss_error *err)
{
    HS_TRY(hs_lexer_mark(l, '=', err));
    HS_TRY(hs_lexer_mark(l, '(', err));
    while (!hs_lexer_is_mark(l, ')')) {
        hs_place where = l->place;
        char *name;
        hiss_status rc;

        HS_TRY(hs_lexer_name(l, "a state or ')'", &name, err));
        rc = hs_bayes_state(b, variable, name, &where, err);
        hs_free(name);
        HS_TRY(rc);
    }
    HS_TRY(hs_lexer_next(l, err));
    return hs_lexer_mark(l, ';', err);
}

static hiss_status read_node(hs_bayes *b, hs_lexer *l, hiss_error *err)
{
    hs_place where = l->place;
    char *name;
    int variable;
    hiss_status rc;

    HS_TRY(hs_lexer_name(l, "the name of a node", &name, err));
    rc = hs_bayes_variable(b, name, &where, &variable, err);
    hs_free(name);
    HS_TRY(rc);
    HS_TRY(hs_lexer_mark(l, '{', err));
    while (!hs_lexer_is_mark(l, '}')) {
        bool is_states = hs_lexer_is_word(l, "states");

        if (l->token != HS_TOKEN_WORD)
            return hs_lexer_refuse(l, "an attribute or '}'", err);
        HS_TRY(hs_lexer_next(l, err));
        HS_TRY(is_states ? read_states(b, l, variable, err)
                         : skip_value(l, err));
    }
    return hs_lexer_next(l, err);
}

/* Children come before the bar in the file, but behind the parents in
 * b->scope. */
static hiss_status read_scope(hs_bayes *b, hs_lexer *l, int *heads,
                              hiss_error *err)
{
    int part[sizeof b->scope / sizeof *b->scope];

    b->size = *heads = 0;
    HS_TRY(hs_lexer_mark(l, '(', err));
    while (!hs_lexer_is_mark(l, ')')) {
        hs_place where = l->place;
        char *name;
        int variable = 0;
        hiss_status rc;

        if (hs_lexer_is_mark(l, '|') && *heads == 0 && b->size > 0) {
            *heads = b->size;
            HS_TRY(hs_lexer_next(l, err));
            continue;
        }
        HS_TRY(hs_lexer_name(l, "a node or ')'", &name, err));
        rc = hs_bayes_find(b, name, &where, &variable, err);
        hs_free(name);
        HS_TRY(rc);
        HS_TRY(hs_bayes_scope(b, variable, &where, err));
    }
    if (b->size == 0)
        return hs_lexer_refuse(l, "a node", err);
    *heads = *heads ? *heads : b->size;
    memcpy(part, b->scope, (size_t)*heads * sizeof *part);
    memmove(b->scope, b->scope + *heads,
            (size_t)(b->size - *heads) * sizeof *part);
    memcpy(b->scope + b->size - *heads, part, (size_t)*heads * sizeof *part);
    return hs_lexer_next(l, err);
}

/* Reads numbers in nested parentheses, which only have to match. */
static hiss_status read_data(hs_lexer *l, hs_bayes_table *t, hiss_error *err)
{
    hs_place where = l->place;
    int64_t count = 0;
    int depth = 0;

    while (!hs_lexer_is_mark(l, ';')) {
        double value;

        if (hs_lexer_is_mark(l, '(') || hs_lexer_is_mark(l, ')')) {
            depth += hs_lexer_is_mark(l, '(') ? 1 : -1;
            if (depth < 0 || depth > DEPTH_MAX)
                return hs_lexer_refuse(l, "parentheses that match", err);
            HS_TRY(hs_lexer_next(l, err));
            continue;
        }
        HS_TRY(hs_lexer_real(l, 0.0, HUGE_VAL, &value, err));
        if (count < t->entries)
            t->entry[count] = value;
        count++;
    }
    if (depth != 0)
        return hs_lexer_refuse(l, "')'", err);
    if (count != t->entries)
        return hs_lexer_fail(l, &where, err,
                             "%lld numbers, the potential needs %lld",
                             (long long)count, (long long)t->entries);
    return hs_lexer_next(l, err);
}

/* A potential without data is uniform. */
static void fill_evenly(const hs_bayes *b, hs_bayes_table *t)
{
    double share = 1.0 / b->states[t->scope[t->size - 1]].count;

    for (int64_t e = 0; e < t->entries; e++)
        t->entry[e] = t->heads == 1 ? share : 1.0;
}

static hiss_status read_potential(hs_bayes *b, hs_lexer *l, hiss_error *err)
{
    hs_place where = l->place;
    hs_bayes_table *t;
    int heads;

    HS_TRY(read_scope(b, l, &heads, err));
    HS_TRY(hs_bayes_table_add(b, heads, &where, &t, err));
    fill_evenly(b, t);
    HS_TRY(hs_lexer_mark(l, '{', err));
    while (!hs_lexer_is_mark(l, '}')) {
        bool is_data = hs_lexer_is_word(l, "data");

        if (l->token != HS_TOKEN_WORD || hs_lexer_is_word(l, "model_data") ||
            hs_lexer_is_word(l, "model_nodes"))
            return hs_lexer_refuse(l, "'data' or '}'", err);
        HS_TRY(hs_lexer_next(l, err));
        if (!is_data) {
            HS_TRY(skip_value(l, err));
            continue;
        }
        HS_TRY(hs_lexer_mark(l, '=', err));
        HS_TRY(read_data(l, t, err));
    }
    return hs_lexer_next(l, err);
}

static hiss_status skip_block(hs_lexer *l, hiss_error *err)
{
    HS_TRY(hs_lexer_mark(l, '{', err));
    while (!hs_lexer_is_mark(l, '}'))
        HS_TRY(skip_value(l, err));
    return hs_lexer_next(l, err);
}

static hiss_status read_block(hs_bayes *b, hs_lexer *l, hiss_error *err)
{
    bool is_net = hs_lexer_is_word(l, "net");
    bool is_potential = hs_lexer_is_word(l, "potential");

    if (!is_net && !is_potential && !hs_lexer_is_word(l, "node") &&
        !hs_lexer_is_word(l, "discrete"))
        return hs_lexer_refuse(
            l, "'net', 'node' or 'potential' (discrete nodes only)", err);
    if (hs_lexer_is_word(l, "discrete")) {
        HS_TRY(hs_lexer_next(l, err));
        if (!hs_lexer_is_word(l, "node"))
            return hs_lexer_refuse(l, "'node'", err);
    }
    HS_TRY(hs_lexer_next(l, err));
    return is_net         ? skip_block(l, err)
           : is_potential ? read_potential(b, l, err)
                          : read_node(b, l, err);
}

/* A class is a net with its own attributes before the nodes. */
static hiss_status read_text(hs_bayes *b, hs_lexer *l, hiss_error *err)
{
    bool is_class = hs_lexer_is_word(l, "class");

    if (is_class) {
        HS_TRY(hs_lexer_next(l, err));
        HS_TRY(hs_lexer_next(l, err)); /* its name */
        HS_TRY(hs_lexer_mark(l, '{', err));
    }
    while (l->token != HS_TOKEN_END && !(is_class && hs_lexer_is_mark(l, '}')))
        HS_TRY(read_block(b, l, err));
    return is_class ? hs_lexer_mark(l, '}', err) : HISS_OK;
}

static hiss_status net_read(hs_problem *out, hs_reader *in, const void *options,
                            hiss_error *err)
{
    hs_lexer l = {.in = in, .marks = "{}()=;|", .comments = "%"};
    hs_bayes b = {.in = in};
    hiss_status rc = hs_lexer_begin(&l, err);

    (void)options;
    if (rc == HISS_OK)
        rc = read_text(&b, &l, err);
    if (rc == HISS_OK)
        rc = hs_bayes_finish(&b, out, err);
    hs_lexer_end(&l);
    hs_bayes_clear(&b);
    return rc;
}

static const char *const net_tested[] = {
    "written by pgmpy 1.1.2 (tests/data/pgmpy)",
    NULL,
};

const hs_format hs_format_net = {
    .name = "net",
    .title = "Bayes net of Hugin",
    .summary = "Bayes nets as Hugin's NET, with names",
    .suffixes = "net",
    .options = net_options,
    .sniff = net_sniff,
    .read = net_read,
    .tested = net_tested,
};
