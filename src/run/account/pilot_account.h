/* pilot_account.h - what a pilot costs, and whether the caller still wants
 * it.
 *
 * A pilot counts evaluations, so that its result depends on the seed alone.  If
 * the caller has limited the seconds, the account converts them into
 * evaluations at the speed measured so far, and ends the pilot when they are
 * used up.  A pilot reads the clock nowhere else. */
#ifndef HS_RUN_ACCOUNT_PILOT_ACCOUNT_H
#define HS_RUN_ACCOUNT_PILOT_ACCOUNT_H

#include <stdbool.h>
#include <stdint.h>

#include <hiss/run.h>
#include <hiss/status.h>

typedef struct hs_pilot_account {
    uint64_t seed;
    double budget; /* evaluations that the pilot may take, */
    double evals;  /* and the whole run; 0: no limit */
    int chains;    /* chains of the run; 0: not known */
    int64_t draws; /* most draws of a chain that are kept; 0: not known */
    int64_t room;  /* draws of a chain in the store until then */
    bool is_open;  /* evaluations alone say how many steps there are, and how
                      far apart draws and how long the warm-up is */
    double energy_evals, gradient_evals; /* spent so far */
    double latest; /* last amount entered for the part in progress */
    int (*progress)(void *context, const hiss_progress *progress);
    void *context;
    double
        share;   /* share of the whole run that the pilot takes, for progress */
    int threads; /* threads for work other than chains */
    const int16_t *given; /* borrowed, possible states of the user: indices; */
    int given_count;      /* 0: none */
    const char *device; /* of the run (device/open.h), or NULL: the processor */
    /* limits of the search for `auto` values (run/pilot/pilot.h); 0: the pilot
     * decides */
    int64_t steps;   /* most steps */
    double tuning;   /* most evaluations */
    double began;    /* hs_now(), for progress */
    double limit;    /* seconds of the whole run, 0: no limit */
    double until;    /* hs_now() at which the pilot ends, 0: no limit */
    double from;     /* hs_now() from which its evaluations are timed, */
    double untimed;  /* evaluations before that */
    bool is_lowered; /* the budget is less than it would be without that */
    bool is_late;    /* and it was ended by it */
    double walk; /* seconds of a processor that a chain of the run has then */
    double next; /* hs_now() at which the caller is asked again */
} hs_pilot_account;

static inline double hs_pilot_account_spent(const hs_pilot_account *w)
{
    return w->energy_evals + w->gradient_evals;
}

/* Checkpoint of the cost counter before a part of the pilot.  The part enters
 * its total cost after every step.  So a step that would overspend is not made,
 * and the cost of a part that is broken off is counted. */
typedef struct hs_pilot_mark {
    double energy_evals, gradient_evals;
} hs_pilot_mark;

hs_pilot_mark hs_pilot_account_mark(const hs_pilot_account *w);
void hs_pilot_account_enter(hs_pilot_account *w, hs_pilot_mark before,
                            double energy, double gradient);

/* Evaluations up to half of the run's; HUGE_VAL without a limit. */
double hs_pilot_account_room(const hs_pilot_account *w);

/* Returns true if half of the run's evaluations are used up, or another step
 * like the latest would use them up: steps may cost more than estimated. */
bool hs_pilot_account_has_overspent(const hs_pilot_account *w);

/* Call it in every step of a pilot; it is inexpensive unless the caller must
 * be asked.  Returns HISS_ESTOP if the caller wants to stop.  The same, with
 * is_late, if the time is over or another step like the latest would
 * overspend. */
hiss_status hs_pilot_account_report(hs_pilot_account *w, hiss_error *err);

/* The same in the form of a hs_poll (base/poll.h); the context is the
 * account. */
int hs_pilot_account_ask(void *account);

/* With a time limit, after other work has used a part of it: gives the pilot
 * its share of the rest and times it from now on. */
void hs_pilot_account_restart(hs_pilot_account *w);

/* Extends the time limit by what a part of the pilot has left to later ones. */
void hs_pilot_account_prolong(hs_pilot_account *w);

/* With a time limit: lowers the budget to the evaluations that fit into the
 * rest. */
void hs_pilot_account_calibrate(hs_pilot_account *w);

/* Evaluations that a chain of the run has left; HUGE_VAL without a limit. */
double hs_pilot_account_left(const hs_pilot_account *w);

/* Replicas of a chain that leave time for some steps of it; HUGE_VAL without a
 * limit. */
double hs_pilot_account_replicas(const hs_pilot_account *w);

/* Returns the fraction of its time that is used up, 0 without a limit. */
double hs_pilot_account_hurry(const hs_pilot_account *w);

#endif
