/* unseen_modes.h - tempering in search of modes that are not known yet.
 *
 * Chains with tuned temperatures run for a while; a state at the target that a
 * library (a sketch of what was found before) does not know is kept.  Looks
 * are as far apart as tempering needs, by its rejections, to bring a fresh
 * state; whether the mode has changed between them says how true that is. */
#ifndef HS_RUN_PATROL_H
#define HS_RUN_PATROL_H

#include <stdint.h>

#include <hiss/status.h>

#include "kernel/library.h"
#include "run/survey/ladder.h"

#define HS_PATROL_MAX   32 /* states that were not known */
#define HS_PATROL_LOOKS 64 /* states of all kinds */

typedef struct hs_patrol {
    int16_t *state; /* owned, [HS_PATROL_MAX][dim]: unknown ones */
    int count;
    int16_t *look; /* owned, [HS_PATROL_LOOKS][dim]: the first ones seen */
    int looks;
    double freshness; /* changes of mode between looks, relative to those of
                         independent ones; 1 when there is one mode only */
} hs_patrol;

/* About request->budget evaluations; looks at the target every `every` steps */
hiss_status hs_patrol_make(hs_patrol *p, const hs_model *m, const hs_ladder *l,
                           const hs_ladder_request *request,
                           const hs_library *known, int every, hs_watch *watch,
                           hiss_error *err);
void hs_patrol_clear(hs_patrol *p);

#endif
