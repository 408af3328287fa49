/* factor.c - what the tables around a coordinate say, lane by lane.
 *
 *     sum_v = sum_f table_f(x with x_i = v)
 * Each lane looks up its own entries: the position of x_i = 0 in a table is
 * computed once, O(coordinates of the table), and the values are `own` entries
 * apart.  Sums are in double and in one order, so that every instruction set
 * gives the same bits; -infinity stays what it is. */
#include "lanes/lanes.h"
#include "lanes/vec/vec.h"

void HS_NAME(factor_sums)(const hs_tables *t, int i, int states,
                          const int16_t (*x)[HS_LANES],
                          double (*sum)[HS_LANES]);
void HS_NAME(factor_energy)(const hs_tables *t, int first, int last,
                            const int16_t (*x)[HS_LANES], double *u);

/* Where the other coordinates put the lanes in a table. */
HS_INLINE void find(const hs_tables *t, const hs_incidence *n,
                    const int16_t (*x)[HS_LANES], int32_t at[HS_LANES])
{
    for (int l = 0; l < HS_LANES; l++)
        at[l] = 0;
    for (int64_t o = n->other; o < n->other + n->others; o++)
        for (int l = 0; l < HS_LANES; l++)
            at[l] += t->stride[o] * x[t->column[o]][l];
}

void HS_NAME(factor_sums)(const hs_tables *t, int i, int states,
                          const int16_t (*x)[HS_LANES], double (*sum)[HS_LANES])
{
    const hs_incidence *end = t->incidence + t->start[i + 1];

    for (int v = 0; v < states; v++)
        for (int l = 0; l < HS_LANES; l++)
            sum[v][l] = 0.0;
    for (const hs_incidence *n = t->incidence + t->start[i]; n < end; n++) {
        const double *entry = t->entry + n->table;
        int32_t at[HS_LANES];

        find(t, n, x, at);
        for (int v = 0; v < states; v++, entry += n->own)
            for (int l = 0; l < HS_LANES; l++)
                sum[v][l] += entry[at[l]];
    }
}

void HS_NAME(factor_energy)(const hs_tables *t, int first, int last,
                            const int16_t (*x)[HS_LANES], double *u)
{
    const hs_incidence *end = t->incidence + t->start[last];

    for (const hs_incidence *n = t->incidence + t->start[first]; n < end; n++) {
        const double *entry = t->entry + n->table;
        int32_t at[HS_LANES];

        find(t, n, x, at);
        for (int l = 0; l < HS_LANES; l++)
            u[l] += entry[at[l]];
    }
}
