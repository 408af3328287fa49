/* plan.c - finds the cheapest order of elimination.
 *
 * It simulates every rule: the coordinates as given, layer by layer from a
 * corner and back, smallest table first, and fewest new neighbors first.  The
 * last is repeated with shuffled ties if there is something to gain.  Not here:
 * the elimination itself (elimination.c). */
#include <math.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/platform/platform.h"
#include "exact/elimination.h"
#include "exact/ordering.h"
#include "model/factor/feasible.h"

#define FAR_TOO_MANY                                                           \
  64.0                      /* times the capacity of memory: the simulation is
                               given up */
#define WORTH_TRYING 0x1p18 /* entries from which on shuffling may pay */
#define BEYOND       0x1p80 /* entries that no other rule can avoid */
#define TRIES        24
#define HOPELESS     2      /* tries while no order is known */
                            /* if work is limited */
#define MANY         20000  /* vertices: one try only */
#define TOO_MANY     100000 /* vertices: min-fill would take too long */
#define ENTRY_TIME   4e-8   /* seconds per entry, all passes */
#define COORDINATE   1e-5   /* seconds per coordinate */
#define QUICK_WORK   1e7    /* work of a quick plan: about ten milliseconds */
#define MEMORY_SHARE 4      /* a quarter of the machine's memory */
#define MEMORY       0x1p32 /* limit if the machine's memory is unknown */

struct search {
    const hs_factors *f;
    hs_graph g; /* owned */
    int *order; /* owned, [dim]: the order being tried */
    hs_plan *best;
    hs_cost cost;           /* cost of the best */
    hs_order_limits limits; /* limits past which a simulation is given up */
    int tries;              /* tries of min-fill */
    int first_tries;        /* number of tries while no order is known */
};

static double memory_limit(void)
{
    double all = hs_platform_memory();

    return all > 0.0 ? all / MEMORY_SHARE : MEMORY;
}

/* Keeps the order if it is cheaper. */
static hiss_status try_rule(struct search *s, const char *name, hs_rule rule,
                            uint64_t shuffle, hiss_error *err)
{
    hs_order_limits limits = s->limits;
    hs_cost cost;

    limits.entries = fmin(limits.entries, s->cost.entries);
    if (!(limits.work > 0.0))
        return HISS_OK;
    HS_TRY(hs_order_simulate(s->order, &cost, &s->g, s->f->states, rule,
                             shuffle, &limits, err));
    s->limits.work -= cost.work;
    if (cost.entries < s->cost.entries) {
        s->cost = cost;
        s->best->name = name;
        memcpy(s->best->order, s->order, (size_t)s->f->dim * sizeof *s->order);
    }
    return HISS_OK;
}

static hiss_status try_frontier(struct search *s, hiss_error *err)
{
    int dim = s->f->dim;

    HS_TRY(hs_order_frontier(s->order, &s->g, err));
    HS_TRY(try_rule(s, "frontier", HS_GIVEN, 0, err));
    for (int a = 0, b = dim - 1; a < b; a++, b--) {
        int v = s->order[a];

        s->order[a] = s->order[b];
        s->order[b] = v;
    }
    return try_rule(s, "frontier", HS_GIVEN, 0, err);
}

/* If no order was found, checks whether there is none: smallest table first
 * then gives one far larger than any other rule could have.  Fewest new
 * neighbors first takes a hundred times as long to show this. */
static hiss_status find_any_order(struct search *s, bool *is_possible,
                                  hiss_error *err)
{
    hs_order_limits limits = s->limits;
    hs_cost cost = {0};

    limits.entries = BEYOND;
    if (isinf(s->cost.entries) && s->first_tries > 0 && s->f->dim <= TOO_MANY &&
        limits.work > 0.0)
        HS_TRY(hs_order_simulate(s->order, &cost, &s->g, s->f->states,
                                 HS_MIN_DEGREE, 0, &limits, err));
    s->limits.work -= cost.work;
    *is_possible = isfinite(cost.entries);
    return HISS_OK;
}

static hiss_status try_all(struct search *s, hiss_error *err)
{
    int dim = s->f->dim;
    bool is_possible;

    for (int i = 0; i < dim; i++)
        s->order[i] = i;
    HS_TRY(try_rule(s, "given", HS_GIVEN, 0, err));
    HS_TRY(try_frontier(s, err));
    HS_TRY(try_rule(s, "min-degree", HS_MIN_DEGREE, 0, err));
    HS_TRY(find_any_order(s, &is_possible, err));
    for (int t = 0; t < s->tries && dim <= TOO_MANY && is_possible; t++) {
        if (t > 0 && s->cost.entries <= WORTH_TRYING)
            break;
        if (t >= s->first_tries && isinf(s->cost.entries))
            break;
        HS_TRY(try_rule(s, "min-fill", HS_MIN_FILL, (uint64_t)t, err));
    }
    return HISS_OK;
}

/* Slicing keeps the order of factors and drops those without a free
 * coordinate. */
static hiss_status number_rest(hs_plan *plan, const hs_factors *f,
                               hiss_error *err)
{
    int64_t used = 0;

    plan->factors = f->count;
    plan->from = hs_alloc_array((size_t)plan->rest.count, sizeof *plan->from);
    if (!plan->from)
        return hs_fail_memory(err);
    for (int64_t n = 0; n < f->count; n++) {
        bool is_free = false;

        for (int64_t k = f->scope_at[n]; k < f->scope_at[n + 1]; k++)
            is_free = is_free || plan->rest.states[f->scope[k]] > 1;
        if (is_free)
            plan->from[used++] = n;
    }
    return HISS_OK;
}

/* Removes coordinates without a choice from the factors. */
static hiss_status reduce(hs_plan *plan, const hs_factors *f, hiss_error *err)
{
    size_t dim = (size_t)f->dim;

    plan->states = hs_alloc_array(dim, sizeof *plan->states);
    plan->forced = hs_alloc_array(dim, sizeof *plan->forced);
    plan->order = hs_alloc_array(dim, sizeof *plan->order);
    if (!plan->states || !plan->forced || !plan->order)
        return hs_fail_memory(err);
    memcpy(plan->states, f->states, dim * sizeof *plan->states);
    HS_TRY(hs_feasible_forced(f, plan->forced, err));
    HS_TRY(hs_factors_slice(&plan->rest, f, plan->forced, err));
    return number_rest(plan, f, err);
}

static hiss_status find_order(hs_plan *plan, hs_order_limits limits, int tries,
                              int first_tries, hiss_error *err)
{
    struct search s = {.f = &plan->rest,
                       .best = plan,
                       .limits = limits,
                       .tries = tries,
                       .first_tries = first_tries};
    hiss_status rc;

    s.cost.entries = s.cost.messages = s.cost.largest = HUGE_VAL;
    s.order = hs_alloc_array((size_t)plan->rest.dim, sizeof *s.order);
    rc = s.order ? hs_graph_init(&s.g, &plan->rest, err) : hs_fail_memory(err);
    if (rc == HISS_OK)
        rc = try_all(&s, err);
    hs_graph_clear(&s.g);
    hs_free(s.order);
    plan->entries = s.cost.entries;
    plan->largest = s.cost.largest;
    /* all messages, one table, and half as much for positions in it */
    plan->bytes = sizeof(double) * (s.cost.messages + 1.5 * s.cost.largest);
    plan->seconds = ENTRY_TIME * s.cost.entries + COORDINATE * plan->rest.dim;
    return rc;
}

hiss_status hs_plan_init(hs_plan *plan, const hs_factors *f, hiss_error *err)
{
    return hs_plan_init_within(plan, f, &(hs_plan_limits){0}, err);
}

hiss_status hs_plan_init_within(hs_plan *plan, const hs_factors *f,
                                const hs_plan_limits *limits, hiss_error *err)
{
    double bytes = limits->bytes > 0.0 ? limits->bytes : memory_limit();
    hs_order_limits most = {
        .entries = FAR_TOO_MANY * bytes / sizeof(double),
        .work = limits->work > 0.0 ? limits->work : HUGE_VAL,
        .poll = limits->poll,
    };
    hiss_status rc;

    *plan = (hs_plan){.name = "given", .memory_limit = bytes};
    rc = reduce(plan, f, err);
    if (rc == HISS_OK)
        rc = find_order(plan, most, f->dim > MANY ? 1 : TRIES,
                        limits->work > 0.0 ? 1 : HOPELESS, err);
    if (rc != HISS_OK)
        hs_plan_clear(plan);
    return rc;
}

hiss_status hs_plan_quick(hs_plan *plan, const hs_factors *f, double seconds,
                          hiss_error *err)
{
    hiss_status rc;

    *plan = (hs_plan){.name = "given", .memory_limit = memory_limit()};
    rc = reduce(plan, f, err);
    if (rc == HISS_OK)
        rc = find_order(
            plan, (hs_order_limits){seconds / ENTRY_TIME, QUICK_WORK, NULL}, 1,
            0, err);
    if (rc != HISS_OK)
        hs_plan_clear(plan);
    return rc;
}

void hs_plan_clear(hs_plan *plan)
{
    hs_factors_clear(&plan->rest);
    hs_free(plan->states);
    hs_free(plan->forced);
    hs_free(plan->from);
    hs_free(plan->order);
    *plan = (hs_plan){0};
}
