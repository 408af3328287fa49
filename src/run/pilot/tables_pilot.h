/* tables_pilot.h - elimination instead of a pilot, if it costs no more.
 *
 * Its tables are made before the first draw.  With a time limit, `auto` takes
 * them if it expects them to leave a good part of the time, and gives them up
 * as soon as that turns out to be wrong. */
#ifndef HS_RUN_PILOT_TABLES_PILOT_H
#define HS_RUN_PILOT_TABLES_PILOT_H

#include <hiss/status.h>

#include "base/text.h"
#include "run/pilot/scheme.h"

/* For `auto` and `independent`; does nothing for others.  Sets s->descent and
 * s->sampler if independent draws are possible.  account->budget limits the
 * cost of the tables; full is the sampler with all defaults.  If `auto` must
 * use another sampler, the text gets the reason. */
hiss_status hs_tables_pilot(hs_scheme *s, const hs_sampler *full,
                            hs_pilot_account *account, hs_text *text,
                            hiss_error *err);

#endif
