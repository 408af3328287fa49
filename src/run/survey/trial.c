/* trial.c - measures the effective draws per evaluation of a sampler. */
#include "run/survey/trial.h"

#include <math.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "run/policy/policy.h"

#define CHAIN_STRIDE   31   /* seed: replicas start in unlike states */
#define REPLICA_STRIDE 17   /* seed: the same */
#define TINY           1e-9 /* precision: of log p, by rounding */
#define STEPS          4096 /* capacity: of a part of a trial */

/* Cold replicas begin with the first states, others anywhere. */
static void start(hs_trial *t, const hs_trial_start *from)
{
    hs_group *g = t->group;
    size_t dim = (size_t)g->model->domain.dim;

    for (int c = 0; c < g->chains; c++)
        for (int r = 0; r < g->replicas; r++) {
            int at = (r == 0 ? c : CHAIN_STRIDE * c + REPLICA_STRIDE * r) %
                     from->count;

            hs_group_set(g, c, r, from->state + (size_t)at * dim);
        }
}

#define KINDS 3 /* capacity: of statistics of every pair of states */

/* Number of statistics: values of sites, KINDS for each pair of states, log
 * p. */
static int statistics(const hs_trial *t)
{
    return t->sites + KINDS * HS_TRIAL_PAIRS + 1;
}

static size_t sums(const hs_trial *t)
{
    return 2 * (size_t)t->group->chains * 2 * (size_t)statistics(t);
}

/* Neighbors in the list are of different modes. */
static void choose_ends(hs_trial *t, const hs_trial_start *from)
{
    size_t dim = (size_t)t->group->model->domain.dim;

    for (int k = 0; k < 2 * HS_TRIAL_PAIRS; k++) {
        int at = k % from->count;

        memcpy(t->end + (size_t)k * dim, from->state + (size_t)at * dim,
               dim * sizeof *t->end);
    }
}

hiss_status hs_trial_init(hs_trial *t, const hs_model *m,
                          const hs_sampler *sampler, const hs_library *library,
                          const hs_trial_start *from, uint64_t seed,
                          uint32_t first_chain, int chains, hiss_error *err)
{
    *t = (hs_trial){.stride =
                        m->domain.dim / hs_policy_count(HS_TRIAL_COLUMNS) + 1,
                    .every = 1,
                    .high = HUGE_VAL};
    t->sites = m->domain.dim / t->stride;
    HS_TRY(
        hs_group_create(&t->group, m, sampler, seed, first_chain, chains, err));
    t->sum = hs_alloc_array(sums(t), sizeof *t->sum);
    t->end = hs_alloc_array(2 * HS_TRIAL_PAIRS * (size_t)m->domain.dim,
                            sizeof *t->end);
    if (m->domain.is_tour)
        t->beside = hs_alloc_array((size_t)(t->group->chains * m->domain.dim),
                                   sizeof *t->beside);
    if (!t->sum || !t->end || (m->domain.is_tour && !t->beside)) {
        hs_trial_clear(t);
        return hs_fail_memory(err);
    }
    hs_group_attach(t->group, library);
    choose_ends(t, from);
    start(t, from);
    return HISS_OK;
}

void hs_trial_clear(hs_trial *t)
{
    hs_group_destroy(t->group);
    hs_free(t->sum);
    hs_free(t->end);
    hs_free(t->beside);
    *t = (hs_trial){0};
}

/* Evaluations of all chains so far. */
static double spent(const hs_trial *t)
{
    return hs_group_spent(t->group) * t->group->chains;
}

/* Costs of the group and the account before a trial. */
struct toll {
    double spent;
    hs_pilot_mark mark;
};

static hiss_status pay(const hs_trial *t, const struct toll *before,
                       hs_pilot_account *account, hiss_error *err)
{
    hs_pilot_account_enter(account, before->mark, spent(t) - before->spent,
                           0.0);
    return hs_pilot_account_report(account, err);
}

/* Burn-in, which tunes the sampler. */
static hiss_status settle(hs_trial *t, int steps, const struct toll *before,
                          hs_pilot_account *account, hiss_error *err)
{
    hs_group_tune(t->group, steps);
    for (int n = 0; n < steps; n++) {
        HS_TRY(hs_group_step(t->group, err));
        hs_group_pool(t->group);
        HS_TRY(pay(t, before, account, err));
    }
    hs_group_freeze(t->group);
    t->is_frozen = true;
    return HISS_OK;
}

/* The present states of the chains at the target. */
struct places {
    const hs_index_row *x[HS_GROUP_CHAINS]; /* borrowed */
    int lane[HS_GROUP_CHAINS];
    int chains;
};

/* Value i of every chain. */
static void gather(const struct places *p, int i, int16_t *out)
{
    for (int c = 0; c < p->chains; c++)
        out[c] = p->x[c][i][p->lane[c]];
}

/* Sums of a statistic over a half, [chains], followed by the sums of its
 * squares. */
static double *sums_of(const hs_trial *t, int half, int statistic)
{
    size_t at = (size_t)half * (size_t)statistics(t) + (size_t)statistic;

    return t->sum + at * 2 * (size_t)t->group->chains;
}

/* Adds a statistic, or its square.  A jump from a mode to its mirror image
 * changes only the sign of the statistic, so its square still shows what
 * differs. */
static void add(hs_trial *t, int half, int statistic, const int16_t *value,
                bool is_squared)
{
    int chains = t->group->chains;
    double *sum = sums_of(t, half, statistic), *square = sum + chains;

    for (int c = 0; c < chains; c++) {
        double v = (double)value[c] * (is_squared ? value[c] : 1);

        sum[c] += v;
        square[c] += v * v;
    }
}

typedef int16_t chain_row[HS_GROUP_CHAINS];

/* The spacing of the coordinates by which states are compared. */
static int apart_of(int dim)
{
    int most = 2 * hs_policy_count(HS_TRIAL_COLUMNS);

    return (dim + most - 1) / most;
}

/* Adds the vote of coordinate i: which of the states a and b each chain is
 * nearer to. */
static void compare(const hs_trial *t, const struct places *p, int i,
                    chain_row *values, chain_row *pairs)
{
    size_t dim = (size_t)t->group->model->domain.dim;
    int next = i + 1 < (int)dim ? i + 1 : 0;
    chain_row x = {0}, alike = {0};

    gather(p, i, x);
    gather(p, next, alike);
    for (int c = 0; c < HS_GROUP_CHAINS; c++)
        alike[c] = alike[c] == x[c];
    for (int k = 0; k < HS_TRIAL_PAIRS; k++) {
        const int16_t *a = t->end + 2 * (size_t)k * dim, *b = a + dim;
        int16_t gain = (int16_t)((a[i] == a[next]) - (b[i] == b[next]));

        for (int c = 0; c < HS_GROUP_CHAINS && a[i] != b[i]; c++)
            values[k][c] =
                (int16_t)(values[k][c] + (x[c] == a[i]) - (x[c] == b[i]));
        for (int c = 0; c < HS_GROUP_CHAINS && gain; c++)
            pairs[k][c] = (int16_t)(pairs[k][c] + (alike[c] ? gain : -gain));
    }
}

/* Adds values and pairs of neighbors to the sums of a half. */
static void note_values(hs_trial *t, const struct places *p, int half)
{
    const hs_group *g = t->group;
    int dim = g->model->domain.dim, apart = apart_of(dim);
    chain_row values[HS_TRIAL_PAIRS] = {0}, pairs[HS_TRIAL_PAIRS] = {0}, x;

    for (int k = 0; k < t->sites; k++) {
        int i = k * t->stride, value = k % g->model->domain.states[i];

        gather(p, i, x);
        for (int c = 0; c < g->chains; c++)
            x[c] = x[c] == value;
        add(t, half, k, x, false);
    }
    for (int i = 0; i < dim; i += apart)
        compare(t, p, i, values, pairs);
    for (int k = 0; k < HS_TRIAL_PAIRS; k++) {
        add(t, half, t->sites + k, values[k], false);
        add(t, half, t->sites + HS_TRIAL_PAIRS + k, pairs[k], false);
        add(t, half, t->sites + 2 * HS_TRIAL_PAIRS + k, values[k], true);
    }
}

/* Finds the neighbors of every city in the tour of each chain. */
static void find_beside(hs_trial *t, const struct places *p)
{
    int dim = t->group->model->domain.dim;

    for (int c = 0; c < p->chains; c++) {
        int16_t(*beside)[2] = t->beside + (size_t)c * (size_t)dim;
        int16_t last = p->x[c][dim - 1][p->lane[c]];

        for (int i = 0; i < dim; i++) {
            int16_t city = p->x[c][i][p->lane[c]];

            beside[city][0] = last;
            beside[last][1] = city;
            last = city;
        }
    }
}

/* Finds the chains whose tours join the cities at i and i + 1 of state
 * `end`. */
static void find_joined(const hs_trial *t, int end, int i, int16_t *joined)
{
    int dim = t->group->model->domain.dim;
    const int16_t *state = t->end + (size_t)end * (size_t)dim;
    int16_t a = state[i], b = state[i + 1 < dim ? i + 1 : 0];

    for (int c = 0; c < t->group->chains; c++) {
        const int16_t *beside = t->beside[(size_t)c * (size_t)dim + (size_t)a];

        joined[c] = beside[0] == b || beside[1] == b;
    }
}

/* The same for tours, by the edges of start states.  An edge is already a pair
 * of neighbors, so the sums for pairs stay 0. */
static void note_edges(hs_trial *t, const struct places *p, int half)
{
    int dim = t->group->model->domain.dim, apart = apart_of(dim);
    chain_row joined = {0};

    find_beside(t, p);
    for (int k = 0; k < t->sites; k++) {
        find_joined(t, k % (2 * HS_TRIAL_PAIRS), k * t->stride, joined);
        add(t, half, k, joined, false);
    }
    for (int k = 0; k < HS_TRIAL_PAIRS; k++) {
        chain_row nearer = {0};

        for (int i = 0; i < dim; i += apart)
            for (int end = 0; end < 2; end++) {
                find_joined(t, 2 * k + end, i, joined);
                for (int c = 0; c < p->chains; c++)
                    nearer[c] =
                        (int16_t)(nearer[c] + (end ? -joined[c] : joined[c]));
            }
        add(t, half, t->sites + k, nearer, false);
    }
}

/* The same for log p, relative to its first value so that the square keeps
 * digits. */
static hiss_status note_u(hs_trial *t, int half, hiss_error *err)
{
    hs_group *g = t->group;
    double *sum = sums_of(t, half, statistics(t) - 1),
           *square = sum + g->chains;

    for (int c = 0; c < g->chains; c++) {
        int lane;
        hs_tile *tile = hs_group_at_level(g, c, 0, &lane);
        hiss_status rc = HISS_OK;
        double off;

        tile->at.lanes = tile->lanes;
        if (!(tile->at.have & HS_U)) /* no more is counted than for draws */
            rc = hs_model_evaluate(g->model, &tile->at, HS_U);
        if (rc != HISS_OK)
            return hs_fail_model(err, rc, g->model, &tile->at.fault,
                                 "in a trial");
        if (!t->has_u)
            t->first_u = tile->at.u[lane];
        t->has_u = true;
        off = tile->at.u[lane] - t->first_u;
        off = isfinite(off) ? off : 0.0;
        sum[c] += off;
        square[c] += off * off;
    }
    return HISS_OK;
}

/* Adds the present states at the target to the sums of a half. */
static hiss_status note(hs_trial *t, int half, hiss_error *err)
{
    const hs_group *g = t->group;
    struct places p = {.chains = g->chains};

    for (int c = 0; c < g->chains; c++)
        p.x[c] =
            (const hs_index_row *)hs_group_at_level(g, c, 0, &p.lane[c])->at.x;
    if (t->beside)
        note_edges(t, &p, half);
    else
        note_values(t, &p, half);
    return note_u(t, half, err);
}

/* Variance between segments of one statistic's mean, and its own. */
static void spread(const hs_trial *t, int statistic, double *between,
                   double *variance)
{
    int chains = t->group->chains, segments = 2 * chains;
    double n = (double)(t->steps / t->every), mean = 0.0, square = 0.0;

    *between = 0.0;
    for (int s = 0; s < segments; s++) {
        const double *own = sums_of(t, s / chains, statistic) + s % chains;

        mean += own[0] / (n * segments);
        square += own[chains] / (n * segments);
    }
    for (int s = 0; s < segments; s++) {
        const double *own = sums_of(t, s / chains, statistic) + s % chains;
        double off = own[0] / n - mean;

        *between += off * off / (segments - 1.0);
    }
    *variance = fmax(square - mean * mean, 0.0);
}

/* D of the statistics first <= k < end, pooled. */
static double discord(const hs_trial *t, int first, int end)
{
    double sum = 0.0, all = 0.0;

    for (int k = first; k < end; k++) {
        double between, variance;

        spread(t, k, &between, &variance);
        sum += between;
        all += variance;
    }
    return all > 0.0 ? fmin(sum / all, 1.0) : 0.0;
}

/* D of the worst coordinate that varies. */
static double worst_site(const hs_trial *t)
{
    double worst = 0.0, least = hs_policy(HS_NEGLIGIBLE);

    for (int k = 0; k < t->sites; k++) {
        double between, variance;

        spread(t, k, &between, &variance);
        if (variance > least)
            worst = fmax(worst, between / variance);
    }
    return fmin(worst, 1.0);
}

/* The largest D of all kinds.  A frozen coordinate must not be hidden by moving
 * ones.  It counts half, because the worst of many coordinates is twice as bad
 * as the pooled D by chance alone. */
static double discord_of(hs_trial *t)
{
    int values = t->sites, pairs = t->sites + HS_TRIAL_PAIRS;
    double of_values = discord(t, 0, values);
    double of_modes = discord(t, values, pairs);
    double of_pairs = discord(t, pairs, pairs + HS_TRIAL_PAIRS);
    double of_sizes =
        discord(t, pairs + HS_TRIAL_PAIRS, pairs + 2 * HS_TRIAL_PAIRS);
    double worst = fmax(of_values, 0.5 * worst_site(t));

    t->mean_discord =
        0.5 * (0.5 * (of_values + of_modes) + 0.5 * (of_pairs + t->u_discord));
    worst = fmax(worst, fmax(t->u_discord, of_sizes));
    return fmax(worst, fmax(of_modes, of_pairs));
}

/* Effective draws per step if the between-segment variance share is d. */
static double draws_of(const hs_trial *t, double d)
{
    return d < 1.0 ? (1.0 - d) / (d * t->steps) : 0.0;
}

/* The factor by which D is uncertain with this number of chains. */
static double doubt_of(const hs_trial *t)
{
    return 1.0 + sqrt(1.0 / (t->group->chains - 0.5));
}

double hs_trial_sure(const hs_trial *t, double discord)
{
    if (t->steps == 0 || discord == 0.0)
        return HUGE_VAL;
    return draws_of(t, discord * doubt_of(t));
}

/* D of log p; 0 if log p varies by rounding only. */
static double u_discord(const hs_trial *t)
{
    int u = statistics(t) - 1;
    double between, variance, unit = TINY * fmax(fabs(t->first_u), 1.0);

    spread(t, u, &between, &variance);
    return variance > unit * unit ? fmin(between / variance, 1.0) : 0.0;
}

/* Computes the bounds of the rate from the bounds of D. */
static void judge(hs_trial *t)
{
    const hs_group *g = t->group;

    t->cost = hs_group_spent(g) / (double)g->kernel[0]->steps;
    t->u_discord = u_discord(t);
    t->discord = discord_of(t);
    t->low = t->discord > 0.0 ? hs_trial_sure(t, t->discord) : 0.0;
    t->high =
        t->discord > 0.0 ? draws_of(t, t->discord / doubt_of(t)) : HUGE_VAL;
}

static hiss_status count(hs_trial *t, int steps, const hs_trial_look *look,
                         const struct toll *before, hs_pilot_account *account,
                         hiss_error *err)
{
    steps -= steps % t->every;
    t->steps += steps;
    for (int half = 0; half < 2; half++)
        for (int n = 0; n < steps; n++) {
            HS_TRY(hs_group_step(t->group, err));
            if ((n + 1) % t->every == 0)
                HS_TRY(note(t, half, err));
            if (look)
                look->look(look->context, t->group);
            HS_TRY(pay(t, before, account, err));
        }
    judge(t);
    return HISS_OK;
}

double hs_trial_least(void)
{
    return hs_policy(HS_MIN_STEPS) / (1.0 - hs_policy(HS_TRIAL_BURN_IN));
}

hiss_status hs_trial_run(hs_trial *t, double budget, const hs_trial_look *look,
                         hs_pilot_account *account, hiss_error *err)
{
    const double least = 2.0 + hs_trial_least();
    double burn_in = hs_policy(HS_TRIAL_BURN_IN), half = 0.5 * (1.0 - burn_in);
    struct toll before = {spent(t), hs_pilot_account_mark(account)};
    double steps;

    t->low = 0.0;
    t->discord = t->u_discord = t->mean_discord = 1.0;
    if (t->cost == 0.0 &&
        least * t->group->chains * t->group->replicas > budget)
        return HISS_OK;
    if (t->cost == 0.0) { /* makes two steps; the second tells the cost */
        HS_TRY(hs_group_step(t->group, err));
        t->cost = -hs_group_spent(t->group);
        HS_TRY(hs_group_step(t->group, err));
        t->cost += hs_group_spent(t->group);
        HS_TRY(pay(t, &before, account, err));
    }
    steps = (budget - (spent(t) - before.spent)) / (t->cost * t->group->chains);
    if (t->is_frozen) /* continue from the present states */
        return count(t, (int)fmin(0.5 * steps, STEPS), look, &before, account,
                     err);
    if (steps < hs_trial_least())
        return HISS_OK;
    HS_TRY(settle(t, (int)fmin(burn_in * steps, STEPS), &before, account, err));
    return count(t, (int)fmin(half * steps, STEPS), look, &before, account,
                 err);
}
