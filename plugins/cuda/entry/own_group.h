/* own_group.h - a group as the plug-in has it: what is on the card, what is
 * beside it here, and which copy of the states is the present one. */
#ifndef HS_CUDA_ENTRY_OWN_GROUP_H
#define HS_CUDA_ENTRY_OWN_GROUP_H

#include "cuda/compose/walk.h"
#include "cuda/gibbs/bits.h"
#include "cuda/gibbs/packed.h"
#include "cuda/gibbs/team.h"
#include "cuda/group.h"
#include "cuda/memory.h"
#include "cuda/whole/whole.h"

/* Draws on their way: U, counts, words. */
typedef struct hs_card_slot {
    double *there, *here;
    cudaEvent_t packed, come;
    int is_made;
} hs_card_slot;

struct hs_device_group {
    hs_card_group card;    /* in its memory */
    hs_card_bits bits;     /* likewise; used if there is: */
    void *visits;          /* owned, here; stages are in it */
    const int *stage;      /* as in bits */
    int is_grid;           /* of all multiprocessors, not of each */
    hs_card_team team;     /* or of some of them, if it has ranks */
    hs_card_packed packed; /* of gibbs(packed=yes), with stages: */
    const int *packed_stage;
    int has_rows, has_bits; /* which of both has the states as they are */
    hs_card_walk walk;      /* knows whether U is theirs */
    void *windows;          /* owned, here: of walk.lattice */
    hs_whole_model whole;   /* used if the model is evaluated so */
    /* the same with the best states, and what they were taken of */
    hs_card_group best;
    hs_card_bits best_bits;
    int has_best_rows, has_best_bits;
    uint32_t *take;
    hs_card_slot slot[HS_DEVICE_SLOTS];
    cudaStream_t copies;   /* beside the steps, if a slot is_made */
    hs_device_lanes lanes; /* here */
    int number;
    hs_card_memory memory;
};

#ifdef __cplusplus
extern "C" {
#endif
/* g->bits, g->team and g->is_grid, where sweeps have a bit per chain. */
hiss_status hs_card_put_bits(hs_device_group *g, const hs_device_plan *plan,
                             hiss_error *err);

/* States as rows of lanes, or as words: made when they are looked at. */
void hs_card_need_rows(hs_device_group *g);
void hs_card_need_bits(hs_device_group *g);
/* U of the states, unless it is there. */
void hs_card_make_energies(hs_device_group *g);

/* Whether a function of the user has failed, as far as it is known here: what
 * its numbers are is known when the card has been waited for. */
hiss_status hs_card_check(const hs_device_group *g, hiss_error *err);

/* As in hs_device_table. */
hiss_status hs_card_write_lanes(hs_device_group *g, unsigned what,
                                hiss_error *err);
hiss_status hs_card_read_lanes(hs_device_group *g, unsigned what,
                               hiss_error *err);
hiss_status hs_card_write_states(hs_device_group *g, hs_device_states which,
                                 int64_t first, int64_t rows, hiss_error *err);
hiss_status hs_card_read_states(hs_device_group *g, hs_device_states which,
                                int64_t first, int64_t rows, hiss_error *err);
hiss_status hs_card_write_sums(hs_device_group *g, const hs_device_sums *s,
                               hiss_error *err);
hiss_status hs_card_read_sums(hs_device_group *g, const hs_device_sums *s,
                              hiss_error *err);
hiss_status hs_card_keep(hs_device_group *g, int slot, hiss_error *err);
hiss_status hs_card_kept(hs_device_group *g, int slot, hs_device_draws *out,
                         hiss_error *err);
void hs_card_free_slots(hs_device_group *g);
hiss_status hs_card_keep_best(hs_device_group *g, double goal, hiss_error *err);
#ifdef __cplusplus
}
#endif

#endif
