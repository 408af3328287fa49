/* graph.c - reads a graph from a file of any kind and builds it. */
#include "model/graph/graph.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/ascii.h"
#include "base/caret.h"
#include "base/number.h"
#include "base/text.h"
#include "model/graph/builder.h"

void hs_named_graph_clear(hs_named_graph *g)
{
    hs_strings_free(g->name, g->nodes);
    hs_strings_free(g->label_name, g->labels);
    hs_free(g->label);
    hs_free(g->from);
    hs_free(g->to);
    hs_free(g->weight);
    hs_free(g->note);
    *g = (hs_named_graph){0};
}

void hs_named_graph_builder_clear(hs_named_graph_builder *b)
{
    hs_strings_free(b->shown, b->ids.count);
    hs_free(b->label);
    hs_free(b->edge);
    hs_words_clear(&b->ids);
    hs_words_clear(&b->labels);
    hs_words_clear(&b->attributes);
    *b = (hs_named_graph_builder){0};
}

static hiss_status grow_nodes(hs_named_graph_builder *b, hiss_error *err)
{
    int room = b->shown_room > 0 ? 2 * b->shown_room : 64;
    char **shown;
    int *label;

    if (b->ids.count < b->shown_room)
        return HISS_OK;
    shown = hs_realloc_array(b->shown, (size_t)b->shown_room, (size_t)room,
                             sizeof *shown);
    if (!shown)
        return hs_fail_memory(err);
    b->shown = shown;
    label = hs_realloc_array(b->label, (size_t)b->shown_room, (size_t)room,
                             sizeof *label);
    if (!label)
        return hs_fail_memory(err);
    b->label = label;
    b->shown_room = room;
    return HISS_OK;
}

hiss_status hs_named_graph_node(hs_named_graph_builder *b, const char *id,
                                int *node, bool *is_new, hiss_error *err)
{
    HS_TRY(grow_nodes(b, err));
    return hs_words_add(&b->ids, id, node, is_new, err);
}

hiss_status hs_named_graph_attribute(hs_named_graph_builder *b, int node,
                                     const char *key, const char *value,
                                     hiss_error *err)
{
    int index;

    HS_TRY(hs_words_add(&b->attributes, key, &index, NULL, err));
    if (b->wanted && strcmp(key, b->wanted) == 0) {
        HS_TRY(hs_words_add(&b->labels, value, &index, NULL, err));
        b->label[node] = index + 1;
    }
    if (strcmp(key, "label") != 0 &&
        (strcmp(key, "name") != 0 || b->shown[node]))
        return HISS_OK;
    hs_free(b->shown[node]);
    b->shown[node] = hs_strdup(value);
    return b->shown[node] ? HISS_OK : hs_fail_memory(err);
}

bool hs_named_graph_weight(const char *word, double *weight)
{
    return hs_number_real(word, weight) &&
           fabs(*weight) <= HS_NAMED_GRAPH_WEIGHT_MAX;
}

hiss_status hs_named_graph_edge_add(hs_named_graph_builder *b, int from, int to,
                                    double weight, hiss_error *err)
{
    if (b->edges == b->room) {
        int64_t room = b->room > 0 ? 2 * b->room : 256;
        hs_named_graph_edge *edge = hs_realloc_array(
            b->edge, (size_t)b->room, (size_t)room, sizeof *edge);

        if (!edge)
            return hs_fail_memory(err);
        b->edge = edge;
        b->room = room;
    }
    b->edge[b->edges++] = (hs_named_graph_edge){.from = from < to ? from : to,
                                                .to = from < to ? to : from,
                                                .weight = weight};
    return HISS_OK;
}

/* Uses display names if every node has one and all differ. */
static hiss_status take_names(hs_named_graph *g, hs_named_graph_builder *b,
                              hiss_error *err)
{
    hs_words seen = {0};
    bool is_new = g->nodes > 0;
    int index;
    hiss_status rc = HISS_OK;

    for (int i = 0; rc == HISS_OK && is_new && i < g->nodes; i++) {
        is_new = b->shown[i] && *b->shown[i];
        if (is_new)
            rc = hs_words_add(&seen, b->shown[i], &index, &is_new, err);
    }
    hs_words_clear(&seen);
    HS_TRY(rc);
    g->name = hs_strings_copy(is_new ? b->shown : b->ids.at, g->nodes);
    return g->name ? HISS_OK : hs_fail_memory(err);
}

static hiss_status take_labels(hs_named_graph *g, hs_named_graph_builder *b,
                               hiss_error *err)
{
    if (b->labels.count == 0)
        return HISS_OK;
    g->label = hs_alloc_array((size_t)g->nodes, sizeof *g->label);
    g->label_name = hs_strings_copy(b->labels.at, b->labels.count);
    if (!g->label || !g->label_name)
        return hs_fail_memory(err);
    g->labels = b->labels.count;
    for (int i = 0; i < g->nodes; i++)
        g->label[i] = b->label[i] - 1;
    return HISS_OK;
}

static int compare(const void *a, const void *b)
{
    const hs_named_graph_edge *e = a, *f = b;

    if (e->from != f->from)
        return e->from < f->from ? -1 : 1;
    return (e->to > f->to) - (e->to < f->to);
}

/* Sorts edges and merges repeated ones; *merged counts them. */
static hiss_status take_edges(hs_named_graph *g, hs_named_graph_builder *b,
                              int64_t *merged, hiss_error *err)
{
    size_t room = (size_t)b->edges;

    if (b->edges > 0)
        qsort(b->edge, room, sizeof *b->edge, compare);
    g->from = hs_alloc_array(room, sizeof *g->from);
    g->to = hs_alloc_array(room, sizeof *g->to);
    g->weight = hs_alloc_array(room, sizeof *g->weight);
    if (!g->from || !g->to || !g->weight)
        return hs_fail_memory(err);
    for (int64_t e = 0; e < b->edges; e++) {
        const hs_named_graph_edge *edge = &b->edge[e];

        if (e > 0 && compare(edge - 1, edge) == 0) {
            g->weight[g->edges - 1] += edge->weight;
            continue;
        }
        g->from[g->edges] = edge->from;
        g->to[g->edges] = edge->to;
        g->weight[g->edges++] = edge->weight;
    }
    *merged = b->edges - g->edges;
    for (int64_t e = 0; e < g->edges; e++) {
        g->loops += g->from[e] == g->to[e];
        g->is_weighted = g->is_weighted || g->weight[e] != 1.0;
    }
    return HISS_OK;
}

static hiss_status set_note(hs_named_graph *g, const hs_named_graph_builder *b,
                            int64_t merged, hiss_error *err)
{
    hs_text t = {0};

    if (b->is_directed)
        hs_text_add_string(&t, "edges have directions, which were dropped");
    if (merged > 0)
        hs_text_print(&t, "%s%lld edge%s given more than once, weights summed",
                      t.length > 0 ? "; " : "", (long long)merged,
                      merged == 1 ? " was" : "s were");
    if (t.length == 0 && !t.failed)
        return HISS_OK;
    g->note = hs_text_take(&t);
    return g->note ? HISS_OK : hs_fail_memory(err);
}

/* Fails with: file: no node has the attribute 'conf'; nodes have label,
 * value */
static hiss_status fail_label(const hs_named_graph_builder *b, const char *path,
                              hiss_error *err)
{
    char quote[HS_QUOTE_MAX], one[HS_QUOTE_MAX];
    hs_text t = {0};
    char *list;

    for (int k = 0; k < b->attributes.count && k < 16; k++) {
        const char *key = b->attributes.at[k];

        hs_text_add_string(&t, k > 0 ? ", " : "nodes have ");
        hs_text_add_string(&t, hs_quote(one, key, strlen(key)));
    }
    if (b->attributes.count == 0)
        hs_text_add_string(&t, "nodes have no attributes");
    list = hs_text_take(&t);
    if (!list)
        return hs_fail_memory(err);
    hs_fail(err, HISS_EPARSE, "%s: no node has the attribute '%s'; %s", path,
            hs_quote(quote, b->wanted, strlen(b->wanted)), list);
    hs_free(list);
    return HISS_EPARSE;
}

static hiss_status finish(hs_named_graph *g, hs_named_graph_builder *b,
                          const char *path, hiss_error *err)
{
    int64_t merged = 0;

    g->nodes = b->ids.count;
    if (g->nodes == 0)
        return hs_fail(err, HISS_EPARSE, "%s: the graph has no nodes", path);
    if (b->wanted && b->labels.count == 0)
        return fail_label(b, path, err);
    HS_TRY(take_names(g, b, err));
    HS_TRY(take_labels(g, b, err));
    HS_TRY(take_edges(g, b, &merged, err));
    return set_note(g, b, merged, err);
}

/* Whether the text begins like GML: `graph [`, `Creator "..."`. */
static bool is_gml(hs_reader *in)
{
    static const char *const words[] = {"graph",   "creator",  "version",
                                        "comment", "directed", "multigraph"};
    char word[16] = "";
    int at = 0, c = hs_reader_ahead(in, 0);

    while (c >= 0 && hs_is_letter((char)c) && at < (int)sizeof word - 1) {
        word[at++] = hs_lower((char)c);
        c = hs_reader_ahead(in, at);
    }
    while (c >= 0 && hs_is_space((char)c) && at < 64)
        c = hs_reader_ahead(in, ++at);
    for (size_t k = 0; k < sizeof words / sizeof *words; k++)
        if (strcmp(words[k], word) == 0)
            return c == '[' || c == '"' || hs_is_digit((char)c);
    return false;
}

static hiss_status read_text(hs_named_graph_builder *b, hs_reader *in,
                             hiss_error *err)
{
    bool is_comment = false;
    int c;

    while ((c = hs_reader_ahead(in, 0)) >= 0 &&
           (is_comment || c == '#' || hs_is_space((char)c))) {
        is_comment = c != '\n' && (is_comment || c == '#');
        hs_reader_pass(in);
    }
    if (hs_reader_ahead(in, 0) == '<')
        return hs_named_graph_read_graphml(b, in, err);
    return is_gml(in) ? hs_named_graph_read_gml(b, in, err)
                      : hs_named_graph_read_edges(b, in, err);
}

hiss_status hs_named_graph_read(hs_named_graph *out, const char *path,
                                const char *label, hiss_error *err)
{
    hs_named_graph_builder b = {.wanted = label};
    hs_reader *in;
    hiss_status rc;

    *out = (hs_named_graph){0};
    HS_TRY(hs_reader_open(&in, path, err));
    rc = read_text(&b, in, err);
    hs_reader_close(in);
    if (rc == HISS_OK)
        rc = finish(out, &b, path, err);
    hs_named_graph_builder_clear(&b);
    if (rc != HISS_OK)
        hs_named_graph_clear(out);
    return rc;
}
