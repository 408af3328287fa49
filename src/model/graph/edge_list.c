/* edge_list.c - graphs as lines `a b` or `a b weight`. */
#include <stdbool.h>
#include <string.h>

#include "base/alloc.h"
#include "base/ascii.h"
#include "base/caret.h"
#include "base/grammar/fields.h"
#include "model/graph/builder.h"

enum {
    WORDS_MAX = 3
};

/* source,target[,weight] */
static bool is_heading(char *const word[WORDS_MAX], int words)
{
    static const char *const pairs[][2] = {
        {"source", "target"}, {"from", "to"}, {"src", "dst"}};
    double weight;

    for (size_t k = 0; k < sizeof pairs / sizeof *pairs; k++)
        if (hs_is_same_word(word[0], pairs[k][0]) &&
            hs_is_same_word(word[1], pairs[k][1]))
            return words == 2 || !hs_named_graph_weight(word[2], &weight);
    return false;
}

static hiss_status add(hs_named_graph_builder *b, hs_reader *in,
                       char *const word[WORDS_MAX], int words, hiss_error *err)
{
    char quote[HS_QUOTE_MAX];
    double weight = 1.0;
    int from, to;

    if (words == WORDS_MAX && !hs_named_graph_weight(word[2], &weight))
        return hs_reader_fail(in, NULL, err,
                              "the weight is '%s', expected a finite number",
                              hs_quote(quote, word[2], strlen(word[2])));
    HS_TRY(hs_named_graph_node(b, word[0], &from, NULL, err));
    HS_TRY(hs_named_graph_node(b, word[1], &to, NULL, err));
    return hs_named_graph_edge_add(b, from, to, weight, err);
}

static hiss_status read_line(hs_named_graph_builder *b, hs_reader *in,
                             char *text, bool is_first, hiss_error *err)
{
    char *word[WORDS_MAX] = {0};
    const char *line;
    int words;

    HS_TRY(hs_reader_line(in, &line, err));
    memcpy(text, line, strlen(line) + 1);
    words = hs_fields_split(text, word, WORDS_MAX);
    if (words < 2 || words > WORDS_MAX || !*word[0] || !*word[1])
        return hs_reader_fail(in, NULL, err,
                              "expected an edge: two nodes, and perhaps a "
                              "weight");
    if (is_first && is_heading(word, words))
        return HISS_OK;
    return add(b, in, word, words, err);
}

hiss_status hs_named_graph_read_edges(hs_named_graph_builder *b, hs_reader *in,
                                      hiss_error *err)
{
    char *text = hs_alloc_array(HS_READER_TEXT_MAX + 1, 1);
    bool is_first = true;
    hiss_status rc = text ? HISS_OK : hs_fail_memory(err);

    hs_reader_comments(in, NULL, "#%");
    while (rc == HISS_OK && !hs_reader_at_end(in)) {
        rc = read_line(b, in, text, is_first, err);
        is_first = false;
    }
    hs_free(text);
    return rc;
}
