/* replay.h - steps that were launched once and are launched again as a whole.
 *
 * A step of a network is tens or hundreds of launches, each of which takes the
 * processor as long as the card.  Where they are the same in every step but for
 * the clock, one step (or some) is recorded and then repeated in one call; the
 * clock is in the card's memory, and the last kernel of the record moves it. */
#ifndef HS_CUDA_COMPOSE_REPLAY_H
#define HS_CUDA_COMPOSE_REPLAY_H

#include "cuda/compose/walk.h"
#include "cuda/memory.h"

#ifdef __cplusplus
extern "C" {
#endif
/* As many of `count` steps as can be repeated so; the others are the caller's.
 * Nothing is recorded before U and gradient are known where the lanes stand. */
int64_t hs_card_replay(hs_card_walk *w, int64_t count,
                       void (*step)(hs_card_walk *w));

hiss_status hs_card_replay_build(hs_card_walk *w, hs_card_memory *memory,
                                 hiss_error *err);
void hs_card_replay_free(hs_card_walk *w);
#ifdef __cplusplus
}
#endif

#endif
