/* standard.h - standard input as a file that can be opened repeatedly. */
#ifndef HS_BASE_READ_STANDARD_H
#define HS_BASE_READ_STANDARD_H

#include <stdbool.h>

#include <hiss/status.h>

#define HS_STANDARD_PATH 32

/* Whether the path is "-"; a file of that name is ./- */
bool hs_is_standard(const char *path);

/* Returns the name of a file with the whole of standard input, which exists
 * until the process ends.  HISS_EPARSE if it cannot be read or is larger than
 * 2^30 bytes. */
hiss_status hs_standard_path(char path[HS_STANDARD_PATH], hiss_error *err);

#endif
