/* callback.h - models whose U comes from a function: plug-ins and callers. */
#ifndef HS_MODEL_USER_CALLBACK_H
#define HS_MODEL_USER_CALLBACK_H

#include <stdbool.h>
#include <stdint.h>

#include <hiss/status.h>

#include "base/state/domain.h"
#include "model/model.h"

/* As in <hiss/arrays.h> and <hiss/plugin.h>. */
typedef int (*hs_callback_function)(const void *instance, const int16_t *x,
                                    int lanes, double *u, float *gradient);

/* The first part of every such model. */
typedef struct hs_callback {
    hs_model base;
    hs_callback_function evaluate;
    const void *instance; /* borrowed */
    bool has_gradient;
    int batch; /* tiles per call of a gradient by differences */
} hs_callback;

/* Sets batch and scratch_bytes, once the domain and has_gradient are known. */
void hs_callback_reserve(hs_callback *m);

/* The op of that name. */
hiss_status hs_callback_evaluate(const hs_model *m, hs_point *p, unsigned want);

/* Takes the domain over (empty afterwards, also on failure); name is copied,
 * instance borrowed. */
hiss_status hs_callback_create(hs_model **out, const char *name,
                               hs_domain *domain, hs_callback_function evaluate,
                               const void *instance, bool has_gradient,
                               hiss_error *err);

#endif
