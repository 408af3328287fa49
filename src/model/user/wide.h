/* wide.h - functions that want many states at once.
 *
 * While fibers are attached, the requests of the tiles of a run to such a
 * function are merged, and one call answers all of them, up to the function's
 * width. */
#ifndef HS_MODEL_USER_WIDE_H
#define HS_MODEL_USER_WIDE_H

#include <hiss/status.h>

#include "base/pool.h"
#include "model/model.h"

typedef struct hs_wide hs_wide;

/* Calls run(context, err) with such fibers if the model is wide; threads
 * includes the caller. */
hiss_status hs_wide_run(const hs_model *m, int threads,
                        hiss_status (*run)(void *context, hiss_error *err),
                        void *context, hiss_error *err);

/* Calls work(context, index) for index 0 ..  count-1.  If the model is wide and
 * fibers exist, it uses fibers, whose calls are merged; else the threads of the
 * pool. */
void hs_wide_each(const hs_model *m, hs_pool *pool,
                  void (*work)(void *context, int index), void *context,
                  int count);

/* How many pieces of work with this many states each should run at once: enough
 * to fill a call, else one per thread. */
int hs_wide_pieces(const hs_model *m, int states, int threads);

/* Makes fibers for models of that width.  *out is NULL, without a failure, if
 * the model evaluates tile by tile. */
hiss_status hs_wide_create(hs_wide **out, const hs_model *m, int threads,
                           hiss_error *err);
void hs_wide_destroy(hs_wide *w);

/* From now until hs_wide_leave, hs_fibers_each of this thread merges calls; w
 * may be NULL for no effect.  Returns the argument of leave. */
void *hs_wide_enter(hs_wide *w);
void hs_wide_leave(void *before);

#endif
