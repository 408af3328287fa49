/* factors.c - the proposal on regular graphs that are even in the spins, under
 * a tilt of factors (lanes/regular/regular_tilt.c). */
#include <string.h>

#include "kernel/langevin/paths/byte_states.h"
#include "lanes/lanes.h"

static bool factors_applies(const hs_model *m, hs_tilt_form form, bool is_half)
{
    const hs_regular *g = hs_model_structure(m, HS_STRUCTURE_REGULAR);

    return form == HS_TILT_FACTORS && g && g->field == 0.0f &&
           g->low * -2.0f == g->gap && hs_spread_decides(m, is_half);
}

static void factors_propose(void *state, hs_proposal *p)
{
    hs_byte_states *b = state;
    bool is_known = hs_spread_is_known(&b->spread, p);

    if (!is_known) {
        hs_byte_states_take(b, p);
        memset(b->spread.x, 0, sizeof b->spread.x);
    }
    hs_lanes()->regular_tilt_propose(b->graph, &p->dlp,
                                     (const hs_byte_row *)b->x, b->y,
                                     is_known ? NULL : b->spread.x);
}

static hiss_status factors_arrive(void *state, hs_proposal *p)
{
    hs_byte_states *b = state;

    memset(b->spread.y, 0, sizeof b->spread.y);
    hs_lanes()->regular_tilt_spread(
        b->graph, &p->dlp, (const hs_byte_row *)b->y, b->spread.y, p->y->u);
    hs_spread_compare(&b->spread, p);
    return hs_proposal_arrive(p);
}

const hs_langevin_path hs_langevin_path_factors = {
    .base = {.name = "factors",
             .size = sizeof(hs_byte_states),
             .init = hs_byte_states_init,
             .clear = hs_byte_states_clear},
    .applies = factors_applies,
    .propose = factors_propose,
    .arrive = factors_arrive,
    .move = hs_byte_states_move,
};
