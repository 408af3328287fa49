/* reference_path.c - levels between the target and a learned reference. */
#include "run/schedule/reference_path.h"

#include <math.h>

#include "base/error.h"
#include "base/random/streams.h"
#include "kernel/tempering.h"
#include "run/chain/group.h"
#include "run/policy/policy.h"
#include "run/schedule/ladder.h"
#include "run/walk/advance.h"

#define GUESS 8   /* capacity: levels of the first round */
#define CLOSE 0.9 /* precision: closer to the target one digit more counts */
#define FINE  1e6 /* precision: digits there, */
#define PLAIN 1e5 /* precision: and elsewhere */

/* Closer and closer to the target, where the modes' laws begin to be told
 * apart. */
static void guess(hs_leg *l)
{
    l->levels = GUESS;
    for (int n = 0; n < GUESS; n++)
        l->lambda[n] = 1.0 - (n + 1.0) * (n + 1.0) / (GUESS * GUESS);
}

/* Five digits are enough, and can be read. */
static double rounded(double lambda)
{
    double unit = lambda > CLOSE ? FINE : PLAIN;

    return floor(lambda * unit + 0.5) / unit;
}

hiss_status hs_leg_sampler(hs_sampler **out, const hs_leg *l,
                           const hs_leg_request *request,
                           const hs_reals *temperatures, hiss_error *err)
{
    double target = 1.0, lambda[HS_LEG_MAX];
    hs_reals alone = {&target, 1}, leg = {lambda, l->levels};
    const hs_reals *ladder = temperatures ? temperatures : &alone;

    for (int n = 0; n < l->levels; n++)
        lambda[n] = l->lambda[n];
    return hs_sampler_make(
        out, &hs_kernel_pt,
        (hs_setting[]){{"base", .sampler = request->base},
                       {"levels", .number = ladder->count},
                       {"ladder", .list = ladder},
                       {"swap_every", .number = request->swap_every},
                       {"reference", .word = request->reference},
                       {"path", .list = &leg},
                       {0}},
        err);
}

static hiss_status build(hs_group **out, const hs_leg *l, const hs_model *m,
                         const hs_leg_request *request, uint64_t seed,
                         int round, hiss_error *err)
{
    uint32_t chain = hs_stream(HS_STREAM_REFERENCE_PATH,
                               (uint32_t)(round * HS_GROUP_CHAINS));
    size_t dim = (size_t)m->domain.dim;
    hs_sampler *sampler;
    hiss_status rc;
    hs_group *g;

    *out = NULL;
    HS_TRY(hs_leg_sampler(&sampler, l, request, NULL, err));
    rc = hs_group_create(out, m, sampler, seed, chain,
                         hs_policy_count(HS_LADDER_CHAINS), err);
    hs_sampler_release(sampler);
    HS_TRY(rc);
    g = *out;
    hs_group_attach(g, request->library);
    for (int n = 0; n < g->chains * g->replicas; n++) {
        int at = (n + round * g->chains) % request->from.count;

        hs_group_set(g, n / g->replicas, n % g->replicas,
                     request->from.state + (size_t)at * dim);
    }
    return HISS_OK;
}

/* Half of the round is burn-in, the other half is measured. */
static hiss_status make_round(hs_leg *l, hs_group *g, int steps,
                              double *rejection, hs_pilot_account *account,
                              hiss_error *err)
{
    HS_TRY(hs_advance_run(&(hs_advance){g, steps / 2, steps / 2, NULL, NULL},
                          account, err));
    l->barrier = 0.0;
    for (int j = 0; j < l->levels; j++) {
        rejection[j] = hs_advance_rejection(g, j + 1);
        l->barrier += rejection[j];
    }
    l->rounds++;
    return HISS_OK;
}

/* Places the levels at equal distances along the measured barrier.  Rejections
 * that are nearly certain hide its height, so the number at most doubles. */
static void place(hs_leg *l, const double *rejection)
{
    double lambda[HS_LEG_MAX + 1] = {1.0}, height[HS_LEG_MAX + 1] = {0.0};
    hs_barrier b = {l->levels + 1, lambda, height};
    int wanted = (int)ceil(2.0 * l->barrier), placed = 0;

    for (int n = 0; n < l->levels; n++) {
        lambda[n + 1] = l->lambda[n];
        height[n + 1] = height[n] + rejection[n];
    }
    wanted = wanted > 2 * l->levels ? 2 * l->levels : wanted;
    wanted = wanted > HS_LEG_MAX ? HS_LEG_MAX : wanted < 1 ? 1 : wanted;
    for (int n = 1; n < wanted; n++) {
        double next =
            rounded(hs_barrier_beta(&b, l->barrier * n / (double)wanted));

        if (next > 0.0 && next < (placed ? l->lambda[placed - 1] : 1.0))
            l->lambda[placed++] = next;
    }
    l->lambda[placed++] = 0.0;
    l->levels = placed;
}

/* Estimates the evaluations of the next round from those of this one. */
static double next_cost(const hs_group *g)
{
    return 2.0 * hs_group_spent(g) * g->chains;
}

hiss_status hs_leg_tune(hs_leg *l, const hs_model *m,
                        const hs_leg_request *request,
                        hs_pilot_account *account, hiss_error *err)
{
    double until = hs_pilot_account_spent(account) + request->budget;
    double rejection[HS_LEG_MAX], last = 0.0;
    int steps = 2 * hs_policy_count(HS_LADDER_STEPS);

    *l = (hs_leg){0};
    guess(l);
    if (request->budget <
        2.0 * steps * (GUESS + 1) * hs_policy_count(HS_LADDER_CHAINS))
        return HISS_OK;
    for (int round = 0; round < HS_LADDER_ROUNDS; round++, steps *= 2) {
        bool is_last;
        hs_group *g;
        hiss_status rc = build(&g, l, m, request, account->seed, round, err);

        if (rc == HISS_OK)
            rc = make_round(l, g, steps, rejection, account, err);
        is_last = rc != HISS_OK ||
                  (round >= 2 &&
                   fabs(l->barrier - last) < hs_policy(HS_AGREEMENT) * last) ||
                  hs_pilot_account_spent(account) + next_cost(g) > until;
        hs_group_destroy(g);
        if (rc == HISS_ESTOP && account->is_late)
            break; /* use the levels so far */
        HS_TRY(rc);
        last = l->barrier;
        place(l, rejection);
        if (is_last)
            break;
    }
    return HISS_OK;
}
