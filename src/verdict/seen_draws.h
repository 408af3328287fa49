/* seen_draws.h - draws of a run that a search for modes compares with. */
#ifndef HS_VERDICT_SEEN_DRAWS_H
#define HS_VERDICT_SEEN_DRAWS_H

#include <stdint.h>

#include <hiss/status.h>

#include "api/object/objects.h"
#include "run/atlas/basin.h"

typedef struct hs_seen {
    int16_t *state; /* owned, [count][dim]: indices */
    double *u;      /* owned, [count] */
    int64_t count;
    double *log_r; /* owned, [values], or NULL: ln of the run's marginals */
    double margin; /* by which ln of two such laws may differ by chance */
} hs_seen;

/* Some thousand, evenly spaced. */
hiss_status hs_seen_init(hs_seen *w, const hiss_result *run, hiss_error *err);
/* A law of their marginals: states of a mode that draws are not in are more
 * like the law of its own chains, however many states are typical of that. */
hiss_status hs_seen_sum_up(hs_seen *w, const hs_domain *d, hiss_error *err);
void hs_seen_clear(hs_seen *w);

/* So many of them are in the basin. */
int64_t hs_seen_in(const hs_seen *w, const hs_domain *d, const hs_basin *b);

#endif
