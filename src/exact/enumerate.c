/* enumerate.c - exact answers by visiting every state.
 *
 * Sixteen consecutive states are one tile.  The trailing coordinates whose
 * states make up about BLOCK form a block, in which the leading ones do not
 * change.  The marginals of a block come from folding its weights, one
 * coordinate after the other, with two additions per state for any dimension.
 * Threads share PARTS runs of blocks, which are added in order, so the sums do
 * not depend on the number of threads.
 *
 * Weights are e^(U - m) with m the largest U so far in the part; when m grows,
 * the sums are scaled down.
 *
 * Not here: distributions at other temperatures and exact draws (law.c). */
#include "exact/enumerate.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/number.h"
#include "base/pool.h"
#include "model/user/wide.h"

#define BLOCK 16384
#define PARTS 128

/* Sums over the states of one part. */
struct part {
    double max; /* largest U so far; -infinity if only impossible states */
    double sum; /* sum of weights */
    double sum_u;
    double *marginal; /* owned, [values] */
    hs_top *top;      /* owned, [wanted] */
    int tops;
    hiss_status status;
    int64_t bad_state; /* set with HISS_ENUMERIC */
    hs_fault fault;    /* set with another status */
    double bad_u;
};

struct plan {
    const hs_model *model;
    const hs_poll *poll;
    hs_exact *out;
    int threads;
    int tops;      /* wanted */
    int lead;      /* number of coordinates that are constant in a block */
    int64_t block; /* states of a block */
    int64_t blocks;
    int digit_first; /* first coordinate that a step of 16 changes */
    int16_t *digit;  /* owned, [dim]: 16 in this radix */
    int parts;
    struct part *part; /* owned, [parts] */
};

/* Scratch memory of one part. */
struct desk {
    hs_point p;
    double *u; /* owned, [block]: U, then weights */
};

void hs_exact_state(const hs_exact *e, int64_t n, int16_t *x)
{
    for (int i = e->dim - 1; i >= 0; i--) {
        x[i] = (int16_t)(n % e->radix[i]);
        n /= e->radix[i];
    }
}

void hs_exact_values(const hs_exact *e, int64_t n, double *values)
{
    for (int i = e->dim - 1; i >= 0; i--) {
        values[i] = (double)e->values[e->first[i] + n % e->radix[i]];
        n /= e->radix[i];
    }
}

/* Puts the lanes at the first 16 states of a block. */
static void start_block(const struct plan *plan, hs_point *p, int64_t block)
{
    int dim = plan->out->dim;

    for (int l = 0; l < HS_LANES; l++) {
        int64_t n = block * plan->block + l % plan->block;

        for (int i = dim - 1; i >= 0; i--) {
            p->x[i][l] = (int16_t)(n % plan->out->radix[i]);
            n /= plan->out->radix[i];
        }
    }
    p->have = 0;
}

/* Moves every lane 16 states on; past the end of the block it starts again. */
static void next_states(const struct plan *plan, hs_point *p)
{
    int16_t carry[HS_LANES] = {0};

    for (int i = plan->out->dim - 1; i >= plan->lead; i--) {
        int16_t radix = (int16_t)plan->out->radix[i];
        int16_t digit = plan->digit[i], any = 0;

        for (int l = 0; l < HS_LANES; l++) {
            int v = p->x[i][l] + digit + carry[l];

            carry[l] = (int16_t)(v >= radix);
            p->x[i][l] = (int16_t)(v - (carry[l] ? radix : 0));
            any |= carry[l];
        }
        if (i <= plan->digit_first && !any)
            break;
    }
    p->have = 0;
}

/* Computes U of every state of a block in desk->u and, on request, in the
 * table. */
static hiss_status visit_block(const struct plan *plan, struct part *part,
                               struct desk *desk, int64_t block)
{
    double *table = plan->out->u;
    hiss_status rc;

    start_block(plan, &desk->p, block);
    for (int64_t n = 0; n < plan->block; n += HS_LANES) {
        int64_t left = plan->block - n;
        int lanes = left < HS_LANES ? (int)left : HS_LANES;

        rc = hs_model_evaluate(plan->model, &desk->p, HS_U);
        part->fault = desk->p.fault;
        HS_TRY(rc);
        for (int l = 0; l < lanes; l++) {
            double u = desk->p.u[l];

            desk->u[n + l] = u;
            if (isnan(u) || u == HUGE_VAL) {
                part->bad_state = block * plan->block + n + l;
                part->bad_u = u;
                return HISS_ENUMERIC;
            }
        }
        if (left > HS_LANES)
            next_states(plan, &desk->p);
    }
    if (table)
        memcpy(table + block * plan->block, desk->u,
               (size_t)plan->block * sizeof *table);
    return HISS_OK;
}

/* Keeps the best states; a later state goes behind its equals. */
static void keep_top(struct part *part, int wanted, double u, int64_t state)
{
    int at = part->tops;

    if (u == -HUGE_VAL || wanted == 0 ||
        (part->tops == wanted && u <= part->top[wanted - 1].u))
        return;
    part->tops += part->tops < wanted;
    at = at < wanted ? at : wanted - 1;
    for (; at > 0 && part->top[at - 1].u < u; at--)
        part->top[at] = part->top[at - 1];
    part->top[at] = (hs_top){u, state};
}

static void rescale(struct part *part, int values, double max)
{
    double factor = exp(part->max - max); /* 0 the first time */

    part->max = max;
    part->sum *= factor;
    part->sum_u *= factor;
    for (int v = 0; v < values; v++)
        part->marginal[v] *= factor;
}

/* Adds the marginals of a block; overwrites its weights. */
static void fold(const struct plan *plan, struct part *part, double *weight,
                 double total, int64_t block)
{
    const hs_exact *e = plan->out;
    int64_t count = plan->block;

    for (int i = e->dim - 1; i >= plan->lead; i--) {
        double *marginal = part->marginal + e->first[i];
        int radix = e->radix[i];

        count /= radix;
        for (int64_t k = 0; k < count; k++) {
            double sum = 0.0;

            for (int v = 0; v < radix; v++) {
                marginal[v] += weight[k * radix + v];
                sum += weight[k * radix + v];
            }
            weight[k] = sum;
        }
    }
    for (int i = plan->lead - 1; i >= 0; i--) {
        part->marginal[e->first[i] + block % e->radix[i]] += total;
        block /= e->radix[i];
    }
}

static void add_block(const struct plan *plan, struct part *part, double *u,
                      int64_t block)
{
    double max = -HUGE_VAL, total = 0.0;

    for (int64_t n = 0; n < plan->block; n++) {
        max = u[n] > max ? u[n] : max;
        keep_top(part, plan->tops, u[n], block * plan->block + n);
    }
    if (max == -HUGE_VAL)
        return;
    if (max > part->max)
        rescale(part, plan->out->first[plan->out->dim], max);
    for (int64_t n = 0; n < plan->block; n++) {
        double weight = exp(u[n] - part->max);

        total += weight;
        if (weight > 0.0)
            part->sum_u += weight * u[n];
        u[n] = weight;
    }
    part->sum += total;
    fold(plan, part, u, total, block);
}

static void work(void *context, int index)
{
    const struct plan *plan = context;
    struct part *part = &plan->part[index];
    struct desk desk = {0};
    int64_t from = plan->blocks * index / plan->parts;
    int64_t to = plan->blocks * (index + 1) / plan->parts;

    part->status = hs_point_init(&desk.p, plan->model, NULL);
    desk.u = hs_alloc_array((size_t)plan->block, sizeof *desk.u);
    if (!desk.u)
        part->status = HISS_ENOMEM;
    for (int64_t b = from; b < to && part->status == HISS_OK; b++) {
        if (hs_poll_stops(plan->poll))
            part->status = HISS_ESTOP;
        else
            part->status = visit_block(plan, part, &desk, b);
        if (part->status == HISS_OK)
            add_block(plan, part, desk.u, b);
    }
    hs_free(desk.u);
    hs_point_clear(&desk.p);
}

static hiss_status check_size(const hs_model *m,
                              const hs_exact_options *options, hiss_error *err)
{
    double size = hs_domain_size(&m->domain), bits = 0.0;

    if (size <= (double)options->limit)
        return HISS_OK;
    if (m->domain.is_tour) /* the tours among all strings of cities */
        return hs_fail(err, HISS_ELIMIT,
                       "model %s has tours through %d cities, %s goes to %d",
                       m->name, m->domain.dim, options->what,
                       options->limit < HS_ENUMERATE_MAX ? 7 : 8);
    for (int i = 0; i < m->domain.dim; i++)
        bits += log2(m->domain.states[i]);
    if (isinf(size))
        return hs_fail(err, HISS_ELIMIT,
                       "model %s has 2^%.4g states, %s goes to 2^%.0f", m->name,
                       bits, options->what, log2((double)options->limit));
    return hs_fail(err, HISS_ELIMIT,
                   "model %s has 2^%.4g = %.0f states, %s goes to 2^%.0f",
                   m->name, bits, size, options->what,
                   log2((double)options->limit));
}

/* Copies the needed parts of the domain. */
static hiss_status init_shape(hs_exact *e, const hs_domain *d, hiss_error *err)
{
    size_t dim = (size_t)d->dim, values = (size_t)d->value_count;

    e->dim = d->dim;
    e->states = (int64_t)hs_domain_size(d);
    e->radix = hs_alloc_array(dim, sizeof *e->radix);
    e->first = hs_alloc_array(dim + 1, sizeof *e->first);
    e->values = hs_alloc_array(values, sizeof *e->values);
    e->marginal = hs_alloc_array(values, sizeof *e->marginal);
    if (!e->radix || !e->first || !e->values || !e->marginal)
        return hs_fail_memory(err);
    memcpy(e->radix, d->states, dim * sizeof *e->radix);
    memcpy(e->first, d->value, (dim + 1) * sizeof *e->first);
    memcpy(e->values, d->values, values * sizeof *e->values);
    return HISS_OK;
}

/* Sets the ends of blocks and parts. */
static void divide(struct plan *plan)
{
    const hs_exact *e = plan->out;
    int64_t rest = HS_LANES, most = BLOCK;

    /* a call of a wide function has one tile of every part */
    if (plan->model->width > 0 && e->states / PARTS < most)
        most = e->states / PARTS;

    plan->lead = e->dim;
    plan->block = 1;
    while (plan->lead > 0 && (plan->block < HS_LANES ||
                              plan->block * e->radix[plan->lead - 1] <= most))
        plan->block *= e->radix[--plan->lead];
    plan->blocks = e->states / plan->block;
    plan->parts = plan->blocks < PARTS ? (int)plan->blocks : PARTS;
    plan->digit_first = e->dim - 1;
    for (int i = e->dim - 1; i >= plan->lead; i--) {
        plan->digit[i] = (int16_t)(rest % e->radix[i]);
        if (rest > 0)
            plan->digit_first = i;
        rest /= e->radix[i];
    }
}

static hiss_status init_plan(struct plan *plan, hiss_error *err)
{
    hs_exact *e = plan->out;

    plan->digit = hs_alloc_array((size_t)e->dim, sizeof *plan->digit);
    if (!plan->digit)
        return hs_fail_memory(err);
    divide(plan);
    plan->part = hs_alloc_array((size_t)plan->parts, sizeof *plan->part);
    if (!plan->part)
        return hs_fail_memory(err);
    for (int n = 0; n < plan->parts; n++) {
        struct part *part = &plan->part[n];

        part->max = -HUGE_VAL;
        part->marginal =
            hs_alloc_array((size_t)e->first[e->dim], sizeof *part->marginal);
        part->top = hs_alloc_array((size_t)plan->tops, sizeof *part->top);
        if (!part->marginal || !part->top)
            return hs_fail_memory(err);
    }
    return HISS_OK;
}

static void clear_plan(struct plan *plan)
{
    for (int n = 0; plan->part && n < plan->parts; n++) {
        hs_free(plan->part[n].marginal);
        hs_free(plan->part[n].top);
    }
    hs_free(plan->part);
    hs_free(plan->digit);
}

/* Prints "0 1 -1", cut after a few dozen coordinates. */
static void print_state(const hs_exact *e, int64_t n, char *text, size_t size)
{
    int64_t stride = e->states;
    size_t used = 0;

    text[0] = '\0';
    for (int i = 0; i < e->dim && used + 24 < size; i++) {
        float value;

        stride /= e->radix[i];
        value = e->values[e->first[i] + n / stride % e->radix[i]];
        used += (size_t)hs_snprintf(text + used, size - used, "%s%g",
                                    i ? " " : "", (double)value);
    }
}

static hiss_status fault_of(const struct plan *plan, const struct part *part,
                            hiss_error *err)
{
    char state[256];

    if (part->status == HISS_ENOMEM)
        return hs_fail_memory(err);
    if (part->status == HISS_ESTOP)
        return hs_fail(err, HISS_ESTOP, "stopped on request");
    if (part->status != HISS_ENUMERIC)
        return hs_fail_model(err, part->status, plan->model, &part->fault, "");
    print_state(plan->out, part->bad_state, state, sizeof state);
    return hs_fail(err, HISS_ENUMERIC,
                   "model %s: U is %g in state (%s); it must be finite or "
                   "-infinity",
                   plan->model->name, part->bad_u, state);
}

/* Adds up the parts in order. */
static hiss_status combine(const struct plan *plan, hiss_error *err)
{
    hs_exact *e = plan->out;
    int values = e->first[e->dim];
    struct part all = {
        .max = -HUGE_VAL, .marginal = e->marginal, .top = e->top};

    for (int n = 0; n < plan->parts; n++)
        if (plan->part[n].status != HISS_OK)
            return fault_of(plan, &plan->part[n], err);
    for (int n = 0; n < plan->parts; n++) {
        struct part *part = &plan->part[n];

        if (part->max == -HUGE_VAL)
            continue;
        if (part->max > all.max)
            rescale(&all, values, part->max);
        rescale(part, values, all.max);
        all.sum += part->sum;
        all.sum_u += part->sum_u;
        for (int v = 0; v < values; v++)
            all.marginal[v] += part->marginal[v];
        for (int t = 0; t < part->tops; t++)
            keep_top(&all, plan->tops, part->top[t].u, part->top[t].state);
    }
    if (all.max == -HUGE_VAL)
        return hs_fail(err, HISS_EINFEASIBLE,
                       "model %s: every state has probability 0",
                       plan->model->name);
    for (int v = 0; v < values; v++)
        e->marginal[v] /= all.sum;
    e->tops = all.tops;
    e->max_u = all.max;
    e->mean_u = all.sum_u / all.sum;
    e->log_z = all.max + log(all.sum);
    return HISS_OK;
}

static hiss_status visit_all(void *context, hiss_error *err)
{
    struct plan *plan = context;
    hs_pool *pool;

    HS_TRY(hs_pool_create(&pool, plan->threads, err));
    hs_wide_each(plan->model, pool, work, plan, plan->parts);
    hs_pool_destroy(pool);
    return combine(plan, err);
}

hiss_status hs_exact_init(hs_exact *e, const hs_model *m,
                          const hs_exact_options *options, hiss_error *err)
{
    struct plan plan = {.model = m,
                        .poll = options->poll,
                        .out = e,
                        .threads = options->threads,
                        .tops = options->tops};
    hiss_status rc;

    *e = (hs_exact){0};
    HS_TRY(check_size(m, options, err));
    rc = init_shape(e, &m->domain, err);
    if (rc == HISS_OK && plan.tops > e->states)
        plan.tops = (int)e->states;
    if (rc == HISS_OK) {
        e->top = hs_alloc_array((size_t)plan.tops, sizeof *e->top);
        if (options->has_u)
            e->u = hs_alloc_array((size_t)e->states, sizeof *e->u);
        if (!e->top || (options->has_u && !e->u))
            rc = hs_fail_memory(err);
    }
    if (rc == HISS_OK)
        rc = init_plan(&plan, err);
    if (rc == HISS_OK)
        rc = hs_wide_run(m, options->threads, visit_all, &plan, err);
    clear_plan(&plan);
    if (rc != HISS_OK)
        hs_exact_clear(e);
    return rc;
}

void hs_exact_clear(hs_exact *e)
{
    hs_free(e->radix);
    hs_free(e->first);
    hs_free(e->values);
    hs_free(e->marginal);
    hs_free(e->top);
    hs_free(e->u);
    *e = (hs_exact){0};
}
