/* checks.h - checks the numbers of models from arrays. */
#ifndef HS_API_PROBLEM_CHECKS_H
#define HS_API_PROBLEM_CHECKS_H

#include <stdint.h>

#include <hiss/status.h>

/* The largest number in an array, as in files: sums of them stay finite. */
#define HS_ENTRY_MAX 1e30

/* A model has at least one coordinate. */
hiss_status hs_check_dim(int dim, hiss_error *err);

/* Checks that numbers are finite and at most `most` in size; the message calls
 * the array `what`.  NULL passes. */
hiss_status hs_check_numbers(const char *what, const double *at, int64_t count,
                             double most, hiss_error *err);

/* Finite. */
hiss_status hs_check_floats(const char *what, const float *at, int64_t count,
                            hiss_error *err);

#endif
