/* patrol.h - tempering in search of modes that are not known yet.
 *
 * Chains with tuned temperatures run for a while; a state at the target that a
 * library (a sketch of what was found before) does not know is kept. */
#ifndef HS_RUN_PATROL_H
#define HS_RUN_PATROL_H

#include <stdint.h>

#include <hiss/status.h>

#include "kernel/library.h"
#include "run/ladder.h"

#define HS_PATROL_MAX 32 /* states */

typedef struct hs_patrol {
    int16_t *state; /* owned, [HS_PATROL_MAX][dim]: unknown ones */
    int count;
} hs_patrol;

/* About `budget` evaluations; a look at the target every `every` steps. */
hiss_status hs_patrol_make(hs_patrol *p, const hs_model *m, const hs_ladder *l,
                           const hs_ladder_request *request,
                           const hs_library *known, int every, hs_watch *watch,
                           hiss_error *err);
void hs_patrol_clear(hs_patrol *p);

#endif
