/* modes.h - which local optima the draws belong to.
 *
 * A draw is ascended by best single-site moves; the optimum that it reaches is
 * its mode.  Where a landscape has very many optima, those that are near to
 * each other (in at most a tenth of the coordinates) are one cluster,
 * represented by its heaviest. */
#ifndef HS_RUN_ATLAS_MODES_H
#define HS_RUN_ATLAS_MODES_H

#include <stdint.h>

#include <hiss/run.h>
#include <hiss/status.h>

#include "model/model.h"
#include "run/atlas/mode_table.h"
#include "run/chain/store.h"

#define HS_CLUSTERS_MAX 64 /* capacity: clusters */

/* When to stop; may be NULL. */
typedef struct hs_modes_bounds {
    bool is_full; /* check every draw, however many there are */
    /* Called repeatedly from the calling thread: returns a reason to stop,
     * or HISS_ENDED_DONE to go on.  done is the fraction of the draws that
     * are done, aim the fraction that makes the present pass useful; 0 if
     * none is. */
    hiss_ended (*stops)(void *context, double done, double aim);
    void *context; /* borrowed */
} hs_modes_bounds;

typedef struct hs_modes {
    hs_mode_table table; /* by falling number of draws; missed ones last */
    int chains;
    int64_t looked; /* draws checked per chain, `stride` apart */
    int64_t stride;
    hiss_ended ended;    /* HISS_ENDED_DONE: all draws; HISS_ENDED_EVALS: there
                            are too many; else what stopped it */
    int32_t *at;         /* owned, [chains][looked]: mode of a draw */
    int32_t *cluster;    /* owned, [table.used]: its cluster; -1 if none */
    int clusters;        /* at most HS_CLUSTERS_MAX */
    int32_t *leader;     /* owned, [clusters]: its heaviest mode */
    int64_t transitions; /* draws whose mode is not that of the one before */
    double missed;       /* heaviest exact mass of a mode without draws, NaN */
} hs_modes;

/* Checks all draws, or evenly spaced ones if there are very many.  It takes a
 * few first, then those between, so that it can stop at any time.  HISS_ESTOP
 * if not even the first few were done. log_z: finds the exact mass of every
 * mode by ascending every state, and the modes that no draw belongs to; NaN:
 * not; only asked of small domains. */
hiss_status hs_modes_init(hs_modes *s, const hs_store *store, int64_t samples,
                          const hs_model *m, double log_z,
                          const hs_modes_bounds *bounds, hiss_error *err);
void hs_modes_clear(hs_modes *s);

/* Puts the states first, first + 1, ... of the domain into the lanes; idle
 * lanes get the first. */
void hs_modes_enumerate(const hs_domain *d, int64_t first, int lanes,
                        hs_point *p);

/* Coordinates in which two modes differ. */
int hs_modes_distance(const hs_modes *s, int64_t a, int64_t b);

#endif
