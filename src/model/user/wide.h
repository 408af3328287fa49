/* wide.h - functions that want many states at once.
 *
 * While they are attached, what the tiles of a run ask such a function for is
 * gathered, and one call answers all of it, up to the function's width. */
#ifndef HS_MODEL_USER_WIDE_H
#define HS_MODEL_USER_WIDE_H

#include <hiss/status.h>

#include "base/pool.h"
#include "model/model.h"

typedef struct hs_wide hs_wide;

/* Calls run(context, err) with such fibers around it, where the model is wide;
 * threads counts the caller. */
hiss_status hs_wide_run(const hs_model *m, int threads,
                        hiss_status (*run)(void *context, hiss_error *err),
                        void *context, hiss_error *err);

/* Calls work(context, index) for index 0 .. count-1: on fibers, whose calls are
 * gathered, where the model is wide and they are there, else on the threads of
 * the pool. */
void hs_wide_each(const hs_model *m, hs_pool *pool,
                  void (*work)(void *context, int index), void *context,
                  int count);

/* How many pieces of work that ask for so many states each should be under way
 * at once: those that fill a call, else one for each thread. */
int hs_wide_pieces(const hs_model *m, int states, int threads);

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
