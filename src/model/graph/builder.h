/* builder.h - builds a graph; the readers of each file kind call it. */
#ifndef HS_MODEL_GRAPH_BUILDER_H
#define HS_MODEL_GRAPH_BUILDER_H

#include "base/grammar/words.h"
#include "base/read/reader.h"
#include "model/graph/graph.h"

/* Larger weights are refused, because sums of them overflow. */
#define HS_NAMED_GRAPH_WEIGHT_MAX 1e30

typedef struct hs_named_graph_edge {
    int from, to;
    double weight;
} hs_named_graph_edge;

typedef struct hs_named_graph_builder {
    const char *wanted; /* the requested attribute, or NULL */
    hs_words ids;       /* ids of nodes, in the order of the file */
    char **shown;       /* owned, [shown_room]: the display name of each id, or
                           NULL */
    int *label;         /* owned, [shown_room]: index into labels + 1, or 0 */
    int shown_room;
    hs_words labels;
    hs_words attributes;       /* names of all attributes of nodes */
    hs_named_graph_edge *edge; /* owned */
    int64_t edges, room;
    bool is_directed;
} hs_named_graph_builder;

void hs_named_graph_builder_clear(hs_named_graph_builder *b);

/* Returns the number of the node with this id and adds it if it is new. */
hiss_status hs_named_graph_node(hs_named_graph_builder *b, const char *id,
                                int *node, bool *is_new, hiss_error *err);
/* Stores an attribute of a node: its display name ("label" or "name") or the
 * requested label. */
hiss_status hs_named_graph_attribute(hs_named_graph_builder *b, int node,
                                     const char *key, const char *value,
                                     hiss_error *err);
/* Whether a word is a weight. */
bool hs_named_graph_weight(const char *word, double *weight);
hiss_status hs_named_graph_edge_add(hs_named_graph_builder *b, int from, int to,
                                    double weight, hiss_error *err);

/* Readers; `in` must be at the beginning of the text. */
hiss_status hs_named_graph_read_gml(hs_named_graph_builder *b, hs_reader *in,
                                    hiss_error *err);
hiss_status hs_named_graph_read_graphml(hs_named_graph_builder *b,
                                        hs_reader *in, hiss_error *err);
hiss_status hs_named_graph_read_edges(hs_named_graph_builder *b, hs_reader *in,
                                      hiss_error *err);

#endif
