/* steps.h - steps of models that are evaluated as a whole (networks, dense
 * couplings, hidden units), where a gradient is stored.
 *
 * Their draws are not the processor's anyway, so that sums are made by as many
 * threads as there are, in an order that depends on the model alone: few chains
 * must fill a card.  Laws are those of the files of the same name in
 * cuda/langevin. */
#ifndef HS_CUDA_WHOLE_STEPS_H
#define HS_CUDA_WHOLE_STEPS_H

#include "cuda/langevin/gain.h"
#include "cuda/strands.h"

#define HS_WHOLE_GROUP 8 /* coordinates of a thread, in one term of a sum */

HS_EITHER int hs_whole_terms(const hs_card_group *g)
{
    return (g->model.dim + HS_WHOLE_GROUP - 1) / HS_WHOLE_GROUP;
}

#ifdef __cplusplus
extern "C" {
#endif
/* Decides all lanes by U and the terms of ln q, both ways, and of the tilt; or,
 * where it is not NULL, by U and what is given, [lanes]. */
void hs_whole_decide(const hs_card_group *g, const hs_card_work *w,
                     uint64_t clock, const double *given);
#ifdef __cplusplus
}
#endif

#endif
