/* graph.c - the graph of coordinates that share a factor, under elimination. */
#include "exact/graph.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"

#define LOPSIDED 16   /* cost of a search in a list, in steps */
#define MOVED    32.0 /* entries of a list that move in the time of one step */

static int ascending(const void *a, const void *b)
{
    int i = *(const int *)a, j = *(const int *)b;

    return (i > j) - (i < j);
}

static hiss_status allocate(hs_graph *g, int count, int64_t size,
                            hiss_error *err)
{
    size_t n = (size_t)count;

    *g = (hs_graph){.count = count, .size = size};
    g->at = hs_alloc_array(n, sizeof *g->at);
    g->degree = hs_alloc_array(n, sizeof *g->degree);
    g->room = hs_alloc_array(n, sizeof *g->room);
    g->merged = hs_alloc_array(n, sizeof *g->merged);
    g->entry = hs_alloc_array((size_t)size, sizeof *g->entry);
    if (g->at && g->degree && g->room && g->merged && g->entry)
        return HISS_OK;
    hs_graph_clear(g);
    return hs_fail_memory(err);
}

static void list_neighbors(hs_graph *g, const hs_factors *f)
{
    for (int64_t n = 0; n < f->count; n++) {
        const int *scope = f->scope + f->scope_at[n];
        int size = (int)(f->scope_at[n + 1] - f->scope_at[n]);

        for (int a = 0; a < size; a++)
            for (int b = 0; b < size; b++)
                if (a != b)
                    g->entry[g->at[scope[a]] + g->degree[scope[a]]++] =
                        scope[b];
    }
}

/* Sorts the neighbors and removes duplicates. */
static void sort_neighbors(hs_graph *g, int v)
{
    int *list = g->entry + g->at[v], kept = 0;

    qsort(list, (size_t)g->degree[v], sizeof *list, ascending);
    for (int k = 0; k < g->degree[v]; k++)
        if (kept == 0 || list[kept - 1] != list[k])
            list[kept++] = list[k];
    g->degree[v] = kept;
}

hiss_status hs_graph_init(hs_graph *g, const hs_factors *f, hiss_error *err)
{
    int64_t size = 0;

    for (int64_t n = 0; n < f->count; n++) {
        int64_t scope = f->scope_at[n + 1] - f->scope_at[n];

        size += scope * (scope - 1);
    }
    HS_TRY(allocate(g, f->dim, size, err));
    for (int64_t n = 0; n < f->count; n++)
        for (int64_t k = f->scope_at[n]; k < f->scope_at[n + 1]; k++)
            g->room[f->scope[k]] +=
                (int)(f->scope_at[n + 1] - f->scope_at[n]) - 1;
    for (int v = 0; v < g->count; v++) {
        g->at[v] = g->used;
        g->used += g->room[v];
    }
    list_neighbors(g, f);
    for (int v = 0; v < g->count; v++)
        sort_neighbors(g, v);
    return HISS_OK;
}

hiss_status hs_graph_copy(hs_graph *to, const hs_graph *from, hiss_error *err)
{
    size_t n = (size_t)from->count;

    HS_TRY(allocate(to, from->count, from->size, err));
    memcpy(to->at, from->at, n * sizeof *to->at);
    memcpy(to->degree, from->degree, n * sizeof *to->degree);
    memcpy(to->room, from->room, n * sizeof *to->room);
    memcpy(to->entry, from->entry, (size_t)from->used * sizeof *to->entry);
    to->used = from->used;
    return HISS_OK;
}

void hs_graph_clear(hs_graph *g)
{
    hs_free(g->at);
    hs_free(g->degree);
    hs_free(g->room);
    hs_free(g->merged);
    hs_free(g->entry);
    *g = (hs_graph){0};
}

/* Makes room for this many neighbors of v; discards the old ones. */
static bool make_room(hs_graph *g, int v, int degree)
{
    if (degree <= g->room[v])
        return true;
    if (g->used + 2 * (int64_t)degree > g->size) {
        int64_t size = g->size + g->size / 2 + 2 * (int64_t)degree;
        int *larger = hs_realloc_array(g->entry, (size_t)g->used, (size_t)size,
                                       sizeof *larger);

        if (!larger)
            return false;
        g->entry = larger;
        g->size = size;
    }
    g->at[v] = g->used;
    g->room[v] = 2 * degree;
    g->used += g->room[v];
    return true;
}

/* Position of `what` among ascending numbers, present or not. */
static int place_of(const int *list, int count, int what)
{
    int low = 0;

    while (low < count) {
        int middle = low + (count - low) / 2;

        if (list[middle] < what)
            low = middle + 1;
        else
            count = middle;
    }
    return low;
}

static bool has(const hs_graph *g, int a, int v)
{
    const int *list = hs_graph_neighbors(g, a);
    int at = place_of(list, g->degree[a], v);

    return at < g->degree[a] && list[at] == v;
}

/* Whether searching one list in the other is faster than reading both, as for
 * the few neighbors of a leaf in the many of a hub. */
static bool is_lopsided(int few, int many)
{
    return many > LOPSIDED * few;
}

static void take_out(hs_graph *g, int a, int v)
{
    int *list = g->entry + g->at[a];
    int at = place_of(list, g->degree[a], v);

    g->degree[a]--;
    memmove(list + at, list + at + 1,
            (size_t)(g->degree[a] - at) * sizeof *list);
    g->work += (g->degree[a] - at) / MOVED;
}

/* Whether every neighbor of v is a or already a neighbor of a. */
static bool is_joined(hs_graph *g, int a, int v)
{
    g->work += LOPSIDED * g->degree[v];
    for (int k = 0; k < g->degree[v]; k++) {
        int b = hs_graph_neighbors(g, v)[k];

        if (b != a && !has(g, a, b))
            return false;
    }
    return true;
}

/* Writes the neighbors of a and v, without both, to g->merged. */
static int merge(const hs_graph *g, int a, int v)
{
    const int *left = hs_graph_neighbors(g, a);
    const int *right = hs_graph_neighbors(g, v);
    const int *left_end = left + g->degree[a];
    const int *right_end = right + g->degree[v];
    int count = 0;

    while (left < left_end || right < right_end) {
        int next;

        if (right == right_end || (left < left_end && *left <= *right)) {
            next = *left++;
            if (right < right_end && *right == next)
                right++;
        } else {
            next = *right++;
        }
        if (next != a && next != v)
            g->merged[count++] = next;
    }
    return count;
}

hiss_status hs_graph_eliminate(hs_graph *g, int v, hiss_error *err)
{
    for (int k = 0; k < g->degree[v]; k++) {
        int a = hs_graph_neighbors(g, v)[k], degree;

        if (is_lopsided(g->degree[v], g->degree[a]) && is_joined(g, a, v)) {
            take_out(g, a, v);
            continue;
        }
        g->work += g->degree[a] + g->degree[v];
        degree = merge(g, a, v);
        if (!make_room(g, a, degree))
            return hs_fail_memory(err);
        memcpy(g->entry + g->at[a], g->merged,
               (size_t)degree * sizeof *g->merged);
        g->degree[a] = degree;
    }
    return HISS_OK;
}

void hs_graph_remove(hs_graph *g, int v)
{
    for (int k = 0; k < g->degree[v]; k++)
        take_out(g, hs_graph_neighbors(g, v)[k], v);
}

/* Number of common neighbors of a and v. */
static int common(hs_graph *g, int a, int v)
{
    const int *left = hs_graph_neighbors(g, a);
    const int *right = hs_graph_neighbors(g, v);
    const int *left_end = left + g->degree[a];
    const int *right_end = right + g->degree[v];
    int count = 0;

    if (is_lopsided(g->degree[v], g->degree[a])) {
        g->work += LOPSIDED * g->degree[v];
        for (; right < right_end; right++)
            count += has(g, a, *right);
        return count;
    }
    g->work += g->degree[a] + g->degree[v];
    while (left < left_end && right < right_end) {
        count += *left == *right;
        if (*left < *right)
            left++;
        else if (*left > *right)
            right++;
        else {
            left++;
            right++;
        }
    }
    return count;
}

int64_t hs_graph_fill(hs_graph *g, int v)
{
    int64_t degree = g->degree[v], joined = 0;

    for (int k = 0; k < degree; k++)
        joined += common(g, hs_graph_neighbors(g, v)[k], v);
    return (degree * (degree - 1) - joined) / 2;
}
