/* gml.c - graphs in GML: `key value` pairs, where a value is a number, a
 * string or a list of such pairs in brackets. */
#include <stdbool.h>
#include <string.h>

#include "base/alloc.h"
#include "base/ascii.h"
#include "base/caret.h"
#include "base/grammar/lexer.h"
#include "model/graph/builder.h"

enum {
    PAIRS_MAX = 256,
    DEPTH_MAX = 64
};

/* The pairs of a node or an edge whose values are not lists. */
struct pairs {
    char *key[PAIRS_MAX], *value[PAIRS_MAX]; /* owned */
    int count;
    hs_place place; /* position of the opening bracket */
};

static void clear_pairs(struct pairs *p)
{
    for (int k = 0; k < p->count; k++) {
        hs_free(p->key[k]);
        hs_free(p->value[k]);
    }
    p->count = 0;
}

static const char *value_of(const struct pairs *p, const char *key)
{
    for (int k = 0; k < p->count; k++)
        if (hs_is_same_word(p->key[k], key))
            return p->value[k];
    return NULL;
}

/* Moves behind the bracket that closes the list whose '[' is next. */
static hiss_status skip_list(hs_lexer *l, hiss_error *err)
{
    hs_place where = l->place;
    int depth = 0;

    do {
        if (l->token == HS_TOKEN_END)
            return hs_lexer_fail(l, &where, err,
                                 "the list that begins here does not end");
        depth += hs_lexer_is_mark(l, '[')   ? 1
                 : hs_lexer_is_mark(l, ']') ? -1
                                            : 0;
        if (depth > DEPTH_MAX)
            return hs_lexer_fail(l, NULL, err,
                                 "lists are nested deeper than %d", DEPTH_MAX);
        HS_TRY(hs_lexer_next(l, err));
    } while (depth > 0);
    return HISS_OK;
}

static hiss_status read_pair(struct pairs *p, hs_lexer *l, hiss_error *err)
{
    char *key;
    hiss_status rc;

    if (p->count == PAIRS_MAX)
        return hs_lexer_fail(l, NULL, err, "more than %d keys in one list",
                             PAIRS_MAX);
    HS_TRY(hs_lexer_name(l, "a key or ']'", &key, err));
    if (hs_lexer_is_mark(l, '[')) {
        hs_free(key);
        return skip_list(l, err);
    }
    rc = hs_lexer_name(l, "a value or '['", &p->value[p->count], err);
    if (rc != HISS_OK) {
        hs_free(key);
        return rc;
    }
    p->key[p->count++] = key;
    return HISS_OK;
}

static hiss_status read_pairs(struct pairs *p, hs_lexer *l, hiss_error *err)
{
    p->place = l->place;
    HS_TRY(hs_lexer_mark(l, '[', err));
    while (!hs_lexer_is_mark(l, ']'))
        HS_TRY(read_pair(p, l, err));
    return hs_lexer_next(l, err);
}

static hiss_status add_node(hs_named_graph_builder *b, hs_lexer *l,
                            const struct pairs *p, hiss_error *err)
{
    const char *id = value_of(p, "id");
    char quote[HS_QUOTE_MAX];
    int node;
    bool is_new;

    if (!id)
        return hs_lexer_fail(l, &p->place, err, "this node has no id");
    HS_TRY(hs_named_graph_node(b, id, &node, &is_new, err));
    if (!is_new)
        return hs_lexer_fail(l, &p->place, err,
                             "a second node with the id '%s'",
                             hs_quote(quote, id, strlen(id)));
    for (int k = 0; k < p->count; k++)
        if (p->value[k] != id)
            HS_TRY(
                hs_named_graph_attribute(b, node, p->key[k], p->value[k], err));
    return HISS_OK;
}

static hiss_status find_end(hs_named_graph_builder *b, hs_lexer *l,
                            const struct pairs *p, const char *key, int *node,
                            hiss_error *err)
{
    const char *id = value_of(p, key);
    char quote[HS_QUOTE_MAX];

    if (!id)
        return hs_lexer_fail(l, &p->place, err, "this edge has no %s", key);
    *node = hs_words_find(&b->ids, id);
    if (*node >= 0)
        return HISS_OK;
    return hs_lexer_fail(l, &p->place, err,
                         "the %s of this edge is '%s', which is the id of no "
                         "node before it",
                         key, hs_quote(quote, id, strlen(id)));
}

static hiss_status add_edge(hs_named_graph_builder *b, hs_lexer *l,
                            const struct pairs *p, hiss_error *err)
{
    const char *weight = value_of(p, "weight");
    double value = 1.0;
    int from = 0, to = 0;

    if (!weight)
        weight = value_of(p, "value");
    HS_TRY(find_end(b, l, p, "source", &from, err));
    HS_TRY(find_end(b, l, p, "target", &to, err));
    if (weight && !hs_named_graph_weight(weight, &value))
        return hs_lexer_fail(l, &p->place, err,
                             "the weight of this edge is '%.64s', expected a "
                             "finite number",
                             weight);
    return hs_named_graph_edge_add(b, from, to, value, err);
}

static hiss_status read_graph(hs_named_graph_builder *b, hs_lexer *l,
                              struct pairs *p, hiss_error *err)
{
    HS_TRY(hs_lexer_mark(l, '[', err));
    while (!hs_lexer_is_mark(l, ']')) {
        bool is_node =
            l->token == HS_TOKEN_WORD && hs_is_same_word(l->text, "node");
        bool is_edge =
            l->token == HS_TOKEN_WORD && hs_is_same_word(l->text, "edge");

        clear_pairs(p);
        if (is_node || is_edge) {
            HS_TRY(hs_lexer_next(l, err));
            HS_TRY(read_pairs(p, l, err));
            HS_TRY(is_node ? add_node(b, l, p, err) : add_edge(b, l, p, err));
            continue;
        }
        HS_TRY(read_pair(p, l, err));
        if (p->count > 0 && hs_is_same_word(p->key[0], "directed"))
            b->is_directed = strcmp(p->value[0], "0") != 0;
    }
    return hs_lexer_next(l, err);
}

static hiss_status read_text(hs_named_graph_builder *b, hs_lexer *l,
                             struct pairs *p, hiss_error *err)
{
    bool was_graph = false;

    while (l->token != HS_TOKEN_END) {
        bool is_graph =
            l->token == HS_TOKEN_WORD && hs_is_same_word(l->text, "graph");

        if (is_graph && was_graph)
            return hs_lexer_fail(l, NULL, err,
                                 "a second graph in this file, expected one");
        clear_pairs(p);
        if (is_graph) {
            HS_TRY(hs_lexer_next(l, err));
            HS_TRY(read_graph(b, l, p, err));
        } else {
            HS_TRY(read_pair(p, l, err));
        }
        was_graph = was_graph || is_graph;
    }
    return was_graph ? HISS_OK : hs_lexer_refuse(l, "'graph ['", err);
}

hiss_status hs_named_graph_read_gml(hs_named_graph_builder *b, hs_reader *in,
                                    hiss_error *err)
{
    hs_lexer l = {.in = in, .marks = "[]", .comments = "#"};
    struct pairs *p = hs_alloc_array(1, sizeof *p);
    hiss_status rc;

    if (!p)
        return hs_fail_memory(err);
    rc = hs_lexer_begin(&l, err);
    if (rc == HISS_OK)
        rc = read_text(b, &l, p, err);
    clear_pairs(p);
    hs_free(p);
    hs_lexer_end(&l);
    return rc;
}
