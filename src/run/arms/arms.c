/* arms.c - the table of arms, and what their files share. */
#include <math.h>

#include "base/error.h"
#include "base/lane.h"
#include "base/random/streams.h"
#include "run/arms/arm.h"
#include "run/chain/group.h"
#include "run/policy/policy.h"
#include "run/price/price.h"

#define NANOSECONDS 1e9 /* mathematics: in a second */
#define MOST        4   /* capacity: replicas of a chain, a quarter of a tile */

#define HS_ARM(name) extern const hs_arm_type hs_arm_##name;
#include "run/arms/arms.def"
#undef HS_ARM

const hs_arm_type *const hs_arm_types[] = {
#define HS_ARM(name) &hs_arm_##name,
#include "run/arms/arms.def"
#undef HS_ARM
    NULL,
};

/* Evaluations of a second step; the first evaluates the start as well. */
static hiss_status count_evals(double *out, hs_group *g, const int16_t *state,
                               hiss_error *err)
{
    for (int r = 0; r < g->replicas; r++)
        hs_group_set(g, 0, r, state);
    HS_TRY(hs_group_step(g, err));
    *out = -hs_group_spent(g);
    HS_TRY(hs_group_step(g, err));
    *out += hs_group_spent(g);
    return HISS_OK;
}

hiss_status hs_arm_cost_of(hs_arm_cost *out, const hs_arm_view *v,
                           const hs_sampler *s, double most_time,
                           hiss_error *err)
{
    hs_group *g;
    hiss_status rc;

    HS_TRY(hs_group_create(&g, v->m, s, v->account->seed,
                           hs_stream(HS_STREAM_PRICES, 0), 1, err));
    hs_group_attach(g, v->found->library);
    out->time = NANOSECONDS * hs_price_chain(g->kernel[0], v->m);
    out->evals = HUGE_VAL;
    rc = HISS_OK;
    if (out->time <= most_time)
        rc = count_evals(&out->evals, g, v->from.state, err);
    out->price = v->is_timed ? out->time : out->evals;
    v->account->energy_evals +=
        out->time <= most_time ? hs_group_spent(g) : 0.0;
    hs_group_destroy(g);
    return rc;
}

hiss_status hs_arm_follow(hs_sampler **out, const hs_sampler *base,
                          const hs_kernel_type *type,
                          const hs_setting *settings, hiss_error *err)
{
    hs_sampler *more;
    hiss_status rc;

    *out = NULL;
    HS_TRY(hs_sampler_make(&more, type, settings, err));
    rc = hs_sampler_make(
        out, &hs_kernel_sequence,
        (hs_setting[]){{.sampler = base}, {.sampler = more}, {0}}, err);
    hs_sampler_release(more);
    return rc;
}

bool hs_arm_fits(const hs_model *m, const hs_kernel_type *type,
                 const hs_setting *settings)
{
    hs_sampler *sampler = NULL;
    hs_kernel *k = NULL;
    bool can = !m->is_dense &&
               hs_sampler_make(&sampler, type, settings, NULL) == HISS_OK &&
               hs_kernel_create(&k, sampler, NULL) == HISS_OK &&
               hs_kernel_setup(k, m, NULL) == HISS_OK;

    hs_kernel_destroy(k);
    hs_sampler_release(sampler);
    return can;
}

hiss_status hs_arm_temper(hs_sampler **out, const hs_arm_view *v,
                          const hs_sampler *base, int parts, hiss_error *err)
{
    hs_ladder_request request = {
        .base = base, .swap_every = v->swap_every, .parts = parts};

    return hs_ladder_sampler(out, &v->found->ladder, &request, err);
}

/* --- replicas at the target ---------------------------------------------- */

/* If evaluations end the run: fills idle lanes as long as every chain still
 * makes at least as many steps as it keeps draws. */
static int idle_lanes(double cost, const hs_pilot_account *account)
{
    double steps = hs_pilot_account_left(account) / cost *
                   (1.0 - hs_policy(HS_PREPARATION_SHARE));
    int strands = account->chains > 0 ? HS_LANES / account->chains : 1;

    if (account->draws > 0)
        strands = (int)fmin(strands, steps / (double)account->draws);
    return strands < MOST ? strands : MOST;
}

hiss_status hs_arm_replicas(hs_sampler **out, const hs_sampler *s,
                            double brought, double cost,
                            const hs_pilot_account *account, hiss_error *err)
{
    int strands = 1;

    if (account->is_open)
        strands = idle_lanes(cost, account);
    else if (brought > 0.0 && brought < hs_policy(HS_REPLICAS_BELOW))
        strands = MOST; /* a chain does not depend on how many there are */
    *out = hs_sampler_keep(s);
    if (strands < 2 || s->type->is_outermost)
        return HISS_OK;
    hs_sampler_release(*out);
    return hs_sampler_make(
        out, &hs_kernel_replicas,
        (hs_setting[]){{"base", .sampler = s},
                       strands == MOST /* the default */
                           ? (hs_setting){0}
                           : (hs_setting){"count", .number = strands},
                       {0}},
        err);
}
