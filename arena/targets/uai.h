/* uai.h - targets as files that other programs read: Markov networks in the
 * format of the UAI competitions, tables of exp(U). */
#ifndef HISS_ARENA_TARGETS_UAI_H
#define HISS_ARENA_TARGETS_UAI_H

#include "arena/targets/tables.h"

/* The text of a model of pairs, of spins (U = sum value s s' + field s) or bits
 * (the same with x); free() it, NULL without memory. */
char *uai_of_pairs(int dim, int is_spin, int64_t entries, const int *row,
                   const int *column, const double *value, const double *field);
/* The text of a sum of tables over coordinates with so many states. */
char *uai_of_tables(const tables *t, int dim, int states);

#endif
