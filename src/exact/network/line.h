/* line.h - a linear order of the variables with a small frontier. */
#ifndef HS_EXACT_NETWORK_LINE_H
#define HS_EXACT_NETWORK_LINE_H

#include <hiss/status.h>

#include "model/factors.h"

/* The frontier of an order at a place: the earlier variables that share a table
 * with a later one. */
typedef struct hs_line {
    int *order; /* owned, [count]: variables that have a choice */
    int count;
    int frontier;     /* the largest */
    const char *name; /* "as given", "least frontier" */
} hs_line;

/* Finds the better of the order of the file and a greedy one. */
hiss_status hs_line_init(hs_line *l, const hs_factors *f, hiss_error *err);
void hs_line_clear(hs_line *l);

#endif
