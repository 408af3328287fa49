/* pt_end.h - a hottest level that forgets: independent proposals from a
 * truncated network of its temperature (exact/network/network.h).
 *
 * A proposal y has its exact probability q(y) and is accepted with
 *     min(1, p(y)^beta q(x) / (p(x)^beta q(y))),
 * so the level keeps its distribution whatever the network lost.  Weights
 * p^beta / q of all proposals estimate Z of the level, from which the
 * temperatures lead to Z of the target. */
#ifndef HS_KERNEL_COMPOSE_PT_END_H
#define HS_KERNEL_COMPOSE_PT_END_H

#include <hiss/status.h>

#include "exact/network/network.h"
#include "kernel/kernel.h"

typedef struct hs_pt_end {
    const hs_network *held;      /* held; NULL without a network */
    hs_network_scratch *scratch; /* owned */
    hs_point y;                  /* owned: proposals */
    hs_index_row *now;           /* owned, [dim]: the present states */
    int every; /* steps between proposals, so that these cost about as much as
                  the steps of the base */
} hs_pt_end;

hiss_status hs_pt_end_init(hs_pt_end *e, const hs_model *m, double beta,
                           hiss_error *err);
void hs_pt_end_clear(hs_pt_end *e);

/* The weight of the proposal of each lane, divided by e^log_z of the
 * network. */
typedef struct hs_pt_renewal {
    double weight[HS_LANES];
    int32_t accept[HS_LANES];
} hs_pt_renewal;

/* Proposes new states in the wanted lanes, which must be at the hottest level;
 * the others stay.  is_first: accepts every possible proposal, to leave the
 * start. */
hiss_status hs_pt_end_renew(hs_pt_end *e, const hs_model *m, hs_tile *x,
                            const bool *wanted, bool is_first,
                            hs_pt_renewal *out);

#endif
