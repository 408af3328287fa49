/* sbm_model.c - the stochastic block model as an hs_model: counts cached with a
 * point, and the change of log p when one node moves. */
#include <string.h>

#include "base/alloc.h"

#include "base/error.h"
#include "model/community/blocks.h"

typedef int32_t count_row[HS_LANES];

/* Cache of a point, one lane per chain. */
struct counts {
    count_row *edges;  /* [K * K], both directions; edges within a group once */
    count_row *size;   /* [K] */
    count_row *degree; /* [K]: sum of degrees */
    count_row *used;   /* groups with nodes */
};

/* The counts of one lane without one node, and the groups of its neighbors. */
struct without {
    const struct counts *c;
    int lane, group, degree; /* of the removed node */
    int used;
    int to[HS_SBM_GROUPS_MAX]; /* number of neighbors in each group */
};

static const hs_sbm *sbm_of(const hs_model *m)
{
    return (const hs_sbm *)m;
}

size_t hs_sbm_cache_bytes(const hs_sbm *m)
{
    size_t k = (size_t)m->groups;

    return (k * k + 2 * k + 1) * sizeof(count_row);
}

static struct counts counts_of(const hs_sbm *m, const hs_point *p)
{
    count_row *at = p->cache;
    int k = m->groups;

    return (struct counts){at, at + k * k, at + k * k + k, at + k * k + 2 * k};
}

static int lanes_of(const hs_point *p)
{
    return p->lanes ? p->lanes : HS_LANES;
}

static int degree_of(const hs_sbm *m, int node)
{
    return (int)(m->start[node + 1] - m->start[node]);
}

/* --- a whole state ------------------------------------------------------- */

static void count_all(const hs_sbm *m, hs_point *p)
{
    struct counts c = counts_of(m, p);

    memset(p->cache, 0, m->base.cache_bytes);
    for (int i = 0; i < m->nodes; i++)
        for (int l = 0; l < HS_LANES; l++) {
            int r = p->x[i][l];

            c.used[0][l] += c.size[r][l] == 0;
            c.size[r][l]++;
            c.degree[r][l] += degree_of(m, i);
        }
    for (int i = 0; i < m->nodes; i++)
        for (int64_t n = m->start[i]; n < m->start[i + 1]; n++)
            for (int l = 0; m->near[n] > i && l < HS_LANES; l++) {
                int r = p->x[i][l], s = p->x[m->near[n]][l];

                c.edges[r * m->groups + s][l]++;
                if (r != s)
                    c.edges[s * m->groups + r][l]++;
            }
}

static double log_p(const hs_sbm *m, const struct counts *c, int l)
{
    double sum = m->count[c->used[0][l]];

    for (int r = 0; r < m->groups; r++) {
        sum += hs_sbm_group(m, c->size[r][l], c->degree[r][l]);
        for (int s = r; s < m->groups; s++)
            sum += hs_sbm_pair(m, r == s, c->edges[r * m->groups + s][l],
                               c->size[r][l], c->size[s][l]);
    }
    return sum;
}

/* --- one node ------------------------------------------------------- */

static void take_out(const hs_sbm *m, const hs_point *p, int node, int lane,
                     const struct counts *c, struct without *w)
{
    w->c = c;
    w->lane = lane;
    w->group = p->x[node][lane];
    w->degree = degree_of(m, node);
    w->used = c->used[0][lane] - (c->size[w->group][lane] == 1);
    memset(w->to, 0, (size_t)m->groups * sizeof *w->to);
    for (int64_t n = m->start[node]; n < m->start[node + 1]; n++)
        w->to[p->x[m->near[n]][lane]]++;
}

static int size_of(const struct without *w, int r)
{
    return w->c->size[r][w->lane] - (r == w->group);
}

static int edges_of(const hs_sbm *m, const struct without *w, int r, int s)
{
    int e = w->c->edges[r * m->groups + s][w->lane];

    if (r == w->group)
        return e - w->to[s];
    return s == w->group ? e - w->to[r] : e;
}

/* Gain in log p when the node joins group v. */
static double gain(const hs_sbm *m, const struct without *w, int v)
{
    int size = size_of(w, v);
    int degree = w->c->degree[v][w->lane] - (v == w->group ? w->degree : 0);
    double sum = m->count[w->used + (size == 0)] +
                 hs_sbm_group(m, size + 1, degree + w->degree) -
                 hs_sbm_group(m, size, degree);

    for (int s = 0; s < m->groups; s++) {
        int other = size_of(w, s), e;

        if (w->to[s] == 0 && (m->is_corrected || (s != v && other == 0)))
            continue;
        e = edges_of(m, w, v, s);
        sum += hs_sbm_pair(m, s == v, e + w->to[s], size + 1, other) -
               hs_sbm_pair(m, s == v, e, size, other);
    }
    return sum;
}

/* The same for all groups; empty ones have equal gains. */
static void gains(const hs_sbm *m, const struct without *w, double *out)
{
    int empty = -1;

    for (int v = 0; v < m->groups; v++) {
        bool is_empty = size_of(w, v) == 0;

        out[v] = is_empty && empty >= 0 ? out[empty] : gain(m, w, v);
        if (is_empty && empty < 0)
            empty = v;
    }
}

static void changes_of(const hs_sbm *m, const hs_point *p, int i,
                       hs_float_row *out)
{
    struct counts c = counts_of(m, p);

    for (int l = 0; l < HS_LANES; l++) {
        double all[HS_SBM_GROUPS_MAX] = {0};
        struct without w;

        if (l < lanes_of(p)) {
            take_out(m, p, i, l, &c, &w);
            gains(m, &w, all);
        }
        for (int v = 0; v < m->groups; v++)
            out[v][l] = (float)(all[v] - all[p->x[i][l]]);
    }
}

static void put(const hs_sbm *m, hs_point *p, int i, int lane,
                struct without *w, int v)
{
    struct counts c = *w->c;
    int r = w->group, k = m->groups;

    for (int s = 0; s < k; s++) {
        c.edges[r * k + s][lane] -= w->to[s];
        if (s != r)
            c.edges[s * k + r][lane] -= w->to[s];
    }
    for (int s = 0; s < k; s++) {
        c.edges[v * k + s][lane] += w->to[s];
        if (s != v)
            c.edges[s * k + v][lane] += w->to[s];
    }
    c.size[r][lane]--;
    c.used[0][lane] = w->used + (c.size[v][lane] == 0);
    c.size[v][lane]++;
    c.degree[r][lane] -= w->degree;
    c.degree[v][lane] += w->degree;
    p->x[i][lane] = (int16_t)v;
}

/* --- the contract ------------------------------------------------------- */

static hiss_status sbm_evaluate(const hs_model *base, hs_point *p,
                                unsigned want)
{
    const hs_sbm *m = sbm_of(base);

    if (!(p->have & HS_U)) {
        struct counts c = counts_of(m, p);

        count_all(m, p);
        for (int l = 0; l < HS_LANES; l++)
            p->u[l] = l < lanes_of(p) ? log_p(m, &c, l) : 0.0;
        p->have |= HS_U;
    }
    for (int i = 0; want & HS_GRAD && i < m->nodes; i++)
        changes_of(m, p, i, p->grad + i * m->groups);
    return HISS_OK;
}

static void sbm_differences(const hs_model *base, const hs_point *p, int i,
                            hs_float_row *out)
{
    changes_of(sbm_of(base), p, i, out);
}

static void sbm_move(const hs_model *base, hs_point *p, int i,
                     const int16_t *to, const float *change)
{
    const hs_sbm *m = sbm_of(base);
    struct counts c = counts_of(m, p);

    (void)change; /* the change is known in double here */
    for (int l = 0; l < HS_LANES; l++) {
        struct without w;

        if (to[l] == p->x[i][l])
            continue;
        take_out(m, p, i, l, &c, &w);
        p->u[l] += gain(m, &w, to[l]) - gain(m, &w, w.group);
        put(m, p, i, l, &w, to[l]);
    }
    p->have &= ~(unsigned)HS_GRAD;
}

/* Lanes are handled one after the other. */
static hs_model_work sbm_work(const hs_model *base)
{
    const hs_sbm *m = sbm_of(base);

    return (hs_model_work){.family = "community",
                           .terms = 2.0 * (double)m->edges,
                           .is_by_lane = true};
}

static void sbm_destroy(hs_model *base);

const hs_model_ops hs_sbm_ops = {
    .evaluate = sbm_evaluate,
    .destroy = sbm_destroy,
    .differences = sbm_differences,
    .move = sbm_move,
    .work = sbm_work,
};

static void sbm_destroy(hs_model *base)
{
    hs_sbm *m = (hs_sbm *)base;

    hs_free(m->start);
    hs_free(m->near);
    hs_free(m->factorial);
    hs_free(m->count);
}
