/* group_state.h - one group of chains and how far it is. */
#ifndef HS_RUN_CHAIN_GROUP_STATE_H
#define HS_RUN_CHAIN_GROUP_STATE_H

#include <stdbool.h>
#include <stdint.h>

#include <hiss/run.h>
#include <hiss/status.h>

#include "run/chain/blob.h"
#include "run/chain/group.h"
#include "run/chain/marginals.h"

/* Draws that count, and those of the warm-up. */
enum {
    HS_KEPT,
    HS_WARM,
    HS_STORES
};

typedef struct hs_group_state {
    hs_group *group;   /* owned */
    int first_chain;   /* of the run */
    int row;           /* the same in the stores of this process */
    int64_t step;      /* made */
    int64_t mark;      /* steps at its first check, */
    double mark_spent; /* and evaluations of a chain until then */
    int64_t warmup;    /* steps of warm-up, -1 while not known */
    int64_t thin;
    int64_t kept;
    int64_t warm_thin, warm_kept; /* of the warm-up, where that is kept */
    hs_marginals marginals;       /* owned */
    /* Draws that rank 0 has of the first ones of each chain (gather.h), as it
     * had them, and how often every second was dropped since. */
    int64_t sent[HS_STORES];
    int halved[HS_STORES];
    bool is_done;
    hiss_status status;
    hiss_error error;
} hs_group_state;

/* The indices of a state's values, which are there. */
void hs_group_state_find(const hs_domain *d, const double *from,
                         int16_t *state);

/* Gives every chain the state that the settings say, and checks that its
 * probability is not 0. */
hiss_status hs_group_state_start(hs_group_state *w, const hiss_settings *set,
                                 hiss_error *err);

/* Everything that the next step depends on, to bytes and back: states with
 * what is known of them, levels, clocks, and the kernels' columns.  The group
 * that is read into was built from the same model and sampler.  Of a group
 * that is shared, the parts of its team one after the other are the whole;
 * states of the others' tiles are passed over. */
void hs_group_state_save(const hs_group_state *w, hs_blob *to);
/* False when what was read cannot be: stores of so many draws, of those that
 * count and of the warm-up. */
bool hs_group_state_load(hs_group_state *w, hs_blob *from, int64_t capacity,
                         int64_t warm_capacity);

/* The same without states. */
void hs_group_state_save_numbers(const hs_group_state *w, hs_blob *to);
void hs_group_state_load_numbers(hs_group_state *w, hs_blob *from);

/* Whether the model still gives the states that were loaded the U that was
 * saved with them, rounding of single-site updates apart; `what` names the
 * file in the message. */
hiss_status hs_group_state_check(const hs_group_state *w, const char *what,
                                 hiss_error *err);

#endif
