/* builder.h - a graph while it is read: one file per kind calls these. */
#ifndef HS_MODEL_GRAPH_BUILDER_H
#define HS_MODEL_GRAPH_BUILDER_H

#include "base/grammar/words.h"
#include "base/read/reader.h"
#include "model/graph/graph.h"

/* Weights beyond this are refused: sums of them overflow. */
#define HS_NAMED_GRAPH_WEIGHT_MAX 1e30

typedef struct hs_named_graph_edge {
    int from, to;
    double weight;
} hs_named_graph_edge;

typedef struct hs_named_graph_builder {
    const char *wanted; /* the attribute asked for, or NULL */
    hs_words ids;       /* of nodes, in the order of the file */
    char **shown;       /* owned, [shown_room]: the name that each id shows, or
                           NULL */
    int *label; /* owned, [shown_room]: index into labels + 1, 0: none */
    int shown_room;
    hs_words labels;
    hs_words attributes;       /* of nodes, whatever they are called */
    hs_named_graph_edge *edge; /* owned */
    int64_t edges, room;
    bool is_directed;
} hs_named_graph_builder;

void hs_named_graph_builder_clear(hs_named_graph_builder *b);

/* The number of the node with this id, a new one unless it is there. */
hiss_status hs_named_graph_node(hs_named_graph_builder *b, const char *id,
                                int *node, bool *is_new, hiss_error *err);
/* Something that a file says of a node: its shown name ("label" or "name") or
 * the label that was asked for. */
hiss_status hs_named_graph_attribute(hs_named_graph_builder *b, int node,
                                     const char *key, const char *value,
                                     hiss_error *err);
/* Whether a word is a weight. */
bool hs_named_graph_weight(const char *word, double *weight);
hiss_status hs_named_graph_edge_add(hs_named_graph_builder *b, int from, int to,
                                    double weight, hiss_error *err);

/* The readers: in is at the beginning of the text. */
hiss_status hs_named_graph_read_gml(hs_named_graph_builder *b, hs_reader *in,
                                    hiss_error *err);
hiss_status hs_named_graph_read_graphml(hs_named_graph_builder *b,
                                        hs_reader *in, hiss_error *err);
hiss_status hs_named_graph_read_edges(hs_named_graph_builder *b, hs_reader *in,
                                      hiss_error *err);

#endif
