/* descent.c - the messages of a model, shared by all that draw from it. */
#include "exact/descent.h"

#include <math.h>
#include <pthread.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/pool.h"
#include "exact/cluster.h"
#include "exact/counting.h"
#include "exact/elimination.h"
#include "exact/tree.h"

#define INPUTS 4.0 /* tables added up in a cluster, about */
/* most coordinates for which a plan is tried unasked, */
#define DIM_MAX   20000
#define BYTES_MAX 0x1p30 /* most memory; */
#define PLAN_MAX  5e7    /* most work of the plan: some tenths of a second, */
#define PLAN_TIME 4e-9   /* seconds per unit of that work; */
#define ENTRY     2e-8   /* seconds per entry of a message */

#define COUNT_TRIAL  1e8  /* steps of counting for a first try: 1.5 s */
#define COUNT_WITHIN 4e8  /* steps for each second that an order may take */
#define COUNT_MOST   1e12 /* steps if nothing else applies: some hours */
/* gives up early if it would take this many times the limits */
#define COUNT_GIVE_UP 30.0

/* The messages of one model, and the number of their holders. */
struct shared {
    hs_descent descent; /* the view of the holders; must be first */
    const hs_model *m;
    int64_t holders;
    hs_plan plan;            /* owned */
    hs_count *counted;       /* owned, or NULL */
    hs_tree tree;            /* owned */
    hs_descent_stop *stop;   /* owned */
    hs_descent_part *part;   /* owned */
    hs_descent_other *other; /* owned */
    int64_t parts, others;
    struct shared *next;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct shared *first; /* list of all models that are held */

static double sweeps_of(const hs_plan *plan)
{
    return INPUTS * plan->entries / hs_factors_sweep(&plan->rest);
}

/* Returns HISS_OK and *out NULL if it would take too much. */
static hiss_status try_count(hs_count **out, const hs_factors *f, double within,
                             hiss_error *err)
{
    hs_count_limits limits = {
        .bytes = BYTES_MAX, .work = COUNT_TRIAL, .give_up = COUNT_GIVE_UP};
    hiss_status rc;

    *out = NULL;
    if (!hs_counting_applies(f))
        return HISS_OK;
    if (within > 0.0)
        limits.work = fmin(limits.work, COUNT_WITHIN * within);
    rc = hs_counting(out, f, NULL, limits, err);
    return rc == HISS_ELIMIT || rc == HISS_ENOMEM ? HISS_OK : rc;
}

hiss_status hs_descent_weigh(hs_descent_price *price, const hs_model *m,
                             double within, hiss_error *err)
{
    hs_plan_limits limits = {.bytes = BYTES_MAX, .work = PLAN_MAX};
    hs_factors f;
    hiss_status rc;

    *price = (hs_descent_price){.sweeps = HUGE_VAL, .seconds = HUGE_VAL};
    if (!m->ops->factors || m->is_dense || m->domain.dim > DIM_MAX)
        return HISS_OK;
    if (within > 0.0)
        limits.work = fmin(limits.work, within / PLAN_TIME);
    HS_TRY(m->ops->factors(m, &f, err));
    rc = hs_plan_init_within(&price->plan, &f, &limits, err);
    if (rc == HISS_OK && price->plan.bytes <= BYTES_MAX) {
        price->sweeps = sweeps_of(&price->plan);
        price->seconds = ENTRY * price->plan.entries;
    } else if (rc == HISS_OK) {
        hs_plan_clear(&price->plan);
        rc = try_count(&price->counted, &f, within, err);
    }
    if (rc == HISS_OK && price->counted) {
        price->sweeps = hs_count_work(price->counted) / hs_factors_sweep(&f);
        price->seconds = 0.0;
    }
    hs_factors_clear(&f);
    return rc;
}

void hs_descent_price_clear(hs_descent_price *price)
{
    hs_plan_clear(&price->plan);
    hs_count_destroy(price->counted);
    *price = (hs_descent_price){0};
}

static void destroy(struct shared *s)
{
    hs_tree_clear(&s->tree);
    hs_plan_clear(&s->plan);
    hs_count_destroy(s->counted);
    hs_free(s->stop);
    hs_free(s->part);
    hs_free(s->other);
    hs_free(s);
}

/* Number of states of the coordinate that a bucket eliminates. */
static int states_of(const struct shared *s, int bucket)
{
    return s->plan.rest.states[s->plan.order[bucket]];
}

static hiss_status send_all(struct shared *s, hs_pool *pool, double *done,
                            hiss_error *err)
{
    hs_tree *t = &s->tree;
    double log_z = s->plan.rest.constant;

    for (int b = 0; b < t->count; b++) {
        hs_cluster c;
        hiss_status rc;

        HS_TRY(hs_cluster_init(&c, t, b, err));
        rc = hs_cluster_send(&c, HS_LOG_SUM, pool, err);
        hs_cluster_clear(&c);
        HS_TRY(rc);
        if (done)
            *done += (double)t->bucket[b].entries * states_of(s, b) /
                     s->plan.entries;
        if (t->bucket[b].parent < 0)
            log_z += t->bucket[b].message[0];
    }
    return log_z > -HUGE_VAL ? HISS_OK
                             : hs_fail(err, HISS_EINFEASIBLE,
                                       "every state has probability 0");
}

/* Lists the tables of a bucket, without coordinates that they do not depend
 * on. */
static void add_parts(struct shared *s, hs_descent_stop *stop,
                      const hs_cluster *c)
{
    const int *cluster = s->tree.coordinate + s->tree.bucket[c->bucket].cluster;

    stop->part = s->parts;
    stop->parts = c->inputs;
    for (int n = 0; n < c->inputs; n++) {
        const hs_input *in = &c->input[n];
        hs_descent_part *p = &s->part[s->parts++];

        *p = (hs_descent_part){
            .table = in->table, .own = in->stride[0], .other = s->others};
        for (int k = 1; k < c->size; k++) {
            if (in->stride[k] == 0)
                continue;
            s->other[s->others++] =
                (hs_descent_other){cluster[k], in->stride[k]};
            p->others++;
        }
        s->descent.cost += c->states + p->others;
    }
}

/* Makes room for every coordinate of a factor, and of a message in its parent's
 * cluster. */
static hiss_status make_room(struct shared *s, hiss_error *err)
{
    const hs_factors *f = &s->plan.rest;
    size_t others = (size_t)f->scope_at[f->count];

    for (int b = 0; b < s->tree.count; b++)
        others += (size_t)s->tree.bucket[b].size;
    s->stop = hs_alloc_array((size_t)s->tree.count, sizeof *s->stop);
    s->part = hs_alloc_array((size_t)f->count + (size_t)s->tree.count,
                             sizeof *s->part);
    s->other = hs_alloc_array(others, sizeof *s->other);
    return s->stop && s->part && s->other ? HISS_OK : hs_fail_memory(err);
}

static hiss_status set_stops(struct shared *s, hiss_error *err)
{
    const hs_plan *plan = &s->plan;

    HS_TRY(make_room(s, err));
    for (int b = s->tree.count - 1, n = 0; b >= 0; b--, n++) {
        int i = plan->order[b];
        hs_descent_stop *stop = &s->stop[n];
        hs_cluster c;

        *stop = (hs_descent_stop){
            .coordinate = i,
            .states = plan->rest.states[i],
            .index = (int16_t)(plan->forced[i] > 0 ? plan->forced[i] : 0)};
        if (stop->states == 1)
            continue;
        HS_TRY(hs_cluster_init(&c, &s->tree, b, err));
        add_parts(s, stop, &c);
        hs_cluster_clear(&c);
    }
    s->descent.tables = sweeps_of(plan);
    s->descent.cost =
        fmax(1.0, s->descent.cost / hs_factors_sweep(&plan->rest));
    s->descent.count = s->tree.count;
    s->descent.stop = s->stop;
    s->descent.part = s->part;
    s->descent.other = s->other;
    return HISS_OK;
}

/* Uses the weighed plan; without one, searches as long as necessary. */
static hiss_status find_plan(hs_plan *plan, const hs_model *m,
                             const hs_poll *poll, hiss_error *err)
{
    hs_plan_limits limits = {.work = PLAN_MAX, .poll = poll};
    hs_factors f;
    hiss_status rc;

    HS_TRY(m->ops->factors(m, &f, err));
    rc = hs_plan_init_within(plan, &f, &limits, err);
    if (rc == HISS_OK && plan->bytes > plan->memory_limit) {
        hs_plan_clear(plan);
        limits.work = 0.0;
        rc = hs_plan_init_within(plan, &f, &limits, err);
    }
    hs_factors_clear(&f);
    return rc;
}

/* Checks the cost before the messages are computed. */
static hiss_status check_cost(const hs_plan *plan, double most, hiss_error *err)
{
    double sweeps = sweeps_of(plan);

    if (!(most > 0.0) || sweeps < most)
        return HISS_OK;
    return hs_fail(err, HISS_EARG,
                   "sampler independent: its tables cost %.3g evaluations, and "
                   "%.3g are all that the run may take",
                   sweeps, most);
}

static void draw_from_count(struct shared *s, const hs_factors *f)
{
    s->descent.counted = s->counted;
    s->descent.tables = hs_count_work(s->counted) / hs_factors_sweep(f);
    s->descent.cost = 1.0;
}

/* Counts if elimination is refused; the message has the cost of both. */
static hiss_status count(struct shared *s, const hs_descent_request *request,
                         hiss_error *err)
{
    hs_count_limits limits = {.work = COUNT_MOST,
                              .give_up = COUNT_GIVE_UP,
                              .done = request->done,
                              .poll = request->poll};
    hiss_error refused = {0}, own = {0};
    hs_factors f;
    hiss_status rc, other = hs_plan_check(&s->plan, &refused);

    HS_TRY(s->m->ops->factors(s->m, &f, err));
    if (request->most > 0.0)
        limits.work = request->most * hs_factors_sweep(&f);
    if (!hs_counting_applies(&f))
        rc = hs_fail(err, other, "%s", refused.message);
    else
        rc = hs_counting(&s->counted, &f, NULL, limits, &own);
    if (rc == HISS_OK)
        draw_from_count(s, &f);
    else if (hs_counting_applies(&f) &&
             (rc == HISS_ELIMIT || rc == HISS_ENOMEM))
        rc = hs_fail(err, other, "%s; %s", refused.message, own.message);
    else if (hs_counting_applies(&f))
        hs_fail(err, rc, "%s", own.message);
    hs_factors_clear(&f);
    return rc;
}

static hiss_status take_count(struct shared *s, hs_count **counted,
                              hiss_error *err)
{
    hs_factors f;

    HS_TRY(s->m->ops->factors(s->m, &f, err));
    s->counted = *counted;
    *counted = NULL;
    draw_from_count(s, &f);
    hs_factors_clear(&f);
    return HISS_OK;
}

static hiss_status eliminate(struct shared *s,
                             const hs_descent_request *request, hiss_error *err)
{
    hs_pool *pool = NULL;
    hiss_status rc;

    HS_TRY(check_cost(&s->plan, request->most, err));
    HS_TRY(hs_tree_init(&s->tree, &s->plan.rest, s->plan.order, err));
    s->tree.poll = request->poll;
    HS_TRY(hs_pool_create(&pool, request->threads, err));
    rc = send_all(s, pool, request->done, err);
    hs_pool_destroy(pool);
    s->tree.poll = NULL;
    return rc == HISS_OK ? set_stops(s, err) : rc;
}

static hiss_status fill(struct shared *s, const hs_descent_request *request,
                        hiss_error *err)
{
    if (request->counted && *request->counted)
        return take_count(s, request->counted, err);
    if (request->plan) {
        s->plan = *request->plan;
        *request->plan = (hs_plan){0};
    } else {
        HS_TRY(find_plan(&s->plan, s->m, request->poll, err));
    }
    if (hs_plan_check(&s->plan, NULL) != HISS_OK)
        return count(s, request, err);
    return eliminate(s, request, err);
}

static hiss_status add(struct shared **out, const hs_model *m,
                       const hs_descent_request *request, hiss_error *err)
{
    struct shared *s = hs_alloc_array(1, sizeof *s);
    hiss_status rc;

    if (!s)
        return hs_fail_memory(err);
    s->m = m;
    rc = fill(s, request, err);
    if (rc != HISS_OK) {
        destroy(s);
        return rc;
    }
    s->next = first;
    first = *out = s;
    return HISS_OK;
}

hiss_status hs_descent_hold(const hs_descent **out, const hs_model *m,
                            const hs_descent_request *request, hiss_error *err)
{
    struct shared *s;
    hiss_status rc = HISS_OK;

    *out = NULL;
    if (!m->ops->factors)
        return hs_fail(err, HISS_EUNSUP,
                       "sampler independent: model %s is not a sum of small "
                       "tables",
                       m->name);
    pthread_mutex_lock(&lock);
    for (s = first; s && s->m != m;)
        s = s->next;
    if (!s)
        rc = add(&s, m, request, err);
    if (rc == HISS_OK) {
        s->holders++;
        *out = &s->descent;
    }
    pthread_mutex_unlock(&lock);
    return rc;
}

void hs_descent_release(const hs_descent *d)
{
    struct shared **at = &first, *gone = NULL;

    if (!d)
        return;
    pthread_mutex_lock(&lock);
    while (&(*at)->descent != d)
        at = &(*at)->next;
    if (--(*at)->holders == 0) {
        gone = *at;
        *at = gone->next;
    }
    pthread_mutex_unlock(&lock);
    if (gone)
        destroy(gone);
}
