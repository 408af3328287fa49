/* cooling.c - from uniform states to the target, once. */
#include "run/schedule/cooling.h"

#include <math.h>

#include "base/alloc.h"
#include "base/error.h"
#include "model/softened.h"
#include "run/account/budget.h"
#include "run/policy/policy.h"

#define ROOT_PI 1.7724538509055160 /* mathematics: square root of pi */

/* Root of the variance of U over all lanes. */
static double spread(const hs_cooling *a)
{
    double sum = 0.0, square = 0.0, n = 0.0;

    for (int g = 0; g < a->groups; g++)
        for (int l = 0; l < a->group[g]->chains; l++) {
            sum += a->group[g]->tile[0].at.u[l];
            n += 1.0;
        }
    for (int g = 0; g < a->groups; g++)
        for (int l = 0; l < a->group[g]->chains; l++) {
            double off = a->group[g]->tile[0].at.u[l] - sum / n;

            square += off * off;
        }
    return n > 1.0 ? sqrt(square / (n - 1.0)) : 0.0;
}

static void add_evals(const hs_cooling *a, double *energy, double *gradient)
{
    for (int g = 0; g < a->groups; g++) {
        double e, d;

        hs_group_evals(a->group[g], &e, &d);
        *energy += e * a->group[g]->chains;
        *gradient += d * a->group[g]->chains;
    }
}

static double spent(const hs_cooling *a)
{
    double energy = 0.0, gradient = 0.0;

    add_evals(a, &energy, &gradient);
    return energy + gradient;
}

static hiss_status start(hs_cooling *a, const hs_model *m,
                         const hs_sampler *sampler,
                         const hs_pilot_account *account, uint32_t first_chain,
                         hiss_error *err)
{
    for (int g = 0; g < a->groups; g++) {
        uint32_t chain = first_chain + (uint32_t)(g * HS_GROUP_CHAINS);
        hiss_status rc;
        hs_tile *t;

        HS_TRY(hs_group_create(&a->group[g], m, sampler, account->seed, chain,
                               HS_GROUP_CHAINS, err));
        if (m->hard) /* beta = 0, also for states that are impossible at the
                        target */
            hs_group_scatter(a->group[g]);
        else
            HS_TRY(hs_group_start_given(a->group[g], account->given,
                                        account->given_count, err));
        hs_group_tune(a->group[g], 0);
        t = &a->group[g]->tile[0];
        rc = hs_tile_evaluate(t, m, &t->at, HS_U);
        if (rc != HISS_OK)
            return hs_group_fail(a->group[g], t, rc, "at the start of", "",
                                 err);
    }
    return HISS_OK;
}

/* The next beta, at constant thermodynamic speed.  It at most doubles.  The
 * speed grows with the part of the budget that is spent. */
static double next_beta(const hs_cooling *a, double beta, double first,
                        double sd, double part)
{
    double hurry = 1.0 + hs_policy(HS_COOLING_GROWTH) * part;
    double next =
        sd > 0.0 ? beta + hs_policy(HS_COOLING_SPEED) * hurry / sd : 1.0;
    double most = 2.0 * beta + first;

    next = next < most ? next : most;
    if (next > 1.0 || part > 1.0 || a->stages == HS_COOLING_STAGES - 1)
        next = 1.0;
    return next;
}

/* The integral of sd(U) from beta to next.  A long stage may pass the beta at
 * which a softened model closes; violations are gone from there on. */
static double length(const hs_model *m, double beta, double next, double before,
                     double after)
{
    double closed = hs_softened_closed(m);

    if (beta < closed && closed < next)
        return 0.5 * (before + after) * (closed - beta) +
               after * (next - closed);
    return 0.5 * (before + after) * (next - beta);
}

static hiss_status enter(const hs_cooling *a, hs_pilot_mark before,
                         hs_pilot_account *account, hiss_error *err)
{
    double energy = 0.0, gradient = 0.0;

    add_evals(a, &energy, &gradient);
    hs_pilot_account_enter(account, before, energy, gradient);
    return hs_pilot_account_report(account, err);
}

static hiss_status cool(hs_cooling *a, double budget, hs_pilot_account *account,
                        hiss_error *err)
{
    double sd = spread(a), beta = 0.0;
    double first = sd > 0.0 ? 0.5 * hs_policy(HS_COOLING_SPEED) / sd : 1.0;
    hs_pilot_mark mark = hs_pilot_account_mark(account);

    a->stages = 1;
    while (beta < 1.0) {
        double part =
            fmax(spent(a) / budget, hs_pilot_account_hurry(account) /
                                        hs_budget_share(HS_SHARE_COOLING));
        double next = next_beta(a, beta, first, sd, part), before = sd;

        for (int g = 0; g < a->groups; g++) {
            hs_tile *t = &a->group[g]->tile[0];
            const hs_model *m = a->group[g]->model;
            hiss_status rc;

            hs_group_heat(a->group[g], next);
            for (int n = 0; n < 2; n++) {
                HS_TRY(hs_group_step(a->group[g], err));
                hs_group_pool(a->group[g]);
                HS_TRY(enter(a, mark, account, err));
            }
            if (next > hs_softened_closed(m)) /* violated by history alone */
                HS_TRY(hs_group_mend(a->group[g], err));
            rc = hs_model_evaluate(m, &t->at, HS_U);
            if (rc != HISS_OK)
                return hs_fail_model(err, rc, m, &t->at.fault,
                                     "in a pilot chain");
        }
        sd = spread(a);
        a->barrier[a->stages] =
            a->barrier[a->stages - 1] +
            length(a->group[0]->model, beta, next, before, sd) / ROOT_PI;
        a->beta[a->stages++] = beta = next;
    }
    return HISS_OK;
}

hiss_status hs_cooling_init(hs_cooling *a, const hs_model *m,
                            const hs_sampler *sampler, uint32_t first_chain,
                            int groups, double budget,
                            hs_pilot_account *account, hiss_error *err)
{
    hiss_status rc = HISS_OK;

    *a = (hs_cooling){0};
    a->beta = hs_alloc_array(HS_COOLING_STAGES, sizeof *a->beta);
    a->barrier = hs_alloc_array(HS_COOLING_STAGES, sizeof *a->barrier);
    a->group = hs_alloc_array((size_t)groups, sizeof(hs_group *));
    if (!a->beta || !a->barrier || !a->group)
        rc = hs_fail_memory(err);
    if (rc == HISS_OK) {
        a->groups = groups;
        rc = start(a, m, sampler, account, first_chain, err);
    }
    if (rc == HISS_OK)
        rc = cool(a, budget, account, err);
    if (rc != HISS_OK)
        hs_cooling_clear(a);
    return rc;
}

void hs_cooling_clear(hs_cooling *a)
{
    for (int g = 0; a->group && g < a->groups; g++)
        hs_group_destroy(a->group[g]);
    hs_free(a->group);
    hs_free(a->beta);
    hs_free(a->barrier);
    *a = (hs_cooling){0};
}
