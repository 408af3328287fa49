/* nodes.c - the nodes of the counted tree, and their keys.
 *
 * Nodes are only added and removed at the end, so a chain of nodes with the
 * same hash has the newest first. */
#include "exact/count/nodes.h"

#include <string.h>

#include "base/alloc.h"
#include "base/error.h"

#define HEAD   5 /* words before the lists of a branch: counts and a double */
#define CHAINS 1024

hiss_status hs_nodes_init(hs_nodes *n, hiss_error *err)
{
    *n = (hs_nodes){.chains = CHAINS};
    n->chain = hs_alloc_array(CHAINS, sizeof *n->chain);
    if (!n->chain)
        return hs_fail_memory(err);
    memset(n->chain, 0xff, CHAINS * sizeof *n->chain);
    return HISS_OK;
}

void hs_nodes_clear(hs_nodes *n)
{
    hs_free(n->node);
    hs_free(n->word);
    hs_free(n->chain);
    *n = (hs_nodes){0};
}

static int64_t slot(const hs_nodes *n, hs_key key)
{
    return (int64_t)(key.word[0] & (uint64_t)(n->chains - 1));
}

int32_t hs_nodes_find(const hs_nodes *n, hs_key key)
{
    int32_t at = n->chain[slot(n, key)];

    while (at >= 0 && (n->node[at].key.word[0] != key.word[0] ||
                       n->node[at].key.word[1] != key.word[1]))
        at = n->node[at].next;
    return at;
}

static void link_node(hs_nodes *n, int32_t at)
{
    int32_t *first = &n->chain[slot(n, n->node[at].key)];

    n->node[at].next = *first;
    *first = at;
}

static hiss_status grow(hs_nodes *n, hiss_error *err)
{
    int64_t room = n->room ? 2 * (int64_t)n->room : CHAINS;
    hs_node *node;
    int32_t *chain;

    if (room > INT32_MAX)
        return hs_fail(err, HISS_ELIMIT, "more than 2^31 parts to count");
    node =
        hs_realloc_array(n->node, (size_t)n->count, (size_t)room, sizeof *node);
    if (!node)
        return hs_fail_memory(err);
    n->node = node;
    n->room = (int32_t)room;
    chain = hs_alloc_array((size_t)room, sizeof *chain);
    if (!chain)
        return hs_fail_memory(err);
    hs_free(n->chain);
    n->chain = chain;
    n->chains = room;
    memset(chain, 0xff, (size_t)room * sizeof *chain);
    for (int32_t at = 0; at < n->count; at++)
        link_node(n, at);
    return HISS_OK;
}

static void weigh(hs_nodes *n)
{
    n->bytes = (double)n->room * (sizeof *n->node + sizeof *n->chain) +
               (double)n->word_room * sizeof *n->word;
}

hiss_status hs_nodes_add(hs_nodes *n, const hs_node *node, int32_t *out,
                         hiss_error *err)
{
    if (n->count == n->room)
        HS_TRY(grow(n, err));
    n->node[n->count] = *node;
    n->node[n->count].at = n->words;
    n->node[n->count].branches = 0;
    link_node(n, n->count);
    *out = n->count++;
    weigh(n);
    return HISS_OK;
}

hiss_status hs_nodes_branch(hs_nodes *n, const hs_branch *b, hiss_error *err)
{
    int64_t size = HEAD + b->literals + b->frees + b->children;
    int *to;

    if (n->words + size > n->word_room) {
        int64_t room = n->word_room + n->word_room / 2 + size + CHAINS;
        int *word = hs_realloc_array(n->word, (size_t)n->words, (size_t)room,
                                     sizeof *word);

        if (!word)
            return hs_fail_memory(err);
        n->word = word;
        n->word_room = room;
    }
    to = n->word + n->words;
    to[0] = b->literals;
    to[1] = b->frees;
    to[2] = b->children;
    memcpy(to + 3, &b->log_weight, sizeof b->log_weight);
    to += HEAD;
    memcpy(to, b->literal, (size_t)b->literals * sizeof *to);
    memcpy(to + b->literals, b->free, (size_t)b->frees * sizeof *to);
    memcpy(to + b->literals + b->frees, b->child,
           (size_t)b->children * sizeof *to);
    n->words += size;
    n->node[n->count - 1].branches++;
    weigh(n);
    return HISS_OK;
}

void hs_nodes_cut(hs_nodes *n, int32_t count)
{
    if (n->count == count)
        return;
    n->words = n->node[count].at;
    while (n->count > count) {
        const hs_node *last = &n->node[--n->count];

        n->chain[slot(n, last->key)] = last->next;
    }
}

int64_t hs_nodes_read(const hs_nodes *n, int64_t at, hs_branch *b)
{
    const int *from = n->word + at;

    b->literals = from[0];
    b->frees = from[1];
    b->children = from[2];
    memcpy(&b->log_weight, from + 3, sizeof b->log_weight);
    b->literal = from + HEAD;
    b->free = b->literal + b->literals;
    b->child = b->free + b->frees;
    return at + HEAD + b->literals + b->frees + b->children;
}
