/* reference_path.h - levels between the target and a learned reference, placed
 * by a pilot.
 *
 * As with temperatures (run/schedule/ladder.h) rejections of exchanges along
 * the path add up to its barrier, and rounds of doubling length place levels at
 * equal distances of it, two per unit.  The path runs by itself, without
 * temperatures, from states of all known modes. */
#ifndef HS_RUN_SCHEDULE_REFERENCE_PATH_H
#define HS_RUN_SCHEDULE_REFERENCE_PATH_H

#include <hiss/status.h>

#include "kernel/library.h"
#include "kernel/sampler.h"
#include "run/account/pilot_account.h"
#include "run/survey/trial.h"

#define HS_LEG_MAX 128 /* capacity: levels */

typedef struct hs_leg {
    int levels;
    double lambda[HS_LEG_MAX]; /* falling to 0 */
    double barrier;            /* sum of the rejections */
    int rounds;                /* made; 0: levels are a guess */
} hs_leg;

typedef struct hs_leg_request {
    const hs_sampler *base; /* borrowed: of every level */
    int swap_every;
    const char *reference;     /* product or modes */
    const hs_library *library; /* borrowed */
    hs_trial_start from;       /* borrowed */
    double budget;             /* evaluations */
} hs_leg_request;

hiss_status hs_leg_tune(hs_leg *l, const hs_model *m,
                        const hs_leg_request *request,
                        hs_pilot_account *account, hiss_error *err);

/* pt with these temperatures and the reference path; NULL temperatures: only
 * the reference path. */
hiss_status hs_leg_sampler(hs_sampler **out, const hs_leg *l,
                           const hs_leg_request *request,
                           const hs_reals *temperatures, hiss_error *err);

#endif
