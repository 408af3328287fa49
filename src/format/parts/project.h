/* project.h - projects hard tables on some of their variables. */
#ifndef HS_FORMAT_PARTS_PROJECT_H
#define HS_FORMAT_PARTS_PROJECT_H

#include <stdbool.h>

#include <hiss/status.h>

#include "model/factors.h"

/* Replaces f by tables over the shown variables, in their order: a state is
 * possible if some values of the others complete it.  In tables with a hidden
 * variable every nonzero entry must be 1.  HISS_EUNSUP if an intermediate table
 * would have more than 2^20 entries. */
hiss_status hs_project(hs_factors *f, const bool *is_shown, hiss_error *err);

#endif
