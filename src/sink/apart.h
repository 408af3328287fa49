/* apart.h - work in a child process, for a library that can crash: on a file
 * that is damaged, or when memory or disk run out. */
#ifndef HS_SINK_APART_H
#define HS_SINK_APART_H

#include "sink/sink.h"

/* As sink->read, with limits on time and memory; HISS_EPARSE when the child
 * came to an end by itself. */
hiss_status hs_apart_read(hs_loaded *in, const hs_sink *sink, const char *path,
                          hiss_error *err);

/* Calls `work`, which leaves a file and nothing else, and passes on its status
 * and message; HISS_EIO when the child crashed.  Signals do not disturb it.
 * Without a child (fork fails) the work is done here. */
hiss_status hs_apart_do(hiss_status (*work)(const void *order, hiss_error *err),
                        const void *order, const char *path, hiss_error *err);

#endif
