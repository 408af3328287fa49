/* input.h - files that are read: plain ones only.
 *
 * A FIFO, a socket or a device may wait for ever, never end, or do something
 * when it is opened.  What the process was handed open already (/dev/stdin,
 * /dev/fd/N) may be a pipe all the same: the shell's `<(...)`.  "-" is standard
 * input, which is kept: it can be opened again (standard.h). */
#ifndef HS_BASE_READ_INPUT_H
#define HS_BASE_READ_INPUT_H

#include <stdio.h>
#include <sys/stat.h>

#include <hiss/status.h>

/* A descriptor for reading, owned by the caller, and what it is of; HISS_EPARSE
 * with the reason when there is none.  info may be NULL. */
hiss_status hs_input_open(int *fd, const char *path, struct stat *info,
                          hiss_error *err);

/* The same as a stream. */
hiss_status hs_input_stream(FILE **out, const char *path, struct stat *info,
                            hiss_error *err);

/* For a library that opens the file by its name: whether it should. */
hiss_status hs_input_check(const char *path, hiss_error *err);

#endif
