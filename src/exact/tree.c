/* tree.c - buckets, clusters and the paths of messages. */
#include "exact/tree.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "exact/graph.h"

/* A growing list of coordinates. */
struct list {
    int *at; /* owned */
    int64_t count, room;
};

static hiss_status add(struct list *l, int v, hiss_error *err)
{
    if (l->count == l->room) {
        int64_t room = l->room + l->room / 2 + 256;
        int *larger = hs_realloc_array(l->at, (size_t)l->count, (size_t)room,
                                       sizeof *larger);

        if (!larger)
            return hs_fail_memory(err);
        l->at = larger;
        l->room = room;
    }
    l->at[l->count++] = v;
    return HISS_OK;
}

/* Sorts by rank, first eliminated first; lists are short. */
static void sort_by_rank(int *list, int count, const int *rank)
{
    for (int k = 1; k < count; k++) {
        int v = list[k], to = k;

        for (; to > 0 && rank[list[to - 1]] > rank[v]; to--)
            list[to] = list[to - 1];
        list[to] = v;
    }
}

/* Computes the cluster of bucket b. */
static hiss_status set_cluster(hs_tree *t, int b, int v, hs_graph *g,
                               struct list *all, const int *rank,
                               hiss_error *err)
{
    hs_bucket *bucket = &t->bucket[b];
    int degree = g->degree[v];

    bucket->cluster = all->count;
    bucket->size = degree + 1;
    bucket->parent = bucket->child = bucket->sibling = -1;
    HS_TRY(add(all, v, err));
    for (int k = 0; k < degree; k++)
        HS_TRY(add(all, hs_graph_neighbors(g, v)[k], err));
    sort_by_rank(all->at + bucket->cluster + 1, degree, rank);
    bucket->entries = 1;
    for (int k = 1; k <= degree; k++)
        bucket->entries *= t->f->states[all->at[bucket->cluster + k]];
    if (degree > 0)
        bucket->parent = rank[all->at[bucket->cluster + 1]];
    return hs_graph_eliminate(g, v, err);
}

static void link_children(hs_tree *t)
{
    for (int b = t->count - 1; b >= 0; b--) {
        int parent = t->bucket[b].parent;

        if (parent < 0)
            continue;
        t->bucket[b].sibling = t->bucket[parent].child;
        t->bucket[parent].child = b;
    }
}

/* Returns the bucket of a factor: that of its first coordinate. */
static int bucket_of(const hs_factors *f, int64_t n, const int *rank)
{
    int first = rank[f->scope[f->scope_at[n]]];

    for (int64_t k = f->scope_at[n]; k < f->scope_at[n + 1]; k++)
        first = rank[f->scope[k]] < first ? rank[f->scope[k]] : first;
    return first;
}

static void sort_factors(hs_tree *t, const int *rank)
{
    int64_t sum = 0;

    for (int64_t n = 0; n < t->f->count; n++)
        t->bucket[bucket_of(t->f, n, rank)].factors++;
    for (int b = 0; b < t->count; b++) {
        t->bucket[b].factor = sum;
        sum += t->bucket[b].factors;
        t->bucket[b].factors = 0;
    }
    for (int64_t n = 0; n < t->f->count; n++) {
        hs_bucket *bucket = &t->bucket[bucket_of(t->f, n, rank)];

        t->factor[bucket->factor + bucket->factors++] = n;
    }
}

hiss_status hs_tree_init(hs_tree *t, const hs_factors *f, const int *order,
                         hiss_error *err)
{
    struct list all = {0};
    hs_graph g = {0};
    int *rank = hs_alloc_array((size_t)f->dim, sizeof *rank);
    hiss_status rc = HISS_OK;

    *t = (hs_tree){.f = f, .count = f->dim};
    t->bucket = hs_alloc_array((size_t)f->dim, sizeof *t->bucket);
    t->factor = hs_alloc_array((size_t)f->count, sizeof *t->factor);
    if (!rank || !t->bucket || !t->factor)
        rc = hs_fail_memory(err);
    for (int b = 0; rc == HISS_OK && b < f->dim; b++)
        rank[order[b]] = b;
    if (rc == HISS_OK)
        rc = hs_graph_init(&g, f, err);
    for (int b = 0; rc == HISS_OK && b < f->dim; b++)
        rc = set_cluster(t, b, order[b], &g, &all, rank, err);
    t->coordinate = all.at;
    if (rc == HISS_OK) {
        link_children(t);
        sort_factors(t, rank);
    } else {
        hs_tree_clear(t);
    }
    hs_graph_clear(&g);
    hs_free(rank);
    return rc;
}

void hs_tree_clear(hs_tree *t)
{
    for (int b = 0; t->bucket && b < t->count; b++)
        hs_free(t->bucket[b].message);
    hs_free(t->bucket);
    hs_free(t->coordinate);
    hs_free(t->factor);
    *t = (hs_tree){0};
}
