/* odds.c - a quadratic U on pairs: odds from the rows of a block of sites
 * (lanes/langevin/odds.c). */
#include "kernel/langevin/paths/flip_odds.h"
#include "lanes/lanes.h"

static bool odds_applies(const hs_model *m, hs_tilt_form form, bool is_half)
{
    return (form == HS_TILT_FLAT || form == HS_TILT_PHI) &&
           hs_spread_decides(m, is_half);
}

static void find(const hs_flip_odds *f, const hs_proposal *p,
                 const hs_point *at, hs_float_row *odds, double *spread,
                 double *u)
{
    int dim = p->m->domain.dim;

    for (int first = 0; first < dim; first += HS_PATH_BLOCK) {
        int last = dim - first < HS_PATH_BLOCK ? dim : first + HS_PATH_BLOCK;
        const hs_float_row *rows =
            hs_model_rows(p->m, at, first, last, f->buffer, u);

        hs_lanes()->dlp_odds(&p->dlp, first, last, rows,
                             (const hs_index_row *)at->x, odds, spread);
    }
}

static void odds_propose(void *state, hs_proposal *p)
{
    hs_flip_odds_propose(state, p, find);
}

static hiss_status odds_arrive(void *state, hs_proposal *p)
{
    return hs_flip_odds_arrive(state, p, find);
}

const hs_langevin_path hs_langevin_path_odds = {
    .base = {.name = "odds",
             .size = sizeof(hs_flip_odds),
             .init = hs_flip_odds_init,
             .clear = hs_flip_odds_clear},
    .applies = odds_applies,
    .propose = odds_propose,
    .arrive = odds_arrive,
    .move = hs_flip_odds_move,
};
