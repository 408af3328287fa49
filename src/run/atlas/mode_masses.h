/* mode_masses.h - the mass of each mode, without tempering:
 *
 *     Z_k = E_q[sqrt(p / q)] / E_p[sqrt(q / p)],
 *
 * with draws of the learned distribution q = q_k and states of the mode.  Both
 * count only while they are typical of q_k: otherwise a chain that walks away
 * would make Z_k as large as the mode that it reaches.  The differences between
 * the chains of a mode give the error of ln Z_k.  It is valid if q_k covers
 * nearly all of its mode, and infinite if no draw of q_k was possible. */
#ifndef HS_RUN_ATLAS_MODE_MASSES_H
#define HS_RUN_ATLAS_MODE_MASSES_H

#include <hiss/status.h>

#include "kernel/library.h"
#include "run/atlas/pilot_chains.h"

/* Estimates the masses of the library's modes (log_mass, log_error, held,
 * weights) from the states of the chains c.  of[lane] is the mode of a lane;
 * the number of lanes is a multiple of 16. */
hiss_status hs_mode_masses_weigh(hs_library *b, hs_pilot_chains *c,
                                 const int *of, const hs_model *m,
                                 const hs_pilot_request *request,
                                 hs_pilot_account *account, hiss_error *err);

#endif
