/* pilot_account.h - what a pilot costs, and whether the caller still wants
 * it. */
#ifndef HS_RUN_ACCOUNT_PILOT_ACCOUNT_H
#define HS_RUN_ACCOUNT_PILOT_ACCOUNT_H

#include <stdint.h>

#include <hiss/run.h>
#include <hiss/status.h>

typedef struct hs_pilot_account {
    uint64_t seed;
    double budget; /* evaluations that the pilot may take */
    double energy_evals, gradient_evals; /* taken so far */
    int (*progress)(void *context, const hiss_progress *progress);
    void *context;
    double share; /* of the whole run that the pilot is, for progress */
    int threads;  /* for what is no chain */
    /* for the values of `auto` options (run/pilot/pilot.h), 0: as it finds
     * right */
    int64_t steps; /* at most, */
    double tuning; /* and evaluations */
} hs_pilot_account;

static inline double hs_pilot_account_spent(const hs_pilot_account *w)
{
    return w->energy_evals + w->gradient_evals;
}

/* Reports progress to the caller; HISS_ESTOP if it wants to stop. */
hiss_status hs_pilot_account_report(const hs_pilot_account *w, hiss_error *err);

#endif
