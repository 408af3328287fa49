/* mode_file.h - modes that a user knows: a state per line, dim values each,
 * separated by white space; `#` begins a comment. */
#ifndef HS_RUN_ATLAS_MODE_FILE_H
#define HS_RUN_ATLAS_MODE_FILE_H

#include <stdint.h>

#include <hiss/status.h>

#include "base/state/domain.h"

/* *states: [*count][dim] indices, owned by the caller; from 2 to `most`. */
hiss_status hs_mode_file_read(int16_t **states, int *count, const char *path,
                              const hs_domain *d, int most, hiss_error *err);

#endif
