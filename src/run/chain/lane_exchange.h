/* lane_exchange.h - numbers that the members of a team exchange.
 *
 * The members share a group.  After every step they exchange the numbers per
 * lane of their tiles: U, counts, and the columns of the kernels, which belong
 * to levels and may move to another member's tile.  They never exchange states.
 * Then every member makes the same exchanges of levels.  This takes some
 * hundred bytes per replica and step. */
#ifndef HS_RUN_CHAIN_LANE_EXCHANGE_H
#define HS_RUN_CHAIN_LANE_EXCHANGE_H

#include <hiss/status.h>

#include "kernel/kernel.h"
#include "run/chain/blob.h"

typedef struct hs_lane_exchange hs_lane_exchange;

/* One function for both directions, so that they cannot differ. */
typedef void (*hs_lane_transfer)(hs_blob *b, void *at, size_t size);
void hs_lane_transfer_put(hs_blob *b, void *at, size_t size);

/* Transfers a flag as one byte; values other than 0 and 1 break the blob. */
void hs_lane_transfer_flag(hs_blob *b, bool *flag, hs_lane_transfer move);

/* Transfers all numbers per lane of a tile and of its kernels. */
void hs_lane_exchange_tile(hs_group *g, int tile, hs_blob *b,
                           hs_lane_transfer move);

/* For a group with a team. */
hiss_status hs_lane_exchange_create(hs_group *g, hiss_error *err);
void hs_lane_exchange_destroy(hs_lane_exchange *n);

/* Call it after a step of the own tiles, which ended in rc; all members get the
 * fault of the first tile that had one. */
hiss_status hs_lane_exchange_run(hs_group *g, hiss_status rc, hiss_error *err);

#endif
