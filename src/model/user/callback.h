/* callback.h - models whose U comes from a function: plug-ins and callers. */
#ifndef HS_MODEL_USER_CALLBACK_H
#define HS_MODEL_USER_CALLBACK_H

#include <stdbool.h>
#include <stdint.h>

#include <hiss/status.h>

#include "base/state/domain.h"
#include "lanes/shapes.h"
#include "model/model.h"

/* As in <hiss/arrays.h> and <hiss/plugin.h>. */
typedef int (*hs_callback_function)(const void *instance, const int16_t *x,
                                    int lanes, double *u, float *gradient);

typedef int (*hs_change_function)(const void *instance, const int16_t *x,
                                  int lanes, int i, double *change);

#define HS_WIDTH_MAX (1 << 24) /* most states in one call */

/* The first member of every such model. */
typedef struct hs_callback {
    hs_model base;
    hs_callback_function evaluate;
    hs_change_function change; /* or NULL */
    const void *instance;      /* borrowed */
    bool has_gradient;
    bool by_state;         /* its arrays have one state after the other */
    hs_function_form card; /* evaluate is NULL if it does not run on a GPU */
    int batch;             /* tiles per call for a gradient by differences */
    size_t room_at;        /* offset of the room of hs_call_make in the
                              scratch */
} hs_callback;

/* Sets batch, room_at, scratch_bytes and gradient_states, when the rest is
 * set. */
void hs_callback_reserve(hs_callback *m);

/* Implement the ops of that name. */
hiss_status hs_callback_evaluate(const hs_model *m, hs_point *p, unsigned want);
hiss_status hs_callback_change(const hs_model *m, hs_point *p, int i,
                               hs_float_row *out);

/* Takes ownership of the domain (empty afterwards, also on failure); copies
 * name, borrows instance.  From `from` it uses the functions, has_gradient,
 * by_state and base.width. */
hiss_status hs_callback_create(hs_model **out, const char *name,
                               hs_domain *domain, const hs_callback *from,
                               hiss_error *err);

#endif
