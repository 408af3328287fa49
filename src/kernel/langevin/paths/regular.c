/* regular.c - the proposal on regular graphs, under a flat tilt
 * (lanes/regular/regular_dlp.c).
 *
 * y is drawn block by block.  A few blocks behind, sites whose neighbors are
 * all decided are counted while they are in the cache. */
#include <string.h>

#include "kernel/langevin/paths/byte_states.h"
#include "lanes/lanes.h"

static bool regular_applies(const hs_model *m, hs_tilt_form form, bool is_half)
{
    return form == HS_TILT_FLAT &&
           hs_model_structure(m, HS_STRUCTURE_REGULAR) &&
           hs_spread_decides(m, is_half);
}

static int end_of(const hs_regular *g, int block)
{
    int end = (block + 1) * HS_REGULAR_BLOCK;

    return end < g->dim ? end : g->dim;
}

/* Converts x to bytes and computes its spread. */
static void find_spread(hs_byte_states *b, const hs_proposal *p)
{
    const hs_lane_table *lanes = hs_lanes();
    const hs_regular *g = b->graph;
    double unused[HS_LANES] = {0};
    hs_site_counts site_counts;

    memset(site_counts, 0, sizeof site_counts);
    hs_byte_states_take(b, p);
    lanes->regular_count(g, 0, g->dim, (const hs_byte_row *)b->x, site_counts);
    lanes->regular_sum(g, &p->dlp, (const int32_t(*)[HS_LANES])site_counts,
                       b->spread.x, unused);
}

/* Draws y, with its spread and U. */
static void regular_propose(void *state, hs_proposal *p)
{
    const hs_lane_table *lanes = hs_lanes();
    hs_byte_states *b = state;
    const hs_regular *g = b->graph;
    hs_site_counts site_counts;
    int counted = 0;

    if (!hs_spread_is_known(&b->spread, p))
        find_spread(b, p);
    memset(site_counts, 0, sizeof site_counts);
    for (int n = 0; n < g->blocks; n++) {
        lanes->regular_propose(g, &p->dlp, n * HS_REGULAR_BLOCK, end_of(g, n),
                               (const hs_byte_row *)b->x, b->y);
        for (; counted < g->blocks && g->after[counted] <= n; counted++)
            lanes->regular_count(g, g->block[counted] * HS_REGULAR_BLOCK,
                                 end_of(g, g->block[counted]),
                                 (const hs_byte_row *)b->y, site_counts);
    }
    lanes->regular_sum(g, &p->dlp, (const int32_t(*)[HS_LANES])site_counts,
                       b->spread.y, p->y->u);
}

static hiss_status regular_arrive(void *state, hs_proposal *p)
{
    hs_byte_states *b = state;

    hs_spread_compare(&b->spread, p);
    return hs_proposal_arrive(p);
}

const hs_langevin_path hs_langevin_path_regular = {
    .base = {.name = "regular",
             .size = sizeof(hs_byte_states),
             .init = hs_byte_states_init,
             .clear = hs_byte_states_clear},
    .applies = regular_applies,
    .propose = regular_propose,
    .arrive = regular_arrive,
    .move = hs_byte_states_move,
};
