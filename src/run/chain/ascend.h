/* ascend.h - climbs to a local optimum.
 *
 * It sets coordinate by coordinate to its best value, in order, until no single
 * change gains more than TOLERANCE.  Tours climb by 2-opt and or-opt moves, and
 * end as the equivalent tour that starts with the first city
 * (base/state/tour.h). */
#ifndef HS_RUN_CHAIN_ASCEND_H
#define HS_RUN_CHAIN_ASCEND_H

#include "base/poll.h"
#include "model/model.h"

typedef struct hs_ascent {
    hs_point spare;       /* owned */
    hs_float_row *change; /* owned, [states_max] */
    int16_t *scratch;     /* owned, [2 * dim], or NULL without tours */
    double visits;        /* sites visited so far, over all climbs */
    const hs_poll *poll;  /* borrowed; NULL if a climb cannot be interrupted */
} hs_ascent;

hiss_status hs_ascent_init(hs_ascent *a, const hs_model *m, hiss_error *err);
void hs_ascent_clear(hs_ascent *a);

/* Climbs in all lanes of p, whose U stays valid; lanes are independent.
 * `lanes` of them count for the stopping rule.  An interrupted climb ends where
 * it is. */
hiss_status hs_ascend(hs_ascent *a, const hs_model *m, hs_point *p, int lanes);

#endif
