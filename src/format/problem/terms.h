/* terms.h - the terms of a quadratic form as a file lists them, in any order,
 * and the quadratic problem that they make. */
#ifndef HS_FORMAT_PROBLEM_TERMS_H
#define HS_FORMAT_PROBLEM_TERMS_H

#include <stdint.h>

#include <hiss/status.h>

#include "base/read/reader.h"
#include "format/problem/problem.h"
#include "model/entries.h"

/* Larger coefficients would overflow where sums of them are taken in single
 * precision; readers refuse them where they stand. */
#define HS_WEIGHT_MAX 1e30

/* Variables that a file may announce without mentioning them. */
#define HS_FREE_VARIABLES 65536

/* Terms of the upper triangle, row <= column. */
typedef hs_entries hs_terms;

/* value x_i x_j, or value x_i when i = j: indices from 0. */
hiss_status hs_terms_add(hs_terms *t, int i, int j, double value,
                         hiss_error *err);

/* Takes the terms over into p (kind, sense and objective are the caller's),
 * whose indices a message counts from `base`.  Terms given more than once are
 * summed, with a remark.  t is empty afterwards, also on failure. */
hiss_status hs_terms_finish(hs_terms *t, hs_problem *p, int dim, int base,
                            hiss_error *err);

/* The same when indices are names: the variables are those mentioned, in the
 * order of their indices; where they are not 0 .. dim-1 p has names. */
hiss_status hs_terms_finish_named(hs_terms *t, hs_problem *p, hiss_error *err);

/* HISS_EUNSUP when a quadratic problem has linear terms beyond what rounding
 * leaves of sums that cancel. */
hiss_status hs_terms_refuse_field(const hs_problem *p, hiss_error *err);

/* A number of variables, at least 1 and not beyond what a file of this size
 * can mean. */
hiss_status hs_terms_read_dim(hs_reader *in, int *dim, hiss_error *err);

/* A coefficient. */
hiss_status hs_terms_read_value(hs_reader *in, double *value, hiss_error *err);

#endif
