/* project.h - hard tables over some of their variables. */
#ifndef HS_FORMAT_PARTS_PROJECT_H
#define HS_FORMAT_PARTS_PROJECT_H

#include <stdbool.h>

#include <hiss/status.h>

#include "model/factors.h"

/* Replaces f by tables over the shown variables, in their order: a state is
 * possible if some values of the others complete it.  Tables with a variable
 * that is not shown hold zeros only where they hold no 0 (ln 1).  HISS_EUNSUP
 * where a table in between would have more than 2^20 entries. */
hiss_status hs_project(hs_factors *f, const bool *is_shown, hiss_error *err);

#endif
