/* resident.h - steps of networks that stay on the chip from step to step.
 *
 * The phases of a step (point.h) are launches, and where a network is small
 * each takes longer to begin than to work.  Here a team of blocks (a cluster of
 * Hopper) has one network for as many steps as are asked for: states as bits,
 * gradient and tilt in shared memory, shared out by coordinate, and cases
 * shared out by chunk, as where phases evaluate them (network/wide.cu), so that
 * U and gradient are the same numbers. */
#ifndef HS_CUDA_COMPOSE_RESIDENT_H
#define HS_CUDA_COMPOSE_RESIDENT_H

#include "cuda/compose/walk.h"

#ifdef __cplusplus
extern "C" {
#endif
/* As many of `count` steps as are made so: all, or one where states are counted
 * behind each, or none, where this is not for them; the others are the
 * caller's. */
int64_t hs_card_resident(hs_card_walk *w, int64_t count);
#ifdef __cplusplus
}
#endif

#endif
