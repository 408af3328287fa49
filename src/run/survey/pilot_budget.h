/* pilot_budget.h - what a pilot costs, and whether the caller still wants it. */
#ifndef HS_RUN_WATCH_H
#define HS_RUN_WATCH_H

#include <stdint.h>

#include <hiss/run.h>
#include <hiss/status.h>

typedef struct hs_watch {
    uint64_t seed;
    double budget; /* evaluations that the pilot may take */
    double energy_evals, gradient_evals; /* taken so far */
    int (*progress)(void *context, const hiss_progress *progress);
    void *context;
    double share; /* of the whole run that the pilot is, for progress */
    /* for the values of `auto` options (run/pilot/pilot.h), 0: as it finds right */
    int64_t steps; /* at most, */
    double tuning; /* and evaluations */
} hs_watch;

static inline double hs_watch_spent(const hs_watch *w)
{
    return w->energy_evals + w->gradient_evals;
}

/* Tells the caller how far it is; HISS_ESTOP if that is enough. */
hiss_status hs_watch_tell(const hs_watch *w, hiss_error *err);

#endif
