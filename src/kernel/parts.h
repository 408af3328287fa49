/* parts.h - exchange between two replicas, part by part.
 *
 * U is a sum of tables.  Sites where two states x and y differ fall into
 * parts, joined where they share a table.  A table sees one part at most, so
 * that exchanging the values of a part C changes
 *     U(x) by D_C = sum_f [table_f(y) - table_f(x)], f that C touches,
 * and U(y) by -D_C: the sum stays, and parts do not know of each other.  With
 * x at beta and y at beta' every part but the largest is exchanged with
 *     min(1, exp((beta - beta') D_C));
 * the largest stays, since to exchange all but one is to exchange that one and
 * then the replicas, which is the business of whole exchanges.  The parts are
 * the same afterwards, so the product of both laws is kept.  At equal
 * temperatures this is the isoenergetic move [Houdayer 2001; Zhu, Ochoa &
 * Katzgraber 2015], of all clusters at once; between levels it is an exchange
 * whose acceptance does not fall with the size of the model.  Where all that
 * differs hangs together nothing happens.
 *
 * Owns: the tables.  Not here: which replicas are exchanged (pt.c). */
#ifndef HS_KERNEL_PARTS_H
#define HS_KERNEL_PARTS_H

#include <stdint.h>

#include <hiss/status.h>

#include "kernel/tile.h"
#include "model/factors.h"
#include "model/model.h"

typedef struct hs_parts {
    hs_factors factors; /* owned */
    int32_t *parent;    /* owned, [dim]: to the first site of the part */
    int32_t *size;      /* owned, [dim]: sites of the part, at the first */
    double *gain;       /* owned, [dim]: D, at the first site */
} hs_parts;

/* Joins sites that share a table (base/sets.h): parent[i] is i where two states
 * differ, and -1 where they agree. */
void hs_parts_join(const hs_factors *f, int32_t *parent);

/* HISS_EUNSUP for a model that is not a sum of tables. */
hiss_status hs_parts_init(hs_parts *p, const hs_model *m, hiss_error *err);
void hs_parts_clear(hs_parts *p);

typedef struct hs_parts_side {
    hs_tile *tile;
    int lane;
} hs_parts_side;

/* Exchanges parts of a and b by random words of (chain, level) at the clock of
 * a's tile.  U, gradient and cache of both points are out of date then. */
void hs_parts_exchange(hs_parts *p, hs_parts_side a, hs_parts_side b,
                       uint32_t chain, uint32_t level);
/* Houdayer's move, for equal temperatures: of the sites where they differ a
 * random one, and all of its part, change hands. */
void hs_parts_exchange_one(hs_parts *p, hs_parts_side a, hs_parts_side b,
                           uint32_t chain, uint32_t level);

#endif
