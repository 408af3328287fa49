/* seen_draws.h - draws of a run for comparison in a search for modes. */
#ifndef HS_VERDICT_STATES_SEEN_DRAWS_H
#define HS_VERDICT_STATES_SEEN_DRAWS_H

#include <stdint.h>

#include <hiss/status.h>

#include "api/object/objects.h"
#include "run/atlas/basin.h"

typedef struct hs_seen {
    int16_t *state; /* owned, [count][dim]: indices */
    double *u;      /* owned, [count] */
    int64_t count;
    double *log_r; /* owned, [values], or NULL: ln of the run's marginals */
    double margin; /* chance difference of ln of two such distributions */
} hs_seen;

/* Takes `most` of them, evenly spaced; fewer if they need much memory. */
#define HS_SEEN_DRAWS 4096
hiss_status hs_seen_init(hs_seen *w, const hiss_result *run, int64_t most,
                         hiss_error *err);
/* Computes the distribution of their marginals.  Even if many states are
 * typical of it, states of an unvisited mode fit the distribution of that
 * mode's own chains better. */
hiss_status hs_seen_sum_up(hs_seen *w, const hs_domain *d, hiss_error *err);
void hs_seen_clear(hs_seen *w);

/* Number of these draws in the basin. */
int64_t hs_seen_in(const hs_seen *w, const hs_domain *d, const hs_basin *b);

#endif
