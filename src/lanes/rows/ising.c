/* ising.c - local fields of a sparse pair model, O(degree) per site.
 *
 *     row_i = h_i + sum_j J_ij s_j,   s = low + gap x,   x in {0, 1}
 *     u    += s_i (h_i + 1/2 sum_j J_ij s_j)
 * No gathers: an edge adds one row of sixteen states.  Where all couplings
 * are equal (lattices) the states are summed as integers and multiplied once:
 *     row_i = h_i + J n_i,   n_i = low degree + gap sum_j x_j,
 * n_i exact for whole low and gap, so row_i is rounded twice.  The degree must
 * then be below 2^15 (model/sparse.c ensures it).  Without fields U itself is
 * J/2 times a whole number, summed exactly. */
#include <stdbool.h>

#include "lanes/lanes.h"
#include "lanes/vec/shorts.h"
#include "lanes/vec/vec.h"

void HS_NAME(ising_rows)(const hs_sparse *j, float low, float gap, int first,
                         int last, const int16_t (*x)[HS_LANES],
                         float (*out)[HS_LANES], double *u);
void HS_NAME(ising_diagonal)(const float *diagonal, float low, float gap,
                             int first, int last, const int16_t (*x)[HS_LANES],
                             float (*out)[HS_LANES]);

/* The arguments of the primitive. */
typedef struct sites {
    const hs_sparse *j;
    const int16_t (*x)[HS_LANES];
    float (*out)[HS_LANES];
    double *u;
    int first, last;
    float low, gap;
} sites;

/* Computes sum_j x_j over the neighbors of i, in lanes l and following. */
HS_INLINE vshort count_up(const hs_sparse *j, int i,
                          const int16_t (*x)[HS_LANES], int l)
{
    const int *end = j->column + j->start[i + 1];
    vshort sum = {0};

    for (const int *c = j->column + j->start[i]; c < end; c++)
        sum += vshort_load(&x[*c][l]);
    return sum;
}

/* Computes the contribution of site i to U. */
HS_INLINE vd energy(const sites *t, int i, int l, vf pull, float field)
{
    vf s = vf_of(vi_load_index(&t->x[i][l])) * t->gap + t->low;

    return vd_of(s * (pull * 0.5f + field));
}

/* Rows for equal couplings with fields. */
HS_INLINE void uniform_rows(const sites *t, bool want_row, bool want_u, int l)
{
    const hs_sparse *j = t->j;
    vd sum[HS_SHORT_PARTS];

    for (int k = 0; k < HS_SHORT_PARTS; k++)
        sum[k] = vd_load(t->u + l + k * HS_WIDTH);
    for (int i = t->first; i < t->last; i++) {
        float field = j->field[i];
        float base = t->low * (float)(j->start[i + 1] - j->start[i]);
        vshort count = count_up(j, i, t->x, l);

        for (int k = 0; k < HS_SHORT_PARTS; k++) {
            int at = l + k * HS_WIDTH;
            vf n = vf_of(vi_of_shorts(count, k)) * t->gap + base;
            vf pull = n * j->uniform;

            if (want_row)
                vf_store(&t->out[i - t->first][at], pull + field);
            if (want_u)
                sum[k] = vd_add(sum[k], energy(t, i, at, pull, field));
        }
    }
    for (int k = 0; k < HS_SHORT_PARTS; k++)
        vd_store(t->u + l + k * HS_WIDTH, sum[k]);
}

/* Equal couplings without fields: sum_i s_i n_i is a whole number, exact in
 * float up to 2^24, hence CHUNK sites at a time. */
#define CHUNK 256
HS_INLINE void bare_rows(const sites *t, bool want_row, bool want_u, int l,
                         int first)
{
    const hs_sparse *j = t->j;
    int last = t->last - first < CHUNK ? t->last : first + CHUNK;
    double half = 0.5 * (double)j->uniform;
    vf sum[HS_SHORT_PARTS];

    for (int k = 0; k < HS_SHORT_PARTS; k++)
        sum[k] = vf_set(0.0f);
    for (int i = first; i < last; i++) {
        float base = t->low * (float)(j->start[i + 1] - j->start[i]);
        vshort count = count_up(j, i, t->x, l);

        for (int k = 0; k < HS_SHORT_PARTS; k++) {
            int at = l + k * HS_WIDTH;
            vf n = vf_of(vi_of_shorts(count, k)) * t->gap + base;
            vf s = vf_of(vi_load_index(&t->x[i][at])) * t->gap + t->low;

            if (want_row)
                vf_store(&t->out[i - t->first][at], n * j->uniform);
            if (want_u)
                sum[k] = sum[k] + s * n;
        }
    }
    for (int k = 0; want_u && k < HS_SHORT_PARTS; k++) {
        double *u = t->u + l + k * HS_WIDTH;
        vd whole = vd_of(sum[k]);

        whole = (vd){whole.low * half, whole.high * half};
        vd_store(u, vd_add(vd_load(u), whole));
    }
}

/* Computes pull + J s, s = low + gap x.  For spins J changes its sign where x =
 * 0, which gives the same number without a product. */
HS_INLINE vf pulled(const sites *t, vf pull, int64_t e, int l, bool has_spins)
{
    const int16_t *x = &t->x[t->j->column[e]][l];
    float coupling = t->j->value[e];

    if (has_spins)
        return pull - vf_turned(vf_set(coupling), x);
    return pull + (vf_of(vi_load_index(x)) * t->gap + t->low) * coupling;
}

HS_INLINE void general_rows(const sites *t, bool want_row, bool want_u,
                            bool has_spins, int l)
{
    const hs_sparse *j = t->j;
    vd sum = vd_load(t->u + l);

    for (int i = t->first; i < t->last; i++) {
        float field = j->field ? j->field[i] : 0.0f;
        int64_t end = j->start[i + 1];
        vf pull = vf_set(0.0f);

        for (int64_t e = j->start[i]; e < end; e++)
            pull = pulled(t, pull, e, l, has_spins);
        if (want_row)
            vf_store(&t->out[i - t->first][l], pull + field);
        if (want_u)
            sum = vd_add(sum, energy(t, i, l, pull, field));
    }
    vd_store(t->u + l, sum);
}

/* The same in double; only the row is a float. */
HS_INLINE void wide_rows(const sites *t, bool want_row, bool want_u, int l)
{
    const hs_sparse *j = t->j;
    vd sum = vd_load(t->u + l);

    for (int i = t->first; i < t->last; i++) {
        vd pull = vd_set(0.0), row;

        for (int64_t e = j->start[i]; e < j->start[i + 1]; e++) {
            vf x = vf_of(vi_load_index(&t->x[j->column[e]][l]));

            pull =
                vd_add(pull, vd_scale(vd_of(x * t->gap + t->low), j->exact[e]));
        }
        row = vd_add(pull, vd_set(j->exact_field[i]));
        if (want_row)
            vf_store(&t->out[i - t->first][l], vf_round(row));
        if (want_u) {
            vf x = vf_of(vi_load_index(&t->x[i][l]));
            vd s = vd_of(x * t->gap + t->low);

            row = vd_add(vd_scale(pull, 0.5), vd_set(j->exact_field[i]));
            sum = vd_add(sum, (vd){s.low * row.low, s.high * row.high});
        }
    }
    vd_store(t->u + l, sum);
}

/* Inlined with constants, so that the loops do not test which results are
 * wanted. */
HS_INLINE void rows(const sites *t, bool want_row, bool want_u)
{
    if (t->j->is_wide) {
        HS_EACH_PART(l)
        wide_rows(t, want_row, want_u, l);
        return;
    }
    if (t->j->uniform == 0.0f && t->low == -1.0f && t->gap == 2.0f) {
        HS_EACH_PART(l)
        general_rows(t, want_row, want_u, true, l);
        return;
    }
    if (t->j->uniform == 0.0f) {
        HS_EACH_PART(l)
        general_rows(t, want_row, want_u, false, l);
        return;
    }
    for (int l = 0; l < HS_LANES; l += HS_SHORTS) {
        if (t->j->field)
            uniform_rows(t, want_row, want_u, l);
        else
            for (int i = t->first; i < t->last; i += CHUNK)
                bare_rows(t, want_row, want_u, l, i);
    }
}

void HS_NAME(ising_rows)(const hs_sparse *j, float low, float gap, int first,
                         int last, const int16_t (*x)[HS_LANES],
                         float (*out)[HS_LANES], double *u)
{
    double unused[HS_LANES] = {0};
    sites t = {j, x, out, u ? u : unused, first, last, low, gap};

    if (out && u)
        rows(&t, true, true);
    else if (out)
        rows(&t, true, false);
    else
        rows(&t, false, true);
}

void HS_NAME(ising_diagonal)(const float *diagonal, float low, float gap,
                             int first, int last, const int16_t (*x)[HS_LANES],
                             float (*out)[HS_LANES])
{
    HS_EACH_PART(l)
    {
        for (int i = first; i < last; i++) {
            vf s = vf_of(vi_load_index(&x[i][l])) * gap + low;
            float *row = &out[i - first][l];

            vf_store(row, vf_load(row) + s * diagonal[i]);
        }
    }
}
