/* whole.h - models whose U and gradient are made as a whole, by products or by
 * a function of the user. */
#ifndef HS_CUDA_WHOLE_WHOLE_H
#define HS_CUDA_WHOLE_WHOLE_H

#include "cuda/dense/dense.h"
#include "cuda/network/network.h"
#include "cuda/point.h"
#include "cuda/whole/function.h"

#define HS_WHOLE_SPAN 16 /* coordinates of a place: few chains fill a card */

typedef struct hs_whole_model {
    hs_device_form form;
    hs_card_network network;
    hs_card_dense dense;
    hs_card_function function;
} hs_whole_model;

/* Whether a function answers for a pair domain, a row a coordinate. */
HS_EITHER int hs_whole_is_function(const hs_card_group *g)
{
    return g->whole->form == HS_DEVICE_FUNCTION && g->model.domain.is_pair;
}

#ifdef __cplusplus
extern "C" {
#endif
/* domain: that of the plan, in the memory of card `number`. */
hiss_status hs_whole_build(hs_whole_model *m, hs_card_memory *memory,
                           const hs_device_plan *plan, const hs_domain *domain,
                           int number, hiss_error *err);

void hs_whole_clear(hs_whole_model *m);

/* What went wrong in evaluations so far, as far as it is known here; chain:
 * names of the lanes. */
hiss_status hs_whole_check(const hs_whole_model *m, const uint32_t *chain,
                           hiss_error *err);
#ifdef __cplusplus
}
#endif

#endif
