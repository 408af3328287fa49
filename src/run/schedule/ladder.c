/* ladder.c - temperatures for parallel tempering, found by a pilot. */
#include "run/schedule/ladder.h"

#include <math.h>
#include <stdbool.h>

#include "base/alloc.h"
#include "base/error.h"
#include "kernel/tempering.h"
#include "run/policy/policy.h"
#include "run/walk/advance.h"

#define TEN    10.0 /* precision: base of printed numbers */
#define DIGITS 1e4  /* precision: five digits are printed */
#define LEVELS 512  /* capacity: temperatures */
#define LEAST  3    /* mathematics: both ends, and one between */

double hs_ladder_rounded(double temperature)
{
    double unit = 1.0, scale = 1.0;

    while (temperature / unit >= TEN * DIGITS)
        unit *= TEN;
    while (temperature * scale < DIGITS)
        scale *= TEN;
    return floor(temperature * scale / unit + 0.5) * unit / scale;
}

double hs_barrier_beta(const hs_barrier *b, double height)
{
    int j = 1;

    while (j + 1 < b->points && b->height[j] < height)
        j++;
    if (!(b->height[j] > b->height[j - 1]))
        return b->beta[j];
    return b->beta[j - 1] + (b->beta[j] - b->beta[j - 1]) *
                                (height - b->height[j - 1]) /
                                (b->height[j] - b->height[j - 1]);
}

/* `levels` temperatures at equal distances of the barrier. */
static hiss_status place(hs_ladder *l, const hs_barrier *c, int levels,
                         double hottest, hiss_error *err)
{
    double all = c->height[c->points - 1];
    double *t = hs_alloc_array((size_t)levels, sizeof *t);
    double *r = hs_alloc_array((size_t)levels, sizeof *r);
    int n = 1;

    if (!t || !r) {
        hs_free(t);
        hs_free(r);
        return hs_fail_memory(err);
    }
    t[0] = 1.0;
    for (int j = 1; j + 1 < levels; j++) {
        double beta = hs_barrier_beta(c, all * j / (levels - 1.0));
        double next = beta > 0.0 ? hs_ladder_rounded(1.0 / beta) : HUGE_VAL;

        if (next > t[n - 1] && next < hottest)
            t[n++] = next;
    }
    if (hottest > t[n - 1])
        t[n++] = hottest;
    for (int j = 0; j + 1 < n; j++)
        r[j] = all / (n - 1.0); /* expected, until measured */
    hs_free(l->temperature);
    hs_free(l->rejection);
    l->temperature = t;
    l->rejection = r;
    l->levels = n;
    return HISS_OK;
}

/* Limits the number of levels to what the time allows. */
static int levels_for(double barrier, const hs_pilot_account *account)
{
    double levels = fmin(ceil(2.0 * barrier) + 1.0,
                         fmin(LEVELS, hs_pilot_account_replicas(account)));

    return (int)fmax(levels, LEAST);
}

/* Takes the barrier from cooling, whose beta rises. */
static hiss_status first_guess(hs_ladder *l, const hs_cooling *a,
                               double hottest, const hs_pilot_account *account,
                               hiss_error *err)
{
    double *beta = hs_alloc_array((size_t)a->stages + 1, sizeof *beta);
    double *barrier = hs_alloc_array((size_t)a->stages + 1, sizeof *barrier);
    double all = a->barrier[a->stages - 1], coldest = 1.0 / hottest;
    hs_barrier c = {0, beta, barrier};
    hiss_status rc = HISS_OK;

    if (!beta || !barrier)
        rc = hs_fail_memory(err);
    for (int n = a->stages - 1; rc == HISS_OK && n >= 0; n--) {
        beta[c.points] = a->beta[n];
        barrier[c.points++] = all - a->barrier[n];
        if (a->beta[n] <= coldest)
            break;
    }
    if (rc == HISS_OK && c.points < 2) {
        beta[c.points] = coldest;
        barrier[c.points++] = 0.0;
    }
    if (rc == HISS_OK)
        rc = place(l, &c, levels_for(barrier[c.points - 1], account), hottest,
                   err);
    hs_free(beta);
    hs_free(barrier);
    return rc;
}

hiss_status hs_ladder_sampler(hs_sampler **out, const hs_ladder *l,
                              const hs_ladder_request *request, hiss_error *err)
{
    hs_reals ladder = {l->temperature, l->levels};
    hs_setting settings[] = {
        {"base", .sampler = request->base},
        {"levels", .number = l->levels},
        {"ladder", .list = &ladder},
        {"swap_every", .number = request->swap_every},
        {0},
        {0},
        {0},
    };
    hs_setting *end = settings;

    while (end->name)
        end++;
    if (request->parts > 0)
        *end++ = (hs_setting){"houdayer", .number = request->parts};
    if (request->reference)
        *end = (hs_setting){"reference", .word = request->reference};

    return hs_sampler_make(out, &hs_kernel_pt, settings, err);
}

hiss_status hs_ladder_copies(hs_sampler **out, const hs_ladder *l,
                             const hs_sampler *pthr, hiss_error *err)
{
    hs_reals ladder = {l->temperature, l->levels};

    *out = NULL;
    if (l->levels == 0)
        return HISS_OK;
    return hs_sampler_make(
        out, &hs_kernel_pthr,
        (hs_setting[]){
            {"base", .sampler = pthr->child[0]},
            {"copies", .number = hs_sampler_number(pthr, "copies")},
            {"levels", .number = l->levels},
            {"ladder", .list = &ladder},
            {"swap_every", .number = hs_sampler_number(pthr, "swap_every")},
            {"clusters", .number = hs_sampler_number(pthr, "clusters")},
            {0}},
        err);
}

static hiss_status build(hs_group **out, const hs_ladder *l, const hs_model *m,
                         const hs_ladder_request *request, uint64_t seed,
                         int round, hiss_error *err)
{
    uint32_t chain = request->first_chain + (uint32_t)(round * HS_GROUP_CHAINS);
    hs_sampler *sampler;
    hiss_status rc;

    *out = NULL;
    HS_TRY(hs_ladder_sampler(&sampler, l, request, err));
    rc = hs_group_create(out, m, sampler, seed, chain,
                         hs_policy_count(HS_LADDER_CHAINS), err);
    hs_sampler_release(sampler);
    return rc;
}

/* New levels start from the states of the nearest level of the last round. */
static void inherit(hs_group *g, const hs_group *last, int16_t *state)
{
    for (int c = 0; c < g->chains; c++)
        for (int r = 0; r < g->replicas; r++) {
            int lane, from = 0, best = 0;
            const hs_tile *t = hs_group_at_level(g, c, r, &lane);
            float beta = t->tilt.beta[lane], least = HUGE_VALF;

            for (int j = 0; j < last->replicas; j++) {
                const hs_tile *o = hs_group_at_level(last, c, j, &from);
                float off = fabsf(o->tilt.beta[from] - beta);

                if (off < least) {
                    least = off;
                    best = j;
                }
            }
            t = hs_group_at_level(last, c, best, &from);
            hs_point_read(&t->at, g->model->domain.dim, from, state);
            hs_group_set(g, c, r, state);
        }
}

/* A round of a ladder. */
struct round {
    hs_ladder *l;
    int period; /* steps between states that are kept */
};

/* Keeps the states at the target, of every chain. */
static hiss_status keep_cold(void *context, hs_group *g, int64_t step,
                             hiss_error *err)
{
    const struct round *r = context;
    hs_ladder *l = r->l;
    int dim = g->model->domain.dim;

    (void)err;
    for (int c = 0; step % r->period == 0 && c < g->chains; c++, l->colds++) {
        int lane, at = l->colds % HS_LADDER_COLD;
        const hs_tile *t = hs_group_at_level(g, c, 0, &lane);

        hs_point_read(&t->at, dim, lane, l->cold + (size_t)at * (size_t)dim);
    }
    return HISS_OK;
}

/* Half of the round is burn-in, the other half is measured. */
static hiss_status make_round(hs_ladder *l, hs_group *g, int steps,
                              hs_pilot_account *account, hiss_error *err)
{
    struct round r = {l, steps * g->chains / HS_LADDER_COLD};

    HS_TRY(hs_advance_run(
        &(hs_advance){g, steps / 2, steps - steps / 2, keep_cold, &r}, account,
        err));
    l->barrier = 0.0;
    for (int j = 0; j + 1 < l->levels; j++) {
        l->rejection[j] = hs_advance_rejection(g, j);
        l->barrier += l->rejection[j];
    }
    l->rounds++;
    return HISS_OK;
}

static bool is_even(const hs_ladder *l)
{
    double mean = l->barrier / (l->levels - 1);

    for (int j = 0; j + 1 < l->levels; j++)
        if (l->rejection[j] > mean + hs_policy(HS_AGREEMENT))
            return false;
    return true;
}

/* Places the levels by the measured barrier.  Rejections that are nearly
 * certain hide its height, so the number of levels at most doubles. */
static hiss_status improve(hs_ladder *l, double hottest,
                           const hs_pilot_account *account, hiss_error *err)
{
    size_t levels = (size_t)l->levels;
    double *beta = hs_alloc_array(levels, sizeof *beta);
    double *barrier = hs_alloc_array(levels, sizeof *barrier);
    hs_barrier c = {l->levels, beta, barrier};
    int wanted = levels_for(l->barrier, account);
    hiss_status rc = HISS_OK;

    if (!beta || !barrier)
        rc = hs_fail_memory(err);
    for (int j = 0; rc == HISS_OK && j < l->levels; j++) {
        beta[j] = 1.0 / l->temperature[j];
        barrier[j] = j == 0 ? 0.0 : barrier[j - 1] + l->rejection[j - 1];
    }
    if (wanted > 2 * l->levels)
        wanted = 2 * l->levels;
    if (rc == HISS_OK)
        rc = place(l, &c, wanted, hottest, err);
    hs_free(beta);
    hs_free(barrier);
    return rc;
}

/* Cost of one step of one replica so far. */
static double cost_of(const hs_group *g)
{
    double energy, gradient;

    hs_group_evals(g, &energy, &gradient);
    return (energy + gradient) /
           ((double)g->replicas * (double)g->kernel[0]->steps);
}

static hiss_status tune(hs_ladder *l, const hs_model *m,
                        const hs_ladder_request *request, int16_t *state,
                        hs_pilot_account *account, hiss_error *err)
{
    double until = hs_pilot_account_spent(account) + request->budget,
           last = 0.0;
    hs_group *before = NULL, *g = NULL;
    hiss_status rc = HISS_OK;
    int steps = hs_policy_count(HS_LADDER_STEPS);

    for (int round = 0; rc == HISS_OK && round < HS_LADDER_ROUNDS;
         round++, steps *= 2) {
        double cost;

        rc = build(&g, l, m, request, account->seed, round, err);
        if (rc == HISS_OK && before)
            inherit(g, before, state);
        else if (rc == HISS_OK)
            rc = hs_group_start_given(g, account->given, account->given_count,
                                      err);
        if (rc == HISS_OK)
            rc = make_round(l, g, steps, account, err);
        if (rc != HISS_OK)
            break;
        cost = 2.0 * steps * l->levels * hs_policy_count(HS_LADDER_CHAINS) *
               cost_of(g);
        if ((round >= 2 && is_even(l) &&
             fabs(l->barrier - last) < hs_policy(HS_AGREEMENT) * last) ||
            round == HS_LADDER_ROUNDS - 1 ||
            hs_pilot_account_spent(account) + cost > until)
            break;
        last = l->barrier;
        rc = improve(l, request->hottest, account, err);
        hs_group_destroy(before);
        before = g;
        g = NULL;
    }
    if (rc == HISS_OK && !is_even(l)) /* the budget ended it */
        rc = improve(l, request->hottest, account, err);
    hs_group_destroy(before);
    hs_group_destroy(g);
    return rc;
}

hiss_status hs_ladder_tune(hs_ladder *l, const hs_model *m,
                           const hs_ladder_request *request,
                           const hs_cooling *a, hs_pilot_account *account,
                           hiss_error *err)
{
    int16_t *state = hs_alloc_array((size_t)m->domain.dim, sizeof *state);
    hiss_status rc = state ? HISS_OK : hs_fail_memory(err);

    *l = (hs_ladder){0};
    l->cold = hs_alloc_array((size_t)HS_LADDER_COLD * (size_t)m->domain.dim,
                             sizeof *l->cold);
    if (!l->cold && rc == HISS_OK)
        rc = hs_fail_memory(err);
    if (rc == HISS_OK)
        rc = first_guess(l, a, request->hottest, account, err);
    if (rc == HISS_OK && l->levels > 1 &&
        (double)hs_policy_count(HS_LADDER_STEPS) * l->levels *
                hs_policy_count(HS_LADDER_CHAINS) *
                fmax(cost_of(a->group[0]), 1.0) <=
            request->budget)
        rc = tune(l, m, request, state, account, err);
    if (rc == HISS_ESTOP && account->is_late)
        rc = HISS_OK; /* use the levels so far */
    hs_free(state);
    if (rc != HISS_OK)
        hs_ladder_clear(l);
    return rc;
}

void hs_ladder_clear(hs_ladder *l)
{
    hs_free(l->temperature);
    hs_free(l->rejection);
    hs_free(l->cold);
    *l = (hs_ladder){0};
}
