/* cutset.c - chooses coordinates that can be drawn together.
 *
 * The smallest table is eliminated first.  If even that one is too large, one
 * of its coordinates is held fixed: the one drawn most often in other blocks
 * and, among those, the one with most neighbors. */
#include "exact/cutset.h"

#include <math.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "exact/queue.h"

struct work {
    hs_graph g; /* owned: the remaining graph */
    const int *states;
    const int *drawn;
    hs_queue left; /* owned: by size of the table */
    int64_t cluster_room;
    double total;
    bool has_new; /* some member was never drawn before */
};

/* Number of entries of the table over v and its neighbors. */
static double table_of(const struct work *w, int v)
{
    const int *list = hs_graph_neighbors(&w->g, v);
    double entries = w->states[v];

    for (int k = 0; k < w->g.degree[v]; k++)
        entries *= w->states[list[k]];
    return entries;
}

static hiss_status set_up(struct work *w, const hs_graph *g, uint64_t shuffle,
                          hiss_error *err)
{
    HS_TRY(hs_graph_copy(&w->g, g, err));
    HS_TRY(hs_queue_init(&w->left, g->count, shuffle, err));
    for (int v = 0; v < g->count; v++)
        HS_TRY(hs_queue_put(&w->left, v, table_of(w, v), err));
    return HISS_OK;
}

static hiss_status requeue(struct work *w, int v, hiss_error *err)
{
    for (int k = 0; k < w->g.degree[v]; k++) {
        int a = hs_graph_neighbors(&w->g, v)[k];

        HS_TRY(hs_queue_put(&w->left, a, table_of(w, a), err));
    }
    return HISS_OK;
}

/* Chooses which of v and its neighbors is held fixed.  It is v only if v was
 * drawn more often than the others, so that a new coordinate becomes a
 * member. */
static int in_the_way(const struct work *w, int v)
{
    const int *list = hs_graph_neighbors(&w->g, v);
    int worst = list[0];

    for (int k = 1; k < w->g.degree[v]; k++) {
        int a = list[k];

        if (w->drawn[a] > w->drawn[worst] ||
            (w->drawn[a] == w->drawn[worst] &&
             w->g.degree[a] > w->g.degree[worst]))
            worst = a;
    }
    return w->drawn[v] > w->drawn[worst] ? v : worst;
}

static hiss_status hold(struct work *w, int v, hiss_error *err)
{
    hs_queue_remove(&w->left, v);
    hs_graph_remove(&w->g, v);
    return requeue(w, v, err);
}

static hiss_status add_member(hs_cutset *c, struct work *w, int v,
                              hiss_error *err)
{
    int degree = w->g.degree[v];
    int64_t at = c->cluster_at[c->count];

    if (at + degree + 1 > w->cluster_room) {
        int64_t room = at + at / 2 + degree + 256;
        int *larger = hs_realloc_array(c->cluster, (size_t)at, (size_t)room,
                                       sizeof *larger);

        if (!larger)
            return hs_fail_memory(err);
        c->cluster = larger;
        w->cluster_room = room;
    }
    c->cluster[at] = v;
    memcpy(c->cluster + at + 1, hs_graph_neighbors(&w->g, v),
           (size_t)degree * sizeof *c->cluster);
    w->total += table_of(w, v);
    w->has_new = w->has_new || w->drawn[v] == 0;
    c->member[c->count++] = v;
    c->cluster_at[c->count] = at + degree + 1;
    hs_queue_remove(&w->left, v);
    HS_TRY(hs_graph_eliminate(&w->g, v, err));
    return requeue(w, v, err);
}

/* Sorts by rank; lists are short. */
static void sort_by_rank(int *list, int64_t count, const int *rank)
{
    for (int64_t k = 1; k < count; k++) {
        int v = list[k];
        int64_t to = k;

        for (; to > 0 && rank[list[to - 1]] > rank[v]; to--)
            list[to] = list[to - 1];
        list[to] = v;
    }
}

/* Removes coordinates that were held fixed later from the clusters, and sorts
 * the others in order of elimination. */
static hiss_status tidy_clusters(hs_cutset *c, int vertices, hiss_error *err)
{
    int *rank = hs_alloc_array((size_t)vertices, sizeof *rank);
    int64_t used = 0, from = 0;

    if (!rank)
        return hs_fail_memory(err);
    for (int v = 0; v < vertices; v++)
        rank[v] = -1;
    for (int b = 0; b < c->count; b++)
        rank[c->member[b]] = b;
    for (int b = 0; b < c->count; b++) {
        int64_t first = used, end = c->cluster_at[b + 1];

        for (int64_t k = from; k < end; k++)
            if (rank[c->cluster[k]] >= 0)
                c->cluster[used++] = c->cluster[k];
        sort_by_rank(c->cluster + first, used - first, rank);
        from = end;
        c->cluster_at[b + 1] = used;
    }
    hs_free(rank);
    return HISS_OK;
}

static hiss_status choose(hs_cutset *c, struct work *w, double largest,
                          double total, hiss_error *err)
{
    int v;

    while ((v = hs_queue_first(&w->left)) >= 0) {
        if (w->g.degree[v] > 0 && table_of(w, v) > largest)
            HS_TRY(hold(w, in_the_way(w, v), err));
        else if (w->total > total && (w->has_new || w->drawn[v] > 0))
            HS_TRY(hold(w, v, err));
        else
            HS_TRY(add_member(c, w, v, err));
    }
    return tidy_clusters(c, w->g.count, err);
}

hiss_status hs_cutset_init(hs_cutset *c, const hs_graph *g, const int *states,
                           double largest, double total, int *drawn,
                           uint64_t shuffle, hiss_error *err)
{
    struct work w = {.states = states, .drawn = drawn};
    size_t count = (size_t)g->count;
    hiss_status rc = set_up(&w, g, shuffle, err);

    *c = (hs_cutset){0};
    c->member = hs_alloc_array(count, sizeof *c->member);
    c->cluster_at = hs_alloc_array(count + 1, sizeof *c->cluster_at);
    if (rc == HISS_OK && (!c->member || !c->cluster_at))
        rc = hs_fail_memory(err);
    if (rc == HISS_OK)
        rc = choose(c, &w, largest, total, err);
    hs_graph_clear(&w.g);
    hs_queue_clear(&w.left);
    for (int b = 0; rc == HISS_OK && b < c->count; b++)
        drawn[c->member[b]]++;
    if (rc != HISS_OK)
        hs_cutset_clear(c);
    return rc;
}

void hs_cutset_clear(hs_cutset *c)
{
    hs_free(c->member);
    hs_free(c->cluster_at);
    hs_free(c->cluster);
    *c = (hs_cutset){0};
}
