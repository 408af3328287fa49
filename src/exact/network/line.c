/* line.c - chooses the order of the file, which is by rows for most lattices,
 * or a greedy one: always the variable next to the frontier that adds the
 * fewest others to it, ties by the longest wait. */
#include "exact/network/line.h"

#include <stdbool.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "exact/graph.h"

/* times the greedy frontier, because rows make larger layers */
#define AS_GIVEN 1.25

struct search {
    const hs_factors *f;
    hs_graph g;       /* owned */
    int *seen;        /* owned, [dim]: step at which it entered the frontier,
                         from 1 */
    bool *done;       /* owned, [dim] */
    int *waiting;     /* owned, [dim]: variables in the frontier */
    int *rank, *left; /* owned, [dim] */
    int waitings, clock;
};

void hs_line_clear(hs_line *l)
{
    hs_free(l->order);
    *l = (hs_line){0};
}

static bool has_choice(const struct search *s, int v)
{
    return s->f->states[v] > 1;
}

/* The largest frontier of an order. */
static int frontier_of(struct search *s, const int *order, int count)
{
    int most = 0, now = 0;

    for (int r = 0; r < count; r++)
        s->rank[order[r]] = r;
    memset(s->left, 0, (size_t)s->f->dim * sizeof *s->left);
    for (int r = 0; r < count; r++) {
        const int *near = hs_graph_neighbors(&s->g, order[r]);

        for (int n = 0; n < s->g.degree[order[r]]; n++) {
            if (s->rank[near[n]] > r)
                s->left[order[r]]++;
            else if (--s->left[near[n]] == 0)
                now--;
        }
        now += s->left[order[r]] > 0;
        most = now > most ? now : most;
    }
    return most;
}

static void see(struct search *s, int v)
{
    if (s->seen[v])
        return;
    s->seen[v] = ++s->clock;
    s->waiting[s->waitings++] = v;
}

static int fresh_neighbors(const struct search *s, int v)
{
    const int *near = hs_graph_neighbors(&s->g, v);
    int fresh = 0;

    for (int n = 0; n < s->g.degree[v]; n++)
        fresh += !s->seen[near[n]];
    return fresh;
}

/* Takes one of the waiting variables; -1 if there is none. */
static int take_next(struct search *s)
{
    int best = -1, least = 0;

    for (int w = 0; w < s->waitings; w++) {
        int v = s->waiting[w], fresh = fresh_neighbors(s, v);

        if (best < 0 || fresh < least ||
            (fresh == least && s->seen[v] < s->seen[s->waiting[best]])) {
            best = w;
            least = fresh;
        }
    }
    if (best >= 0) {
        int v = s->waiting[best];

        s->waiting[best] = s->waiting[--s->waitings];
        return v;
    }
    return -1;
}

/* Finds an end of the component of v: the last vertex of a breadth-first
 * walk. */
static int far_end(struct search *s, int v, int *queue)
{
    int head = 0, tail = 0;

    memset(s->rank, 0, (size_t)s->f->dim * sizeof *s->rank);
    queue[tail++] = v;
    s->rank[v] = 1;
    while (head < tail) {
        int from = queue[head++];
        const int *near = hs_graph_neighbors(&s->g, from);

        for (int n = 0; n < s->g.degree[from]; n++)
            if (!s->rank[near[n]]) {
                s->rank[near[n]] = 1;
                queue[tail++] = near[n];
            }
    }
    return queue[tail - 1];
}

static int order_greedily(struct search *s, int *order)
{
    int count = 0, at = 0;

    for (;;) {
        int v = take_next(s);

        if (v < 0) {
            while (at < s->f->dim && (s->done[at] || !has_choice(s, at)))
                at++;
            if (at == s->f->dim)
                return count;
            v = far_end(s, at, s->left);
            s->seen[v] = ++s->clock;
        }
        s->done[v] = true;
        order[count++] = v;
        for (int n = 0; n < s->g.degree[v]; n++)
            see(s, hs_graph_neighbors(&s->g, v)[n]);
    }
}

static hiss_status search_init(struct search *s, const hs_factors *f,
                               hiss_error *err)
{
    size_t dim = (size_t)f->dim;

    *s = (struct search){.f = f};
    HS_TRY(hs_graph_init(&s->g, f, err));
    s->seen = hs_alloc_array(dim, sizeof *s->seen);
    s->done = hs_alloc_array(dim, sizeof *s->done);
    s->waiting = hs_alloc_array(dim, sizeof *s->waiting);
    s->rank = hs_alloc_array(dim, sizeof *s->rank);
    s->left = hs_alloc_array(dim, sizeof *s->left);
    return s->seen && s->done && s->waiting && s->rank && s->left
               ? HISS_OK
               : hs_fail_memory(err);
}

static void search_clear(struct search *s)
{
    hs_graph_clear(&s->g);
    hs_free(s->seen);
    hs_free(s->done);
    hs_free(s->waiting);
    hs_free(s->rank);
    hs_free(s->left);
}

hiss_status hs_line_init(hs_line *l, const hs_factors *f, hiss_error *err)
{
    int *greedy = hs_alloc_array((size_t)f->dim, sizeof *greedy), own;
    struct search s;
    hiss_status rc = search_init(&s, f, err);

    *l = (hs_line){.name = "as given"};
    l->order = hs_alloc_array((size_t)f->dim, sizeof *l->order);
    if (rc == HISS_OK && (!greedy || !l->order))
        rc = hs_fail_memory(err);
    for (int i = 0; rc == HISS_OK && i < f->dim; i++)
        if (has_choice(&s, i))
            l->order[l->count++] = i;
    if (rc == HISS_OK) {
        l->frontier = frontier_of(&s, l->order, l->count);
        order_greedily(&s, greedy);
        own = frontier_of(&s, greedy, l->count);
        if (l->frontier > AS_GIVEN * own) {
            int *given = l->order;

            l->order = greedy;
            greedy = given;
            l->frontier = own;
            l->name = "least frontier";
        }
    }
    search_clear(&s);
    hs_free(greedy);
    if (rc != HISS_OK)
        hs_line_clear(l);
    return rc;
}
