/* langevin_regular.c - the proposal on regular graphs (lanes/regular/regular_dlp.c).
 *
 * y is drawn block by block, and a few blocks behind them the sites are
 * counted whose neighbours are all decided, while they are in the cache. */
#include <string.h>

#include "kernel/langevin/langevin.h"
#include "lanes/lanes.h"

static int end_of(const hs_regular *g, int block)
{
    int end = (block + 1) * HS_REGULAR_BLOCK;

    return end < g->dim ? end : g->dim;
}

void hs_regular_spread(hs_langevin *s, const hs_model *m, const hs_dlp *dlp,
                       const hs_point *x)
{
    const hs_lane_table *lanes = hs_lanes();
    int dim = m->domain.dim;
    hs_census census;
    double unused[HS_LANES] = {0};

    memset(census, 0, sizeof census);
    lanes->narrow_index(dim, (const hs_index_row *)x->x, s->own);
    lanes->regular_census(m->regular, 0, dim, (const hs_byte_row *)s->own,
                          census);
    lanes->regular_sum(m->regular, dlp, (const int32_t(*)[HS_LANES])census,
                       s->odds->spread_x, unused);
}

void hs_regular_propose(hs_langevin *s, const hs_model *m, const hs_dlp *dlp)
{
    const hs_lane_table *lanes = hs_lanes();
    const hs_regular *g = m->regular;
    const hs_byte_row *y = (const hs_byte_row *)s->bytes;
    hs_census census;
    int counted = 0;

    memset(census, 0, sizeof census);
    for (int b = 0; b < g->blocks; b++) {
        lanes->regular_propose(g, dlp, b * HS_REGULAR_BLOCK, end_of(g, b),
                               (const hs_byte_row *)s->own, s->bytes);
        for (; counted < g->blocks && g->after[counted] <= b; counted++)
            lanes->regular_census(g, g->block[counted] * HS_REGULAR_BLOCK,
                                  end_of(g, g->block[counted]), y, census);
    }
    lanes->regular_sum(g, dlp, (const int32_t(*)[HS_LANES])census,
                       s->odds->spread_y, s->y.u);
}

void hs_regular_move(hs_langevin *s, const hs_model *m, hs_tile *t,
                     bool has_own_tilt)
{
    hs_byte_row *count = has_own_tilt && t->summed == 0 ? t->count : NULL;
    hs_byte_row *y = s->bytes;
    int dim = m->domain.dim, accepted = 0;

    for (int l = 0; l < HS_LANES; l++) {
        accepted += s->accept[l] != 0;
        if (s->accept[l])
            t->at.u[l] = s->y.u[l];
    }
    t->at.have &= HS_U | HS_GRAD;
    if (accepted == HS_LANES) {
        s->bytes = s->own;
        s->own = y;
        hs_lanes()->widen_index(dim, (const hs_byte_row *)y, t->at.x, t->weight,
                                count);
    } else if (accepted > 0 || count) {
        hs_lanes()->regular_take(s->accept, dim, (const hs_byte_row *)y,
                                 t->at.x, s->own, t->weight, count);
    }
    t->summed += count != NULL;
}
