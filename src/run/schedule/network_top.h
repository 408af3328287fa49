/* network_top.h - the lowest temperature whose truncated network brings draws
 * that are accepted: where tempering with reference=network may end. */
#ifndef HS_RUN_SCHEDULE_NETWORK_TOP_H
#define HS_RUN_SCHEDULE_NETWORK_TOP_H

#include <hiss/status.h>

#include "base/text.h"
#include "exact/network/network.h"
#include "run/account/pilot_account.h"

/* *held: its network, which the caller releases, so that it is built only once.
 * Reports the result in a line.  HISS_EUNSUP if the model is not a sum of
 * tables, or no temperature that is tried has accepted draws. */
hiss_status hs_network_top_find(const hs_network **held, double *temperature,
                                const hs_model *m, hs_pilot_account *account,
                                hs_text *text, hiss_error *err);

#endif
