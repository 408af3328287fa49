/* side_names.h - names of variables and states in a file beside a UAI file. */
#ifndef HS_FORMAT_PROBLEM_SIDE_NAMES_H
#define HS_FORMAT_PROBLEM_SIDE_NAMES_H

#include <hiss/status.h>

#include "model/model.h"

/* For grid.uai or grid.uai.gz, reads the names in grid.uai.names if that file
 * exists: a line for each variable, "Rain" or "Rain: no yes"; # begins a
 * comment. */
hiss_status hs_side_names_read(hs_model *m, const char *path, hiss_error *err);

#endif
