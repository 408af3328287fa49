/* byte_states.c - states as bytes. */
#include "kernel/langevin/paths/byte_states.h"

#include "base/alloc.h"
#include "base/error.h"
#include "lanes/lanes.h"

hiss_status hs_byte_states_init(void *state, const hs_model *m, hiss_error *err)
{
    hs_byte_states *b = state;
    size_t dim = (size_t)m->domain.dim;

    b->graph = hs_model_structure(m, HS_STRUCTURE_REGULAR);
    b->x = hs_alloc_array(dim, sizeof *b->x);
    b->y = hs_alloc_array(dim, sizeof *b->y);
    return b->x && b->y ? HISS_OK : hs_fail_memory(err);
}

void hs_byte_states_clear(void *state)
{
    hs_byte_states *b = state;

    hs_free(b->x);
    hs_free(b->y);
}

void hs_byte_states_take(hs_byte_states *b, const hs_proposal *p)
{
    hs_lanes()->narrow_index(b->graph->dim, (const hs_index_row *)p->x->at.x,
                             b->x);
}

/* Counts the states on the way under the tile's own tilt (tile.h). */
void hs_byte_states_move(void *state, hs_proposal *p)
{
    hs_byte_states *b = state;
    hs_tile *t = p->x;
    hs_byte_row *count = p->t == &t->tilt && t->summed == 0 ? t->count : NULL;
    hs_byte_row *y = b->y;
    int dim = b->graph->dim, accepted = 0;

    for (int l = 0; l < HS_LANES; l++) {
        accepted += p->accept[l] != 0;
        if (p->accept[l])
            t->at.u[l] = p->y->u[l];
    }
    t->at.have &= HS_U | HS_GRAD;
    if (accepted == HS_LANES) {
        b->y = b->x;
        b->x = y;
        hs_lanes()->widen_index(dim, (const hs_byte_row *)y, t->at.x, t->weight,
                                count);
    } else if (accepted > 0 || count) {
        hs_lanes()->regular_take(p->accept, dim, (const hs_byte_row *)y,
                                 t->at.x, b->x, t->weight, count);
    }
    t->summed += count != NULL;
    hs_spread_keep(&b->spread, p);
}
