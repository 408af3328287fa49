/* conditionals.h - distributions of modes from conditionals, not from counts.
 *
 * The distribution of coordinate i in mode k is the mean, over states of the
 * mode, of
 *     P(x_i = v | x_others) = e^U(v) / sum_w e^U(w)
 * (Rao-Blackwell).  It uses exact single-site differences of U if the model has
 * them at little cost, else the gradient, as if U were linear in x_i.  The
 * error of ln q_k is about d r / n after n states, where
 *     r = sum_iv var P(x_i = v | .) / sum_iv p_ki(v) (1 - p_ki(v)).
 * r is 1 for counts and 0 if coordinates are independent in the mode; then a
 * few states are enough in any dimension.
 *
 * Each state costs one evaluation, and there is a step between states. */
#ifndef HS_RUN_ATLAS_CONDITIONALS_H
#define HS_RUN_ATLAS_CONDITIONALS_H

#include <hiss/status.h>

#include "kernel/library.h"
#include "run/atlas/pilot_chains.h"

/* Learns the distributions of all modes of b from the chains c, which continue
 * from their present states.  of[lane] is the mode of a lane; every mode has
 * one.  If the gradient does not fit the counts of the chains, the counts are
 * used. Where coordinates depend on each other in pairs, the distributions are
 * trees (run/trees/chow_liu.h).
 *
 * known, or NULL: distributions of the same modes.  States are redrawn from
 * them between steps, so that slow chains see more of a mode; then the whole
 * budget is spent. */
hiss_status hs_conditionals_learn(hs_library *b, const hs_library *known,
                                  hs_pilot_chains *c, const int *of,
                                  const hs_model *m,
                                  const hs_pilot_request *request,
                                  hs_pilot_account *account, hiss_error *err);

#endif
