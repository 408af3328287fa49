/* quench.c - which optima are there?  Thousands of short climbs. */
#include "run/scouts/quench.h"

#include <math.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "lanes/lanes.h"
#include "run/chain/ascend.h"
#include "run/policy/policy.h"
#include "run/scouts/deflate.h"
#include "run/scouts/polish.h"
#include "run/scouts/starts.h"
#include "run/scouts/steep.h"

#define BYTES      1.3e8 /* capacity: of optima that are kept */
#define VALUES     4e7   /* capacity: coordinates of all random states */
#define CLOCK_BITS 16    /* capacity: ticks of a batch */
#define TRY_BITS   24    /* capacity: batches before the next draw of a start */
#define EXP_MAX    80.0f /* precision: e to more overflows a float */
#define TRIES      16    /* capacity: draws of a start */
#define PERIOD     4     /* capacity: kinds of starts, in turn */

struct climber {
    const hs_model *m;
    bool is_steep;       /* climbs by gradients */
    bool is_long;        /* which are slopes of three or more numbers */
    bool is_direct;      /* a gradient costs more than U at all neighbors */
    bool is_hard;        /* climbs have ended in impossible states */
    hs_tile tile;        /* owned */
    hs_ascent ascent;    /* owned */
    hs_steep steep;      /* owned */
    hs_polisher settler; /* owned */
    int16_t *state;      /* owned, [dim] */
    int16_t *ends;       /* owned, [HS_LANES][dim]: of climbs by slopes */
};

static hiss_status climber_init(struct climber *c, const hs_model *m,
                                uint64_t seed, hiss_error *err)
{
    *c = (struct climber){.m = m};
    c->is_steep = !hs_model_has_cheap_sites(m);
    HS_TRY(hs_tile_init(&c->tile, m, seed, err));
    HS_TRY(hs_ascent_init(&c->ascent, m, err));
    HS_TRY(hs_steep_init(&c->steep, m, err));
    c->is_long = c->is_steep && c->steep.longest > 0;
    c->is_direct = c->is_long && m->gradient_states > 0 &&
                   m->domain.value[m->domain.dim] / m->domain.dim <=
                       hs_policy_count(HS_CLIMB_MAX_VALUES);
    HS_TRY(hs_polisher_init(&c->settler, m, err));
    c->state = hs_alloc_array((size_t)m->domain.dim, sizeof *c->state);
    c->ends = hs_alloc_array(HS_LANES * (size_t)m->domain.dim, sizeof *c->ends);
    return c->state && c->ends ? HISS_OK : hs_fail_memory(err);
}

static void climber_clear(struct climber *c)
{
    hs_tile_clear(&c->tile);
    hs_ascent_clear(&c->ascent);
    hs_steep_clear(&c->steep);
    hs_polisher_clear(&c->settler);
    hs_free(c->state);
    hs_free(c->ends);
}

/* Evaluations of one lane so far. */
static double spent(const struct climber *c)
{
    return c->tile.energy_evals + c->tile.gradient_evals +
           c->ascent.visits / c->m->domain.dim;
}

/* Random numbers of their own for every batch. */
static void turn(struct climber *c, uint32_t first, int64_t batch)
{
    hs_tile *t = &c->tile;

    t->lanes = HS_LANES;
    t->rng.clock = (uint64_t)batch << CLOCK_BITS;
    c->steep.is_careful = false;
    for (int l = 0; l < HS_LANES; l++)
        t->rng.chain[l] = first + (uint32_t)l;
    t->at.have = 0;
}

/* Sets sixteen start states, alternating between uniform ones and those of the
 * model's own structure.  For a function that can only be called, one batch in
 * four is overdispersed (starts.h). */
static hiss_status start(struct climber *c, uint32_t first, int64_t batch,
                         const hs_mode_table *known)
{
    hs_tile *t = &c->tile;
    bool is_unlike = c->is_steep && !c->m->ops->scatter && batch % PERIOD == 1;

    turn(c, first, batch);
    c->steep.is_careful = is_unlike;
    if (batch % 2 == 1 && c->m->ops->scatter)
        return c->m->ops->scatter(c->m, &t->at, &t->rng, HS_LANES);
    if (!is_unlike)
        hs_point_uniform(&t->at, c->m, &t->rng, HS_DRAW_INIT);
    else if (batch / PERIOD % 2 == 1 && known->used > 0)
        hs_starts_off(&t->at, c->m, &t->rng, known);
    else
        hs_starts_lean(&t->at, c->m, &t->rng);
    return HISS_OK;
}

/* If climbs are expensive and states impossible: draws lanes again until they
 * are possible, or TRIES times. */
static hiss_status start_again(struct climber *c, uint32_t first, int64_t batch,
                               const hs_mode_table *known)
{
    hs_tile *t = &c->tile;
    int dim = c->m->domain.dim;
    bool is_so[HS_LANES] = {0}, are_all = false;

    for (int n = 0; n < TRIES && !are_all; n++) {
        /* keeps the kind of the starts: a multiple of its period */
        HS_TRY(start(c, first, batch + ((int64_t)(n + 1) << TRY_BITS), known));
        HS_TRY(hs_tile_evaluate(t, c->m, &t->at, HS_U));
        are_all = true;
        for (int l = 0; l < HS_LANES; l++) {
            bool is_new = !is_so[l];

            is_so[l] |= hs_model_is_possible(c->m, t->at.u[l]);
            c->steep.has_gaps |= c->steep.is_careful && !is_so[l];
            if (is_new)
                hs_point_read(&t->at, dim, l, c->ends + l * dim);
            are_all &= is_so[l];
        }
    }
    for (int l = 0; l < HS_LANES; l++)
        hs_point_write(&t->at, dim, l, c->ends + l * dim);
    return HISS_OK;
}

/* Climbs by gradients of differences are expensive: each ends after half of a
 * run's evaluations. */
static void limit(struct climber *c, const hs_pilot_account *account)
{
    c->steep.until = c->tile.energy_evals + c->tile.gradient_evals +
                     hs_pilot_account_room(account) / HS_LANES;
}

/* Cost of a round of a climb in all lanes, which is never interrupted. */
static double dearest(const struct climber *c)
{
    return c->is_steep ? hs_steep_round(&c->steep, c->m) * HS_LANES : 0.0;
}

static hiss_status climb(struct climber *c)
{
    hs_tile *t = &c->tile;

    if (c->is_steep)
        return hs_steep_climb(&c->steep, c->m, t);
    HS_TRY(hs_tile_evaluate(t, c->m, &t->at, HS_U));
    return hs_ascend(&c->ascent, c->m, &t->at, HS_LANES);
}

/* ln m of every lane. */
static hiss_status weigh(struct climber *c, double *mass)
{
    hs_point *p = &c->tile.at;
    hs_float_row *change = c->ascent.change;

    HS_TRY(hs_tile_evaluate(&c->tile, c->m, p,
                            c->is_steep ? HS_U | HS_GRAD : HS_U));
    for (int l = 0; l < HS_LANES; l++)
        mass[l] = p->u[l];
    for (int i = 0; i < c->m->domain.dim; i++) {
        hs_float_row sum = {0}, root;

        if (c->is_steep)
            hs_steep_gains(&c->steep, c->m, p, i, change);
        else
            HS_TRY(hs_model_differences(c->m, p, i, change, &c->ascent.spare));
        for (int v = 0; v < c->m->domain.states[i]; v++) {
            hs_float_row term;

            for (int l = 0; l < HS_LANES; l++)
                term[l] = change[v][l] < EXP_MAX ? change[v][l] : EXP_MAX;
            hs_lanes()->exp(term, term);
            for (int l = 0; l < HS_LANES; l++)
                sum[l] += term[l];
        }
        hs_lanes()->log(sum, root);
        for (int l = 0; l < HS_LANES; l++)
            mass[l] += (double)root[l];
    }
    c->ascent.visits += c->is_steep ? 0 : c->m->domain.dim;
    return HISS_OK;
}

/* A climb has ended in c->state. */
static hiss_status keep_state(hs_quench *q, const struct climber *c, double u,
                              double mass, hiss_error *err)
{
    hs_mode_table *t = &q->optima;
    bool may_add = (double)t->used * t->dim * 2.0 < BYTES;
    int64_t at;

    if (!hs_model_is_possible(c->m, u) || !isfinite(mass))
        return HISS_OK;
    HS_TRY(hs_mode_table_find(t, c->state, may_add, &at, err));
    q->is_full |= at < 0;
    if (at < 0)
        return HISS_OK;
    t->mode[at].u = u;
    t->mode[at].mass = mass;
    t->mode[at].draws++;
    return HISS_OK;
}

static hiss_status keep(hs_quench *q, struct climber *c, const double *mass,
                        hiss_error *err)
{
    for (int l = 0; l < HS_LANES; l++) {
        q->climbs++;
        hs_point_read(&c->tile.at, c->m->domain.dim, l, c->state);
        c->is_hard |= !hs_model_is_possible(c->m, c->tile.at.u[l]);
        HS_TRY(keep_state(q, c, c->tile.at.u[l], mass[l], err));
    }
    return HISS_OK;
}

/* A search in progress. */
struct progress {
    hs_quench *q;
    struct climber *c;
    const hs_quench_request *request;
    hs_pilot_account *account;
    hs_pilot_mark before; /* checkpoint of the account */
    int64_t most;         /* climbs, */
    double until;         /* evaluations of this part of the search, */
    double budget;        /* evaluations of all parts */
    int64_t batch;        /* batch of random states */
    hs_mode_table ends; /* owned: ends of climbs by slopes; draws is the number
                           of the optimum plus 1, 0 if unknown */
    int64_t settled;    /* climbs by slopes that ended in true optima */
};

/* Handles the status of a climb and enters the cost so far. */
static hiss_status report(const struct progress *p, hiss_status rc,
                          hiss_error *err)
{
    if (rc != HISS_OK)
        return hs_fail_model(err, rc, p->c->m, &p->c->tile.fault,
                             "in a search for modes");
    p->q->evals = spent(p->c) * HS_LANES;
    hs_pilot_account_enter(p->account, p->before, p->q->evals, 0.0);
    p->account->latest = dearest(p->c);
    return hs_pilot_account_report(p->account, err);
}

/* Checks values that are no neighbors if that is a small part of the cost. */
static bool checks_all(const struct progress *p)
{
    const hs_domain *d = &p->c->m->domain;

    return (double)(d->value[d->dim] - d->dim) <
           hs_policy(HS_NEGLIGIBLE) * p->request->budget;
}

static double cost_of(const struct progress *p)
{
    return hs_polisher_cost(&p->c->settler, p->c->is_direct, checks_all(p));
}

/* Counts a climb that was polished; *optimum is the optimum it reached, -1 if
 * none. */
static hiss_status take(struct progress *p, const hs_polished *found,
                        int64_t *optimum, hiss_error *err)
{
    hs_mode_table *t = &p->q->optima;

    *optimum = found->known;
    if (found->known >= 0)
        t->mode[found->known].draws++;
    if (found->is_so) {
        HS_TRY(keep_state(p->q, p->c, found->u, found->mass, err));
        HS_TRY(hs_mode_table_find(t, p->c->state, false, optimum, err));
    }
    p->settled += *optimum >= 0;
    return HISS_OK;
}

/* Polishes the end of a climb by slopes, if enough evaluations are left.  Such
 * climbs lead to the same few ends again and again, so the results are kept. */
static hiss_status settle(struct progress *p, const int16_t *end,
                          hiss_error *err)
{
    struct climber *c = p->c;
    double cost = cost_of(p), left = p->until - p->q->evals;
    bool may_add = (double)p->ends.used * p->ends.dim * 2.0 < BYTES;
    hs_polished found = {.known = -1};
    int64_t at, optimum;

    p->q->climbs++;
    HS_TRY(hs_mode_table_find(&p->ends, end, may_add, &at, err));
    if (at >= 0 && p->ends.mode[at].draws > 0)
        found.known = p->ends.mode[at].draws - 1;
    memcpy(c->state, end, (size_t)p->ends.dim * sizeof *end);
    if (found.known < 0) {
        hiss_status rc = hs_polisher_polish(
            &c->settler, &c->tile, c->state, c->is_direct, &p->q->optima,
            left < cost ? 0.0 : fmin(left, 2.0 * cost), checks_all(p), &found,
            err);

        HS_TRY(report(p, rc, err));
    }
    HS_TRY(take(p, &found, &optimum, err));
    if (at >= 0)
        p->ends.mode[at].draws = optimum + 1;
    return HISS_OK;
}

static hiss_status settle_all(struct progress *p, hiss_error *err)
{
    struct climber *c = p->c;
    int dim = c->m->domain.dim;

    for (int l = 0; l < HS_LANES; l++)
        hs_point_read(&c->tile.at, dim, l, c->ends + l * dim);
    for (int l = 0; l < HS_LANES; l++)
        HS_TRY(settle(p, c->ends + l * dim, err));
    return HISS_OK;
}

/* Climbs from the present states.  If not even one end of a climb by slopes can
 * be polished, the ends are kept as they are. */
static hiss_status finish(struct progress *p, hiss_error *err)
{
    struct climber *c = p->c;
    double cost = cost_of(p), mass[HS_LANES];
    bool is_paid = p->settled > 0 || p->until - p->q->evals >= cost;

    if (!c->is_direct || !is_paid) {
        limit(c, p->account);
        HS_TRY(report(p, climb(c), err));
        is_paid = p->settled > 0 || p->until - p->q->evals >= cost;
    }
    if (c->is_long && is_paid)
        return settle_all(p, err);
    HS_TRY(report(p, weigh(c, mass), err));
    return keep(p->q, c, mass, err);
}

static hiss_status climb_many(struct progress *p, double budget,
                              hiss_error *err)
{
    struct climber *c = p->c;
    double cost = c->is_direct ? cost_of(p) : 0.0;

    p->until = budget;
    while (p->q->climbs < p->most &&
           (p->q->evals == 0.0 || p->q->evals + cost < budget)) {
        hiss_status rc = (c->is_steep && c->is_hard ? start_again : start)(
            c, p->request->first_chain, p->batch, &p->q->optima);

        p->batch++;
        HS_TRY(report(p, rc, err));
        HS_TRY(finish(p, err));
    }
    return HISS_OK;
}

/* --- modes that no climb ends in ------------------------------------------ */

/* Half of the states are away from the modes that are known. */
static void place(const struct progress *p, const int64_t *best, int count)
{
    struct climber *c = p->c;
    hs_tile *t = &c->tile;

    if (p->batch % 2 == 1)
        hs_starts_away(&t->at, c->m, &t->rng, &p->q->optima, best, count);
    else if (p->batch % PERIOD == 0)
        hs_point_uniform(&t->at, c->m, &t->rng, HS_DRAW_INIT);
    else if (c->is_long)
        hs_starts_middle(&t->at, c->m, &t->rng);
    else
        hs_starts_lean(&t->at, c->m, &t->rng);
}

static hiss_status look_around(struct progress *p, hs_deflation *d,
                               hiss_error *err)
{
    int64_t best[HS_DEFLATED_MAX];
    int count =
        hs_quench_best(p->q, HS_DEFLATED_MAX, hs_policy(HS_LIGHT_DEPTH), best);

    if (count == 0)
        return hs_fail_memory(err);
    while (d->looks < d->room) {
        turn(p->c, p->request->first_chain, p->batch);
        place(p, best, count);
        p->batch++;
        HS_TRY(report(p, hs_deflation_look(d, &p->c->tile), err));
    }
    return HISS_OK;
}

/* Returns true if the caller asks which modes the samples would have shown. */
static bool is_tested(const struct progress *p)
{
    return p->c->is_long && p->request->looks > 0.0;
}

/* Subtracts the known modes and climbs from where the remainder is largest. */
static hiss_status follow(struct progress *p, hs_deflation *d, double others,
                          hiss_error *err)
{
    const hs_mode_table *t = &p->q->optima;
    int64_t best[HS_DEFLATED_MAX], known = 0;

    for (int round = 0;
         round < hs_policy_count(HS_DEFLATION_ROUNDS) && t->used > known;
         round++) {
        int count = hs_quench_best(p->q, HS_DEFLATED_MAX, HUGE_VAL, best);
        double left = p->budget - p->q->evals;
        int raised = (int)fmin(left / others - count, HS_LANES);

        if (count == 0)
            return hs_fail_memory(err);
        if (raised < 1)
            break;
        d->modes = 0;
        known = t->used;
        for (int k = 0; k < count; k++)
            HS_TRY(report(
                p,
                hs_deflation_add(d, &p->c->tile, t->state + best[k] * t->dim),
                err));
        HS_TRY(report(p, hs_deflation_start(d, &p->c->tile, raised), err));
        HS_TRY(finish(p, err));
    }
    if (is_tested(p) && d->modes > 0)
        p->q->narrow = hs_acuity_of(d, &p->c->tile.rng);
    return HISS_OK;
}

/* The same if there are too many optima: subtracts a sum over pairs. */
static hiss_status follow_pairs(struct progress *p, hs_deflation *d,
                                hiss_error *err)
{
    const hs_mode_table *t = &p->q->optima;

    HS_TRY(report(p, hs_deflation_add_pairs(d, &p->c->tile, t->state), err));
    HS_TRY(report(p, hs_deflation_start(d, &p->c->tile, HS_LANES), err));
    return finish(p, err);
}

/* Spends a part of the remaining budget on random states. */
static hiss_status search_hidden(struct progress *p, hiss_error *err)
{
    const hs_domain *domain = &p->c->m->domain;
    double others = domain->value[domain->dim] - domain->dim;
    double known = fmin((double)p->q->optima.used, HS_DEFLATED_MAX);
    bool is_few = p->q->optima.used <= HS_DEFLATED_MAX;
    double left = p->budget - p->q->evals -
                  (is_few ? known + 1.0 : 0.5 * others + HS_LANES) * others;
    double more = p->c->is_long ? p->request->looks : 0.0;
    int64_t looks = (int64_t)fmin(hs_policy(HS_DEFLATION_SHARE) * left + more,
                                  VALUES / domain->dim);
    hs_deflation d;
    hiss_status rc;

    looks -= looks % HS_LANES;
    if (is_tested(p) && p->q->optima.used > 0 && is_few)
        p->q->narrow.seen = HS_ACUITY_UNTESTED; /* unless evaluations do */
    if (p->q->optima.used == 0 || left <= 0.0 || looks <= 0 ||
        (!is_few && others > hs_policy_count(HS_PAIRS_MAX_VALUES)))
        return HISS_OK;
    p->until = p->budget +=
        fmax((double)looks - hs_policy(HS_DEFLATION_SHARE) * left, 0.0);
    HS_TRY(hs_deflation_init(&d, p->c->m, looks, err));
    rc = look_around(p, &d, err);
    if (rc == HISS_OK)
        rc = is_few ? follow(p, &d, others, err) : follow_pairs(p, &d, err);
    hs_deflation_clear(&d);
    return rc;
}

/* Climbs between impossible states are expensive.  They get the share for
 * sampling numbers, until there are enough of them. */
static hiss_status climb_on(struct progress *p, hiss_error *err)
{
    int few = hs_policy_count(HS_CLIMBS_IN_GAPS);

    if (!p->c->is_steep || !p->c->is_hard || p->c->is_long)
        return HISS_OK;
    p->most = p->most < few ? p->most : few;
    return climb_many(p, p->budget + p->request->looks, err);
}

static hiss_status search_all(struct progress *p, hiss_error *err)
{
    const hs_quench_request *request = p->request;

    if (p->c->is_steep && request->hidden > 0.0) {
        HS_TRY(climb_many(p, (1.0 - request->hidden) * request->budget, err));
        HS_TRY(search_hidden(p, err));
    }
    HS_TRY(climb_many(p, p->budget, err));
    return climb_on(p, err);
}

static hiss_status search(hs_quench *q, struct climber *c,
                          const hs_quench_request *request,
                          hs_pilot_account *account, hiss_error *err)
{
    struct progress p = {.q = q,
                         .c = c,
                         .request = request,
                         .most = request->most,
                         .budget = request->budget,
                         .account = account,
                         .before = hs_pilot_account_mark(account)};
    hiss_status rc;

    HS_TRY(hs_mode_table_init(&p.ends, c->m->domain.dim, err));
    rc = search_all(&p, err);
    q->is_hard = c->is_steep && c->is_hard;
    hs_mode_table_clear(&p.ends);
    return rc;
}

hiss_status hs_quench_init(hs_quench *q, const hs_model *m,
                           const hs_quench_request *request,
                           hs_pilot_account *account, hiss_error *err)
{
    struct climber c = {0};
    hiss_status rc;

    *q = (hs_quench){.narrow = {.seen = -1, .width = 0.5}};
    HS_TRY(hs_mode_table_init(&q->optima, m->domain.dim, err));
    if (m->domain.is_tour)
        return HISS_OK;
    rc = climber_init(&c, m, request->seed, err);
    if (rc == HISS_OK)
        rc = search(q, &c, request, account, err);
    climber_clear(&c);
    if (rc != HISS_OK)
        hs_quench_clear(q);
    return rc;
}

void hs_quench_clear(hs_quench *q)
{
    hs_mode_table_clear(&q->optima);
    *q = (hs_quench){0};
}

/* Climbs from up to sixteen of the states. */
static hiss_status climb_states(struct climber *c, int16_t *state, int lanes)
{
    int dim = c->m->domain.dim;

    c->tile.lanes = lanes;
    for (int l = 0; l < HS_LANES; l++)
        hs_point_write(&c->tile.at, dim, l, state + (l < lanes ? l : 0) * dim);
    HS_TRY(climb(c));
    for (int l = 0; l < lanes; l++)
        hs_point_read(&c->tile.at, dim, l, state + l * dim);
    return HISS_OK;
}

hiss_status hs_quench_states(int16_t *state, int count, const hs_model *m,
                             hs_pilot_account *account, hiss_error *err)
{
    struct climber c = {0};
    hiss_status rc = climber_init(&c, m, account->seed, err);

    for (int first = 0; rc == HISS_OK && first < count; first += HS_LANES) {
        int lanes = count - first < HS_LANES ? count - first : HS_LANES;
        double before = spent(&c);

        limit(&c, account);
        rc = climb_states(&c, state + (size_t)first * (size_t)m->domain.dim,
                          lanes);
        account->energy_evals += (spent(&c) - before) * lanes;
        account->latest = dearest(&c);
        if (rc != HISS_OK)
            hs_fail_model(err, rc, m, &c.tile.fault, "in a search for modes");
        else
            rc = hs_pilot_account_report(account, err);
    }
    climber_clear(&c);
    return rc;
}
