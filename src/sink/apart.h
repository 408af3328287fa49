/* apart.h - work in a child process, for a library that can crash on a damaged
 * file or if memory or disk run out. */
#ifndef HS_SINK_APART_H
#define HS_SINK_APART_H

#include "sink/sink.h"

/* Like sink->read, with limits on time and memory; HISS_EPARSE if the child
 * ended by itself. */
hiss_status hs_apart_read(hs_loaded *in, const hs_sink *sink, const char *path,
                          hiss_error *err);

/* Calls `work`, whose only effect is a file, and passes on its status and
 * message; HISS_EIO if the child crashed.  Signals do not disturb it.  If fork
 * fails the work is done here. */
hiss_status hs_apart_do(hiss_status (*work)(const void *order, hiss_error *err),
                        const void *order, const char *path, hiss_error *err);

#endif
