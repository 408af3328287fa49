/* sbm.c - communities: a distribution over the ways to divide a graph.
 *
 * The prior of a division of N nodes, plain and degree-corrected alike:
 *     groups=K     labels with Dirichlet(1, ..., 1) shares: (K-1)!/(N+K-1)!
 *                  prod n_r!; a group may be empty
 *     groups=auto  any number B of groups is equally likely, then any sizes,
 *                  then any nodes [Peixoto 2017]: prod n_r! / (N! N
 *                  binomial(N-1, B-1)) for each of B! namings of the groups,
 *                  which are shared out evenly among those by K labels
 * and, degree-corrected, all matrices of edge counts between these groups are
 * equally likely.  Loops and weights of the graph are not used. */
#include "model/community/blocks.h"

#include <math.h>
#include <stddef.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/logarithm.h"
#include "base/text.h"

#define TABLE_MAX (INT64_C(1) << 20) /* entries of ln n! */
#define NODES_MAX 1000000

struct sbm_options {
    char *file;
    double groups;
    int most;
    bool is_corrected;
};

#define AT(field) offsetof(struct sbm_options, field)
static const hs_option sbm_options[] = {
    {"file", HS_FILE, AT(file), NULL, NULL,
     "graph: GML, GraphML or a list of edges"},
    {"groups", HS_AUTO, AT(groups), "auto", "[2,256]",
     "how many; auto: as many as the graph supports"},
    {"corrected", HS_BOOL, AT(is_corrected), "no", NULL,
     "degree-corrected: nodes of a group may have different degrees"},
    {"most", HS_INTEGER, AT(most), "0", "[0,256]",
     "groups of groups=auto at most; 0: sqrt(nodes) + 4"},
    {0},
};

static double choose(const hs_sbm *m, int64_t n, int64_t k)
{
    return hs_sbm_factorial(m, n) - hs_sbm_factorial(m, k) -
           hs_sbm_factorial(m, n - k);
}

/* ln probability of one among all matrices of edge counts between these
 * groups. */
static double matrices(const hs_sbm *m, int64_t groups)
{
    int64_t pairs = groups * (groups + 1) / 2;

    return m->is_corrected ? -choose(m, pairs + m->edges - 1, m->edges) : 0.0;
}

static double constant(const hs_sbm *m)
{
    double sum = 0.0;

    for (int i = 0; m->is_corrected && i < m->nodes; i++)
        sum += hs_sbm_factorial(m, m->start[i + 1] - m->start[i]);
    return sum;
}

static void fill_prior(hs_sbm *m, bool is_auto)
{
    int64_t n = m->nodes, k = m->groups;
    double rest = constant(m);

    for (int64_t b = 0; b <= k + 1; b++)
        if (!is_auto)
            m->count[b] = rest + matrices(m, k) + hs_sbm_factorial(m, k - 1) -
                          hs_sbm_factorial(m, n + k - 1);
        else if (b < 1 || b > k)
            m->count[b] = -HUGE_VAL;
        else
            m->count[b] = rest + matrices(m, b) - hs_logarithm((double)n) -
                          choose(m, n - 1, b - 1) - hs_sbm_factorial(m, n) -
                          choose(m, k, b);
}

static hiss_status fill_table(hs_sbm *m, hiss_error *err)
{
    int64_t n = m->nodes, most = n * (n - 1) / 2 + 2;

    if (m->is_corrected)
        most = 2 * m->edges + n + 2;
    m->factorials = most < 1024 ? 1024 : most < TABLE_MAX ? most : TABLE_MAX;
    m->factorial = hs_alloc_array((size_t)m->factorials, sizeof(double));
    if (!m->factorial)
        return hs_fail_memory(err);
    for (int64_t k = 1; k < m->factorials; k++)
        m->factorial[k] = m->factorial[k - 1] + hs_logarithm((double)k);
    return HISS_OK;
}

/* Stores both directions of every edge except loops. */
static hiss_status fill_edges(hs_sbm *m, const hs_named_graph *g,
                              hiss_error *err)
{
    int64_t *at;

    m->edges = g->edges - g->loops;
    m->start = hs_alloc_array((size_t)g->nodes + 1, sizeof *m->start);
    m->near = hs_alloc_array(2 * (size_t)m->edges, sizeof *m->near);
    at = hs_alloc_array((size_t)g->nodes, sizeof *at);
    if (!m->start || !m->near || !at) {
        hs_free(at);
        return hs_fail_memory(err);
    }
    for (int64_t e = 0; e < g->edges; e++)
        if (g->from[e] != g->to[e]) {
            m->start[g->from[e] + 1]++;
            m->start[g->to[e] + 1]++;
        }
    for (int i = 0; i < g->nodes; i++)
        at[i] = m->start[i + 1] += m->start[i];
    for (int64_t e = g->edges - 1; e >= 0; e--)
        if (g->from[e] != g->to[e]) {
            m->near[--at[g->from[e]]] = g->to[e];
            m->near[--at[g->to[e]]] = g->from[e];
        }
    hs_free(at);
    return HISS_OK;
}

static hiss_status set_note(hs_sbm *m, const hs_named_graph *g, hiss_error *err)
{
    hs_text text = {0};

    if (g->note)
        hs_text_add_string(&text, g->note);
    if (g->loops)
        hs_text_print(&text, "%s%lld loops are not used", text.at ? "; " : "",
                      (long long)g->loops);
    if (g->is_weighted)
        hs_text_print(&text, "%sweights of edges are not used",
                      text.at ? "; " : "");
    if (!text.at && !text.failed)
        return HISS_OK;
    m->base.note = hs_text_take(&text);
    return m->base.note ? HISS_OK : hs_fail_memory(err);
}

static hiss_status set_reading(hs_sbm *m, const struct sbm_options *o,
                               bool is_auto, hiss_error *err)
{
    hs_text text = {0};

    hs_text_print(&text,
                  "%s: %d nodes, %lld edges, read as a graph: log p = log "
                  "probability of the graph given the groups%s + log prior of "
                  "%s%d groups",
                  o->file, m->nodes, (long long)m->edges,
                  m->is_corrected ? " and degrees" : "",
                  is_auto ? "up to " : "", m->groups);
    m->base.reads_as = hs_text_take(&text);
    return m->base.reads_as ? HISS_OK : hs_fail_memory(err);
}

static int most_groups(const struct sbm_options *o, int nodes)
{
    int most = o->most > 0 ? o->most : (int)ceil(sqrt(nodes)) + 4;

    most = most < nodes ? most : nodes;
    return most < HS_SBM_GROUPS_MAX ? most : HS_SBM_GROUPS_MAX;
}

static hiss_status check(const struct sbm_options *o, const hs_named_graph *g,
                         hiss_error *err)
{
    if (!isnan(o->groups) && o->groups != floor(o->groups))
        return hs_fail(err, HISS_EARG,
                       "model sbm: groups is %g, expected a whole number or "
                       "auto",
                       o->groups);
    if (g->nodes < 2 || g->nodes > NODES_MAX)
        return hs_fail(err, HISS_ELIMIT, "%s has %d nodes, expected 2 to %d",
                       o->file, g->nodes, NODES_MAX);
    if (g->edges - g->loops < 1)
        return hs_fail(err, HISS_EARG, "%s has no edge between two nodes",
                       o->file);
    return HISS_OK;
}

static hiss_status fill(hs_sbm *m, const struct sbm_options *o,
                        hs_named_graph *g, hiss_error *err)
{
    bool is_auto = isnan(o->groups);

    m->nodes = g->nodes;
    m->groups = is_auto ? most_groups(o, g->nodes) : (int)o->groups;
    m->is_corrected = o->is_corrected;
    HS_TRY(fill_edges(m, g, err));
    HS_TRY(fill_table(m, err));
    m->count = hs_alloc_array((size_t)m->groups + 2, sizeof *m->count);
    if (!m->count)
        return hs_fail_memory(err);
    fill_prior(m, is_auto);
    m->base.cache_bytes = hs_sbm_cache_bytes(m);
    HS_TRY(set_reading(m, o, is_auto, err));
    HS_TRY(set_note(m, g, err));
    HS_TRY(hs_domain_init(&m->base.domain, HISS_CATEGORICAL, m->nodes,
                          m->groups, err));
    m->base.domain.names = g->name;
    g->name = NULL;
    return HISS_OK;
}

static hiss_status build(hs_model **out, const struct sbm_options *o,
                         hs_named_graph *g, hiss_error *err)
{
    hs_sbm *m = hs_alloc_array(1, sizeof *m);
    hiss_status rc;

    if (!m)
        return hs_fail_memory(err);
    m->base.ops = &hs_sbm_ops;
    m->base.exact_rows = true; /* rows are single-site differences */
    m->base.has_free_labels = true;
    rc = fill(m, o, g, err);
    if (rc != HISS_OK) {
        hs_model_destroy(&m->base);
        return rc;
    }
    *out = &m->base;
    return HISS_OK;
}

static hiss_status sbm_create(hs_model **out, const void *options,
                              hiss_error *err)
{
    const struct sbm_options *o = options;
    hs_named_graph g;
    hiss_status rc;

    *out = NULL;
    HS_TRY(hs_named_graph_read(&g, o->file, NULL, err));
    rc = check(o, &g, err);
    if (rc == HISS_OK)
        rc = build(out, o, &g, err);
    hs_named_graph_clear(&g);
    return rc;
}

const hs_model_type hs_model_sbm = {
    .name = "sbm",
    .summary = "stochastic block model: communities of a graph (categorical)",
    .size = sizeof(struct sbm_options),
    .options = sbm_options,
    .create = sbm_create,
};
