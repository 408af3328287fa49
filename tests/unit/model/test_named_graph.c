/* test_named_graph.c - the same graph in three formats, dialects of each, and
 * what is refused with its place. */
#include "model/graph/graph.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/alloc.h"

#include <cmocka.h>

#include "unit/text_files.h"

static const char path[] = "test_named_graph.tmp";

static const char gml[] =
    "Creator \"by hand\"\n# a comment\ngraph\n[\n  directed 0\n"
    "  node [ id 3 label \"Ann & Bo\" value 1 graphics [ x 1 y [ z 2 ] ] ]\n"
    "  node\n  [\n    id 7\n    label \"C\"\n    value 0\n  ]\n"
    "  node [ id 1 label \"D\" ]\n"
    "  edge [ source 7 target 3 weight 2.5 ]\n"
    "  edge [ source 1 target 7 ]\n  edge [ source 1 target 1 value 4 ]\n]\n";

static const char graphml[] =
    "<?xml version=\"1.0\"?>\n<!-- hand -->\n"
    "<graphml xmlns=\"http://graphml.graphdrawing.org/xmlns\">\n"
    "<key id=\"d0\" for=\"node\" attr.name=\"label\"/>\n"
    "<key id=\"d1\" for=\"node\" attr.name=\"value\"></key>\n"
    "<key id=\"d2\" for=\"edge\" attr.name=\"weight\"><default>1</default>"
    "</key>"
    "<graph edgedefault='undirected'>\n"
    "<node id=\"n3\"><data key=\"d0\"> Ann &amp; Bo </data>"
    "<data key=\"d1\">1</data></node>\n"
    "<node id=\"n7\"><data key=\"d1\">0</data><data key=\"d0\">C</data>"
    "</node>\n"
    "<node id=\"n1\"><data key=\"d0\"><![CDATA[D]]></data></node>\n"
    "<edge source=\"n7\" target=\"n3\"><data key=\"d2\">2.5</data></edge>\n"
    "<edge id=\"e\" source=\"n1\" target=\"n7\"/>\n"
    "<edge source=\"n1\" target=\"n1\"><data key=\"d2\">4</data></edge>\n"
    "</graph></graphml>\n";

static const char edges[] =
    "# a comment\n\"Ann & Bo\",C,2.5\r\nC , D\nD\tD\t4 # loop\n";

static void read_graph(hs_named_graph *g, const char *text, const char *label)
{
    hiss_error err;

    write_file(path, text, strlen(text));
    if (hs_named_graph_read(g, path, label, &err) != HISS_OK)
        fail_msg("%s", err.message);
    unlink(path);
}

static void check(const hs_named_graph *g)
{
    assert_int_equal(g->nodes, 3);
    assert_string_equal(g->name[0], "Ann & Bo");
    assert_string_equal(g->name[1], "C");
    assert_string_equal(g->name[2], "D");
    assert_int_equal(g->edges, 3);
    assert_int_equal(g->from[0], 0);
    assert_int_equal(g->to[0], 1);
    assert_true(g->weight[0] == 2.5 && g->weight[1] == 1.0);
    assert_int_equal(g->from[1], 1);
    assert_int_equal(g->to[1], 2);
    assert_int_equal(g->from[2], 2);
    assert_int_equal(g->to[2], 2);
    assert_true(g->weight[2] == 4.0 && g->is_weighted && g->loops == 1);
    assert_null(g->note);
}

static void formats_agree(void **state)
{
    hs_named_graph g;

    (void)state;
    read_graph(&g, edges, NULL);
    check(&g);
    assert_int_equal(g.labels, 0);
    assert_null(g.label);
    hs_named_graph_clear(&g);
    for (int k = 0; k < 2; k++) {
        read_graph(&g, k ? gml : graphml, "value");
        check(&g);
        assert_int_equal(g.labels, 2);
        assert_string_equal(g.label_name[0], "1");
        assert_string_equal(g.label_name[1], "0");
        assert_int_equal(g.label[0], 0);
        assert_int_equal(g.label[1], 1);
        assert_int_equal(g.label[2], -1);
        hs_named_graph_clear(&g);
    }
}

static void dialects_are_read(void **state)
{
    hs_named_graph g;

    (void)state;
    read_graph(&g, "source,target\na,b\nb,c\nc,a\n", NULL);
    assert_int_equal(g.nodes, 3);
    assert_int_equal(g.edges, 3);
    assert_false(g.is_weighted);
    hs_named_graph_clear(&g);
    read_graph(&g, "1 2\n2 1\n1 2 3\n", NULL); /* merged: 1 + 1 + 3 */
    assert_int_equal(g.edges, 1);
    assert_true(g.weight[0] == 5.0);
    assert_string_equal(g.note,
                        "2 edges were given more than once, weights summed");
    hs_named_graph_clear(&g);
    /* labels that are not different: ids */
    read_graph(&g,
               "graph [ directed 1 node [ id 0 label \"a\" ] node [ id 1 label "
               "\"a\" ] ]",
               NULL);
    assert_string_equal(g.name[1], "1");
    assert_string_equal(g.note, "edges have directions, which were dropped");
    assert_int_equal(g.edges, 0);
    hs_named_graph_clear(&g);
    read_graph(&g, "graph theory\ntheory creator\n", NULL);
    assert_int_equal(g.nodes, 3);
    hs_named_graph_clear(&g);
    write_gzip(path, gml, strlen(gml));
    assert_int_equal(hs_named_graph_read(&g, path, "value", NULL), HISS_OK);
    check(&g);
    hs_named_graph_clear(&g);
    unlink(path);
}

static void bad_graphs_are_refused(void **state)
{
    static const struct {
        const char *text, *label, *said;
    } rows[] = {
        {"", NULL, "the graph has no nodes"},
        {"a\n", NULL, ":1:1: expected an edge"},
        {"a b 1 2\n", NULL, ":1:1: expected an edge"},
        {"a,,b\n", NULL, ":1:1: expected an edge"},
        {"a b\nb c x\n", NULL, ":2:1: the weight is 'x'"},
        {"a b 1e40\n", NULL, "the weight is '1e40'"},
        {"a b nan\n", NULL, "the weight is 'nan'"},
        {"graph [ node [ id 1 ]", NULL, "the file ends here"},
        {"graph [ node [ label \"a\" ] ]", NULL, ":1:14: this node has no id"},
        {"graph [ node [ id 1 ] node [ id 1 ] ]", NULL, "a second node"},
        {"graph [ node [ id 1 ] edge [ source 1 target 2 ] ]", NULL,
         "the target of this edge is '2'"},
        {"graph [ node [ id 1 ] edge [ source 1 ] ]", NULL, "has no target"},
        {"graph [ node [ id 1 label \"x ] ]", NULL, "does not end"},
        {"graph [ node [ id [ ] ] ]", NULL, "this node has no id"},
        {"graph [ node [ id 1 ] ] ]", NULL, "found ']'"},
        {"graph [ node [ id 1 value 3 ] ]", "group",
         "no node has the attribute 'group'; nodes have value"},
        {"<graphml><graph><node id='a'/></graph>", NULL,
         "expected '</graphml>'"},
        {"<graphml><graph></graphml>", NULL, "expected '</graph>'"},
        {"<html/>", NULL, "expected '<graphml>'"},
        {"<graphml><node/></graphml>", NULL, "no attribute 'id'"},
        {"<graphml><node id='a'/><edge source='a' target='b'/></graphml>", NULL,
         ":1:24: the target of this edge is 'b'"},
        {"<graphml><node id='a&foo;'/></graphml>", NULL, "found '&foo'"},
        {"<graphml><node id='a'><data key='k'><b/></data></node></graphml>",
         NULL, "found an element"},
        {"<graphml><hyperedge/></graphml>", NULL, "hyperedges"},
    };

    (void)state;
    for (size_t n = 0; n < sizeof rows / sizeof *rows; n++) {
        hs_named_graph g;
        hiss_error err = {0};

        write_file(path, rows[n].text, strlen(rows[n].text));
        if (hs_named_graph_read(&g, path, rows[n].label, &err) != HISS_EPARSE)
            fail_msg("'%s' was read", rows[n].text);
        if (!strstr(err.message, rows[n].said))
            fail_msg("'%s': '%s', expected '%s'", rows[n].text, err.message,
                     rows[n].said);
        assert_null(g.name);
    }
    unlink(path);
}

/* Cut anywhere, a file is read or refused; every allocation may fail. */
static void cuts_and_no_memory_are_survived(void **state)
{
    static const char *const texts[] = {gml, graphml, edges};

    (void)state;
    for (size_t k = 0; k < sizeof texts / sizeof *texts; k++) {
        hs_named_graph g;
        hiss_status rc = HISS_ENOMEM;

        for (size_t n = 0; n <= strlen(texts[k]); n++) {
            write_file(path, texts[k], n);
            if (hs_named_graph_read(&g, path, NULL, NULL) == HISS_OK)
                hs_named_graph_clear(&g);
        }
        for (int64_t n = 1; rc != HISS_OK; n++) {
            hs_alloc_fail_after(n);
            rc = hs_named_graph_read(&g, path, NULL, NULL);
            hs_alloc_fail_after(0);
            assert_true(rc == HISS_OK || rc == HISS_ENOMEM);
        }
        hs_named_graph_clear(&g);
    }
    unlink(path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(formats_agree),
        cmocka_unit_test(dialects_are_read),
        cmocka_unit_test(bad_graphs_are_refused),
        cmocka_unit_test(cuts_and_no_memory_are_survived),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
