/* call.h - a call of a function of the user, alone or merged with others.
 *
 * Tiles have their states side by side, [coordinate][lane].  A function with
 * `by_state` gets them one after the other. */
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
    int lanes;       /* number of lanes in use, from the first */
    double *u;       /* [columns], or NULL if changes are requested */
    float *gradient; /* [rows][columns], or NULL */
    int site;        /* the site of the changes; 0 with u */
    double *change;  /* [states][columns], or NULL */
    hiss_status status;
    int code; /* return code of the function */
    /* the arrays that hold its answers from this lane on, if they are still to
     * be copied; borrowed, or NULL */
    const struct hs_call_arrays *from;
    int at;
} hs_call;

/* The arrays of several merged calls, or of one with another layout. */
typedef struct hs_call_arrays {
    int16_t *x;
    double *u;
    float *gradient;
    double *change;
    int lanes; /* in all */
} hs_call_arrays;

/* Bytes of arrays that a function with the layout `by_state` needs for this
 * many columns; 0 for other functions. */
size_t hs_call_bytes(const hs_callback *m, int columns);

/* Makes the call and sets c->status, c->code and, on success, the requested
 * arrays.  It is merged with others if the function is wide and the caller a
 * fiber.  scratch is that of the point, with hs_call_bytes from m->room_at
 * on. */
void hs_call_make(hs_call *c, void *scratch);

/* Copies the lanes of a call from number `at` on: states in, answers out.
 * Unused lanes are copies of the first. */
void hs_call_put(const hs_call *c, const hs_call_arrays *a, int at);
void hs_call_take(const hs_call *c, const hs_call_arrays *a, int at);

/* Calls the function for what c requests. */
int hs_call_function(const hs_call *c, const int16_t *x,
                     const hs_call_arrays *a);

#endif
