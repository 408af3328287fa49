/* cluster.c - the computation of one bucket, block by block. */
#include "exact/cluster.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"

#define BLOCK  2048
#define SHARES 64
#define SMALL  32768 /* for fewer entries waking other threads does not pay */

static const int *cluster_of(const hs_tree *t, int bucket)
{
    return t->coordinate + t->bucket[bucket].cluster;
}

static int states_at(const hs_cluster *c, int k)
{
    return c->tree->f->states[cluster_of(c->tree, c->bucket)[k]];
}

/* Returns the position of coordinate v in the cluster. */
static int find(const hs_cluster *c, int v)
{
    const int *cluster = cluster_of(c->tree, c->bucket);
    int k = 0;

    while (cluster[k] != v)
        k++;
    return k;
}

static void set_factor(hs_cluster *c, hs_input *in, int64_t n)
{
    const hs_factors *f = c->tree->f;
    int64_t stride = 1;

    in->table = f->table + f->table_at[n];
    in->is_factor = true;
    for (int64_t k = f->scope_at[n + 1] - 1; k >= f->scope_at[n]; k--) {
        in->stride[find(c, f->scope[k])] = stride;
        stride *= f->states[f->scope[k]];
    }
}

static void set_message(hs_cluster *c, hs_input *in, int child)
{
    const hs_bucket *from = &c->tree->bucket[child];
    const int *cluster = cluster_of(c->tree, child);
    int64_t stride = 1;

    in->table = from->message;
    for (int k = 1; k < from->size; k++) {
        in->stride[find(c, cluster[k])] = stride;
        stride *= c->tree->f->states[cluster[k]];
    }
}

/* Computes which entry of an input belongs to each entry of a block. */
static hiss_status set_offsets(hs_cluster *c, hs_input *in, hiss_error *err)
{
    bool is_row = true;

    in->is_flat = true;
    for (int k = 0; k < c->inner; k++) {
        is_row = is_row && in->stride[k] == c->stride[k];
        in->is_flat = in->is_flat && in->stride[k] == 0;
    }
    if (is_row || in->is_flat)
        return HISS_OK;
    in->offset = hs_alloc_array((size_t)c->block, sizeof *in->offset);
    if (!in->offset)
        return hs_fail_memory(err);
    for (int k = 0; k < c->inner; k++)
        for (int64_t e = c->stride[k]; e < c->stride[k] * states_at(c, k); e++)
            in->offset[e] =
                in->offset[e - c->stride[k]] + (int32_t)in->stride[k];
    return HISS_OK;
}

static hiss_status set_inputs(hs_cluster *c, hiss_error *err)
{
    const hs_bucket *b = &c->tree->bucket[c->bucket];
    int used = 0;

    c->inputs = b->factors;
    for (int n = b->child; n >= 0; n = c->tree->bucket[n].sibling)
        c->inputs++;
    c->input = hs_alloc_array((size_t)c->inputs, sizeof *c->input);
    if (!c->input)
        return hs_fail_memory(err);
    for (int n = 0; n < c->inputs; n++) {
        c->input[n].stride =
            hs_alloc_array((size_t)c->size, sizeof *c->input[n].stride);
        if (!c->input[n].stride)
            return hs_fail_memory(err);
    }
    for (int n = 0; n < b->factors; n++)
        set_factor(c, &c->input[used++], c->tree->factor[b->factor + n]);
    for (int n = b->child; n >= 0; n = c->tree->bucket[n].sibling)
        set_message(c, &c->input[used++], n);
    for (int n = 0; n < c->inputs; n++)
        HS_TRY(set_offsets(c, &c->input[n], err));
    return HISS_OK;
}

static hiss_status set_shares(hs_cluster *c, hiss_error *err)
{
    size_t block = (size_t)c->block;

    c->shares = c->blocks < SHARES ? (int)c->blocks : SHARES;
    if (c->block * c->blocks <= SMALL)
        c->shares = 1;
    c->share = hs_alloc_array((size_t)c->shares, sizeof *c->share);
    for (int n = 0; c->share && n < c->shares; n++) {
        hs_cluster_share *s = &c->share[n];

        s->table = hs_alloc_array(block, sizeof *s->table);
        s->mean = hs_alloc_array((size_t)c->inputs, sizeof *s->mean);
        s->marginal = hs_alloc_array((size_t)c->states, sizeof *s->marginal);
        s->digit = hs_alloc_array((size_t)c->size + 1, sizeof *s->digit);
        s->base = hs_alloc_array((size_t)c->inputs, sizeof *s->base);
        if (!s->table || !s->mean || !s->marginal || !s->digit || !s->base)
            return hs_fail_memory(err);
    }
    return c->share ? HISS_OK : hs_fail_memory(err);
}

hiss_status hs_cluster_init(hs_cluster *c, hs_tree *t, int bucket,
                            hiss_error *err)
{
    int64_t stride = 1;
    hiss_status rc;

    *c = (hs_cluster){
        .tree = t, .bucket = bucket, .size = t->bucket[bucket].size};
    c->states = states_at(c, 0);
    c->stride = hs_alloc_array((size_t)c->size, sizeof *c->stride);
    if (!c->stride)
        return hs_fail_memory(err);
    c->block = 1;
    for (int k = 0; k < c->size; k++) {
        c->stride[k] = stride;
        stride *= states_at(c, k);
        if (k == 0 || (c->inner == k && stride <= BLOCK)) {
            c->inner = k + 1;
            c->block = stride;
        }
    }
    c->blocks = stride / c->block;
    rc = set_inputs(c, err);
    if (rc == HISS_OK)
        rc = set_shares(c, err);
    if (rc != HISS_OK)
        hs_cluster_clear(c);
    return rc;
}

void hs_cluster_clear(hs_cluster *c)
{
    for (int n = 0; c->input && n < c->inputs; n++) {
        hs_free(c->input[n].stride);
        hs_free(c->input[n].offset);
    }
    for (int n = 0; c->share && n < c->shares; n++) {
        hs_free(c->share[n].table);
        hs_free(c->share[n].mean);
        hs_free(c->share[n].marginal);
        hs_free(c->share[n].digit);
        hs_free(c->share[n].base);
    }
    hs_free(c->stride);
    hs_free(c->input);
    hs_free(c->share);
    hs_free(c->joint);
    hs_free(c->rest);
    *c = (hs_cluster){0};
}

/* Sets the digits of a block, and where its part of the inputs begins. */
static void start_block(const hs_cluster *c, hs_cluster_share *s, int64_t block)
{
    memset(s->base, 0, (size_t)c->inputs * sizeof *s->base);
    for (int k = c->inner; k < c->size; k++) {
        s->digit[k] = (int)(block % states_at(c, k));
        block /= states_at(c, k);
        for (int n = 0; n < c->inputs; n++)
            s->base[n] += c->input[n].stride[k] * s->digit[k];
    }
}

static void next_block(const hs_cluster *c, hs_cluster_share *s)
{
    for (int k = c->inner; k < c->size; k++) {
        int64_t step = 1;

        if (++s->digit[k] == states_at(c, k)) {
            step -= s->digit[k];
            s->digit[k] = 0;
        }
        for (int n = 0; n < c->inputs; n++)
            s->base[n] += c->input[n].stride[k] * step;
        if (s->digit[k] > 0)
            return;
    }
}

static void add_input(const hs_cluster *c, const hs_input *in, int64_t base,
                      double *table)
{
    const double *from = in->table + base;

    if (in->is_flat) {
        double value = *from;

        for (int64_t e = 0; e < c->block; e++)
            table[e] += value;
    } else if (in->offset) {
        for (int64_t e = 0; e < c->block; e++)
            table[e] += from[in->offset[e]];
    } else {
        for (int64_t e = 0; e < c->block; e++)
            table[e] += from[e];
    }
}

/* Computes the block's part of the bucket's table. */
static void fill_block(const hs_cluster *c, hs_cluster_share *s)
{
    memset(s->table, 0, (size_t)c->block * sizeof *s->table);
    for (int n = 0; n < c->inputs; n++)
        add_input(c, &c->input[n], s->base[n], s->table);
}

/* 0 times -infinity is 0, because an impossible entry has no weight. */
static double times(double p, double u)
{
    return p > 0.0 ? p * u : 0.0;
}

/* Sums a factor over a block with weights p, which add up to total, in four
 * independent partial sums. */
static double weigh(const hs_cluster *c, const hs_input *in, int64_t base,
                    const double *p, double total)
{
    const double *from = in->table + base;
    double sum[4] = {0};
    int64_t e = 0;

    if (in->is_flat)
        return times(total, *from);
    for (; in->offset && e + 4 <= c->block; e += 4)
        for (int k = 0; k < 4; k++)
            sum[k] += times(p[e + k], from[in->offset[e + k]]);
    for (; !in->offset && e + 4 <= c->block; e += 4)
        for (int k = 0; k < 4; k++)
            sum[k] += times(p[e + k], from[e + k]);
    for (; e < c->block; e++)
        sum[0] += times(p[e], from[in->offset ? in->offset[e] : e]);
    return (sum[0] + sum[1]) + (sum[2] + sum[3]);
}

static double log_sum(const double *u, int count)
{
    double max = u[0], sum = 0.0;

    if (count == 2) {
        double low = u[0] < u[1] ? u[0] : u[1];

        max = u[0] < u[1] ? u[1] : u[0];
        return low == -HUGE_VAL ? max : max + log1p(exp(low - max));
    }
    for (int v = 1; v < count; v++)
        max = u[v] > max ? u[v] : max;
    if (max == -HUGE_VAL)
        return max;
    for (int v = 0; v < count; v++)
        sum += exp(u[v] - max);
    return max + log(sum);
}

static double maximum(const double *u, int count)
{
    double max = u[0];

    for (int v = 1; v < count; v++)
        max = u[v] > max ? u[v] : max;
    return max;
}

static void send_share(void *context, int index)
{
    const hs_cluster *c = context;
    hs_cluster_share *s = &c->share[index];
    int64_t from = c->blocks * index / c->shares;
    int64_t to = c->blocks * (index + 1) / c->shares;
    int64_t groups = c->block / c->states;

    start_block(c, s, from);
    for (int64_t b = from; b < to && !hs_poll_stops(c->tree->poll);
         b++, next_block(c, s)) {
        double *out = c->tree->bucket[c->bucket].message + b * groups;

        fill_block(c, s);
        for (int64_t g = 0; g < groups; g++) {
            const double *u = s->table + g * c->states;

            out[g] = c->reduction == HS_LOG_SUM ? log_sum(u, c->states)
                                                : maximum(u, c->states);
        }
    }
}

/* Shares that stopped have left incomplete tables. */
static hiss_status check_stop(const hs_cluster *c, hiss_error *err)
{
    if (hs_poll_stops(c->tree->poll))
        return hs_fail(err, HISS_ESTOP, "stopped on request");
    return HISS_OK;
}

static void share_out(hs_pool *pool, void (*work)(void *, int), void *context,
                      int shares)
{
    if (shares == 1)
        work(context, 0);
    else
        hs_pool_run(pool, work, context, shares);
}

hiss_status hs_cluster_send(hs_cluster *c, hs_reduction reduction,
                            hs_pool *pool, hiss_error *err)
{
    hs_bucket *b = &c->tree->bucket[c->bucket];

    b->message = hs_alloc_array((size_t)b->entries, sizeof *b->message);
    if (!b->message)
        return hs_fail_memory(err);
    c->reduction = reduction;
    share_out(pool, send_share, c, c->shares);
    return check_stop(c, err);
}

/* Computes P of the block's entries from ln P relative to the message. */
static void return_share(void *context, int index)
{
    const hs_cluster *c = context;
    hs_cluster_share *s = &c->share[index];
    int64_t from = c->blocks * index / c->shares;
    int64_t to = c->blocks * (index + 1) / c->shares;
    int64_t groups = c->block / c->states;

    start_block(c, s, from);
    for (int64_t b = from; b < to && !hs_poll_stops(c->tree->poll);
         b++, next_block(c, s)) {
        const double *down = c->tree->bucket[c->bucket].message + b * groups;
        double *out = c->joint + b * c->block, total = 0.0;

        fill_block(c, s);
        for (int64_t g = 0, e = 0; g < groups; g++)
            for (int v = 0; v < c->states; v++, e++) {
                /* for impossible entries both may be -infinity, never
                 * +infinity */
                double p = exp(s->table[e] + down[g]);

                out[e] = p;
                s->marginal[v] += p;
                total += p;
            }
        for (int n = 0; n < c->inputs && c->input[n].is_factor; n++)
            s->mean[n] += weigh(c, &c->input[n], s->base[n], out, total);
    }
}

/* Lists the entries of the joint table for one entry of a child's message, and
 * the strides of the message's coordinates. */
static hiss_status set_rest(hs_cluster *c, int child, int64_t *stride,
                            hiss_error *err)
{
    const hs_bucket *to = &c->tree->bucket[child];
    const int *shared = cluster_of(c->tree, child);
    const int *own = cluster_of(c->tree, c->bucket);
    int64_t count = 1;

    c->rests = c->block * c->blocks / to->entries;
    c->rest = hs_alloc_array((size_t)c->rests, sizeof *c->rest);
    if (!c->rest)
        return hs_fail_memory(err);
    for (int k = 0, next = 1; k < c->size; k++) {
        if (next < to->size && shared[next] == own[k]) {
            stride[next++] = c->stride[k];
            continue;
        }
        for (int64_t e = count; e < count * states_at(c, k); e++)
            c->rest[e] = c->rest[e - count] + c->stride[k];
        count *= states_at(c, k);
    }
    return HISS_OK;
}

/* A message to a child, entry by entry. */
struct telling {
    const hs_cluster *c;
    const int64_t *stride; /* strides of the child's coordinates in the joint
                              table */
    const int *shared;     /* coordinates of the child's cluster */
    hs_bucket *to;
    int shares;
};

/* Sets the digits of entry m of the child's message; returns its first entry in
 * the joint table. */
static int64_t start_entry(const struct telling *t, int *digit, int64_t m)
{
    int64_t at = 0;

    for (int k = 1; k < t->to->size; k++) {
        int states = t->c->tree->f->states[t->shared[k]];

        digit[k] = (int)(m % states);
        m /= states;
        at += t->stride[k] * digit[k];
    }
    return at;
}

static int64_t next_entry(const struct telling *t, int *digit, int64_t at)
{
    const int *states = t->c->tree->f->states;

    for (int k = 1; k < t->to->size; k++) {
        at += t->stride[k];
        if (++digit[k] < states[t->shared[k]])
            break;
        at -= t->stride[k] * digit[k];
        digit[k] = 0;
    }
    return at;
}

static void tell_share(void *context, int index)
{
    const struct telling *t = context;
    const hs_cluster *c = t->c;
    int64_t from = t->to->entries * index / t->shares;
    int64_t end = t->to->entries * (index + 1) / t->shares;
    int *digit = c->share[index].digit;
    int64_t at = start_entry(t, digit, from);
    int64_t often = 1 + c->block / c->rests; /* entries of a block, or one */

    for (int64_t m = from; m < end; m++, at = next_entry(t, digit, at)) {
        double *message = &t->to->message[m], p = 0.0;

        if (m % often == 0 && hs_poll_stops(c->tree->poll))
            return;
        for (int64_t e = 0; e < c->rests; e++)
            p += c->joint[at + c->rest[e]];
        *message = p > 0.0 ? log(p) - *message : -HUGE_VAL;
    }
}

static hiss_status tell_child(hs_cluster *c, int child, hs_pool *pool,
                              hiss_error *err)
{
    hs_bucket *to = &c->tree->bucket[child];
    int64_t *stride = hs_alloc_array((size_t)to->size, sizeof *stride);
    struct telling t = {.c = c,
                        .stride = stride,
                        .shared = cluster_of(c->tree, child),
                        .to = to,
                        .shares = c->shares};
    hiss_status rc;

    if (!stride)
        return hs_fail_memory(err);
    if (to->entries < t.shares)
        t.shares = (int)to->entries;
    rc = set_rest(c, child, stride, err);
    if (rc == HISS_OK) {
        share_out(pool, tell_share, &t, t.shares);
        rc = check_stop(c, err);
    }
    hs_free(c->rest);
    c->rest = NULL;
    hs_free(stride);
    return rc;
}

hiss_status hs_cluster_return(hs_cluster *c, hs_pool *pool, double *marginal,
                              double *mean, hiss_error *err)
{
    const hs_bucket *b = &c->tree->bucket[c->bucket];
    double sum = 0.0;

    c->joint = hs_alloc_array((size_t)(c->block * c->blocks), sizeof *c->joint);
    if (!c->joint)
        return hs_fail_memory(err);
    share_out(pool, return_share, c, c->shares);
    HS_TRY(check_stop(c, err));
    for (int n = 0; n < c->shares; n++) {
        for (int k = 0; k < b->factors; k++)
            mean[c->tree->factor[b->factor + k]] += c->share[n].mean[k];
        for (int v = 0; v < c->states; v++) {
            marginal[v] += c->share[n].marginal[v];
            sum += c->share[n].marginal[v];
        }
    }
    for (int k = 0; k < b->factors; k++)
        mean[c->tree->factor[b->factor + k]] /= sum;
    for (int v = 0; v < c->states; v++)
        marginal[v] /= sum;
    for (int n = b->child; n >= 0; n = c->tree->bucket[n].sibling)
        HS_TRY(tell_child(c, n, pool, err));
    return HISS_OK;
}

int hs_cluster_best(const hs_cluster *c, const int16_t *state)
{
    const int *cluster = cluster_of(c->tree, c->bucket);
    double most = -HUGE_VAL;
    int best = 0;

    for (int v = 0; v < c->states; v++) {
        double u = 0.0;

        for (int n = 0; n < c->inputs; n++) {
            const hs_input *in = &c->input[n];
            int64_t at = in->stride[0] * v;

            for (int k = 1; k < c->size; k++)
                at += in->stride[k] * state[cluster[k]];
            u += in->table[at];
        }
        if (u > most) {
            most = u;
            best = v;
        }
    }
    return best;
}
