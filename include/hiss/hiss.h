/* hiss.h - sampling multimodal discrete distributions: all public headers.
 *
 *     hiss_model *model;      what to sample: U = ln of the probability
 *     hiss_sampler *sampler;  how, from a spec such as
 *                             "pt(base=hiss(eta=4,inner=dmala(alpha=0.2)))"
 *     hiss_result *result;    draws, counts and diagnostics
 *
 * Objects are opaque.  Who creates destroys; destroy(NULL) is fine.  Functions
 * that can fail return a hiss_status and take a hiss_error last, which may be
 * NULL.  The library never prints and never ends the process.
 *
 * NULL is an argument where a comment says so.  Where it is not, and for a
 * number that is out of range, a function that returns a status fails with
 * HISS_EARG (HISS_ELIMIT for one that is too large), its outputs NULL.  Other
 * functions return 0, NULL or NaN, by their type, unless a comment says
 * otherwise; structs and arrays that they fill stay what they were.
 *
 * Structs begin with their size, so that they can grow.  The caller sets it:
 *
 *     hiss_settings settings;
 *     hiss_settings_init(&settings);                   settings: all defaults
 *     hiss_run_info info = HISS_INIT(hiss_run_info);   the others: zero
 *     hiss_domain domain = {.size = sizeof domain, .dim = 2};
 *
 * A size below the library's is that of an older program: what is missing has
 * its default, and nothing beyond is read or written.  A larger one is that of
 * a newer program: HISS_EUNSUP if anything beyond what the library knows is
 * not zero.  A size of 0 is a struct that was not initialized: HISS_EARG, or 0
 * (false).  docs/abi.md has the whole rule, and what has no size.
 *
 * Draws depend on (seed, chain, model, sampler, settings) and on nothing else:
 * not on threads or ranks and not on the number of other chains. */
#ifndef HISS_HISS_H
#define HISS_HISS_H

/* what to sample */
#include <hiss/arrays.h>
#include <hiss/format.h>
#include <hiss/kind.h>
#include <hiss/model.h>
#include <hiss/network.h>

/* sampling and its results */
#include <hiss/output.h>
#include <hiss/ranks.h>
#include <hiss/result.h>
#include <hiss/run.h>
#include <hiss/sampler.h>
#include <hiss/scan.h>

/* whether to trust the draws */
#include <hiss/diagnose.h>
#include <hiss/exact.h>
#include <hiss/modes.h>
#include <hiss/verify.h>

/* other answers */
#include <hiss/compare.h>
#include <hiss/info.h>
#include <hiss/optimize.h>

/* needed by all of them */
#include <hiss/api.h>
#include <hiss/status.h>
#include <hiss/trust.h>
#include <hiss/version.h>

#endif
