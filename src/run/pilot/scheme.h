/* scheme.h - a sampler as the run uses it, with the findings of its pilot.
 *
 * pt(levels=auto) gets its temperatures, bridge its library, and auto becomes
 * another sampler.  Other `auto` options have a pilot of their own (pilot.h).
 * A scheme depends only on (model, sampler, seed, budget), so a run that is
 * resumed from a checkpoint makes the same one again.  The exception is an
 * account with a time limit. */
#ifndef HS_RUN_PILOT_SCHEME_H
#define HS_RUN_PILOT_SCHEME_H

#include <hiss/status.h>

#include "exact/descent.h"
#include "exact/network/network.h"
#include "kernel/library.h"
#include "kernel/sampler.h"
#include "run/account/pilot_account.h"
#include "run/chain/group.h"
#include "run/pilot/pilot.h"
#include "run/schedule/betas.h"

#define HS_STARTS 64 /* capacity: states that chains begin with */

typedef struct hs_scheme {
    const hs_model *model; /* model of the chains: the caller's, or softened */
    hs_model *softened;    /* owned, or NULL: chains may be hot, or move in
                              clusters, and there are impossible states */
    hs_sampler *sampler;   /* kept: the sampler of the run */
    hs_library *library;   /* owned, or NULL */
    hs_pilot pilot;        /* owned: values of its `auto` options */
    const hs_descent *descent; /* held, or NULL: tables of independent draws */
    const hs_network *network; /* held, or NULL: made only once */
    bool knows_all;            /* the library has all modes that were found */
    /* owned, [HS_STARTS][dim], or NULL: states of all modes by their masses,
     * where chains without temperatures begin */
    int16_t *start;
    char *text;      /* owned: a report, one line per finding; or NULL */
    double settling; /* steps in which every replica makes a round trip, if
                        tempering alone changes modes; 0: not known */
    double each;     /* estimated evaluations in which every replica at the
                        target of a chain makes an effective draw; 0: unknown */
    bool is_cut;     /* the pilot had less time than it needed */
    double energy_evals, gradient_evals; /* of the pilots */
    hs_betas betas; /* owned: of smc, and what a replica of it takes */
} hs_scheme;

/* account->budget is what the pilot may spend; 0: the pilot decides. */
hiss_status hs_scheme_init(hs_scheme *s, const hs_model *m,
                           const hs_sampler *sampler, hs_pilot_account *account,
                           hiss_error *err);
void hs_scheme_clear(hs_scheme *s);

/* Sets the found values in the kernels of a group. */
void hs_scheme_attach(const hs_scheme *s, hs_group *g);

/* Sets the chains of a group, which begin at chain first_chain, to states that
 * the pilot found.  Returns false, without a change, if there are none. */
bool hs_scheme_start(const hs_scheme *s, hs_group *g, int first_chain);

#endif
