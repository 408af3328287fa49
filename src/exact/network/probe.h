/* probe.h - states that a quick annealing finds, by which a network is checked.
 *
 * A train whose bonds were cut may have lost a whole mode.  None of its own
 * draws shows that: all of them have the same weight p / q.  The states of
 * other chains do, since their weight is far above it. */
#ifndef HS_EXACT_NETWORK_PROBE_H
#define HS_EXACT_NETWORK_PROBE_H

#include <hiss/status.h>

#include "base/poll.h"
#include "model/factors.h"
#include "model/model.h"

/* Sixteen states after sweeps of heat baths from random states, with falling
 * temperature; x is [f->dim].  Some may be impossible. */
hiss_status hs_probe_states(hs_index_row *x, const hs_factors *f,
                            const hs_poll *poll, hiss_error *err);

/* Sweeps that this takes, of 16 chains. */
#define HS_PROBE_SWEEPS 32

#endif
