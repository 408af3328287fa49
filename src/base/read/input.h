/* input.h - opens plain files only.
 *
 * A FIFO, a socket or a device may wait forever, never end, or do something
 * when it is opened.  An exception are descriptors that the process got open
 * (/dev/stdin, /dev/fd/N), which may be pipes, as in the shell's `<(...)`.  "-"
 * is standard input, which is stored so that it can be opened again
 * (standard.h). */
#ifndef HS_BASE_READ_INPUT_H
#define HS_BASE_READ_INPUT_H

#include <stdio.h>
#include <sys/stat.h>

#include <hiss/status.h>

/* Opens a file for reading.  The caller owns *fd; info may be NULL.  Returns
 * HISS_EPARSE with the reason on failure. */
hiss_status hs_input_open(int *fd, const char *path, struct stat *info,
                          hiss_error *err);

/* Opens a file as a stream. */
hiss_status hs_input_stream(FILE **out, const char *path, struct stat *info,
                            hiss_error *err);

/* Checks a file that another library will open by its name. */
hiss_status hs_input_check(const char *path, hiss_error *err);

#endif
