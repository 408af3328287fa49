/* entries.h - sorts the entries of a sparse matrix into rows. */
#ifndef HS_MODEL_ENTRIES_H
#define HS_MODEL_ENTRIES_H

#include <stdint.h>

#include <hiss/status.h>

typedef struct hs_entries {
    int64_t count, room;
    int *row, *column; /* owned, [room] */
    double *value;     /* owned, [room] */
} hs_entries;

void hs_entries_clear(hs_entries *e);

/* Makes room for this many entries in all. */
hiss_status hs_entries_reserve(hs_entries *e, int64_t count, hiss_error *err);
hiss_status hs_entries_add(hs_entries *e, int row, int column, double value,
                           hiss_error *err);

/* Sorts by rows, and within rows by columns, both below dim.  Entries of one
 * place keep their order.  O(count + dim). */
hiss_status hs_entries_sort(hs_entries *e, int dim, hiss_error *err);

/* Merges sorted entries of the same place into their sum, added in order.
 * Returns how many places had several; *first is the first of them. */
int64_t hs_entries_merge(hs_entries *e, int64_t *first);

#endif
