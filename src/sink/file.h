/* file.h - an output that appears under its name only when it is complete.
 *
 * It is written to a temporary beside its final name, synced, then renamed:
 * over an existing file if that may be replaced, else only if there is none.  A
 * file that is dropped, by a fault or on purpose, leaves nothing behind.
 * Special files (a pipe, /dev/full) are written directly. */
#ifndef HS_SINK_FILE_H
#define HS_SINK_FILE_H

#include <stdbool.h>
#include <stdio.h>

#include <hiss/status.h>

typedef struct hs_file {
    FILE *stream;  /* stream to write to; NULL if a library writes by name */
    char *path;    /* owned: the final name */
    char *scratch; /* owned: the temporary's name; NULL if direct */
    bool replace;
} hs_file;

/* HISS_EARG if it exists and may not be replaced, HISS_EIO if it cannot be
 * written. */
hiss_status hs_file_open(hs_file *f, const char *path, bool replace,
                         hiss_error *err);
/* The same for a library that opens the temporary by its name, f->scratch. */
hiss_status hs_file_reserve(hs_file *f, const char *path, bool replace,
                            hiss_error *err);
/* Flushes, syncs, renames.  HISS_EIO, and nothing left, if any of it fails or
 * if another program has made the file since it was opened. */
hiss_status hs_file_commit(hs_file *f, hiss_error *err);
/* Removes the temporary. */
void hs_file_drop(hs_file *f);

#endif
