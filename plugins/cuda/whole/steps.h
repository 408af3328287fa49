/* steps.h - steps of models that are evaluated as a whole (networks, dense
 * couplings, hidden units), where a gradient is stored.
 *
 * Their draws are not the processor's anyway, so that sums are made by as many
 * threads as there are, in an order that depends on the model alone: few chains
 * must fill a card.  Laws are those of the files of the same name in
 * cuda/langevin. */
#ifndef HS_CUDA_WHOLE_STEPS_H
#define HS_CUDA_WHOLE_STEPS_H

#include "cuda/adders.h"
#include "cuda/langevin/gain.h"
#include "cuda/langevin/learn.h"
#include "cuda/whole/function.h"

#define HS_WHOLE_GROUP 4 /* coordinates of a thread, in one term of a sum */

HS_EITHER int hs_whole_terms(const hs_card_group *g)
{
    return (g->model.dim + HS_WHOLE_GROUP - 1) / HS_WHOLE_GROUP;
}

/* The lane's decision, and what goes with it but the states. */
HS_ON_CARD void hs_whole_decide_lane(const hs_card_group *g,
                                     const hs_card_work *w, int64_t number,
                                     uint64_t clock, double terms)
{
    float beta = g->lanes.beta[0][number];
    double u = w->y.u[0][number], ratio = HS_MINUS_INFINITY;
    int accept;

    if (u != HS_MINUS_INFINITY)
        ratio = hs_card_tempered(beta, u) -
                hs_card_tempered(beta, w->at.u[0][number]) + terms;
    accept = g->sampler.step == HS_DEVICE_GWG
                 ? ratio >= 0.0 || hs_card_log_uniform(g, number, clock) < ratio
                 : hs_card_decide(g, number, clock, ratio);
    g->lanes.changed[0][number] += (double)accept;
    w->accept[0][number] = (uint8_t)accept;
    hs_card_learn(g, number, ratio);
    if (accept)
        w->at.u[0][number] = u;
}

#ifdef __cplusplus
extern "C" {
#endif
/* Proposes y of all lanes and leaves it where a function of the user reads it,
 * in one kernel; false: there is none. */
int hs_whole_propose_there(const hs_card_group *g, const hs_card_work *w,
                           uint64_t clock, int position);

/* Evaluates y, which hs_whole_propose_there has proposed where it could,
 * decides all lanes and moves them, where that has kernels of its own; false:
 * it has none. */
int hs_whole_finish(const hs_card_group *g, const hs_card_work *w,
                    uint64_t clock, int position);

/* What follows the call of a function, in one kernel; false: there are too many
 * coordinates. */
int hs_whole_finish_tiles(const hs_card_group *g, const hs_card_work *w,
                          const hs_function_answer *a, uint64_t clock,
                          int position);

/* Decides all lanes by U and the terms of ln q, both ways, and of the tilt. */
void hs_whole_decide(const hs_card_group *g, const hs_card_work *w,
                     uint64_t clock);
#ifdef __cplusplus
}
#endif

#endif
