/* tempering.h - what parallel tempering notes down about its levels.
 *
 * Lane columns of pt, behind the two that every kernel has; they belong to
 * the level and travel with it.  Counts of exchanges are with the hotter
 * neighbour.  Everything is forgotten when warm-up ends, and the sums over U
 * are of the kept part only.
 *
 * With d = (beta_j - beta_j+1) / 2 a gap's ratio of partition functions is
 *     Z_j / Z_j+1 = E_j+1[exp(d U)] / E_j[exp(-d U)]:
 * stepping stones that meet half way.  Sums of exponentials are kept as their
 * largest exponent and the sum relative to it. */
#ifndef HS_KERNEL_TEMPERING_H
#define HS_KERNEL_TEMPERING_H

#include "kernel/kernel.h"

enum {
    HS_PT_CHANCE = HS_OWN_COLUMNS, /* sum of min(1, ratio) of exchanges */
    HS_PT_COLD_GAP,                /* half the distance to the colder beta */
    HS_PT_HOT_GAP,                 /* and to the hotter one */
    HS_PT_COUNT,                   /* steps summed over: */
    HS_PT_ENERGY,                  /* U */
    HS_PT_SQUARE,                  /* U^2 */
    HS_PT_COLD_MAX,                /* exp(cold gap U) */
    HS_PT_COLD_SUM,
    HS_PT_HOT_MAX, /* exp(-hot gap U) */
    HS_PT_HOT_SUM,
    HS_PT_COLUMNS
};

extern const hs_kernel_type hs_kernel_pt;

/* Takes note of U in the lanes of a tile. */
void hs_tempering_note(hs_kernel *k, const hs_tile *x);

#endif
