/* probe.h - states from a quick annealing that check a network.
 *
 * A train with cut bonds may have lost a whole mode.  Its own draws do not show
 * that, because all of them have about the same weight p / q.  The states of
 * other chains do, because their weight is far above it. */
#ifndef HS_EXACT_NETWORK_PROBE_H
#define HS_EXACT_NETWORK_PROBE_H

#include <hiss/status.h>

#include "base/poll.h"
#include "model/factors.h"
#include "model/model.h"

/* Finds sixteen states by sweeps of heat baths from random states, with falling
 * temperature; x is [f->dim].  Some may be impossible. */
hiss_status hs_probe_states(hs_index_row *x, const hs_factors *f,
                            const hs_poll *poll, hiss_error *err);

/* Number of sweeps, of 16 chains. */
#define HS_PROBE_SWEEPS 32

#endif
