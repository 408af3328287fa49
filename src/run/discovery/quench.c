/* quench.c - which optima are there?  Thousands of short climbs. */
#include "run/discovery/quench.h"

#include <math.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "base/error.h"
#include "lanes/lanes.h"
#include "run/chain/ascend.h"
#include "run/discovery/deflate.h"
#include "run/discovery/steep.h"

#define BYTES   1.3e8 /* of optima that are kept */
#define NEAR    10    /* a tenth of the coordinates */
#define RANKED  4096  /* optima that are looked at for how far apart they are */
#define LOOKS   0.6   /* of what is for hidden modes: random states */
#define ROUNDS  4     /* of climbs from there, at most */
#define NUMBERS 4e7   /* in the states */
#define FEW     64    /* optima that are modes; of more U is taken for pairs */
#define PAIRED  256   /* values that may be paired */

struct climber {
    const hs_model *m;
    bool is_steep;    /* by gradients */
    hs_tile tile;     /* owned */
    hs_ascent ascent; /* owned */
    hs_steep steep;   /* owned */
    int16_t *state;   /* owned, [dim] */
};

static hiss_status climber_init(struct climber *c, const hs_model *m,
                                uint64_t seed, hiss_error *err)
{
    *c = (struct climber){.m = m};
    c->is_steep = !hs_model_has_cheap_sites(m);
    HS_TRY(hs_tile_init(&c->tile, m, seed, err));
    HS_TRY(hs_ascent_init(&c->ascent, m, err));
    HS_TRY(hs_steep_init(&c->steep, m, err));
    c->state = hs_alloc_array((size_t)m->domain.dim, sizeof *c->state);
    return c->state ? HISS_OK : hs_fail_memory(err);
}

static void climber_clear(struct climber *c)
{
    hs_tile_clear(&c->tile);
    hs_ascent_clear(&c->ascent);
    hs_steep_clear(&c->steep);
    hs_free(c->state);
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
    t->rng.clock = (uint64_t)batch << 16;
    for (int l = 0; l < HS_LANES; l++)
        t->rng.chain[l] = first + (uint32_t)l;
    t->at.have = 0;
}

/* Sixteen starts: uniform ones and the model's own in turn. */
static hiss_status start(struct climber *c, uint32_t first, int64_t batch)
{
    hs_tile *t = &c->tile;

    turn(c, first, batch);
    if (batch % 2 == 1 && c->m->ops->scatter)
        return c->m->ops->scatter(c->m, &t->at, &t->rng, HS_LANES);
    hs_point_uniform(&t->at, c->m, &t->rng, HS_DRAW_INIT);
    return HISS_OK;
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
                term[l] = change[v][l] < 80.0f ? change[v][l] : 80.0f;
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

static hiss_status keep(hs_quench *q, struct climber *c, const double *mass,
                        hiss_error *err)
{
    hs_mode_table *t = &q->optima;
    bool may_add = (double)t->used * t->dim * 2.0 < BYTES;

    for (int l = 0; l < HS_LANES; l++) {
        int64_t at;

        q->climbs++;
        if (!hs_model_is_possible(c->m, c->tile.at.u[l]) || !isfinite(mass[l]))
            continue;
        for (int i = 0; i < t->dim; i++)
            c->state[i] = c->tile.at.x[i][l];
        HS_TRY(hs_mode_table_find(t, c->state, may_add, &at, err));
        q->is_full |= at < 0;
        if (at < 0)
            continue;
        t->mode[at].u = c->tile.at.u[l];
        t->mode[at].mass = mass[l];
        t->mode[at].draws++;
    }
    return HISS_OK;
}

/* A search in progress. */
struct progress {
    hs_quench *q;
    struct climber *c;
    const hs_quench_request *request;
    hs_pilot_account *account;
    double before; /* evaluations in the account */
    int64_t batch; /* of random states */
};

/* After what may have failed: the cost so far. */
static hiss_status report(const struct progress *p, hiss_status rc,
                          hiss_error *err)
{
    if (rc != HISS_OK)
        return hs_fail_model(err, rc, p->c->m, &p->c->tile.fault,
                             "in a search for modes");
    p->q->evals = spent(p->c) * HS_LANES;
    p->account->energy_evals = p->before + p->q->evals;
    return hs_pilot_account_report(p->account, err);
}

/* From where the lanes stand. */
static hiss_status finish(const struct progress *p, hiss_error *err)
{
    double mass[HS_LANES];
    hiss_status rc = climb(p->c);

    if (rc == HISS_OK)
        rc = weigh(p->c, mass);
    HS_TRY(report(p, rc, err));
    return keep(p->q, p->c, mass, err);
}

static hiss_status climb_many(struct progress *p, double budget,
                              hiss_error *err)
{
    while (p->q->climbs < p->request->most && p->q->evals < budget) {
        hiss_status rc = start(p->c, p->request->first_chain, p->batch++);

        HS_TRY(report(p, rc, err));
        HS_TRY(finish(p, err));
    }
    return HISS_OK;
}

/* --- modes that no climb ends in ------------------------------------------ */

static hiss_status look_around(struct progress *p, hs_deflation *d,
                               hiss_error *err)
{
    while (d->looks < d->room) {
        turn(p->c, p->request->first_chain, p->batch++);
        HS_TRY(report(p, hs_deflation_look(d, &p->c->tile), err));
    }
    return HISS_OK;
}

/* Known modes are taken away, and climbs follow what is left. */
static hiss_status follow(struct progress *p, hs_deflation *d, double others,
                          hiss_error *err)
{
    const hs_mode_table *t = &p->q->optima;
    int64_t best[HS_DEFLATED_MAX], known = 0;

    for (int round = 0; round < ROUNDS && t->used > known; round++) {
        int count = hs_quench_best(p->q, HS_DEFLATED_MAX, HUGE_VAL, best);
        double left = p->request->budget - p->q->evals;
        int raised = (int)fmin(left / others - count, HS_LANES);

        if (raised < 1)
            return HISS_OK;
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
    return HISS_OK;
}

/* The same where optima are too many: a sum over pairs is taken away. */
static hiss_status follow_pairs(struct progress *p, hs_deflation *d,
                                hiss_error *err)
{
    const hs_mode_table *t = &p->q->optima;

    HS_TRY(report(p, hs_deflation_add_pairs(d, &p->c->tile, t->state), err));
    HS_TRY(report(p, hs_deflation_start(d, &p->c->tile, HS_LANES), err));
    return finish(p, err);
}

/* A part of what is left goes to random states that are looked at. */
static hiss_status search_hidden(struct progress *p, hiss_error *err)
{
    const hs_domain *domain = &p->c->m->domain;
    double others = domain->value[domain->dim] - domain->dim;
    double known = fmin((double)p->q->optima.used, HS_DEFLATED_MAX);
    bool is_few = p->q->optima.used <= FEW;
    double left = p->request->budget - p->q->evals -
                  (is_few ? known + 1.0 : 0.5 * others + HS_LANES) * others;
    int64_t looks = (int64_t)(fmin(LOOKS * left, NUMBERS / domain->dim));
    hs_deflation d;
    hiss_status rc;

    looks -= looks % HS_LANES;
    if (p->q->optima.used == 0 || looks <= 0 || (!is_few && others > PAIRED))
        return HISS_OK;
    HS_TRY(hs_deflation_init(&d, p->c->m, looks, err));
    rc = look_around(p, &d, err);
    if (rc == HISS_OK)
        rc = is_few ? follow(p, &d, others, err) : follow_pairs(p, &d, err);
    hs_deflation_clear(&d);
    return rc;
}

static hiss_status search(hs_quench *q, struct climber *c,
                          const hs_quench_request *request,
                          hs_pilot_account *account, hiss_error *err)
{
    struct progress p = {.q = q,
                         .c = c,
                         .request = request,
                         .account = account,
                         .before = account->energy_evals};

    if (c->is_steep && request->hidden > 0.0) {
        HS_TRY(climb_many(&p, (1.0 - request->hidden) * request->budget, err));
        HS_TRY(search_hidden(&p, err));
    }
    return climb_many(&p, request->budget, err);
}

hiss_status hs_quench_init(hs_quench *q, const hs_model *m,
                           const hs_quench_request *request,
                           hs_pilot_account *account, hiss_error *err)
{
    struct climber c = {0};
    hiss_status rc;

    *q = (hs_quench){0};
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

/* Sixteen of the states, or what is left of them. */
static hiss_status climb_states(struct climber *c, int16_t *state, int lanes)
{
    int dim = c->m->domain.dim;

    c->tile.lanes = lanes;
    for (int i = 0; i < dim; i++)
        for (int l = 0; l < HS_LANES; l++)
            c->tile.at.x[i][l] = state[(l < lanes ? l : 0) * dim + i];
    c->tile.at.have = 0;
    HS_TRY(climb(c));
    for (int i = 0; i < dim; i++)
        for (int l = 0; l < lanes; l++)
            state[l * dim + i] = c->tile.at.x[i][l];
    return HISS_OK;
}

hiss_status hs_quench_states(int16_t *state, int count, const hs_model *m,
                             hs_pilot_account *account, hiss_error *err)
{
    struct climber c = {0};
    hiss_status rc = climber_init(&c, m, account->seed, err);

    for (int first = 0; rc == HISS_OK && first < count; first += HS_LANES) {
        int lanes = count - first < HS_LANES ? count - first : HS_LANES;

        rc = climb_states(&c, state + (size_t)first * (size_t)m->domain.dim,
                          lanes);
        if (rc != HISS_OK)
            hs_fail_model(err, rc, m, &c.tile.fault, "in a search for modes");
        else
            rc = hs_pilot_account_report(account, err);
    }
    account->energy_evals += spent(&c) * HS_LANES;
    climber_clear(&c);
    return rc;
}

/* --- the best of them ---------------------------------------------------- */

struct rank {
    int64_t at;
    double mass;
};

static int compare(const void *a, const void *b)
{
    const struct rank *p = a, *q = b;

    if (p->mass != q->mass)
        return p->mass < q->mass ? 1 : -1;
    return p->at < q->at ? -1 : 1;
}

static bool is_near(const hs_mode_table *t, int64_t a, int64_t b)
{
    const int16_t *p = t->state + a * t->dim, *q = t->state + b * t->dim;
    int apart = 0;

    for (int i = 0; i < t->dim; i++)
        apart += p[i] != q[i];
    return apart <= t->dim / NEAR;
}

int hs_quench_best(const hs_quench *q, int most, double depth, int64_t *out)
{
    const hs_mode_table *t = &q->optima;
    struct rank *rank = hs_alloc_array((size_t)t->used + 1, sizeof *rank);
    int64_t ranked = t->used;
    int count = 0;

    if (!rank)
        return 0;
    for (int64_t k = 0; k < t->used; k++)
        rank[k] = (struct rank){k, t->mode[k].mass};
    qsort(rank, (size_t)t->used, sizeof *rank, compare);
    while (ranked > 0 && rank[ranked - 1].mass < rank[0].mass - depth)
        ranked--;
    ranked = ranked < RANKED ? ranked : RANKED;
    for (int pass = 0; pass < 2; pass++)
        for (int64_t k = 0; k < ranked && count < most; k++) {
            bool is_apart = rank[k].at >= 0;

            for (int o = 0; pass == 0 && is_apart && o < count; o++)
                is_apart = !is_near(t, rank[k].at, out[o]);
            if (!is_apart)
                continue;
            out[count++] = rank[k].at;
            rank[k].at = -1;
        }
    hs_free(rank);
    return count;
}
