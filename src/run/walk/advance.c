/* advance.c - the loop of a pilot. */
#include "run/walk/advance.h"

#include "base/error.h"
#include "kernel/tempering.h"

hiss_status hs_advance_pay(const hs_group *g, hs_pilot_mark before,
                           hs_pilot_account *account, hiss_error *err)
{
    double energy, gradient;

    hs_group_evals(g, &energy, &gradient);
    hs_pilot_account_enter(account, before, energy * g->chains,
                           gradient * g->chains);
    return hs_pilot_account_report(account, err);
}

hiss_status hs_advance_run(const hs_advance *a, hs_pilot_account *account,
                           hiss_error *err)
{
    hs_pilot_mark before = hs_pilot_account_mark(account);
    hs_group *g = a->group;

    if (a->tuning > 0)
        hs_group_tune(g, a->tuning);
    for (int64_t n = 0; n < a->tuning; n++) {
        HS_TRY(hs_group_step(g, err));
        hs_group_pool(g);
        HS_TRY(hs_advance_pay(g, before, account, err));
    }
    if (a->tuning > 0)
        hs_group_freeze(g);
    for (int64_t n = 0; n < a->steps; n++) {
        HS_TRY(hs_group_step(g, err));
        if (a->visit)
            HS_TRY(a->visit(a->context, g, n, err));
        HS_TRY(hs_advance_pay(g, before, account, err));
    }
    return HISS_OK;
}

double hs_advance_rejection(const hs_group *g, int level)
{
    double proposed = 0.0, chance = 0.0;

    for (int c = 0; c < g->chains; c++) {
        int lane;
        const hs_tile *t = hs_group_at_level(g, c, level, &lane);
        double(*column)[HS_LANES] = g->kernel[t - g->tile]->lane;

        proposed += column[HS_PROPOSED][lane];
        chance += column[HS_PT_CHANCE][lane];
    }
    return proposed > 0.0 ? 1.0 - chance / proposed : 0.5;
}
