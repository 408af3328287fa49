/* wide.h - functions that want many states at once.
 *
 * While they are attached, what the tiles of a run ask such a function for is
 * gathered, and one call answers all of it, up to the function's width. */
#ifndef HS_MODEL_USER_WIDE_H
#define HS_MODEL_USER_WIDE_H

#include <hiss/status.h>

#include "model/model.h"

typedef struct hs_wide hs_wide;

/* For models of that width.  *out is NULL, and that is no fault, where the
 * model evaluates tile by tile. */
hiss_status hs_wide_create(hs_wide **out, const hs_model *m, int threads,
                           hiss_error *err);
void hs_wide_destroy(hs_wide *w);

/* This thread's hs_fibers_each gathers from here on, until hs_wide_leave; w
 * may be NULL: it does not.  Returns what leave wants. */
void *hs_wide_enter(hs_wide *w);
void hs_wide_leave(void *before);

#endif
