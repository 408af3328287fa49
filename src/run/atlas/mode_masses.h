/* mode_masses.h - how heavy each mode is, without tempering:
 *
 *     Z_k = E_q[sqrt(p / q)] / E_p[sqrt(q / p)],
 *
 * with draws of the learned law q = q_k and states of the mode, both as long as
 * they are like it: a chain that walks away would make Z_k as large as the
 * mode that it walks to.  What chains of
 * a mode differ by gives the error of ln Z_k: it holds where q_k has nearly all
 * of its mode, and is infinite where no draw of q_k was possible. */
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
