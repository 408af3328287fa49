/* pilot.h - values for `auto` options, found once and then frozen.
 *
 * A chain that tunes itself adapts to where it stands: where everything is
 * accepted its steps grow until it leaves, elsewhere they shrink and the way
 * back closes; what is frozen then is a chain out of its law.  So the chains
 * of a run never adapt.  Pilot chains with reserved numbers, up to sixteen,
 * start all over the space, learn one value per level together, and are
 * thrown away; every chain of the run has that value from its first step.  A
 * run that begins in its law is in its law at every step.
 *
 * Nothing of it depends on threads, ranks or the chains of the run. */
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
    const hs_library *library; /* what bridges jump between, or NULL */
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
