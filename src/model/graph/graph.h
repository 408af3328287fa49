/* graph.h - graphs from files: nodes with names, perhaps with a label each, and
 * undirected edges with weights.
 *
 *     hs_named_graph g;
 *     HS_TRY(hs_named_graph_read(&g, "football.gml", "value", err));
 *     ... g.nodes, g.name[i], g.label[i], g.label_name[k] ...
 *     hs_named_graph_clear(&g);
 *
 * Files may be gzip, and are of three kinds, distinguished by their content:
 *   GML       `graph [ node [ id 0 label "A" ] edge [ source 0 target 1 ] ]`
 *   GraphML   <graphml> with <node id="n0"> and <edge source="n0" ...>
 *   edges     lines `a b` or `a b weight`, separated by white space, commas
 *             or tabs; `#` and `%` begin comments; a first line such as
 *             `source,target,weight` is a heading
 * The name of a node is its attribute `label` or `name` if every node has it
 * and all differ, else its id.  An edge's weight is its attribute `weight`,
 * else `value`, else 1.  Edges given more than once are merged: their weights
 * are summed.  Directions are dropped.  The note reports both.
 *
 * */
#ifndef HS_MODEL_GRAPH_GRAPH_H
#define HS_MODEL_GRAPH_GRAPH_H

#include <stdbool.h>
#include <stdint.h>

#include <hiss/status.h>

#include "base/error.h"

typedef struct hs_named_graph {
    int nodes;
    char **name; /* owned, [nodes], each owned; all different */
    /* The requested attribute of the nodes. */
    int labels;        /* number of different labels; 0 if none was requested or
                          no node has one */
    int *label;        /* owned, [nodes], index into label_name, -1: none; NULL
                          if labels is 0 */
    char **label_name; /* owned, [labels], in the order of their first node */
    int64_t edges;
    int *from, *to;   /* owned, [edges]: from <= to, ascending, each pair once;
                       from = to is a loop */
    double *weight;   /* owned, [edges], finite */
    bool is_weighted; /* some weights differ from 1 */
    int64_t loops;    /* edges with from = to */
    char *note;       /* owned: a note for the user, or NULL */
} hs_named_graph;

/* Reads a graph.  `label` is the attribute of nodes that becomes their label,
 * or NULL.  Nodes are in the order of the file.  Bad input is HISS_EPARSE with
 * file, line and column.  So is a graph without nodes, or a `label` that no
 * node has; the message lists the existing attributes. */
hiss_status hs_named_graph_read(hs_named_graph *out, const char *path,
                                const char *label, hiss_error *err);
void hs_named_graph_clear(hs_named_graph *g);

#endif
