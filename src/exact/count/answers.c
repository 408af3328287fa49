/* answers.c - answers from the counted tree.
 *
 * From the root down, the probability of every node is the sum over the
 * branches that lead to it; marginals and mean U are sums over branches.  From
 * the leaves up, maxima instead of sums give a most probable state. */
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "exact/count/counted.h"

#define ASK 65536 /* nodes between two calls of the poll */

double hs_count_log_z(const hs_count *c)
{
    return c->constant + hs_scaled_log(c->nodes.node[c->nodes.count - 1].total);
}

double hs_count_bytes(const hs_count *c)
{
    return c->nodes.bytes;
}

int64_t hs_count_nodes(const hs_count *c)
{
    return c->nodes.count;
}

double hs_count_work(const hs_count *c)
{
    return c->work;
}

double hs_count_choices(const hs_count *c)
{
    return (double)c->code.variables;
}

bool hs_count_is_uniform(const hs_count *c)
{
    return c->is_uniform;
}

void hs_count_answers_clear(hs_count_answers *a)
{
    hs_free(a->first);
    hs_free(a->marginal);
    hs_free(a->best);
    *a = (hs_count_answers){0};
}

static hiss_status allocate(hs_count_answers *a, const hs_count *c,
                            hiss_error *err)
{
    size_t dim = (size_t)c->code.dim;

    *a = (hs_count_answers){0};
    a->first = hs_alloc_array(dim + 1, sizeof *a->first);
    a->best = hs_alloc_array(dim, sizeof *a->best);
    if (!a->first || !a->best)
        return hs_fail_memory(err);
    for (size_t i = 0; i < dim; i++)
        a->first[i + 1] = a->first[i] + c->states[i];
    a->marginal = hs_alloc_array((size_t)a->first[dim], sizeof *a->marginal);
    if (!a->marginal)
        return hs_fail_memory(err);
    for (size_t i = 0; i < dim; i++)
        if (c->states[i] == 1)
            a->marginal[a->first[i]] = 1.0;
    return HISS_OK;
}

/* The index that a literal gives its coordinate; -1 if it only excludes one. */
static int index_of(const hs_count *c, int literal)
{
    int i = c->code.coordinate[literal / 2];
    bool is_up = !(literal & 1);

    if (c->states[i] == 2)
        return is_up;
    return is_up ? literal / 2 - c->code.first[i] : -1;
}

static double free_weight(const hs_count *c, int variable, bool is_up)
{
    return c->literal[2 * variable + !is_up];
}

/* Adds a branch of this probability. */
static void spread(hs_count_answers *a, const hs_count *c, const hs_branch *b,
                   double p, double *flow)
{
    a->mean_u += p * b->log_weight;
    for (int n = 0; n < b->literals; n++) {
        int index = index_of(c, b->literal[n]);

        if (index >= 0)
            a->marginal[a->first[c->code.coordinate[b->literal[n] / 2]] +
                        index] += p;
    }
    for (int n = 0; n < b->frees; n++) {
        int v = b->free[n], at = a->first[c->code.coordinate[v]];

        a->marginal[at] += p * (1.0 - c->up[v]);
        a->marginal[at + 1] += p * c->up[v];
        if (hs_count_shows(c, v))
            a->mean_u += p * ((1.0 - c->up[v]) * free_weight(c, v, false) +
                              c->up[v] * free_weight(c, v, true));
    }
    for (int n = 0; n < b->children; n++)
        flow[b->child[n]] += p;
}

static hiss_status descend(hs_count_answers *a, const hs_count *c,
                           const hs_poll *poll, double *flow, hiss_error *err)
{
    flow[c->nodes.count - 1] = 1.0;
    for (int32_t at = c->nodes.count - 1; at >= 0; at--) {
        const hs_node *node = &c->nodes.node[at];
        int64_t word = node->at;

        if (at % ASK == 0 && hs_poll_stops(poll))
            return hs_fail(err, HISS_ESTOP, "stopped");
        for (int n = 0; n < node->branches; n++) {
            hs_branch b;

            word = hs_nodes_read(&c->nodes, word, &b);
            spread(a, c, &b,
                   flow[at] * (n == 0 ? node->first : 1.0 - node->first), flow);
        }
    }
    return HISS_OK;
}

static double best_of(const hs_count *c, const hs_branch *b, const double *best)
{
    double u = b->log_weight;

    for (int n = 0; n < b->frees; n++)
        if (hs_count_shows(c, b->free[n]))
            u += fmax(free_weight(c, b->free[n], false),
                      free_weight(c, b->free[n], true));
    for (int n = 0; n < b->children; n++)
        u += best[b->child[n]];
    return u;
}

/* Finds the better branch of every node, stored as the position where its words
 * start. */
static void ascend(const hs_count *c, double *best, int64_t *better)
{
    for (int32_t at = 0; at < c->nodes.count; at++) {
        const hs_node *node = &c->nodes.node[at];
        int64_t word = node->at;

        for (int n = 0; n < node->branches; n++) {
            int64_t from = word;
            hs_branch b;
            double u;

            word = hs_nodes_read(&c->nodes, word, &b);
            u = best_of(c, &b, best);
            if (n == 0 || u > best[at]) {
                best[at] = u;
                better[at] = from;
            }
        }
    }
}

static void trace(hs_count_answers *a, const hs_count *c, const int64_t *better,
                  bool *is_wanted)
{
    is_wanted[c->nodes.count - 1] = true;
    for (int32_t at = c->nodes.count - 1; at >= 0; at--) {
        hs_branch b;

        if (!is_wanted[at])
            continue;
        hs_nodes_read(&c->nodes, better[at], &b);
        for (int n = 0; n < b.literals; n++) {
            int index = index_of(c, b.literal[n]);

            if (index >= 0)
                a->best[c->code.coordinate[b.literal[n] / 2]] = (int16_t)index;
        }
        for (int n = 0; n < b.frees; n++) {
            int v = b.free[n];

            a->best[c->code.coordinate[v]] =
                hs_count_shows(c, v) &&
                free_weight(c, v, true) > free_weight(c, v, false);
        }
        for (int n = 0; n < b.children; n++)
            is_wanted[b.child[n]] = true;
    }
}

hiss_status hs_count_answer(hs_count_answers *a, const hs_count *c,
                            const hs_poll *poll, hiss_error *err)
{
    size_t nodes = (size_t)c->nodes.count;
    double *value = hs_alloc_array(nodes, sizeof *value);
    int64_t *better = hs_alloc_array(nodes, sizeof *better);
    bool *is_wanted = hs_alloc_array(nodes, sizeof *is_wanted);
    hiss_status rc = allocate(a, c, err);

    if (rc == HISS_OK && (!value || !better || !is_wanted))
        rc = hs_fail_memory(err);
    a->mean_u = c->constant;
    if (rc == HISS_OK)
        rc = descend(a, c, poll, value, err);
    if (rc == HISS_OK) {
        ascend(c, value, better);
        a->max_u = c->constant + value[nodes - 1];
        trace(a, c, better, is_wanted);
    }
    hs_free(value);
    hs_free(better);
    hs_free(is_wanted);
    if (rc != HISS_OK)
        hs_count_answers_clear(a);
    return rc;
}
