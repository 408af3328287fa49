/* terms.h - the terms of a quadratic form in any order, as in a file, and the
 * quadratic problem made of them. */
#ifndef HS_FORMAT_PROBLEM_TERMS_H
#define HS_FORMAT_PROBLEM_TERMS_H

#include <stdint.h>

#include <hiss/status.h>

#include "base/read/reader.h"
#include "format/problem/problem.h"
#include "model/entries.h"

/* Larger coefficients would overflow in single precision sums; readers refuse
 * them with their place. */
#define HS_WEIGHT_MAX 1e30

/* Most variables that a file may announce without using them. */
#define HS_FREE_VARIABLES 65536

/* Terms of the upper triangle, row <= column. */
typedef hs_entries hs_terms;

/* Adds value x_i x_j, or value x_i if i = j; indices from 0. */
hiss_status hs_terms_add(hs_terms *t, int i, int j, double value,
                         hiss_error *err);

/* Moves the terms to p, whose kind, sense and objective the caller sets.
 * Messages count indices from `base`.  Repeated terms are summed, with a
 * remark.  t is empty afterwards, also on failure. */
hiss_status hs_terms_finish(hs_terms *t, hs_problem *p, int dim, int base,
                            hiss_error *err);

/* The same if indices are names: the variables are those that occur, in the
 * order of their indices.  p has names unless these are 0 ..  dim-1. */
hiss_status hs_terms_finish_named(hs_terms *t, hs_problem *p, hiss_error *err);

/* HISS_EUNSUP if a quadratic problem has linear terms, apart from the rounding
 * of cancelling sums. */
hiss_status hs_terms_refuse_field(const hs_problem *p, hiss_error *err);

/* Reads a number of variables, at least 1 and not beyond what a file of this
 * size can use. */
hiss_status hs_terms_read_dim(hs_reader *in, int *dim, hiss_error *err);

/* A coefficient. */
hiss_status hs_terms_read_value(hs_reader *in, double *value, hiss_error *err);

#endif
