/* graphml.c - graphs in GraphML. */
#include <stdbool.h>
#include <string.h>

#include "base/alloc.h"
#include "base/caret.h"
#include "base/grammar/xml.h"
#include "model/graph/builder.h"

/* State of the reader. */
struct state {
    hs_named_graph_builder *b; /* borrowed */
    hs_xml xml;
    hs_words keys; /* ids of <key>, and the names of their attributes: */
    char **called; /* owned, [names], each owned */
    int names;     /* keys.count, unless memory ran out */
    int node;      /* node whose element is open, or -1 */
    bool in_edge;
    int from, to;
    double weight;
    bool has_weight; /* has an attribute `weight`, which takes precedence over
                        `value` */
};

/* Returns a required attribute. */
static hiss_status need(struct state *s, const char *key, const char **value,
                        hiss_error *err)
{
    *value = hs_xml_attribute(&s->xml, key);
    if (*value)
        return HISS_OK;
    return hs_reader_fail(s->xml.in, &s->xml.place, err,
                          "this <%.32s> has no attribute '%s'", s->xml.name.at,
                          key);
}

static hiss_status read_key(struct state *s, hiss_error *err)
{
    const char *id, *called = hs_xml_attribute(&s->xml, "attr.name");
    bool is_new;
    char **more;
    int index;

    HS_TRY(need(s, "id", &id, err));
    HS_TRY(hs_words_add(&s->keys, id, &index, &is_new, err));
    if (!is_new)
        return HISS_OK;
    more = hs_realloc_array(s->called, (size_t)index, (size_t)index + 1,
                            sizeof *more);
    if (!more)
        return hs_fail_memory(err);
    s->called = more;
    s->names = index + 1;
    s->called[index] = hs_strdup(called ? called : id);
    return s->called[index] ? HISS_OK : hs_fail_memory(err);
}

static hiss_status read_node(struct state *s, hiss_error *err)
{
    char quote[HS_QUOTE_MAX];
    const char *id;
    bool is_new;

    HS_TRY(need(s, "id", &id, err));
    HS_TRY(hs_named_graph_node(s->b, id, &s->node, &is_new, err));
    if (is_new)
        return HISS_OK;
    return hs_reader_fail(s->xml.in, &s->xml.place, err,
                          "a second node with the id '%s'",
                          hs_quote(quote, id, strlen(id)));
}

static hiss_status read_end(struct state *s, const char *key, int *node,
                            hiss_error *err)
{
    char quote[HS_QUOTE_MAX];
    const char *id;

    HS_TRY(need(s, key, &id, err));
    *node = hs_words_find(&s->b->ids, id);
    if (*node >= 0)
        return HISS_OK;
    return hs_reader_fail(s->xml.in, &s->xml.place, err,
                          "the %s of this edge is '%s', which is the id of no "
                          "node before it",
                          key, hs_quote(quote, id, strlen(id)));
}

static hiss_status read_edge(struct state *s, hiss_error *err)
{
    s->in_edge = true;
    s->weight = 1.0;
    s->has_weight = false;
    HS_TRY(read_end(s, "source", &s->from, err));
    return read_end(s, "target", &s->to, err);
}

static hiss_status take_weight(struct state *s, const char *called,
                               const char *text, hiss_error *err)
{
    bool is_weight = strcmp(called, "weight") == 0;
    char quote[HS_QUOTE_MAX];

    if (!is_weight && (s->has_weight || strcmp(called, "value") != 0))
        return HISS_OK;
    s->has_weight = is_weight;
    if (hs_named_graph_weight(text, &s->weight))
        return HISS_OK;
    return hs_reader_fail(s->xml.in, &s->xml.place, err,
                          "the %s is '%s', expected a finite number", called,
                          hs_quote(quote, text, strlen(text)));
}

static hiss_status read_data(struct state *s, hiss_error *err)
{
    const char *key, *called;
    char *text, *copy;
    int index;
    hiss_status rc;

    if (s->node < 0 && !s->in_edge)
        return hs_xml_skip(&s->xml, err);
    HS_TRY(need(s, "key", &key, err));
    index = hs_words_find(&s->keys, key);
    copy = hs_strdup(index >= 0 ? s->called[index] : key);
    if (!copy)
        return hs_fail_memory(err);
    called = copy;
    rc = hs_xml_text(&s->xml, &text, err);
    if (rc == HISS_OK)
        rc = s->in_edge
                 ? take_weight(s, called, text, err)
                 : hs_named_graph_attribute(s->b, s->node, called, text, err);
    hs_free(text);
    hs_free(copy);
    return rc;
}

static hiss_status opened(struct state *s, hiss_error *err)
{
    const char *direction = hs_xml_attribute(&s->xml, "edgedefault");

    if (hs_xml_is(&s->xml, "key"))
        return read_key(s, err);
    if (hs_xml_is(&s->xml, "node"))
        return read_node(s, err);
    if (hs_xml_is(&s->xml, "edge"))
        return read_edge(s, err);
    if (hs_xml_is(&s->xml, "data"))
        return read_data(s, err);
    if (hs_xml_is(&s->xml, "hyperedge"))
        return hs_reader_fail(s->xml.in, &s->xml.place, err,
                              "hyperedges are not read");
    if (hs_xml_is(&s->xml, "graph") && direction)
        s->b->is_directed = strcmp(direction, "directed") == 0;
    return HISS_OK;
}

static hiss_status closed(struct state *s, hiss_error *err)
{
    if (hs_xml_is(&s->xml, "node"))
        s->node = -1;
    if (!hs_xml_is(&s->xml, "edge"))
        return HISS_OK;
    s->in_edge = false;
    return hs_named_graph_edge_add(s->b, s->from, s->to, s->weight, err);
}

static hiss_status read_elements(struct state *s, hiss_error *err)
{
    hs_xml *x = &s->xml;

    HS_TRY(hs_xml_next(x, err));
    if (x->event == HS_XML_OPEN && !hs_xml_is(x, "graphml"))
        return hs_reader_fail(x->in, &x->place, err,
                              "found '<%.32s>', expected '<graphml>'",
                              x->name.at);
    while (x->event != HS_XML_END) {
        HS_TRY(x->event == HS_XML_OPEN ? opened(s, err) : closed(s, err));
        HS_TRY(hs_xml_next(x, err));
    }
    return HISS_OK;
}

hiss_status hs_named_graph_read_graphml(hs_named_graph_builder *b,
                                        hs_reader *in, hiss_error *err)
{
    struct state s = {.b = b, .node = -1};
    hiss_status rc = hs_xml_begin(&s.xml, in, err);

    if (rc == HISS_OK)
        rc = read_elements(&s, err);
    hs_xml_end(&s.xml);
    for (int k = 0; s.called && k < s.names; k++)
        hs_free(s.called[k]);
    hs_free(s.called);
    hs_words_clear(&s.keys);
    return rc;
}
