/* build.h - building a network: shared declarations. */
#ifndef HS_EXACT_NETWORK_BUILD_H
#define HS_EXACT_NETWORK_BUILD_H

#include "exact/network/gauge.h"
#include "exact/network/line.h"
#include "exact/network/network.h"
#include "exact/network/slice.h"
#include "model/factors.h"

struct hs_network {
    hs_network_facts facts;
    const hs_model *m; /* borrowed */
    int request;       /* requested bond; 0 for auto */
    double beta;       /* beta of its tables */
    int64_t holders;
    hs_factors factors;  /* owned: tables of coordinates that have a choice */
    double *weight;      /* owned: e^entry, scaled so that the largest of a
                            table is 1 */
    double log_scale;    /* log scale of all tables */
    double sweep;        /* entries read by a sweep of single sites */
    hs_line line;        /* owned */
    hs_index_row *probe; /* owned, [dim]: states of other chains; NULL if none
                            is possible */
    bool is_gauged;      /* by these */
    hs_slice *slice;     /* owned, [layers]: the last layer first */
    int slices, room;
    double floor;
    struct hs_network *next;
};

/* Computes e^entry of every table, divided by its largest. */
hiss_status hs_network_set_weights(hs_network *n, hiss_error *err);

/* Builds the layers for a bond and the share of squares that may be discarded
 * at a cut; frees those of an earlier call. */
hiss_status hs_network_build(hs_network *n, int bond, double discard,
                             const hs_poll *poll, hiss_error *err);
void hs_network_drop(hs_network *n);

#endif
