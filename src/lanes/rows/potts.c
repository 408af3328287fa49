/* potts.c - local fields of a sparse Potts model, O(degree * states) per site.
 *
 *     row_ic = h_ic + sum_j J_ij [x_j = c]
 *     u     += h_i(x_i) + 1/2 sum_j J_ij [x_j = x_i]
 * No gathers: an edge compares one row of sixteen labels.  Where all couplings
 * are equal (lattices) equal labels are counted as integers, exactly, and
 * multiplied once; the degree must then be below 2^15 (model/sparse.c).  U
 * alone (out NULL) needs one comparison per edge. */
#include "lanes/lanes.h"
#include "lanes/vec/shorts.h"
#include "lanes/vec/vec.h"

void HS_NAME(potts_rows)(const hs_sparse *j, int states, int first, int last,
                         const int16_t (*x)[HS_LANES], float (*out)[HS_LANES],
                         double *u);

/* counts the neighbors of i with the label; a truth value is -1 */
HS_INLINE vshort count_equal(const hs_sparse *j, int i,
                             const int16_t (*x)[HS_LANES], vshort label, int l)
{
    const int *end = j->column + j->start[i + 1];
    vshort count = {0};

    for (const int *c = j->column + j->start[i]; c < end; c++)
        count -= vshort_load(&x[*c][l]) == label;
    return count;
}

/* Computes sum_j J_ij [x_j = label] in lanes l ..  l + HS_SHORTS - 1. */
HS_INLINE void agreement(const hs_sparse *j, int i,
                         const int16_t (*x)[HS_LANES], vshort label, int l,
                         vf *sum)
{
    vshort count;

    if (j->uniform != 0.0f) {
        count = count_equal(j, i, x, label, l);
        for (int k = 0; k < HS_SHORT_PARTS; k++)
            sum[k] = vf_of(vi_of_shorts(count, k)) * j->uniform;
        return;
    }
    for (int k = 0; k < HS_SHORT_PARTS; k++)
        sum[k] = vf_set(0.0f);
    for (int64_t e = j->start[i]; e < j->start[i + 1]; e++) {
        vshort y = vshort_load(&x[j->column[e]][l]);

        for (int k = 0; k < HS_SHORT_PARTS; k++)
            sum[k] = sum[k] + vf_where(vi_equal(vi_of_shorts(y, k),
                                                vi_of_shorts(label, k)),
                                       vf_set(j->value[e]));
    }
}

HS_INLINE void store_rows(const hs_sparse *j, int states, int i,
                          const int16_t (*x)[HS_LANES], float (*row)[HS_LANES],
                          int l)
{
    const float *field = j->field ? j->field + (int64_t)i * states : NULL;

    for (int c = 0; c < states; c++) {
        vf sum[HS_SHORT_PARTS];

        agreement(j, i, x, (int16_t)c - (vshort){0}, l, sum);
        for (int k = 0; k < HS_SHORT_PARTS; k++)
            vf_store(&row[c][l + k * HS_WIDTH],
                     field ? sum[k] + field[c] : sum[k]);
    }
}

/* Looks up h_i(x_i); lanes have different labels. */
HS_INLINE vf own_field(const hs_sparse *j, int states, int i,
                       const int16_t (*x)[HS_LANES], int l)
{
    float at[HS_WIDTH];

    for (int w = 0; w < HS_WIDTH; w++)
        at[w] = j->field[(int64_t)i * states + x[i][l + w]];
    return vf_load(at);
}

HS_INLINE void add_energy(const hs_sparse *j, int states, int i,
                          const int16_t (*x)[HS_LANES], vd *u, int l)
{
    vf sum[HS_SHORT_PARTS];

    agreement(j, i, x, vshort_load(&x[i][l]), l, sum);
    for (int k = 0; k < HS_SHORT_PARTS; k++) {
        vf term = sum[k] * 0.5f;

        if (j->field)
            term = term + own_field(j, states, i, x, l + k * HS_WIDTH);
        u[k] = vd_add(u[k], vd_of(term));
    }
}

void HS_NAME(potts_rows)(const hs_sparse *j, int states, int first, int last,
                         const int16_t (*x)[HS_LANES], float (*out)[HS_LANES],
                         double *u)
{
    for (int l = 0; l < HS_LANES; l += HS_SHORTS) {
        vd sum[HS_SHORT_PARTS];

        for (int i = first; out && i < last; i++)
            store_rows(j, states, i, x, out + (int64_t)(i - first) * states, l);
        if (!u)
            continue;
        for (int k = 0; k < HS_SHORT_PARTS; k++)
            sum[k] = vd_load(u + l + k * HS_WIDTH);
        for (int i = first; i < last; i++)
            add_energy(j, states, i, x, sum, l);
        for (int k = 0; k < HS_SHORT_PARTS; k++)
            vd_store(u + l + k * HS_WIDTH, sum[k]);
    }
}
