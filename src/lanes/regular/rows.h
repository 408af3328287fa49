/* rows.h - the neighborhood of a site of a regular graph, in bytes: entries of
 * regular.h for one site, or for HS_ROWS consecutive sites whose neighbors are
 * consecutive too. */
#ifndef HS_LANES_REGULAR_ROWS_H
#define HS_LANES_REGULAR_ROWS_H

#include <stdbool.h>

#include "lanes/vec/bytes.h"

/* Whether sites i to i + HS_ROWS - 1 < last can be handled together. */
HS_INLINE bool is_level(const hs_regular *g, int i, int last)
{
    return i % HS_ROWS == 0 && i + HS_ROWS <= last && g->level[i / HS_ROWS];
}

HS_INLINE vbyte entry_of_row(const hs_regular *g, int degree, bool is_even,
                             int i, const hs_byte_row *x)
{
    const int *column = g->column + (int64_t)degree * i;
    vbyte up = -vbyte_load(x[i]), count = vbyte_load(x[column[0]]), down;

    for (int e = 1; e < degree; e++)
        count += vbyte_load(x[column[e]]);
    if (!is_even)
        return count + (vbyte_set(degree + 1) & up);
    down = vbyte_set(degree) - count;
    return down + ((count - down) & up);
}

HS_INLINE vbytes entry_of_rows(const hs_regular *g, int degree, bool is_even,
                               int i, const hs_byte_row *x)
{
    const int *column = g->column + (int64_t)degree * i;
    vbytes up = -vbytes_load(x + i), count = vbytes_load(x + column[0]), down;

    for (int e = 1; e < degree; e++)
        count += vbytes_load(x + column[e]);
    if (!is_even)
        return count + (vbytes_set(degree + 1) & up);
    down = vbytes_set(degree) - count;
    return down + ((count - down) & up);
}

/* Computes the entries of sites i to i + HS_ROWS - 1, i a multiple of
 * HS_ROWS. */
HS_INLINE void entries_of(const hs_regular *g, int degree, bool is_even, int i,
                          const hs_byte_row *x, hs_byte_row *out)
{
    if (g->level[i / HS_ROWS]) {
        vbytes entry = entry_of_rows(g, degree, is_even, i, x);

        memcpy(out, &entry, sizeof entry);
        return;
    }
    for (int r = 0; r < HS_ROWS; r++)
        vbyte_store(out[r], entry_of_row(g, degree, is_even, i + r, x));
}

#endif
