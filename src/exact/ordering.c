/* ordering.c - simulates orders of elimination and their cost. */
#include "exact/ordering.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "exact/queue.h"

#define CROWD    64    /* with more neighbors, fill is bounded, not counted */
#define HOPELESS 256.0 /* log2 of a table too large for any memory */

struct run {
    hs_graph g; /* owned: the remaining graph */
    const int *states;
    hs_rule rule;
    hs_queue left; /* owned */
    int *mark;     /* owned, [count]: the last step that changed it, from 1 */
    int *touched;  /* owned, [count] */
};

static void clear_run(struct run *r)
{
    hs_graph_clear(&r->g);
    hs_queue_clear(&r->left);
    hs_free(r->mark);
    hs_free(r->touched);
}

/* log2 of the product of the neighbors' states; larger values than `most` are
 * not exact. */
static double weight(const struct run *r, int v, double most)
{
    const int *list = hs_graph_neighbors(&r->g, v);
    double sum = 0.0;

    for (int k = 0; k < r->g.degree[v] && sum <= most; k++)
        sum += log2(r->states[list[k]]);
    return sum;
}

static double key_of(struct run *r, int v)
{
    double degree = r->g.degree[v];

    if (r->rule == HS_MIN_DEGREE)
        return weight(r, v, HOPELESS);
    if (degree > CROWD)
        return degree * (degree - 1.0) / 2.0;
    return (double)hs_graph_fill(&r->g, v);
}

static void touch(struct run *r, int v, int step, int *count)
{
    if (r->mark[v] == step + 1 || !hs_queue_has(&r->left, v))
        return;
    r->mark[v] = step + 1;
    r->touched[(*count)++] = v;
}

/* Updates the keys of the neighbors of v and, if pairs of them were connected,
 * of their neighbors. */
static hiss_status update(struct run *r, int v, int step, bool has_joined,
                          hiss_error *err)
{
    int count = 0;

    for (int k = 0; k < r->g.degree[v]; k++) {
        int a = hs_graph_neighbors(&r->g, v)[k];

        touch(r, a, step, &count);
        if (r->rule != HS_MIN_FILL || !has_joined)
            continue;
        for (int n = 0; n < r->g.degree[a]; n++)
            touch(r, hs_graph_neighbors(&r->g, a)[n], step, &count);
    }
    for (int k = 0; k < count; k++)
        HS_TRY(hs_queue_put(&r->left, r->touched[k], key_of(r, r->touched[k]),
                            err));
    return HISS_OK;
}

static hiss_status set_up(struct run *r, const hs_graph *g, uint64_t shuffle,
                          hiss_error *err)
{
    size_t n = (size_t)g->count;

    HS_TRY(hs_graph_copy(&r->g, g, err));
    HS_TRY(hs_queue_init(&r->left, g->count, shuffle, err));
    r->mark = hs_alloc_array(n, sizeof *r->mark);
    r->touched = hs_alloc_array(n, sizeof *r->touched);
    if (!r->mark || !r->touched)
        return hs_fail_memory(err);
    for (int v = 0; r->rule != HS_GIVEN && v < g->count; v++)
        HS_TRY(hs_queue_put(&r->left, v, key_of(r, v), err));
    return HISS_OK;
}

static hiss_status eliminate_all(struct run *r, int *order, hs_cost *cost,
                                 const hs_order_limits *limits, hiss_error *err)
{
    for (int step = 0; step < r->g.count; step++) {
        int v = r->rule == HS_GIVEN ? order[step] : hs_queue_first(&r->left);
        double message = exp2(weight(r, v, HUGE_VAL)),
               table = message * r->states[v];
        bool has_joined;

        order[step] = v;
        cost->entries += table;
        cost->messages += message;
        cost->largest = fmax(cost->largest, table);
        cost->work = r->g.work;
        if (!(cost->entries <= limits->entries) || cost->work > limits->work) {
            cost->entries = cost->messages = cost->largest = HUGE_VAL;
            return HISS_OK;
        }
        if (hs_poll_stops(limits->poll))
            return hs_fail(err, HISS_ESTOP, "stopped");
        has_joined = r->rule == HS_MIN_FILL && hs_graph_fill(&r->g, v) > 0;
        hs_queue_remove(&r->left, v);
        HS_TRY(hs_graph_eliminate(&r->g, v, err));
        if (r->rule != HS_GIVEN)
            HS_TRY(update(r, v, step, has_joined, err));
    }
    return HISS_OK;
}

hiss_status hs_order_simulate(int *order, hs_cost *cost, const hs_graph *g,
                              const int *states, hs_rule rule, uint64_t shuffle,
                              const hs_order_limits *limits, hiss_error *err)
{
    struct run r = {.states = states, .rule = rule};
    hiss_status rc = set_up(&r, g, shuffle, err);

    *cost = (hs_cost){0};
    if (rc == HISS_OK)
        rc = eliminate_all(&r, order, cost, limits, err);
    clear_run(&r);
    return rc;
}

/* Lists the vertices reached from `root` in order[from ..], layer by layer, in
 * each layer by parent, neighbors with few neighbors first.  place[v] is the
 * position, -1 if not reached.  Returns the end. */
static int layers(const hs_graph *g, int root, int *order, int from, int *place)
{
    int end = from;

    order[end] = root;
    place[root] = end++;
    for (int at = from; at < end; at++) {
        const int *list = hs_graph_neighbors(g, order[at]);
        int first = end;

        for (int k = 0; k < g->degree[order[at]]; k++) {
            int v = list[k], to = end;

            if (place[v] >= 0)
                continue;
            for (; to > first && g->degree[order[to - 1]] > g->degree[v]; to--)
                order[to] = order[to - 1];
            order[to] = v;
            place[v] = end++;
        }
    }
    for (int at = from; at < end; at++)
        place[order[at]] = at;
    return end;
}

static void forget(const int *order, int from, int end, int *place)
{
    for (int at = from; at < end; at++)
        place[order[at]] = -1;
}

hiss_status hs_order_frontier(int *order, const hs_graph *g, hiss_error *err)
{
    int *place = hs_alloc_array((size_t)g->count, sizeof *place);
    int from = 0;

    if (!place)
        return hs_fail_memory(err);
    for (int v = 0; v < g->count; v++)
        place[v] = -1;
    for (int v = 0; v < g->count; v++) {
        int end, root = v;

        if (place[v] >= 0)
            continue;
        /* the far end of the far end is near a corner */
        for (int again = 0; again < 2; again++) {
            end = layers(g, root, order, from, place);
            root = order[end - 1];
            forget(order, from, end, place);
        }
        from = layers(g, root, order, from, place);
    }
    hs_free(place);
    return HISS_OK;
}
