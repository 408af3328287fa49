/* modes.c - which local optima the draws belong to.
 *
 * MODES_WORK bounds the effort: draws times coordinates. */
#include "run/atlas/modes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "run/chain/ascend.h"
#include "run/policy/policy.h"

/* Work space of both passes. */
struct climb {
    const hs_model *m;
    hs_ascent ascent;              /* owned */
    hs_point point;                /* owned */
    double *values;                /* owned, [dim] */
    int16_t *state;                /* owned, [dim] */
    const hs_modes_bounds *bounds; /* borrowed, or NULL */
    hs_poll poll;
    double done, aim, all; /* draws: so far, until useful, all */
    hiss_ended ended;
};

/* --- draws, few first --------------------------------------------------- */

/* A pass over the draws of all chains whose position is a multiple of `every`.
 * After the first pass, multiples of twice that are omitted: they are done. */
struct pass {
    int64_t every;
    bool is_first;
    int64_t next; /* place, over all chains */
};

/* Returns the next position, -1 at the end. */
static int64_t pass_next(struct pass *p, const hs_modes *s)
{
    int64_t total = s->chains * s->looked;

    while (p->next < total) {
        int64_t at = p->next++, n = at % s->looked;

        if (n % p->every == 0 && (p->is_first || n % (2 * p->every) != 0))
            return at;
    }
    return -1;
}

/* Draws of a chain that are checked at this distance. */
static int64_t places(const hs_modes *s, int64_t every)
{
    return (s->looked + every - 1) / every;
}

static int ask(void *context)
{
    struct climb *c = context;
    const hs_modes_bounds *b = c->bounds;

    if (b && b->stops && c->ended == HISS_ENDED_DONE)
        c->ended = b->stops(b->context, c->done / c->all, c->aim / c->all);
    return c->ended != HISS_ENDED_DONE;
}

/* Ascends up to sixteen draws of a pass; *lanes is 0 at its end. */
static hiss_status climb_some(hs_modes *s, struct climb *c,
                              const hs_store *store, struct pass *pass,
                              int *lanes, hiss_error *err)
{
    int64_t at[HS_LANES];

    for (*lanes = 0; *lanes < HS_LANES; ++*lanes) {
        int64_t n = at[*lanes] = pass_next(pass, s);

        if (n < 0)
            break;
        hs_store_state(store, &c->m->domain, (int)(n / s->looked),
                       n % s->looked * s->stride, c->values, c->state);
        hs_point_write(&c->point, s->table.dim, *lanes, c->state);
    }
    if (*lanes == 0)
        return HISS_OK;
    HS_TRY(hs_ascend(&c->ascent, c->m, &c->point, *lanes));
    for (int l = 0; l < *lanes && c->ended == HISS_ENDED_DONE; l++) {
        int64_t index;

        hs_point_read(&c->point, s->table.dim, l, c->state);
        hs_model_canonical(c->m, c->state);
        HS_TRY(hs_mode_table_find(&s->table, c->state, true, &index, err));
        s->table.mode[index].u = c->point.u[l];
        s->at[at[l]] = (int32_t)index;
    }
    c->done += *lanes;
    return HISS_OK;
}

/* Draws of the last pass that was done alone count: every one at the same
 * distance. */
static void keep_passed(hs_modes *s, int64_t every)
{
    int64_t kept = places(s, every);

    for (int c = 0; c < s->chains; c++)
        for (int64_t n = 0; n < kept; n++)
            s->at[c * kept + n] = s->at[c * s->looked + n * every];
    s->looked = kept;
    s->stride *= every;
}

/* Counts the draws and the chains of each mode. */
static void tally(hs_modes *s)
{
    hs_mode_table *t = &s->table;

    for (int64_t n = 0; n < s->chains * s->looked; n++) {
        int64_t index = s->at[n];
        int chain = (int)(n / s->looked);

        t->mode[index].draws++;
        t->mode[index].chains += t->last_chain[index] != chain;
        t->last_chain[index] = chain;
    }
}

static hiss_status ascend_draws(hs_modes *s, struct climb *c,
                                const hs_store *store, hiss_error *err)
{
    struct pass pass = {.every = 1, .is_first = true};
    int64_t passed = 0;

    c->all = (double)s->chains * (double)s->looked;
    while (pass.every < s->looked &&
           (double)s->chains * (double)places(s, 2 * pass.every) >=
               hs_policy_count(HS_SAMPLES))
        pass.every *= 2;
    for (; pass.every > 0; pass.every /= 2, pass.is_first = false) {
        int lanes = 1;

        pass.next = 0;
        if (!pass.is_first)
            c->aim = (double)s->chains * (double)places(s, pass.every);
        while (lanes > 0 && !ask(c))
            HS_TRY(climb_some(s, c, store, &pass, &lanes, err));
        if (c->ended != HISS_ENDED_DONE)
            break;
        passed = pass.every;
    }
    if (passed == 0)
        return hs_fail(err, HISS_ESTOP, "there was no time to look for modes");
    if (c->ended != HISS_ENDED_DONE)
        s->ended = c->ended;
    keep_passed(s, passed);
    tally(s);
    return HISS_OK;
}

/* --- all states --------------------------------------------------------- */

void hs_modes_enumerate(const hs_domain *d, int64_t first, int lanes,
                        hs_point *p)
{
    for (int l = 0; l < HS_LANES; l++) {
        int64_t rest = l < lanes ? first + l : first;

        for (int i = d->dim - 1; i >= 0; i--) {
            p->x[i][l] = (int16_t)(rest % d->states[i]);
            rest /= d->states[i];
        }
    }
    p->have = 0;
}

static void drop_exact(hs_modes *s, hiss_ended ended)
{
    for (int64_t i = 0; i < s->table.used; i++)
        s->table.mode[i].exact = (double)NAN;
    s->ended = ended;
}

/* Ascends every state, which gives the exact mass of each basin; gives no
 * masses if it is interrupted. */
static hiss_status ascend_all(hs_modes *s, struct climb *c, double log_z,
                              hiss_error *err)
{
    const hs_domain *d = &c->m->domain;
    int64_t total = (int64_t)hs_domain_size(d);
    hs_mode_table *t = &s->table;

    for (int64_t i = 0; i < t->used; i++)
        t->mode[i].exact = 0.0;
    for (int64_t first = 0; first < total; first += HS_LANES) {
        int lanes = total - first < HS_LANES ? (int)(total - first) : HS_LANES;
        double u[HS_LANES];

        if (ask(c)) {
            drop_exact(s, c->ended);
            return HISS_OK;
        }
        hs_modes_enumerate(d, first, lanes, &c->point);
        HS_TRY(hs_model_evaluate(c->m, &c->point, HS_U));
        memcpy(u, c->point.u, sizeof u);
        HS_TRY(hs_ascend(&c->ascent, c->m, &c->point, lanes));
        for (int l = 0; l < lanes; l++) {
            int64_t index;

            if (u[l] == -HUGE_VAL)
                continue;
            hs_point_read(&c->point, d->dim, l, c->state);
            hs_model_canonical(c->m, c->state);
            HS_TRY(hs_mode_table_find(t, c->state, true, &index, err));
            if (isnan(t->mode[index].exact)) {
                t->mode[index].exact = 0.0;
                t->mode[index].u = c->point.u[l];
            }
            t->mode[index].exact += exp(u[l] - log_z);
        }
    }
    return HISS_OK;
}

/* --- order and clusters ------------------------------------------------- */

/* For sorting: by draws, exact mass, U, then by the first draw. */
struct rank {
    int64_t index, draws, first;
    double exact, u;
};

static int compare(const void *a, const void *b)
{
    const struct rank *p = a, *q = b;

    if (p->draws != q->draws)
        return p->draws < q->draws ? 1 : -1;
    if (p->exact > q->exact || p->exact < q->exact)
        return p->exact < q->exact ? 1 : -1;
    if (p->u != q->u)
        return p->u < q->u ? 1 : -1;
    if (p->first != q->first)
        return p->first < q->first ? -1 : 1;
    return p->index < q->index ? -1 : 1;
}

/* Modes and their states in the order of the ranks. */
static hiss_status reorder(hs_modes *s, const struct rank *rank,
                           hiss_error *err)
{
    hs_mode_table *t = &s->table;
    size_t used = (size_t)t->used, dim = (size_t)t->dim;
    hiss_mode *mode = hs_alloc_array((size_t)t->room, sizeof *mode);
    int16_t *state = hs_alloc_array((size_t)t->room * dim, sizeof *state);
    int32_t *place = hs_alloc_array(used, sizeof *place);

    if (!mode || !state || !place) {
        hs_free(mode);
        hs_free(state);
        hs_free(place);
        return hs_fail_memory(err);
    }
    for (size_t n = 0; n < used; n++) {
        size_t from = (size_t)rank[n].index;

        mode[n] = t->mode[from];
        memcpy(state + n * dim, t->state + from * dim, dim * sizeof *state);
        place[from] = (int32_t)n;
    }
    for (int64_t n = 0; n < s->chains * s->looked; n++)
        s->at[n] = place[s->at[n]];
    hs_free(t->mode);
    hs_free(t->state);
    hs_free(place);
    t->mode = mode;
    t->state = state;
    hs_free(t->slot); /* the table can no longer be searched */
    t->slot = NULL;
    return HISS_OK;
}

static hiss_status sort(hs_modes *s, hiss_error *err)
{
    hs_mode_table *t = &s->table;
    struct rank *rank = hs_alloc_array((size_t)t->used, sizeof *rank);
    double all = (double)(s->chains * s->looked);
    hiss_status rc;

    if (!rank)
        return hs_fail_memory(err);
    for (int64_t i = 0; i < t->used; i++) {
        hiss_mode *m = &t->mode[i];

        m->mass = (double)m->draws / all;
        rank[i] = (struct rank){i, m->draws, (int64_t)all, m->exact, m->u};
    }
    for (int64_t n = s->chains * s->looked - 1; n >= 0; n--)
        rank[s->at[n]].first = n;
    qsort(rank, (size_t)t->used, sizeof *rank, compare);
    rc = reorder(s, rank, err);
    hs_free(rank);
    if (!isnan(t->mode[0].exact))
        return rc; /* modes without a draw were missed */
    while (rc == HISS_OK && t->mode[t->used - 1].draws == 0)
        t->used--; /* were met by draws that do not count */
    return rc;
}

int hs_modes_distance(const hs_modes *s, int64_t a, int64_t b)
{
    int dim = s->table.dim;

    return hs_states_apart(s->table.state + a * dim, s->table.state + b * dim,
                           dim);
}

/* The heaviest mode leads; a mode near to a leader follows the first such. */
static hiss_status gather_clusters(hs_modes *s, hiss_error *err)
{
    int64_t used = s->table.used;
    int near = s->table.dim / hs_policy_count(HS_NEAR_OPTIMA_RATIO),
        most = hs_policy_count(HS_MAX_COMPARED);

    s->cluster = hs_alloc_array((size_t)used, sizeof *s->cluster);
    s->leader = hs_alloc_array(HS_CLUSTERS_MAX, sizeof *s->leader);
    if (!s->cluster || !s->leader)
        return hs_fail_memory(err);
    for (int64_t i = 0; i < used; i++) {
        s->cluster[i] = -1;
        for (int k = 0; i < most && k < s->clusters; k++)
            if (hs_modes_distance(s, i, s->leader[k]) <= near) {
                s->cluster[i] = k;
                break;
            }
        if (s->cluster[i] < 0 && s->clusters < HS_CLUSTERS_MAX && i < most &&
            s->table.mode[i].draws > 0) {
            s->leader[s->clusters] = (int32_t)i;
            s->cluster[i] = s->clusters++;
        }
    }
    return HISS_OK;
}

static void count_transitions(hs_modes *s)
{
    for (int c = 0; c < s->chains; c++)
        for (int64_t n = 1; n < s->looked; n++)
            s->transitions +=
                s->at[c * s->looked + n] != s->at[c * s->looked + n - 1];
    for (int64_t i = 0; i < s->table.used; i++)
        if (s->table.mode[i].draws == 0 &&
            !(s->missed >= s->table.mode[i].exact))
            s->missed = s->table.mode[i].exact;
}

/* --- all of it ---------------------------------------------------------- */

static hiss_status climb_init(struct climb *c, const hs_model *m,
                              hiss_error *err)
{
    size_t dim = (size_t)m->domain.dim;

    *c = (struct climb){.m = m};
    HS_TRY(hs_ascent_init(&c->ascent, m, err));
    HS_TRY(hs_point_init(&c->point, m, err));
    c->values = hs_alloc_array(dim, sizeof *c->values);
    c->state = hs_alloc_array(dim, sizeof *c->state);
    return c->values && c->state ? HISS_OK : hs_fail_memory(err);
}

static void climb_clear(struct climb *c)
{
    hs_ascent_clear(&c->ascent);
    hs_point_clear(&c->point);
    hs_free(c->values);
    hs_free(c->state);
}

static hiss_status prepare(hs_modes *s, const hs_store *store, int64_t samples,
                           bool is_full, hiss_error *err)
{
    double bound = hs_policy(HS_MODES_WORK) / store->dim / store->chains;

    *s =
        (hs_modes){.chains = store->chains, .stride = 1, .missed = (double)NAN};
    bound = bound < hs_policy_count(HS_SAMPLES) ? hs_policy_count(HS_SAMPLES)
                                                : bound;
    while (!is_full && (double)(samples / s->stride) > bound)
        s->stride++;
    s->ended = s->stride > 1 ? HISS_ENDED_EVALS : HISS_ENDED_DONE;
    s->looked = (samples + s->stride - 1) / s->stride;
    s->at =
        hs_alloc_array((size_t)s->chains * (size_t)s->looked, sizeof *s->at);
    if (!s->at)
        return hs_fail_memory(err);
    return hs_mode_table_init(&s->table, store->dim, err);
}

hiss_status hs_modes_init(hs_modes *s, const hs_store *store, int64_t samples,
                          const hs_model *m, double log_z,
                          const hs_modes_bounds *bounds, hiss_error *err)
{
    struct climb c;
    hiss_status rc = climb_init(&c, m, err);

    *s = (hs_modes){0};
    c.bounds = bounds;
    c.poll = (hs_poll){ask, &c};
    c.ascent.poll = &c.poll;
    if (rc == HISS_OK)
        rc = prepare(s, store, samples, bounds && bounds->is_full, err);
    if (rc == HISS_OK)
        rc = ascend_draws(s, &c, store, err);
    if (rc == HISS_OK && !isnan(log_z) && c.ended == HISS_ENDED_DONE)
        rc = ascend_all(s, &c, log_z, err);
    if (rc == HISS_OK)
        rc = sort(s, err);
    if (rc == HISS_OK)
        rc = gather_clusters(s, err);
    if (rc == HISS_OK)
        count_transitions(s);
    climb_clear(&c);
    if (rc != HISS_OK)
        hs_modes_clear(s);
    return rc;
}

void hs_modes_clear(hs_modes *s)
{
    hs_mode_table_clear(&s->table);
    hs_free(s->at);
    hs_free(s->cluster);
    hs_free(s->leader);
    *s = (hs_modes){0};
}
