/* seal.h - the last line of a result file, a checksum of all before it:
 *
 *     # checksum: xxh64 0123456789abcdef
 *
 * A file that was changed on purpose says so by the line `# checksum: none` at
 * its end.  In a .nc it stands behind what HDF5 knows of, which ignores it. */
#ifndef HS_SINK_SEAL_H
#define HS_SINK_SEAL_H

#include <stdbool.h>
#include <stdio.h>

#include <hiss/status.h>

#include "base/read/xxh64.h"

/* Writes the line, for the sum of the bytes before it. */
void hs_seal_put(FILE *to, const hs_xxh64 *sum);

/* Reads a file that a library wrote, and puts the line behind it.  HISS_EIO
 * with `path` in its message. */
hiss_status hs_seal_add(const char *file, const char *path, hiss_error *err);

/* Before a result is read: HISS_EPARSE unless the checksum fits or is none. */
hiss_status hs_seal_check(const char *path, hiss_error *err);

#endif
