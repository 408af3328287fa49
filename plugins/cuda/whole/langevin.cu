/* langevin.cu - Langevin steps of a pair domain whose gradient is stored: a
 * thread has a few coordinates of a lane. */
#include "cuda/next.h"
#include "cuda/whole/propose.h"

HS_KERNEL void propose(hs_card_group g, hs_card_work w, hs_clock of,
                       int position)
{
    uint64_t clock;
    hs_reach r;
    int y[HS_WHOLE_GROUP];

    HS_WAIT();
    clock = hs_clock_now(&of);
    if (hs_card_thread() >= hs_whole_threads(&g))
        return;
    r = hs_reach_of(&g, hs_card_thread(), clock, position);
    hs_whole_propose(&g, &w, &r, clock, y);
}

HS_KERNEL void go_back(hs_card_group g, hs_card_work w, uint64_t clock,
                       int position)
{
    int dim = g.model.dim;
    float sum = 0.0f, product = 1.0f, bend = 0.0f;
    hs_reach r;

    if (hs_card_thread() >= hs_whole_threads(&g))
        return;
    r = hs_reach_of(&g, hs_card_thread(), clock, position);
    HS_UNROLL
    for (int k = 0; k < HS_WHOLE_GROUP; k++) {
        int i = r.at.first + k, x, y;
        float z;

        if (i >= dim)
            break;
        x = HS_CARD_ROW(w.at.x, r.at.tile, dim, i, r.at.lane);
        y = HS_CARD_ROW(w.y.x, r.at.tile, dim, i, r.at.lane);
        z = hs_whole_logit(&g, &r, i, y,
                           HS_CARD_ROW(w.y.grad, r.at.tile, dim, i, r.at.lane));
        sum = sum + vf_min(vf_negate_if(1 - (x ^ y), z), 0.0f);
        product = product * (1.0f + vf_exp_negative(-vf_abs(z)));
        if (g.tilt.phi)
            bend = bend + hs_card_bend(&g, &r.at, i, x, y);
    }
    HS_CARD_ROW(w.reverse, r.at.tile, w.terms, r.at.block, r.at.lane) =
        sum - vf_log_normal(product) + bend;
}

void hs_whole_langevin(const hs_card_group *g, const hs_card_work *w,
                       uint64_t clock, int position)
{
    int64_t threads = hs_whole_threads(g);

    if (!hs_whole_propose_there(g, w, clock, position))
        HS_NEXT(propose, threads, *g, *w, hs_clock_of(clock), position);
    if (!hs_whole_finish(g, w, clock, position)) {
        hs_card_evaluate(g, w, &w->y, HS_CARD_U | HS_CARD_GRAD);
        HS_LAUNCH(go_back, threads, *g, *w, clock, position);
        hs_whole_decide(g, w, clock);
        hs_whole_move(g, w);
    }
}
