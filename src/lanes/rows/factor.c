/* factor.c - sums of the tables around a coordinate, lane by lane.
 *
 *     sum_v = sum_f table_f(x with x_i = v)
 * Each lane reads its own entries: the position of x_i = 0 in a table is
 * computed once, O(coordinates of the table), and the values are `own` entries
 * apart.  Sums are in double and in one order, so that every instruction set
 * gives the same bits; -infinity stays. Clauses are counted instead: a lane
 * violates one if all its values are those of the nonzero entry. A sum of equal
 * entries is exact. */
#include <math.h>
#include <string.h>

#include "lanes/lanes.h"
#include "lanes/vec/vec.h"

#define CLAUSES 30000 /* an int16_t can count them */

void HS_NAME(factor_sums)(const hs_tables *t, int i, int states,
                          const int16_t (*x)[HS_LANES],
                          double (*sum)[HS_LANES]);
void HS_NAME(factor_energy)(const hs_tables *t, int first, int last,
                            const int16_t (*x)[HS_LANES], double *u);

/* Finds the position in a table that the other coordinates determine. */
HS_INLINE void find(const hs_tables *t, const hs_incidence *n,
                    const int16_t (*x)[HS_LANES], int32_t at[HS_LANES])
{
    for (int l = 0; l < HS_LANES; l++)
        at[l] = 0;
    for (int64_t o = n->other; o < n->other + n->others; o++)
        for (int l = 0; l < HS_LANES; l++)
            at[l] += t->stride[o] * x[t->column[o]][l];
}

HS_INLINE bool are_clauses(const hs_tables *t, int i)
{
    return t->clause[i] != 0.0 && t->start[i + 1] - t->start[i] <= CLAUSES;
}

/* Sixteen values of a coordinate.  Without this type the compiler handles one
 * lane after the other. */
typedef int16_t row_vector __attribute__((vector_size(2 * HS_LANES)));

HS_INLINE row_vector load(const int16_t *row)
{
    row_vector v;

    memcpy(&v, row, sizeof v);
    return v;
}

/* Counts the violated clauses of coordinate i for either of its values. */
HS_INLINE void count_clauses(const hs_tables *t, int i,
                             const int16_t (*x)[HS_LANES],
                             int16_t (*count)[HS_LANES])
{
    row_vector sum[2] = {{0}, {0}};

    for (int64_t k = t->start[i]; k < t->start[i + 1]; k++) {
        const hs_incidence *n = &t->incidence[k];
        row_vector kept = {0};

        for (int64_t o = n->other; o < n->other + n->others; o++)
            kept |= load(x[t->column[o]]) ^ t->violated[o];
        if (t->own[k])
            sum[1] -= kept == 0;
        else
            sum[0] -= kept == 0;
    }
    memcpy(count, sum, sizeof sum);
}

/* Adds count times an entry, which may be infinite. */
HS_INLINE void add_times(const int16_t *count, double entry, double *sum)
{
    double each[HS_LANES];

    for (int l = 0; l < HS_LANES; l++)
        each[l] = (double)(int32_t)count[l];
    if (entry > -HUGE_VAL)
        for (int l = 0; l < HS_LANES; l++)
            sum[l] += each[l] * entry;
    else
        for (int l = 0; l < HS_LANES; l++)
            sum[l] += each[l] > 0.0 ? -HUGE_VAL : 0.0;
}

void HS_NAME(factor_sums)(const hs_tables *t, int i, int states,
                          const int16_t (*x)[HS_LANES], double (*sum)[HS_LANES])
{
    const hs_incidence *end = t->incidence + t->start[i + 1];
    int16_t count[2][HS_LANES];

    for (int v = 0; v < states; v++)
        for (int l = 0; l < HS_LANES; l++)
            sum[v][l] = 0.0;
    if (are_clauses(t, i)) {
        count_clauses(t, i, x, count);
        for (int v = 0; v < 2; v++)
            add_times(count[v], t->clause[i], sum[v]);
        return;
    }
    for (const hs_incidence *n = t->incidence + t->start[i]; n < end; n++) {
        const double *entry = t->entry + n->table;
        int32_t at[HS_LANES];

        find(t, n, x, at);
        for (int v = 0; v < states; v++, entry += n->own)
            for (int l = 0; l < HS_LANES; l++)
                sum[v][l] += entry[at[l]];
    }
}

/* Adds the tables of coordinate i. */
HS_INLINE void add_tables(const hs_tables *t, int i,
                          const int16_t (*x)[HS_LANES], double *u)
{
    const hs_incidence *end = t->incidence + t->start[i + 1];

    for (const hs_incidence *n = t->incidence + t->start[i]; n < end; n++) {
        const double *entry = t->entry + n->table;
        int32_t at[HS_LANES];

        find(t, n, x, at);
        for (int l = 0; l < HS_LANES; l++)
            u[l] += entry[at[l]];
    }
}

void HS_NAME(factor_energy)(const hs_tables *t, int first, int last,
                            const int16_t (*x)[HS_LANES], double *u)
{
    int16_t count[2][HS_LANES];

    for (int i = first; i < last; i++) {
        if (!are_clauses(t, i)) {
            add_tables(t, i, x, u);
            continue;
        }
        count_clauses(t, i, x, count);
        add_times(count[0], t->clause[i], u);
    }
}
