/* odds_regular.c - odds on a regular graph without a field, under phi: rows are
 * computed on the fly, by count (lanes/regular/regular_odds.c). */
#include "kernel/langevin/paths/flip_odds.h"
#include "lanes/lanes.h"

static bool odds_regular_applies(const hs_model *m, hs_tilt_form form,
                                 bool is_half)
{
    const hs_regular *g = hs_model_structure(m, HS_STRUCTURE_REGULAR);

    return form == HS_TILT_PHI && g && g->field == 0.0f &&
           hs_spread_decides(m, is_half);
}

static void find(const hs_flip_odds *f, const hs_proposal *p,
                 const hs_point *at, hs_float_row *odds, double *spread,
                 double *u)
{
    const hs_regular *g = hs_model_structure(p->m, HS_STRUCTURE_REGULAR);
    double unused[HS_LANES] = {0};

    (void)f;
    hs_lanes()->regular_odds(g, &p->dlp, 0, g->dim, (const hs_index_row *)at->x,
                             odds, spread, u ? u : unused);
}

static void odds_regular_propose(void *state, hs_proposal *p)
{
    hs_flip_odds_propose(state, p, find);
}

static hiss_status odds_regular_arrive(void *state, hs_proposal *p)
{
    return hs_flip_odds_arrive(state, p, find);
}

const hs_langevin_path hs_langevin_path_odds_regular = {
    .base = {.name = "odds-regular",
             .size = sizeof(hs_flip_odds),
             .init = hs_flip_odds_init,
             .clear = hs_flip_odds_clear},
    .applies = odds_regular_applies,
    .propose = odds_regular_propose,
    .arrive = odds_regular_arrive,
    .move = hs_flip_odds_move,
};
