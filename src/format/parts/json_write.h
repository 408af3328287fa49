/* json_write.h - writes quadratic models as JSON, number by number. */
#ifndef HS_FORMAT_PARTS_JSON_WRITE_H
#define HS_FORMAT_PARTS_JSON_WRITE_H

#include <stdio.h>

#include <hiss/status.h>

#include "format/problem/problem.h"

/* p must be quadratic and minimized. */
hiss_status hs_json_write_dimod(const hs_problem *p, FILE *to, hiss_error *err);
hiss_status hs_json_write_bqp(const hs_problem *p, FILE *to, hiss_error *err);

#endif
