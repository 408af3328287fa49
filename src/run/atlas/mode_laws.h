/* mode_laws.h - finds the modes and learns the distribution of each.
 *
 * Pilot chains (pilot_chains.h) start from states that were cooled from
 * all over the space, and from cold states of tempering.  Chains whose values
 * agree over a while are in one mode; a mode is a set of such chains, not a
 * single optimum.  Each mode then gets chains of its own, which learn its
 * marginals (conditionals.h) and its mass (mode_masses.h). */
#ifndef HS_RUN_ATLAS_MODE_LAWS_H
#define HS_RUN_ATLAS_MODE_LAWS_H

#include <hiss/status.h>
#include <stdbool.h>

#include "kernel/library.h"
#include "run/atlas/pilot_chains.h"
#include "run/policy/policy.h"

/* Evaluations of a budget for which no chains are saved. */
static inline double hs_mode_laws_least(void)
{
    return hs_policy(HS_SAMPLES) * hs_policy(HS_MAX_STEPS);
}

/* Splits pilot chains that have just walked into modes: of[lane] is the
 * number of its mode, by falling size; returns how many there are, 0 without
 * memory. */
int hs_mode_laws_split(const hs_pilot_chains *c, int *of);

/* Slow chains drift, so single chains cannot distinguish nearby modes.  The
 * first `lanes` lanes began in a few groups, lane l in group l % groups.  True
 * if three of four lanes are nearer to the rest of their own group than to any
 * other group; then of[lane] is the nearest group of every lane. */
bool hs_mode_laws_hold(const hs_pilot_chains *c, int groups, int lanes,
                       int *of);

/* A library from what the pilot chains have counted: rough, and free. */
hiss_status hs_mode_laws_sketch(hs_library **out, const hs_pilot_chains *c,
                                const int *of, int modes, const hs_domain *d,
                                hiss_error *err);

/* Learns a library from pilot chains and their split: the largest modes, as
 * many as the budget and the memory of a library allow.  *out is NULL if there
 * is only one mode and the caller does not want a single one, or if the budget
 * is too small for any chain to learn. */
hiss_status hs_mode_laws_learn(hs_library **out, const hs_pilot_chains *c,
                               const int *of, int modes, const hs_model *m,
                               const hs_pilot_request *request,
                               hs_pilot_account *account, hiss_error *err);

#endif
