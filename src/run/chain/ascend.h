/* ascend.h - climbing to a local optimum: coordinate by coordinate to its best
 * value, in order, until no single change gains more than TOLERANCE.  Tours
 * climb by 2-opt and or-opt moves, and end as the one of their equals that
 * starts with the first city (base/state/tour.h). */
#ifndef HS_RUN_CHAIN_ASCEND_H
#define HS_RUN_CHAIN_ASCEND_H

#include "base/poll.h"
#include "model/model.h"

typedef struct hs_ascent {
    hs_point spare;       /* owned */
    hs_float_row *change; /* owned, [states_max] */
    int16_t *scratch;     /* owned, [2 * dim], or NULL: no tours */
    double visits;        /* sites visited so far, in all climbs */
    const hs_poll *poll;  /* borrowed, NULL: a climb is not interrupted */
} hs_ascent;

hiss_status hs_ascent_init(hs_ascent *a, const hs_model *m, hiss_error *err);
void hs_ascent_clear(hs_ascent *a);

/* Climbs in all lanes of p, which keeps valid U; lanes do not influence each
 * other.  `lanes` of them count for when to stop.  A climb that is interrupted
 * ends where it is. */
hiss_status hs_ascend(hs_ascent *a, const hs_model *m, hs_point *p, int lanes);

#endif
