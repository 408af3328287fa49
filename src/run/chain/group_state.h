/* group_state.h - one group of chains and its progress. */
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
    int first_chain;   /* first chain of the run */
    int row;           /* its row in the stores of this process */
    int64_t step;      /* made */
    int64_t mark;      /* step of its first check, */
    double mark_spent; /* and evaluations of a chain until then */
    int64_t warmup;    /* steps of warm-up, -1 while unknown */
    int64_t thin;
    int64_t kept;
    int64_t warm_thin, warm_kept; /* the same for the warm-up, if it is kept */
    hs_marginals marginals;       /* owned */
    /* Draws of each chain that rank 0 has (gather.h), and how often every
     * second one was dropped since. */
    int64_t sent[HS_STORES];
    int halved[HS_STORES];
    bool is_done;
    hiss_status status;
    hiss_error error;
} hs_group_state;

/* Gives every chain the state that the settings say, and checks that its
 * probability is not 0. */
hiss_status hs_group_state_start(hs_group_state *w, const hiss_settings *set,
                                 hiss_error *err);

/* Serialize everything that the next step depends on: states with their valid
 * parts, levels, clocks, and the kernels' columns.  A group being loaded must
 * be built from the same model and sampler.  For a shared group the parts of
 * its team, one after the other, are the whole; states of the others' tiles are
 * skipped. */
void hs_group_state_save(const hs_group_state *w, hs_blob *to);
/* Returns false if the data are impossible: stores of this many draws, of those
 * that count and of the warm-up. */
bool hs_group_state_load(hs_group_state *w, hs_blob *from, int64_t capacity,
                         int64_t warm_capacity);

/* The same without states. */
void hs_group_state_save_numbers(const hs_group_state *w, hs_blob *to);
void hs_group_state_load_numbers(hs_group_state *w, hs_blob *from);

/* Checks that the model gives the loaded states the U that was saved with them,
 * up to rounding of single-site updates; `what` names the file in the
 * message. */
hiss_status hs_group_state_check(const hs_group_state *w, const char *what,
                                 hiss_error *err);

#endif
