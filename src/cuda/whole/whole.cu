/* whole.cu - which products make U and gradient. */
#include "cuda/whole/whole.h"

hiss_status hs_whole_build(hs_whole_model *m, hs_card_memory *memory,
                           const hs_device_plan *plan, hiss_error *err)
{
    m->form = plan->model.energy;
    if (m->form == HS_DEVICE_NETWORK)
        return hs_card_network_build(&m->network, memory, &plan->model.network,
                                     plan->tiles, plan->lanes, err);
    if (m->form == HS_DEVICE_DENSE)
        return hs_card_pairs_build(&m->dense, memory, &plan->model.dense,
                                   plan->model.offset, plan->tiles, err);
    return hs_card_units_build(&m->dense, memory, &plan->model.units,
                               plan->tiles, err);
}

/* U comes with the gradient. */
void hs_whole_evaluate(const hs_whole_model *m, const hs_card_point *p,
                       int want)
{
    float *gradient = want & HS_CARD_GRAD ? &p->grad[0][0] : NULL;

    if (m->form == HS_DEVICE_NETWORK)
        hs_card_network_evaluate(&m->network, &p->x[0][0], &p->u[0][0],
                                 gradient);
    else
        hs_card_dense_evaluate(&m->dense, &p->x[0][0], &p->u[0][0], gradient);
}

/* A thread is a few coordinates of a lane. */
HS_KERNEL void move(hs_card_group g, hs_card_work w)
{
    int dim = g.model.dim;
    hs_card_place at;

    if (hs_card_thread() >= hs_card_places(&g, &w))
        return;
    at = hs_card_place_at(&g, hs_card_thread());
    if (!w.accept[at.tile][at.lane])
        return;
    for (int i = at.first; i < at.last; i++) {
        HS_CARD_ROW(w.at.x, at.tile, dim, i, at.lane) =
            HS_CARD_ROW(w.y.x, at.tile, dim, i, at.lane);
        HS_CARD_ROW(w.at.grad, at.tile, dim, i, at.lane) =
            HS_CARD_ROW(w.y.grad, at.tile, dim, i, at.lane);
    }
}

void hs_whole_move(const hs_card_group *g, const hs_card_work *w)
{
    HS_LAUNCH(move, hs_card_places(g, w), *g, *w);
}
