/* scan.h - draws of a model at many temperatures, from one run. */
#ifndef HISS_SCAN_H
#define HISS_SCAN_H

#include <hiss/run.h>
#include <hiss/status.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct hiss_model hiss_model;
typedef struct hiss_result hiss_result;

/** Draws of the model at `count` inverse temperatures, from one run of parallel
 * tempering that has all of them among its levels.  A pilot adds the levels
 * that states need to pass between them, and hotter ones.
 *
 * base: the kernel of every replica, NULL for what suits the model.
 * beta: above 0, no two equal.  Log p of the model is multiplied by each, as by
 * hiss_model_temper on a model to which that was not applied.
 * settings: as for hiss_sample, with a number of samples.
 *
 * out, [count]: a result for each, in the order of beta, whose log p is that at
 * its temperature (hiss_result_at_level).  On failure all are NULL. */
HISS_API hiss_status hiss_scan(hiss_result **out, const hiss_model *model,
                               const char *base, const double *beta, int count,
                               const hiss_settings *settings, hiss_error *err);

#ifdef __cplusplus
}
#endif
#endif
