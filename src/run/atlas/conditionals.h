/* conditionals.h - laws of modes from conditionals, not from counts.
 *
 * The law of coordinate i in mode k is the mean, over states of the mode, of
 *     P(x_i = v | x_others) = e^U(v) / sum_w e^U(w)
 * (Rao-Blackwell): by exact single-site differences of U where the model has
 * them cheaply, else by its gradient, U taken as linear in x_i.  The error of
 * ln q_k is about d r / n after n states, where
 *     r = sum_iv var P(x_i = v | .) / sum_iv p_ki(v) (1 - p_ki(v))
 * is 1 for counts and 0 where coordinates are independent in the mode: there a
 * handful of states is enough at any dimension.
 *
 * One evaluation per state, and a step between states. */
#ifndef HS_RUN_ATLAS_CONDITIONALS_H
#define HS_RUN_ATLAS_CONDITIONALS_H

#include <hiss/status.h>

#include "kernel/library.h"
#include "run/atlas/pilot_chains.h"

/* Laws of all modes of b from chains c, which go on from where they stand;
 * of[lane]: their modes, each of which has a lane.  A gradient that does not
 * fit what the chains have counted is not used: counts are.  Where pairs of
 * coordinates go together the laws are trees (run/trees/chow_liu.h).
 *
 * known, or NULL: laws of the same modes that states are redrawn from between
 * steps, so that slow chains see more of a mode; all of the budget is taken
 * then. */
hiss_status hs_conditionals_learn(hs_library *b, const hs_library *known,
                                  hs_pilot_chains *c, const int *of,
                                  const hs_model *m,
                                  const hs_pilot_request *request,
                                  hs_pilot_account *account, hiss_error *err);

#endif
