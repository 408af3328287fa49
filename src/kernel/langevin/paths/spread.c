/* spread.c - the normalizers at both ends of a proposal. */
#include "kernel/langevin/paths/spread.h"

#include <string.h>

bool hs_spread_decides(const hs_model *m, bool is_half)
{
    return is_half && m->is_quadratic && m->ops->rows && m->domain.is_pair;
}

bool hs_spread_is_known(const hs_spread *s, const hs_proposal *p)
{
    const hs_tile *x = p->x;

    return s->is_kept && x->at.have & HS_TILE_KEPT &&
           s->clock + 1 == x->rng.clock && /* this step's tick */
           memcmp(s->beta, p->dlp.beta, sizeof s->beta) == 0 &&
           memcmp(s->stiffness, p->dlp.stiffness, sizeof s->stiffness) == 0;
}

void hs_spread_compare(const hs_spread *s, hs_proposal *p)
{
    for (int l = 0; l < HS_LANES; l++)
        p->log_ratio[l] = s->x[l] - s->y[l];
}

void hs_spread_keep(hs_spread *s, hs_proposal *p)
{
    for (int l = 0; l < HS_LANES; l++)
        if (p->accept[l])
            s->x[l] = s->y[l];
    memcpy(s->beta, p->dlp.beta, sizeof s->beta);
    memcpy(s->stiffness, p->dlp.stiffness, sizeof s->stiffness);
    s->clock = p->x->rng.clock;
    s->is_kept = true;
    p->x->at.have |= HS_TILE_KEPT;
}
