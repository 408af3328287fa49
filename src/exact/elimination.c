/* elimination.c - exact answers by variable elimination.
 *
 * Upwards, in the order of the plan, each bucket b sums its own coordinate out
 * of its factors and its children's messages,
 *
 *   up_b(s) = ln sum_v e^psi_b(v, s),
 *
 * in logarithms relative to the largest term, so that nothing underflows.  The
 * roots give log Z.  Downwards the distribution of the coordinates shared by
 * bucket and parent is known, and
 *
 *   P(v, s) = P(s) e^(psi_b(v, s) - up_b(s))
 *
 * is the distribution of the whole cluster.  These probabilities may underflow,
 * because they are that small.  Their sums are the marginals, the mean of every
 * factor, which add up to mean U, and the distributions that the children need.
 * A second pass upwards with maxima, and downwards, gives the most probable
 * state.
 *
 * Coordinates with only one possible value are removed first.  It needs memory
 * for all messages and one cluster. */
#include "exact/elimination.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/pool.h"
#include "exact/cluster.h"
#include "exact/tree.h"

static const double gibibyte = 0x1p30;

hiss_status hs_plan_check(const hs_plan *plan, hiss_error *err)
{
    if (plan->bytes <= plan->memory_limit)
        return HISS_OK;
    if (isinf(plan->entries))
        return hs_fail(err, HISS_ENOMEM,
                       "elimination needs far more memory than there is, in "
                       "every order that was tried; the limit is %.3g GiB, a "
                       "quarter of this machine's",
                       plan->memory_limit / gibibyte);
    return hs_fail(err, HISS_ENOMEM,
                   "elimination needs %.3g GiB of memory (order %s, largest "
                   "table 2^%.1f entries, about %.2g s of work); the limit is "
                   "%.3g GiB, a quarter of this machine's",
                   plan->bytes / gibibyte, plan->name, log2(plan->largest),
                   plan->seconds, plan->memory_limit / gibibyte);
}

/* Computes all messages upwards; adds the roots' sum to *total. */
static hiss_status ascend(hs_tree *t, hs_reduction reduction, hs_pool *pool,
                          double *total, hiss_error *err)
{
    for (int b = 0; b < t->count; b++) {
        hs_cluster c;
        hiss_status rc;

        HS_TRY(hs_cluster_init(&c, t, b, err));
        rc = hs_cluster_send(&c, reduction, pool, err);
        hs_cluster_clear(&c);
        HS_TRY(rc);
        if (t->bucket[b].parent < 0)
            *total += t->bucket[b].message[0];
    }
    return HISS_OK;
}

static void forget(hs_tree *t, int b)
{
    hs_free(t->bucket[b].message);
    t->bucket[b].message = NULL;
}

/* Computes marginals and means of factors; overwrites the messages. */
static hiss_status descend(hs_tree *t, const int *order, hs_pool *pool,
                           hs_elimination *e, double *mean, hiss_error *err)
{
    for (int b = t->count - 1; b >= 0; b--) {
        hs_cluster c;
        hiss_status rc;

        if (t->bucket[b].parent < 0) /* ln 1 minus log Z */
            t->bucket[b].message[0] = -t->bucket[b].message[0];
        HS_TRY(hs_cluster_init(&c, t, b, err));
        rc = hs_cluster_return(&c, pool, e->marginal + e->first[order[b]], mean,
                               err);
        hs_cluster_clear(&c);
        HS_TRY(rc);
        forget(t, b);
    }
    return HISS_OK;
}

static hiss_status trace(hs_tree *t, const int *order, int16_t *best,
                         hiss_error *err)
{
    for (int b = t->count - 1; b >= 0; b--) {
        hs_cluster c;

        HS_TRY(hs_cluster_init(&c, t, b, err));
        best[order[b]] = (int16_t)hs_cluster_best(&c, best);
        hs_cluster_clear(&c);
    }
    return HISS_OK;
}

/* Means of the planned factors. */
static hiss_status take_means(hs_elimination *e, hs_tree *t,
                              const hs_plan *plan, hs_pool *pool,
                              hiss_error *err)
{
    int64_t count = plan->rest.count;
    double *mean = hs_alloc_array((size_t)count, sizeof *mean);
    hiss_status rc = mean ? HISS_OK : hs_fail_memory(err);

    if (rc == HISS_OK)
        rc = descend(t, plan->order, pool, e, mean, err);
    for (int64_t n = 0; rc == HISS_OK && n < count; n++) {
        e->mean_u += mean[n];
        e->mean[plan->from[n]] = mean[n];
    }
    hs_free(mean);
    return rc;
}

static hiss_status run(hs_elimination *e, const hs_plan *plan, hs_pool *pool,
                       hiss_error *err)
{
    const hs_factors *f = &plan->rest;
    const int *order = plan->order;
    hs_tree t;
    hiss_status rc;

    HS_TRY(hs_tree_init(&t, f, order, err));
    t.poll = plan->poll;
    e->log_z = e->mean_u = f->constant;
    rc = ascend(&t, HS_LOG_SUM, pool, &e->log_z, err);
    if (rc == HISS_OK && e->log_z == -HUGE_VAL)
        rc = hs_fail(err, HISS_EINFEASIBLE, "every state has probability 0");
    if (rc == HISS_OK)
        rc = take_means(e, &t, plan, pool, err);
    e->max_u = f->constant;
    if (rc == HISS_OK)
        rc = ascend(&t, HS_MAXIMUM, pool, &e->max_u, err);
    if (rc == HISS_OK)
        rc = trace(&t, order, e->best, err);
    hs_tree_clear(&t);
    return rc;
}

static hiss_status allocate(hs_elimination *e, const hs_plan *plan,
                            hiss_error *err)
{
    int dim = plan->rest.dim;

    *e = (hs_elimination){.dim = dim};
    e->first = hs_alloc_array((size_t)dim + 1, sizeof *e->first);
    e->best = hs_alloc_array((size_t)dim, sizeof *e->best);
    e->mean = hs_alloc_array((size_t)plan->factors, sizeof *e->mean);
    if (!e->first || !e->best || !e->mean)
        return hs_fail_memory(err);
    for (int64_t n = 0; n < plan->factors; n++)
        e->mean[n] = NAN;
    for (int i = 0; i < dim; i++)
        e->first[i + 1] = e->first[i] + plan->states[i];
    e->marginal = hs_alloc_array((size_t)e->first[dim], sizeof *e->marginal);
    return e->marginal ? HISS_OK : hs_fail_memory(err);
}

/* Replaces index 0 of a removed coordinate by its true index. */
static void restore_forced(hs_elimination *e, const int *forced)
{
    for (int i = 0; i < e->dim; i++) {
        if (forced[i] < 0)
            continue;
        e->best[i] = (int16_t)forced[i];
        e->marginal[e->first[i]] = 0.0;
        e->marginal[e->first[i] + forced[i]] = 1.0;
    }
}

hiss_status hs_elimination_init(hs_elimination *e, const hs_plan *plan,
                                int threads, hiss_error *err)
{
    hs_pool *pool = NULL;
    hiss_status rc;

    *e = (hs_elimination){0};
    HS_TRY(hs_plan_check(plan, err));
    rc = allocate(e, plan, err);
    if (rc == HISS_OK)
        rc = hs_pool_create(&pool, threads, err);
    if (rc == HISS_OK)
        rc = run(e, plan, pool, err);
    hs_pool_destroy(pool);
    if (rc == HISS_OK)
        restore_forced(e, plan->forced);
    else
        hs_elimination_clear(e);
    return rc;
}

void hs_elimination_clear(hs_elimination *e)
{
    hs_free(e->first);
    hs_free(e->marginal);
    hs_free(e->best);
    hs_free(e->mean);
    *e = (hs_elimination){0};
}
