/* pilot_chains.h - pilot chains at the target that look around where they stand.
 *
 * Every chain (a lane) counts the values of its coordinates, separately for
 * the two halves of a run, so that what differs between chains can be told
 * from what differs in time.  It also counts how often two coordinates half
 * the list apart, and next to each other, are alike: moves that turn all of a
 * state over make single coordinates agree and these not. */
#ifndef HS_RUN_CREW_H
#define HS_RUN_CREW_H

#include <hiss/status.h>

#include "base/spec/spec.h"
#include "kernel/library.h"
#include "run/chain/group.h"
#include "run/survey/pilot_budget.h"

typedef struct hs_crew {
    int lanes;
    int dim, values;
    int16_t *state;         /* owned, [lanes][dim]: where they stand */
    float *count[2];        /* owned, [lanes][values]: of each half */
    float *alike;           /* owned, [lanes][2 * dim]: of both */
    int steps;              /* counted per half in the last run */
    double proposed, taken; /* decisions of the last kernel of the tree */
} hs_crew;

hiss_status hs_crew_init(hs_crew *c, const hs_model *m, int lanes,
                         hiss_error *err);
void hs_crew_clear(hs_crew *c);

/* Takes the state of a group's lane as that of lane `to`. */
void hs_crew_take(hs_crew *c, int to, const hs_tile *t, int lane);

typedef struct hs_crew_run {
    const char *sampler;       /* spec, not tempered */
    const hs_library *library; /* borrowed, or NULL */
    uint32_t first_chain;
    int settle; /* steps that are not counted */
    int steps;  /* that are, in each half */
} hs_crew_run;

/* Moves all lanes; counts are of this run. */
hiss_status hs_crew_walk(hs_crew *c, const hs_model *m, const hs_crew_run *run,
                         hs_watch *watch, hiss_error *err);

/* How far the chains are from agreeing: for the worst coordinate, the variance
 * between chains of the share of a value, relative to that of the value
 * itself.  1 / steps for independent draws, about 1 when chains are stuck in
 * different places, 0 when nothing ever changes. */
double hs_crew_discord(const hs_crew *c);

/* The same of pairs of coordinates being alike. */
double hs_crew_pair_discord(const hs_crew *c);

/* That of values, on average over all of them, those that vary most counting
 * most. */
double hs_crew_mean_discord(const hs_crew *c);

#endif
