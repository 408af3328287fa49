/* tempering.h - statistics of the levels of parallel tempering. They are lane
 * columns of pt, after the two of every kernel; they belong to the level and
 * travel with it. Counts of exchanges are with the hotter neighbor. Everything
 * is cleared when warm-up ends, and the sums over U are of the kept part only.
 *
 * With d = (beta_j - beta_j+1) / 2 a gap's ratio of partition functions is
 *     Z_j / Z_j+1 = E_j+1[exp(d U)] / E_j[exp(-d U)]:
 * stepping stones that meet halfway.  Sums of exponentials are kept as their
 * largest exponent and the sum relative to it.
 *
 * On the reference path (compose/reference.h) the same columns hold
 * exp((L_colder - L) / 2) and exp((L_hotter - L) / 2), and counts of exchanges
 * are with the colder neighbor, which for the first level is the target. */
#ifndef HS_KERNEL_TEMPERING_H
#define HS_KERNEL_TEMPERING_H

#include "kernel/kernel.h"

enum {
    HS_PT_CHANCE = HS_OWN_COLUMNS, /* sum of min(1, ratio) of exchanges */
    HS_PT_COLD_GAP,                /* half of the distance to the colder beta */
    HS_PT_HOT_GAP,                 /* and to the hotter one */
    HS_PT_COUNT,                   /* number of summed steps: */
    HS_PT_ENERGY,                  /* U */
    HS_PT_SQUARE,                  /* U^2 */
    HS_PT_COLD_MAX,                /* exp(cold gap U) */
    HS_PT_COLD_SUM,
    HS_PT_HOT_MAX, /* exp(-hot gap U) */
    HS_PT_HOT_SUM,
    HS_PT_COLUMNS,

    /* Only with a reference path.  L is ln of a level's density: */
    HS_PT_TO_COLD = HS_PT_COLUMNS, /* L of the colder level - L, at x */
    HS_PT_TO_HOT,   /* L of the hotter one; for the target, of its neighbor on
                       the path */
    HS_PT_SIDE_MAX, /* the target's exp(to hot / 2) */
    HS_PT_SIDE_SUM,
    HS_PT_DRAWN, /* fresh states of the reference, */
    HS_PT_TAKEN, /* and possible ones among them */
    HS_PT_PATH_COLUMNS,

    /* Only with a network at the hottest level: its proposals, */
    HS_PT_END_COUNT = HS_PT_COLUMNS,
    HS_PT_END_TAKEN,   /* accepted ones */
    HS_PT_END_SUM,     /* their weights divided by e^log_scale, */
    HS_PT_END_SQUARES, /* and squares of these */
    HS_PT_END_COLUMNS
};

/* Values of the option `reference` of pt. */
enum {
    HS_TEMPERING_UNIFORM,
    HS_TEMPERING_PRODUCT,
    HS_TEMPERING_MODES,
    HS_TEMPERING_NETWORK
};

extern const hs_kernel_type hs_kernel_pt;

/* Number of levels of the ladder, and of the reference path, from the target's
 * neighbor to the reference. */
int hs_tempering_ladder(const hs_kernel *pt);
int hs_tempering_path(const hs_kernel *pt);
/* Weights of the network's proposals at the hottest level, added to those that
 * are there; false: there is no network. */
bool hs_tempering_weigh_end(const hs_kernel *pt, hs_proposal_weights *sum);
/* Temperature of a level of the ladder. */
double hs_tempering_temperature(const hs_kernel *pt, int level);

/* Adds U in the lanes of a tile to the sums. */
void hs_tempering_note(hs_kernel *k, const hs_tile *x);

#endif
