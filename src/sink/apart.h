/* apart.h - a result read in a child process, for a library that a file can
 * crash or keep busy for good. */
#ifndef HS_SINK_APART_H
#define HS_SINK_APART_H

#include "sink/sink.h"

/* As sink->read, with limits on time and memory; HISS_EPARSE when the child
 * came to an end by itself. */
hiss_status hs_apart_read(hs_loaded *in, const hs_sink *sink, const char *path,
                          hiss_error *err);

#endif
