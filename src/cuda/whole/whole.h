/* whole.h - models whose U and gradient are made as a whole, by products. */
#ifndef HS_CUDA_WHOLE_WHOLE_H
#define HS_CUDA_WHOLE_WHOLE_H

#include "cuda/dense/dense.h"
#include "cuda/network/network.h"
#include "cuda/point.h"

#define HS_WHOLE_SPAN 16 /* coordinates of a place: few chains fill a card */

typedef struct hs_whole_model {
    hs_device_form form;
    hs_card_network network;
    hs_card_dense dense;
} hs_whole_model;

#ifdef __cplusplus
extern "C" {
#endif
hiss_status hs_whole_build(hs_whole_model *m, hs_card_memory *memory,
                           const hs_device_plan *plan, hiss_error *err);
#ifdef __cplusplus
}
#endif

#endif
