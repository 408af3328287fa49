/* names.h - labels of variables in the JSON of dimod. */
#ifndef HS_FORMAT_PROBLEM_NAMES_H
#define HS_FORMAT_PROBLEM_NAMES_H

#include <jansson.h>

#include <hiss/status.h>

#include "format/problem/problem.h"

/* Labels 0 ..  dim-1 in order need no names.  Strings are used as they are,
 * other labels as JSON text.  HISS_EPARSE unless there are dim labels. */
hiss_status hs_names_from_json(hs_problem *p, const json_t *labels, int dim,
                               const char *path, hiss_error *err);

/* Returns the labels of p, or 0 ..  dim-1, with whole numbers as numbers.  NULL
 * if memory is short. */
json_t *hs_names_to_json(const hs_problem *p);

#endif
