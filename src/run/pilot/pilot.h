/* pilot.h - values for `auto` options, found once and then frozen.
 *
 * A chain that tunes itself adapts to its present state: where everything is
 * accepted its steps grow until it leaves; elsewhere they shrink, and the way
 * back closes.  Freezing such a tuning leaves the chain outside of its
 * distribution.  So the chains of a run never adapt.  Up to sixteen pilot
 * chains with reserved numbers start all over the space, learn one value per
 * level together, and are discarded.  Every chain of the run has that value
 * from its first step.  A run that starts in its distribution stays in it.
 *
 * The values do not depend on threads, ranks or the chains of the run. */
#ifndef HS_RUN_PILOT_PILOT_H
#define HS_RUN_PILOT_PILOT_H

#include <hiss/status.h>

#include "kernel/library.h"
#include "kernel/sampler.h"
#include "run/account/pilot_account.h"
#include "run/chain/group.h"

typedef struct hs_pilot {
    hs_group *group; /* owned, or NULL: nothing is tuned */
    char *text;      /* owned: a report, or NULL */
    int64_t steps;   /* steps that it made */
    bool is_cut;     /* fewer than it should have: the time was over */
} hs_pilot;

/* Earlier findings, borrowed. */
typedef struct hs_pilot_found {
    const hs_library *library; /* library of modes for bridges, or NULL */
    const int16_t *start;      /* [starts][dim]: states of all modes, or NULL:
                                  chains begin with random ones */
    int starts;
} hs_pilot_found;

/* account says how many steps, evaluations and seconds it may take; evaluations
 * are counted there. */
hiss_status hs_pilot_init(hs_pilot *p, const hs_model *m,
                          const hs_sampler *sampler,
                          const hs_pilot_found *found,
                          hs_pilot_account *account, hiss_error *err);
void hs_pilot_clear(hs_pilot *p);

/* A hash of the tuned values, which differs if any bit of them differs. */
uint64_t hs_pilot_fingerprint(const hs_pilot *p, uint64_t before);

/* Sets the tuned values of a level in the kernels of a new group, the same for
 * all lanes; -1: each lane gets those of its own level. */
void hs_pilot_apply(const hs_pilot *p, int level, hs_group *g);

#endif
