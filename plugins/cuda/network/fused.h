/* fused.h - before and after the fused kernel. */
#ifndef HS_CUDA_NETWORK_FUSED_H
#define HS_CUDA_NETWORK_FUSED_H

#include "cuda/network/network.h"

#define HS_TWO_LN2 2.885390081777927f /* 2 / ln 2 */

#ifdef __cplusplus
extern "C" {
#endif
/* States to weights: a byte each, in the order of fragments. */
void hs_fused_pack(const hs_card_network *n, const int16_t *x);

/* What the chunks have found, to U and the gradient. */
void hs_fused_collect(const hs_card_network *n, double *u, float *gradient);
#ifdef __cplusplus
}
#endif

#endif
