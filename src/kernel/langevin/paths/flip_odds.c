/* flip_odds.c - proposals from the odds of every flip. */
#include "kernel/langevin/paths/flip_odds.h"

#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "lanes/lanes.h"

hiss_status hs_flip_odds_init(void *state, const hs_model *m, hiss_error *err)
{
    hs_flip_odds *f = state;
    size_t dim = (size_t)m->domain.dim;

    f->x = hs_alloc_array(dim, sizeof *f->x);
    f->y = hs_alloc_array(dim, sizeof *f->y);
    f->buffer = hs_path_buffer(&m->domain);
    return f->x && f->y && f->buffer ? HISS_OK : hs_fail_memory(err);
}

void hs_flip_odds_clear(void *state)
{
    hs_flip_odds *f = state;

    hs_free(f->x);
    hs_free(f->y);
    hs_free(f->buffer);
}

void hs_flip_odds_propose(void *state, hs_proposal *p, hs_odds_finder *find)
{
    hs_flip_odds *f = state;
    const hs_point *x = &p->x->at;

    if (!hs_spread_is_known(&f->spread, p)) {
        memset(f->spread.x, 0, sizeof f->spread.x);
        find(f, p, x, f->x, f->spread.x, NULL);
    }
    p->moved = hs_lanes()->dlp_flip(&p->dlp, 0, p->m->domain.dim,
                                    (const hs_float_row *)f->x,
                                    (const hs_index_row *)x->x, p->y->x);
}

hiss_status hs_flip_odds_arrive(void *state, hs_proposal *p,
                                hs_odds_finder *find)
{
    hs_flip_odds *f = state;

    if (p->moved) {
        memset(f->spread.y, 0, sizeof f->spread.y);
        find(f, p, p->y, f->y, f->spread.y, p->y->u);
    } else {
        memcpy(f->spread.y, f->spread.x, sizeof f->spread.y);
    }
    hs_spread_compare(&f->spread, p);
    return hs_proposal_arrive(p);
}

/* A lane that did not move keeps its U too, so nothing depends on other
 * lanes. */
void hs_flip_odds_move(void *state, hs_proposal *p)
{
    hs_flip_odds *f = state;
    int32_t moved[HS_LANES];

    for (int l = 0; l < HS_LANES; l++)
        moved[l] = p->accept[l] && p->moved >> l & 1;
    hs_tile_move(p->x, p->m, p->y, moved);
    if (p->moved)
        hs_lanes()->select_float(moved, p->m->domain.dim,
                                 (const hs_float_row *)f->y, f->x);
    hs_spread_keep(&f->spread, p);
}
