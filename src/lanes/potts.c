/* potts.c - local fields of a sparse Potts model, O(degree * states) per site.
 *
 *     row_ic = h_ic + sum_j J_ij [x_j = c]
 *     u     += h_i(x_i) + 1/2 sum_j J_ij [x_j = x_i]
 * A comparison is a mask; where all couplings are equal (lattices) the masks
 * are counted as integers and multiplied once.  U alone (out NULL) needs one
 * comparison per edge. */
#include "lanes/lanes.h"
#include "lanes/vec.h"

void HS_NAME(potts_rows)(const hs_sparse *j, int states, int first, int last,
                         const int16_t (*x)[HS_LANES], float (*out)[HS_LANES],
                         double *u);

/* sum_j J_ij [x_j = label] over the neighbours of i */
HS_INLINE vf agreement(const hs_sparse *j, int i, const int16_t (*x)[HS_LANES],
                       vi label, int l)
{
    int64_t begin = j->start[i], end = j->start[i + 1];
    vf sum = vf_set(0.0f);
    vi count = vi_set(0);

    if (j->uniform != 0.0f) {
        for (int64_t e = begin; e < end; e++) /* a mask is -1 */
            count -= vi_load_index(&x[j->column[e]][l]) == label;
        return vf_of(count) * j->uniform;
    }
    for (int64_t e = begin; e < end; e++)
        sum = sum + vf_mask(vi_load_index(&x[j->column[e]][l]) == label,
                            vf_set(j->value[e]));
    return sum;
}

/* h_i(x_i): lanes look up different labels */
HS_INLINE vf own_field(const hs_sparse *j, int states, int i,
                       const int16_t (*x)[HS_LANES], int l)
{
    float at[HS_WIDTH];

    if (!j->field)
        return vf_set(0.0f);
    for (int w = 0; w < HS_WIDTH; w++)
        at[w] = j->field[(int64_t)i * states + x[i][l + w]];
    return vf_load(at);
}

static void part_rows(const hs_sparse *j, int states, int first, int last,
                      const int16_t (*x)[HS_LANES], float (*out)[HS_LANES],
                      int l)
{
    for (int i = first; i < last; i++) {
        const float *field = j->field ? j->field + (int64_t)i * states : NULL;
        float(*row)[HS_LANES] = out + (int64_t)(i - first) * states;

        for (int c = 0; c < states; c++) {
            vf pull = agreement(j, i, x, vi_set(c), l);

            vf_store(&row[c][l], field ? pull + field[c] : pull);
        }
    }
}

static void part_energy(const hs_sparse *j, int states, int first, int last,
                        const int16_t (*x)[HS_LANES], double *u, int l)
{
    vd sum = vd_load(u + l);

    for (int i = first; i < last; i++) {
        vf pull = agreement(j, i, x, vi_load_index(&x[i][l]), l);

        sum = vd_add(sum, vd_of(pull * 0.5f + own_field(j, states, i, x, l)));
    }
    vd_store(u + l, sum);
}

void HS_NAME(potts_rows)(const hs_sparse *j, int states, int first, int last,
                         const int16_t (*x)[HS_LANES], float (*out)[HS_LANES],
                         double *u)
{
    HS_EACH_PART(l)
    {
        if (out)
            part_rows(j, states, first, last, x, out, l);
        if (u)
            part_energy(j, states, first, last, x, u, l);
    }
}
