/* parts.h - Houdayer moves: exchanges connected components of the differences
 * of two replicas.
 *
 * U is a sum of tables.  The sites where two states x and y differ form
 * components, connected by shared tables.  A table sees at most one component,
 * so exchanging the values of a component C changes U(x) by
 *
 *   D_C = sum_f [table_f(y) - table_f(x)], f that C touches,
 *
 * and U(y) by -D_C.  The sum stays, and components are independent of each
 * other.  With x at beta and y at beta' every component but the largest is
 * exchanged with min(1, exp((beta - beta') D_C)).  The largest stays, because
 * exchanging all but one equals exchanging that one and then the replicas,
 * which whole exchanges do.  The components are the same afterwards, so the
 * product of both distributions is kept.
 *
 * At equal temperatures this is the isoenergetic move [Houdayer 2001; Zhu,
 * Ochoa & Katzgraber 2015] of all clusters at once.  Between levels its
 * acceptance does not fall with the size of the model.  If all differing sites
 * are connected nothing happens.
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
    int32_t *parent;    /* owned, [dim]: towards the first site of the
                           component */
    int32_t *size;      /* owned, [dim]: sites of the component, at the first */
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

/* Exchanges components of a and b by random words of (chain, level) at the
 * clock of a's tile.  U, gradient and cache of both points become invalid. */
void hs_parts_exchange(hs_parts *p, hs_parts_side a, hs_parts_side b,
                       uint32_t chain, uint32_t level);
/* Houdayer's move at equal temperatures: exchanges the component of a random
 * differing site. */
void hs_parts_exchange_one(hs_parts *p, hs_parts_side a, hs_parts_side b,
                           uint32_t chain, uint32_t level);

#endif
