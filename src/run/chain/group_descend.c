/* group_descend.c - brings replicas from the hottest level down to their
 * own.
 *
 * A replica that starts at its own level by a quench falls into a random mode,
 * mostly the one with the widest basin.  A replica that is cooled chooses where
 * the modes separate, with the masses that they have there, which is much
 * closer to the joint distribution of all levels.  This matters because a wrong
 * replica stays wrong for the time of a round trip.
 *
 * It makes STAY steps at every temperature on the way, without exchanges.  If
 * evaluations are limited and the steps cost too much, every temperature gets a
 * share of them.  It makes the steps that the shares so far allow, but always
 * the first one. */
#include "base/error.h"
#include "run/chain/group.h"

#define STAY 8

/* Puts lanes at `level`, or at their own if that is hotter. */
static void stand_at(hs_group *g, const float *beta, int level)
{
    for (int i = 0; i < g->tiles; i++) {
        hs_tile *t = &g->tile[i];

        for (int l = 0; l < HS_LANES; l++)
            t->tilt.beta[l] = beta[t->level[l] > level ? t->level[l] : level];
    }
}

void hs_group_betas(const hs_group *g, float *beta)
{
    for (int j = 0; j < g->replicas; j++) {
        int lane;
        const hs_tile *t = hs_group_at_level(g, 0, j, &lane);

        beta[j] = t->tilt.beta[lane];
    }
}

hiss_status hs_group_descend(hs_group *g, const float *beta, int level,
                             double most, hiss_error *err)
{
    double share = (g->replicas - level) / (g->replicas - 1.0);
    double steps = (double)g->kernel[0]->steps;
    double price = steps > 0.0 ? hs_group_spent(g) / steps : 0.0;

    stand_at(g, beta, level);
    for (int n = 0; level > 0 && n < STAY; n++) {
        double before = hs_group_spent(g);

        if (before + price > share * most)
            break;
        HS_TRY(hs_group_walk(g, err));
        price = hs_group_spent(g) - before;
    }
    return HISS_OK;
}
