/* chow_liu.c - the best tree for what was seen of every mode. */
#include "run/trees/chow_liu.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/logarithm.h"
#include "base/sets.h"
#include "run/policy/policy.h"

#define CELLS  (1 << 23) /* capacity: of all tables, 160 MiB */
#define EDGES  256       /* capacity: edges at first */
#define TINY   1e-300    /* precision: less is no probability */
#define STATES 1024      /* capacity: states of a pair */

struct edge {
    double information;
    int32_t i, j; /* i < j */
};

struct forest {
    const hs_library *b;
    const hs_domain *d;
    const hs_tree_evidence *seen;
    struct edge *edge; /* owned, [room]: those that chance does not explain */
    int64_t edges, room;
    int32_t *set;    /* owned, [dim]: trees so far (sets.h) */
    int32_t *parent; /* owned, [modes][dim] */
    int32_t *queue;  /* owned, [dim] */
    double most;     /* information of a mode's forest */
    double smooth;   /* draws of the product distribution in every row */
};

/* I of a pair, from both of its sums. */
static double information(const struct forest *f, int mode, int i, int j)
{
    const hs_pair_sums *p = f->seen->pairs;
    int a = f->d->states[i], b = f->d->states[j];
    double joint[STATES], left[STATES] = {0}, right[STATES] = {0};
    double all = 2.0 * f->seen->states[mode], sum = 0.0;

    for (int w = 0; w < a; w++) {
        const float *row = hs_pair_sums_row(p, mode, i, w, j);

        for (int v = 0; v < b; v++)
            joint[w * b + v] = (double)row[v] / all;
    }
    for (int v = 0; v < b; v++) {
        const float *row = hs_pair_sums_row(p, mode, j, v, i);

        for (int w = 0; w < a; w++)
            joint[w * b + v] += (double)row[w] / all;
    }
    for (int w = 0; w < a; w++)
        for (int v = 0; v < b; v++) {
            left[w] += joint[w * b + v];
            right[v] += joint[w * b + v];
        }
    for (int w = 0; w < a; w++)
        for (int v = 0; v < b; v++)
            if (joint[w * b + v] > TINY)
                sum += joint[w * b + v] *
                       hs_logarithm(joint[w * b + v] / (left[w] * right[v]));
    return sum;
}

/* Considers one pair; false without memory. */
static bool consider(struct forest *f, int mode, int i, int j)
{
    double n = f->seen->states[mode], gain;
    double freedom = (f->d->states[i] - 1.0) * (f->d->states[j] - 1.0);

    if (f->d->states[i] * f->d->states[j] > STATES || freedom == 0.0)
        return true;
    gain = information(f, mode, i, j);
    if (!(2.0 * n * gain >
          freedom * (hs_logarithm(n) + 2.0 * hs_logarithm(f->d->dim))))
        return true;
    if (f->edges == f->room) {
        int64_t room = f->room ? 2 * f->room : EDGES;
        struct edge *more = hs_realloc_array(f->edge, (size_t)f->room,
                                             (size_t)room, sizeof *more);

        if (!more)
            return false;
        f->edge = more;
        f->room = room;
    }
    f->edge[f->edges++] = (struct edge){gain, i, j};
    return true;
}

/* All pairs of a mode. */
static bool collect(struct forest *f, int mode)
{
    const hs_pair_sums *p = f->seen->pairs;
    bool has_room = true;

    f->edges = 0;
    for (int i = 0; f->seen->states[mode] > 0.0 && i < p->dim; i++) {
        if (p->is_complete)
            for (int j = i + 1; has_room && j < p->dim; j++)
                has_room = consider(f, mode, i, j);
        else
            for (int64_t n = p->at[i]; has_room && n < p->at[i + 1]; n++)
                if (p->other[n] > i)
                    has_room = consider(f, mode, i, p->other[n]);
    }
    return has_room;
}

static int by_information(const void *a, const void *b)
{
    const struct edge *x = a, *y = b;

    if (x->information != y->information)
        return x->information > y->information ? -1 : 1;
    if (x->i != y->i)
        return x->i < y->i ? -1 : 1;
    return (x->j > y->j) - (x->j < y->j);
}

/* The largest pairs that close no cycle (Kruskal) are kept, at the front. */
static void span(struct forest *f)
{
    int64_t kept = 0;
    double sum = 0.0;

    if (f->edges > 0)
        qsort(f->edge, (size_t)f->edges, sizeof *f->edge, by_information);
    for (int i = 0; i < f->d->dim; i++)
        f->set[i] = i;
    for (int64_t n = 0; n < f->edges; n++) {
        struct edge e = f->edge[n];

        if (hs_sets_find(f->set, e.i) == hs_sets_find(f->set, e.j))
            continue;
        hs_sets_join(f->set, e.i, e.j);
        sum += e.information;
        f->edge[kept++] = e;
    }
    f->edges = kept;
    f->most = sum > f->most ? sum : f->most;
}

/* Links of a forest by coordinate: link[at[i] .. at[i + 1] - 1]. */
static void link_up(const struct forest *f, int32_t *at, int32_t *link)
{
    int dim = f->d->dim;

    memset(at, 0, ((size_t)dim + 2) * sizeof *at);
    for (int64_t n = 0; n < f->edges; n++) {
        at[f->edge[n].i + 2]++;
        at[f->edge[n].j + 2]++;
    }
    for (int i = 1; i < dim + 2; i++)
        at[i] += at[i - 1];
    for (int64_t n = 0; n < f->edges; n++) {
        link[at[f->edge[n].i + 1]++] = f->edge[n].j;
        link[at[f->edge[n].j + 1]++] = f->edge[n].i;
    }
}

/* Every tree hangs on its smallest coordinate. */
static bool hang(struct forest *f, int mode)
{
    size_t dim = (size_t)f->d->dim;
    int32_t *parent = f->parent + (size_t)mode * dim;
    int32_t *at = hs_alloc_array(dim + 2, sizeof *at);
    int32_t *link = hs_alloc_array(2 * (size_t)f->edges + 1, sizeof *link);

    if (at && link)
        link_up(f, at, link);
    for (int i = 0; i < f->d->dim; i++)
        parent[i] = -1;
    for (int root = 0; at && link && root < f->d->dim; root++) {
        int first = 0, end = 0;

        if (f->set[root] == root)
            f->queue[end++] = root;
        while (first < end) {
            int32_t i = f->queue[first++];

            for (int32_t n = at[i]; n < at[i + 1]; n++)
                if (link[n] != parent[i]) {
                    parent[link[n]] = i;
                    f->queue[end++] = link[n];
                }
        }
    }
    hs_free(at);
    hs_free(link);
    return at && link;
}

/* p_i(v | w), drawn towards p_i(v) where w was seldom seen. */
static void fill_row(const struct forest *f, hs_mode_trees *t, int mode, int i,
                     int parent, int w)
{
    const double *share =
        f->b->share + (size_t)mode * (size_t)f->b->values + f->d->value[i];
    double *to = t->share + hs_mode_trees_row(t, f->d, mode, i, w);
    const float *sum = NULL;

    if (parent >= 0)
        sum = hs_pair_sums_row(f->seen->pairs, mode, parent, w, i);
    for (int v = 0; v < f->d->states[i]; v++)
        to[v] = f->smooth * share[v] +
                (sum ? f->seen->worth[mode] * (double)sum[v] : 0.0);
}

static hiss_status fill(const struct forest *f, hs_mode_trees *t,
                        hiss_error *err)
{
    for (int k = 0; k < t->modes; k++)
        for (int i = 0; i < t->dim; i++) {
            int32_t parent = t->parent[(size_t)k * (size_t)t->dim + (size_t)i];
            int given = parent < 0 ? 1 : f->d->states[parent];

            for (int w = 0; w < given; w++)
                fill_row(f, t, k, i, parent, w);
        }
    return hs_mode_trees_finish(t, f->d, err);
}

/* Cells that the tables of these parents have. */
static double cells(const struct forest *f)
{
    double sum = 0.0;

    for (int k = 0; k < f->b->modes; k++)
        for (int i = 0; i < f->d->dim; i++) {
            int32_t parent =
                f->parent[(size_t)k * (size_t)f->d->dim + (size_t)i];

            sum += (double)f->d->states[i] *
                   (parent < 0 ? 1 : f->d->states[parent]);
        }
    return sum;
}

hiss_status hs_chow_liu_learn(hs_library *b, const hs_domain *d,
                              const hs_tree_evidence *seen, hiss_error *err)
{
    struct forest f = {.b = b, .d = d, .seen = seen, .smooth = 1.0};
    size_t dim = (size_t)d->dim;
    hs_mode_trees *trees = NULL;
    bool has_room;
    hiss_status rc = HISS_OK;

    f.set = hs_alloc_array(dim, sizeof *f.set);
    f.queue = hs_alloc_array(dim, sizeof *f.queue);
    f.parent = hs_alloc_array((size_t)b->modes * dim, sizeof *f.parent);
    has_room = f.set && f.queue && f.parent;
    for (int k = 0; has_room && k < b->modes; k++) {
        has_room = collect(&f, k);
        span(&f);
        has_room = has_room && hang(&f, k);
    }
    if (!has_room)
        rc = hs_fail_memory(err);
    if (rc == HISS_OK && f.most > hs_policy(HS_NEGLIGIBLE) &&
        cells(&f) <= CELLS) {
        rc = hs_mode_trees_create(&trees, d, b->modes, f.parent, err);
        if (rc == HISS_OK)
            rc = fill(&f, trees, err);
    }
    if (rc == HISS_OK)
        b->trees = trees;
    else
        hs_mode_trees_destroy(trees);
    hs_free(f.set);
    hs_free(f.queue);
    hs_free(f.parent);
    hs_free(f.edge);
    return rc;
}
