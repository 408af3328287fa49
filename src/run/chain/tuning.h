/* tuning.h - describes the tuned values of a tree of kernels. */
#ifndef HS_RUN_CHAIN_TUNING_H
#define HS_RUN_CHAIN_TUNING_H

#include <stdint.h>

#include "base/text.h"
#include "run/chain/group.h"

/* Appends "hiss: eta=0.6, dmala: alpha=0.31" for one lane of a tree, for
 * kernels that have made at least this many steps. */
void hs_tuning_of(const hs_kernel *k, int lane, uint64_t steps, hs_text *out);

/* The same for the first chain of a group, "level 0: ...; level 1: ..."  if it
 * has several distributions; nothing if nothing is tuned. */
void hs_tuning_levels(const hs_group *g, uint64_t steps, hs_text *out);

#endif
