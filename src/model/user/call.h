/* call.h - one call of a function of the user: now, or with others.
 *
 * Tiles have their states side by side, [coordinate][lane].  A function that
 * has them one after the other, `by_state`, gets them so. */
#ifndef HS_MODEL_USER_CALL_H
#define HS_MODEL_USER_CALL_H

#include <stdbool.h>
#include <stdint.h>

#include <hiss/status.h>

#include "base/fiber/fibers.h"
#include "model/user/callback.h"

struct hs_call_arrays;

typedef struct hs_call {
    hs_ask ask;
    const hs_callback *m; /* borrowed, as is all that follows */
    const int16_t *x;     /* [dim][columns] */
    int columns;
    int lanes;       /* of these that matter, the first */
    double *u;       /* [columns], or NULL: changes are asked for */
    float *gradient; /* [rows][columns], or NULL */
    int site;        /* whose changes, 0 with u */
    double *change;  /* [states][columns], or NULL */
    hiss_status status;
    int code; /* what the function returned */
    /* where its answers are, from this lane on, if they are still to be taken;
     * borrowed, or NULL */
    const struct hs_call_arrays *from;
    int at;
} hs_call;

/* Where the arrays of several calls are, or those of one that has another
 * layout. */
typedef struct hs_call_arrays {
    int16_t *x;
    double *u;
    float *gradient;
    double *change;
    int lanes; /* in all */
} hs_call_arrays;

/* Bytes of what a function with the layout `by_state` needs to be called for so
 * many columns; 0 without it. */
size_t hs_call_bytes(const hs_callback *m, int columns);

/* Fills in c->status, c->code and, if all went well, what was asked for; with
 * others if the function is wide and the caller a fiber.  scratch is that of
 * the point, with hs_call_bytes from m->room_at on. */
void hs_call_make(hs_call *c, void *scratch);

/* The lanes of a call from number `at` on: states in, answers out, where lanes
 * that do not matter are as the first. */
void hs_call_put(const hs_call *c, const hs_call_arrays *a, int at);
void hs_call_take(const hs_call *c, const hs_call_arrays *a, int at);

/* The function itself, for what c asks for. */
int hs_call_function(const hs_call *c, const int16_t *x,
                     const hs_call_arrays *a);

#endif
