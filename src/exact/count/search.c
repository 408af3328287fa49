/* search.c - chooses, propagates, splits, counts, remembers.
 *
 * A conflict yields a learned clause, which helps to propagate but takes no
 * part in the split.  A learned clause may follow from an impossibility
 * elsewhere in the same branch.  So if a branch turns out to have no solution,
 * everything counted within it is forgotten (Sang et al.  2004). */
#include <stdlib.h>

#include "base/error.h"
#include "base/number.h"
#include "exact/count/counter.h"

#define NOTHING    (-1) /* no solutions */
#define STOPPED    (-2)
#define DEPTH_MAX  4000 /* each takes half a KiB of stack */
#define ASK        1024 /* parts between two calls of the poll */
#define FAIR_TRIAL 0.1  /* share of the work limit that it may try */
#define FAIR_MOST  1e8  /* steps: the most that this needs */
#define CENTURY    3e9  /* seconds */
/* seconds, roughly, for planted 3-SAT of 100 variables */
#define STEP_TIME 1.5e-8
/* weight of a use in a conflict, in uses in clauses */
#define ACTIVITY 1.0

static const double gibibyte = 0x1p30;

/* An unfinished branch; its lists are in counter->list from `begin` on. */
struct draft {
    int64_t begin;
    hs_branch branch;
    hs_scaled total;
    int next;   /* literal that a conflict made true, */
    int reason; /* and its clause */
};

static int32_t stop(hs_count_search *c, hiss_status rc)
{
    if (c->rc == HISS_OK)
        c->rc = rc;
    return STOPPED;
}

static int32_t stop_memory(hs_count_search *c)
{
    if (c->rc == HISS_OK)
        hs_fail_memory(c->err);
    return stop(c, HISS_ENOMEM);
}

/* Estimates the whole work from the finished share. */
static double whole_work(const hs_count_search *c)
{
    return c->work / fmax(c->done, 1e-300);
}

static bool is_hopeless(const hs_count_search *c)
{
    double trial = fmin(FAIR_TRIAL * c->work_limit, FAIR_MOST);
    double bytes = c->nodes.bytes / fmax(c->done, 1e-300);

    return c->give_up > 0.0 && c->work > trial &&
           (whole_work(c) > c->give_up * c->work_limit ||
            bytes > c->give_up * c->bytes_limit);
}

static int32_t refuse(hs_count_search *c, hiss_status rc)
{
    double whole = STEP_TIME * whole_work(c);
    char text[64];

    if (c->tell_seconds)
        *c->tell_seconds = whole;
    if (whole < CENTURY)
        hs_snprintf(text, sizeof text, "may take %.2g s", whole);
    else
        hs_snprintf(text, sizeof text, "would take more than a century");
    hs_fail(c->err, rc,
            "counting stopped with %.2g %% of the search done, after %.2g "
            "steps (%.2g s) and with %.2g GiB of memory; all of it %s",
            100.0 * c->done, c->work, STEP_TIME * c->work,
            c->nodes.bytes / gibibyte, text);
    return stop(c, rc);
}

static int32_t check_limits(hs_count_search *c)
{
    if (c->sat.rc != HISS_OK)
        return stop_memory(c);
    if (c->depth > DEPTH_MAX) {
        hs_fail(c->err, HISS_ELIMIT,
                "counting needs more than %d choices in a row", DEPTH_MAX);
        return stop(c, HISS_ELIMIT);
    }
    if (c->work > c->work_limit || is_hopeless(c))
        return refuse(c, HISS_ELIMIT);
    if (c->nodes.bytes > c->bytes_limit)
        return refuse(c, HISS_ENOMEM);
    if (c->asked++ % ASK == 0) {
        if (c->tell)
            *c->tell = c->done;
        if (hs_poll_stops(c->poll)) {
            hs_fail(c->err, HISS_ESTOP,
                    "stopped while counting, with %.2g %% "
                    "of the search done",
                    100.0 * c->done);
            return stop(c, HISS_ESTOP);
        }
    }
    return 0;
}

static bool is_shown(const hs_count_search *c, int variable)
{
    return !c->is_shown || c->is_shown[c->code.coordinate[variable]];
}

/* Shown variables come first: when none is left, one solution suffices. */
static int choose(const hs_count_search *c, const hs_count_part *p,
                  bool *one_is_enough)
{
    double highest = -1.0;
    int best = -1;

    *one_is_enough = true;
    for (int64_t n = p->begin; n < p->end; n++) {
        int v = c->pool.at[n];
        double score = c->score[v] + c->bonus[v] +
                       ACTIVITY * c->sat.activity[v] / c->sat.step;
        bool shown = is_shown(c, v);

        if (*one_is_enough && shown) {
            *one_is_enough = false;
            highest = -1.0;
        }
        if (shown != *one_is_enough && score > highest) {
            highest = score;
            best = v;
        }
    }
    return best;
}

/* Adds the weights of soft tables that this branch decided. */
static void weigh_softs(hs_count_search *c, int variable, uint64_t serial,
                        double *u)
{
    int i = c->code.coordinate[variable];

    for (int64_t n = c->weights.user_at[i]; n < c->weights.user_at[i + 1];
         n++) {
        int soft = c->weights.user[n];
        int64_t at;
        double value;

        if (c->soft_seen[soft] == c->now)
            continue;
        c->soft_seen[soft] = c->now;
        value = hs_parts_soft(c, soft, 0, &at);
        if (!isnan(value) && isnan(hs_parts_soft(c, soft, serial, &at)))
            *u += value;
    }
}

/* Lists the assigned literals of the part. */
static bool list_literals(hs_count_search *c, const hs_count_part *p,
                          uint64_t serial, struct draft *d)
{
    for (int64_t n = p->begin; n < p->end; n++)
        c->owner[c->pool.at[n]] = serial;
    c->now++;
    for (int64_t n = p->begin; n < p->end; n++) {
        int v = c->pool.at[n], literal = 2 * v + (c->sat.value[2 * v] < 0);

        if (c->sat.value[literal] == 0)
            continue;
        if (!hs_stack_push(&c->list, literal))
            return false;
        d->branch.literals++;
        if (!is_shown(c, v))
            continue;
        d->branch.log_weight += c->weights.literal[literal];
        if (c->weights.count > 0)
            weigh_softs(c, v, serial, &d->branch.log_weight);
    }
    c->work += d->branch.literals;
    return true;
}

static void weigh_free(hs_count_search *c, struct draft *d)
{
    int64_t end = c->list.count;

    d->total = d->branch.log_weight == 0.0
                   ? (hs_scaled){1.0, 0}
                   : hs_scaled_exp(d->branch.log_weight);
    d->branch.frees = (int)(end - d->begin) - d->branch.literals;
    for (int64_t n = end - d->branch.frees; n < end; n++) {
        int v = c->list.at[n];
        const double *weight = c->weights.literal + 2 * (int64_t)v;

        if (is_shown(c, v))
            d->total = hs_scaled_times(
                d->total, hs_scaled_plus(hs_scaled_exp(weight[0]),
                                         hs_scaled_exp(weight[1])));
    }
}

static int by_size(const void *a, const void *b)
{
    const hs_count_part *p = a, *q = b;
    int64_t sizes = (p->end - p->begin) - (q->end - q->begin);

    return sizes ? (sizes > 0) - (sizes < 0)
                 : (p->begin > q->begin) - (p->begin < q->begin);
}

static int32_t solve(hs_count_search *c, const hs_count_part *part,
                     double share);

/* Counts the parts from `first` on, the smallest first, because an impossible
 * one ends the branch. */
static int32_t solve_parts(hs_count_search *c, int64_t first, struct draft *d,
                           double share)
{
    int64_t slot = c->list.count;
    int parts = (int)(c->parts - first);

    d->branch.children = parts;
    if (parts > 1)
        qsort(c->part + first, (size_t)parts, sizeof *c->part, by_size);
    for (int n = 0; n < parts; n++)
        if (!hs_stack_push(&c->list, -1))
            return stop_memory(c);
    for (int n = 0; n < parts; n++) {
        hs_count_part part = c->part[first + n];
        int32_t node = hs_nodes_find(&c->nodes, part.key);

        if (node < 0)
            node = solve(c, &part, share / parts);
        if (node < 0)
            return node;
        c->list.at[slot + n] = node;
        d->total = hs_scaled_times(d->total, c->nodes.node[node].total);
    }
    return 0;
}

static int32_t fill(hs_count_search *c, const hs_count_part *p, struct draft *d,
                    double share)
{
    uint64_t serial = ++c->serial;
    int64_t first = c->parts;

    d->begin = c->list.count;
    d->branch = (hs_branch){0};
    if (!list_literals(c, p, serial, d) || !hs_parts_find(c, p->begin, p->end))
        return stop_memory(c);
    weigh_free(c, d);
    return solve_parts(c, first, d, share);
}

/* A learned clause of one literal is not stored.  It holds at level 0, where
 * learning asks for no reason. */
static void assign_learned(hs_count_search *c, int literal, int reason)
{
    hs_sat_assign(&c->sat, literal, reason);
    if (reason == HS_SAT_NONE)
        c->sat.level[literal / 2] = 0;
}

/* Returns 0, NOTHING or STOPPED. */
static int32_t try_literal(hs_count_search *c, const hs_count_part *p,
                           int literal, struct draft *d, double share)
{
    int level = c->sat.levels, conflict;
    int64_t pool = c->pool.count, parts = c->parts, list = c->list.count;
    int32_t nodes = c->nodes.count, result = 0;
    double done = c->done;

    hs_sat_decide(&c->sat, literal);
    if (d->next >= 0 && c->sat.value[d->next] < 0)
        result = NOTHING;
    else if (d->next >= 0 && c->sat.value[d->next] == 0)
        assign_learned(c, d->next, d->reason);
    d->next = -1;
    if (result == 0) {
        conflict = hs_sat_propagate(&c->sat);
        if (c->sat.rc != HISS_OK)
            result = stop_memory(c);
        else if (conflict == HS_SAT_NONE)
            result = fill(c, p, d, share);
        else {
            d->next = hs_sat_learn(&c->sat, conflict, &d->reason);
            result = NOTHING;
        }
    }
    hs_sat_undo(&c->sat, level);
    c->pool.count = pool;
    c->parts = parts;
    if (result == NOTHING) {
        hs_nodes_cut(&c->nodes, nodes);
        c->list.count = list;
    }
    if (result != STOPPED)
        c->done = done + share;
    return result;
}

static hiss_status add_branch(hs_count_search *c, const struct draft *d)
{
    hs_branch b = d->branch;

    b.literal = c->list.at + d->begin;
    b.free = b.literal + b.literals;
    b.child = b.free + b.frees;
    return hs_nodes_branch(&c->nodes, &b, c->err);
}

/* Adds the node of the drafts that have solutions. */
static int32_t add_node(hs_count_search *c, hs_key key, const struct draft *d,
                        int count, bool one_is_enough)
{
    hs_node node = {.key = key, .total = d[0].total};
    int32_t at;
    hiss_status rc;

    if (count == 2)
        node.total = hs_scaled_plus(d[0].total, d[1].total);
    if (one_is_enough)
        node.total = (hs_scaled){1.0, 0};
    node.first = count == 2 ? hs_scaled_ratio(d[0].total, node.total) : 1.0;
    rc = hs_nodes_add(&c->nodes, &node, &at, c->err);
    for (int n = 0; n < count && rc == HISS_OK; n++)
        rc = add_branch(c, &d[n]);
    return rc == HISS_OK ? at : stop(c, rc);
}

static int32_t solve(hs_count_search *c, const hs_count_part *part,
                     double share)
{
    int64_t list = c->list.count;
    struct draft draft[2] = {{.next = -1}, {.next = -1}};
    bool one_is_enough;
    int variable, count = 0;
    int32_t result = check_limits(c);

    if (result != 0)
        return result;
    hs_sat_reduce(&c->sat);
    variable = choose(c, part, &one_is_enough);
    c->depth++;
    for (int side = 0; side < 2; side++) {
        struct draft *d = &draft[count];

        result = try_literal(c, part, 2 * variable + side, d, share / 2.0);
        if (result == STOPPED)
            return result;
        count += result == 0;
        if (one_is_enough && count > 0)
            break;
    }
    c->depth--;
    result = NOTHING;
    if (count > 0)
        result = add_node(c, part->key, draft, count, one_is_enough);
    c->list.count = list;
    return result;
}

hiss_status hs_search(hs_count_search *c)
{
    struct draft d = {.next = -1};
    hs_count_part all = {.end = c->code.variables};
    int32_t result = NOTHING;

    if (!c->sat.is_impossible && hs_sat_propagate(&c->sat) == HS_SAT_NONE) {
        for (int v = 0; v < c->code.variables; v++)
            if (!hs_stack_push(&c->pool, v))
                return hs_fail_memory(c->err);
        result = fill(c, &all, &d, 1.0);
    }
    if (result == 0)
        result = add_node(c, (hs_key){{0, 0}}, &d, 1, false);
    if (result == NOTHING)
        return hs_fail(c->err, HISS_EINFEASIBLE,
                       "every state has probability 0");
    return c->rc;
}
